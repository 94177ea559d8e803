package lifecycle

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/ledger"
	"github.com/skua-browser/skua/snapshot"
)

// tabs are the tabs of a session. Guarded by the browser's mu.
type tabs struct {
	refs   *snapshot.Refs
	list   []*actions.Tab
	active *actions.Tab
	last   int                // the number of the newest id
	gone   map[string]goneTab // by id
	pinned bool               // --pin-tab was given
	lost   error              // of a pinned session whose tab is gone

	offsets map[string]scrollPosition // by id
}

// scrollPosition is how far a tab was scrolled at an address.
type scrollPosition struct {
	url    string
	offset ledger.Offset
}

// goneTab is a tab that was closed.
type goneTab struct{ target, url string }

// maxGoneTabs is how many closed tabs are remembered for messages.
const maxGoneTabs = 1000

func newTabs() tabs {
	return tabs{refs: snapshot.NewRefs(), gone: map[string]goneTab{}, offsets: map[string]scrollPosition{}}
}

// activate makes a tab the one that commands go to.
func (t *tabs) activate(tab *actions.Tab) { t.active, t.lost = tab, nil }

// add adds a tab with a new id for a page. A page that has a tab keeps it.
func (t *tabs) add(p *engine.Page, label string, activate bool) *actions.Tab {
	i := slices.IndexFunc(t.list, func(tab *actions.Tab) bool { return tab.Page == p })
	if i < 0 {
		t.last++
		i = len(t.list)
		t.list = append(t.list, &actions.Tab{ID: "t" + strconv.Itoa(t.last), Label: label, Page: p})
	}
	if activate {
		t.activate(t.list[i])
	}
	return t.list[i]
}

// remove removes a closed tab. Its opener, else the newest tab, becomes active in its place.
func (t *tabs) remove(tab *actions.Tab) {
	t.remember(tab)
	t.list = slices.DeleteFunc(slices.Clone(t.list), func(other *actions.Tab) bool { return other == tab })
	if t.active == tab {
		t.active = t.successor(tab)
	}
}

// replace puts a tab in the place of the one that had its id; there may be none.
func (t *tabs) replace(tab, by *actions.Tab) (found bool) {
	i := slices.Index(t.list, tab)
	if i >= 0 {
		t.list[i] = by
	}
	if t.active == tab {
		t.active = by
	}
	return i >= 0
}

// drop forgets all tabs, whose browser is gone. Ids and ref numbers are not used again.
func (t *tabs) drop() {
	for _, tab := range t.list {
		t.refs.CloseTab(tab.ID)
	}
	t.list, t.active, t.lost = nil, nil, nil
}

// reap removes tabs that their page closed. If the active one closed, its opener or the newest tab becomes active, and
// the note says so.
func (t *tabs) reap(inApp bool) (note string) {
	gone := func(tab *actions.Tab) bool { return fault.Is(tab.Page.Err(), fault.PageGone) }
	for _, tab := range t.list {
		if gone(tab) {
			t.remember(tab)
		}
	}
	t.list = slices.DeleteFunc(t.list, gone)
	if t.active == nil || !gone(t.active) {
		return ""
	}
	was := t.active
	if t.pinned {
		t.active, t.lost = nil, t.goneError(was.ID)
		return ""
	}
	t.active = t.successor(was)
	note = "tab " + was.ID + " (" + was.Page.URL() + ") was closed"
	switch {
	case t.active != nil:
		return note + "; the active tab is now " + t.active.ID
	case inApp:
		return note + "; it was the app's last window"
	}
	return note + "; it was the last one, and a new empty tab takes its place"
}

// successor returns the tab that becomes active when another one closes: its opener, else the newest.
func (t *tabs) successor(closed *actions.Tab) *actions.Tab {
	for _, tab := range t.list {
		if tab.Page.ID() == closed.Page.Opener() && !tab.Page.IsUnloaded() {
			return tab
		}
	}
	if len(t.list) == 0 {
		return nil
	}
	return t.list[len(t.list)-1]
}

// remember remembers a closed tab for later error messages. Its refs end.
func (t *tabs) remember(tab *actions.Tab) {
	t.refs.CloseTab(tab.ID)
	delete(t.offsets, tab.ID)
	if len(t.gone) >= maxGoneTabs {
		clear(t.gone)
	}
	t.gone[tab.ID] = goneTab{target: tab.Page.ID(), url: tab.Page.URL()}
}

// goneError is the error of a command for a closed tab. It starts with the words that callers of agent-browser match
// on.
func (t *tabs) goneError(id string) error {
	was := t.gone[id]
	return fault.New(fault.TabGone, "tab_gone: tab %s is gone (target %s, last url %s).", id, was.target, was.url).
		About(id).
		WithHint("Run `tab new <url>` to open another one, or `tab list` to pick an open one.").
		With("targetId", was.target).With("lastUrl", was.url)
}

// scrolled remembers how far a tab was scrolled.
func (t *tabs) scrolled(k ledger.Tab) { t.offsets[k.ID] = scrollPosition{url: k.URL, offset: k.Scroll} }

// records returns the ledger's records of the tabs.
func (t *tabs) records() []ledger.Tab {
	kept := make([]ledger.Tab, 0, len(t.list))
	for _, tab := range t.list {
		url := tab.Page.URL()
		k := ledger.Tab{
			ID:      tab.ID,
			Label:   tab.Label,
			URL:     url,
			Title:   tab.Page.Title(),
			Address: tab.Page.Address(),
		}
		if at := t.offsets[tab.ID]; at.url == url {
			k.Scroll = at.offset
		}
		kept = append(kept, k)
	}
	return kept
}

// urls returns the addresses of the tabs, that of the active one first.
func (t *tabs) urls() []string {
	var urls []string
	for _, tab := range t.list {
		if tab == t.active {
			urls = slices.Insert(urls, 0, tab.Page.URL())
		} else {
			urls = append(urls, tab.Page.URL())
		}
	}
	return urls
}

// Named is the tab with an id, a label, or the id of a target, or nil.
func Named(tabs []*actions.Tab, name string) *actions.Tab {
	is := func(t *actions.Tab) bool { return t.ID == name || t.Label == name && name != "" || t.Page.ID() == name }
	if i := slices.IndexFunc(tabs, is); i >= 0 {
		return tabs[i]
	}
	return nil
}

var (
	tabID    = regexp.MustCompile(`^t[0-9]+$`)
	tabLabel = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]*$`)
	integer  = regexp.MustCompile(`^-?[0-9]+$`)
)

// checkLabel refuses what cannot be the label of a new tab.
func checkLabel(label string, tabs []*actions.Tab) error {
	fail := func(format string, args ...any) error { return fault.New(fault.Usage, format, args...).About(label) }
	switch {
	case label == "":
		return nil
	case tabID.MatchString(label):
		return fail("Tab label `%s` uses syntax reserved for tab IDs", label)
	case !tabLabel.MatchString(label):
		return fail("Invalid tab label `%s`; labels must start with a letter and contain only letters, digits, `-`, and `_`",
			label)
	}
	if slices.ContainsFunc(tabs, func(t *actions.Tab) bool { return t.Label == label }) {
		return fail("Label `%s` is already used by another tab; labels must be unique within a session", label)
	}
	return nil
}

// noTab is the error of a name that is not that of a tab.
func noTab(name string) error {
	const list = "run `tab` to list open tabs"
	switch {
	case integer.MatchString(name):
		return fault.New(fault.TabNotFound,
			"Expected a tab id like `t1` or a label; positional integers are not accepted (%s)", list).About(name)
	case tabID.MatchString(name):
		return fault.New(fault.TabNotFound, "Tab %s not found; %s", name, list).About(name)
	}
	return fault.New(fault.TabNotFound, "No tab with label `%s`; %s", name, list).About(name)
}
