package electron

import (
	"strings"
	"unicode/utf8"
)

// Bounds of what a Probe holds.
const (
	maxProbeTabs  = 6
	MaxProbeRefs  = 20
	MaxProbeLines = 12
	maxProbeText  = 1600 // characters
)

// Probe is a short look at what an app shows.
type Probe struct {
	URL            string         `json:"url,omitempty"`
	Title          string         `json:"title,omitempty"`
	FocusedElement *Focused       `json:"focusedElement,omitempty"`
	ActiveTab      *ProbeTab      `json:"activeTab,omitempty"`
	Tabs           []ProbeTab     `json:"tabs"`
	TabsOmitted    int            `json:"tabsOmitted,omitempty"`
	Snapshot       *ProbeSnapshot `json:"snapshot,omitempty"`
	Errors         []ProbeError   `json:"errors,omitempty"`
	Summary        string         `json:"summary"`
}

// Focused is the element that has the focus. It never holds a value.
type Focused struct {
	Tag         string `json:"tag"`
	Role        string `json:"role,omitempty"`
	ID          string `json:"id,omitempty"`
	Name        string `json:"name,omitempty"`
	Type        string `json:"type,omitempty"`
	Placeholder string `json:"placeholder,omitempty"`
	Editable    bool   `json:"editable,omitempty"`
}

// FocusScript is a script whose value is the [Focused] of a page, through open shadow roots and frames of its own site;
// null when the page itself has the focus.
const FocusScript = `(() => {
  let e = document.activeElement;
  for (let next = e; next;) {
    e = next;
    next = e.shadowRoot && e.shadowRoot.activeElement;
    try { next = next || e.contentDocument && e.contentDocument.activeElement; } catch {}
  }
  if (!e || e === e.ownerDocument.body || e === e.ownerDocument.documentElement) return null;
  const cut = s => s ? s.trim().replace(/\s+/g, " ").slice(0, 80) : undefined;
  const label = e.labels && e.labels[0] && e.labels[0].textContent;
  const own = /^(BUTTON|A|SUMMARY)$/.test(e.tagName) ? e.textContent : "";
  return {
    tag: e.tagName.toLowerCase(), role: e.getAttribute("role") || undefined, id: cut(e.id), name: cut(e.getAttribute("aria-label") || label || own || e.getAttribute("title")),
    type: e.getAttribute("type") || undefined, placeholder: cut(e.getAttribute("placeholder")),
    editable: e.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(e.tagName) || undefined,
  };
})()`

// ProbeTab is a window or webview that a session has as a tab.
type ProbeTab struct {
	TabID  string `json:"tabId"`
	Type   string `json:"type"`
	Parent string `json:"parent,omitempty"` // the tab of the window that shows it
	Title  string `json:"title"`
	URL    string `json:"url"`
	Active bool   `json:"active"`
	Hidden bool   `json:"hidden,omitzero"` // no person sees its window
	View   bool   `json:"view,omitzero"`   // it is shown in a part of a window, beside the window's own page
	Modal  bool   `json:"modal,omitzero"`  // its window belongs to another one, which waits for it
}

// ProbeSnapshot is what is kept of a snapshot.
type ProbeSnapshot struct {
	RefCount     int      `json:"refCount"`
	RefIDs       []string `json:"refIds"`
	RefsOmitted  int      `json:"refsOmitted,omitempty"`
	Text         string   `json:"text,omitempty"`
	LinesOmitted int      `json:"linesOmitted,omitempty"`
}

// ProbeError is a question that had no answer.
type ProbeError struct {
	Step  string `json:"step"` // url, title, focusedElement, tabs or snapshot
	Error string `json:"error"`
}

// SetTabs keeps the active tab and as many others as a Probe holds.
func (p *Probe) SetTabs(all []ProbeTab) {
	for i := range all {
		if all[i].Active {
			p.ActiveTab = &all[i]
		}
	}
	p.Tabs = all[:min(len(all), maxProbeTabs)]
	p.TabsOmitted = len(all) - len(p.Tabs)
}

// SetSnapshot keeps the beginning of a snapshot, and of the ids of its refs.
func (p *Probe) SetSnapshot(text string, refs []string) {
	s := &ProbeSnapshot{RefCount: len(refs), RefIDs: refs[:min(len(refs), MaxProbeRefs)]}
	s.RefsOmitted = len(refs) - len(s.RefIDs)
	lines := strings.Split(strings.TrimRight(text, "\n"), "\n")
	length := 0
	for i, line := range lines {
		length += utf8.RuneCountInString(line) + 1
		if i == MaxProbeLines || length > maxProbeText {
			s.LinesOmitted = len(lines) - i
			lines = lines[:i]
			break
		}
	}
	s.Text = strings.Join(lines, "\n")
	p.Snapshot = s
}
