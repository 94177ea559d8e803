package judging

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/tool/contract"
)

// maxOverlayCandidates bounds how many controls are offered that may close what lies over the page.
const maxOverlayCandidates = 3

// Ref is an element of a snapshot.
type Ref struct{ ID, Role, Name string }

// At is the ref as commands take it.
func (r *Ref) At() string { return "@" + r.ID }

// RefsOf returns the refs of what a snapshot shows, in the order of their numbers.
func RefsOf(shown *fact.HandedOut) []Ref {
	if shown == nil {
		return nil
	}
	list := make([]Ref, 0, len(shown.Refs))
	for id, ref := range shown.Refs {
		list = append(list, Ref{ID: id, Role: ref.Role, Name: ref.Name})
	}
	slices.SortFunc(list, func(a, b Ref) int { return number(a.ID) - number(b.ID) })
	return list
}

var closeName = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(
		`(?i)\b(?:close|dismiss|no thanks|not now|maybe later|skip|reject|decline|cancel|got it)\b|^[×✕✖╳x]$`)
})

func closes(r Ref) bool {
	return (r.Role == "button" || r.Role == "link" || r.Role == "menuitem") &&
		closeName().MatchString(strings.TrimSpace(r.Name))
}

// Overlay looks in what a snapshot shows for what lies over the page, and the controls that may close it; nil when
// there is none, or no such control. A dialog lies over the page, and so does what covers other elements, as skua's
// snapshots mark them. Controls count that are in the dialog; those that are not covered, where only that is known;
// all, where agent-browser's refs name a dialog and its content is unknown.
func Overlay(shown *fact.HandedOut) *contract.OverlayBlockers {
	if shown == nil {
		return nil
	}
	text := shown.Text
	if !strings.Contains(text, "dialog") && !strings.Contains(text, coveredMark) { // almost always
		return nil
	}
	refs := RefsOf(shown)
	lies := readOverlay(text)
	counts := func(r Ref) bool { return lies.inside[r.ID] }
	reason := "it is in a dialog, and its name says that it closes something"
	switch {
	case lies.dialog:
	case len(lies.covered) > 0:
		counts = func(r Ref) bool { return !lies.covered[r.ID] }
		reason = "something covers other elements, and its name says that it closes something"
	case slices.ContainsFunc(refs, func(r Ref) bool { return isDialog(r.Role) }):
		counts = func(Ref) bool { return true }
		reason = "the page has a dialog, and its name says that it closes something"
	default:
		return nil
	}
	o := &contract.OverlayBlockers{}
	for _, r := range refs {
		if closes(r) && counts(r) && len(o.Candidates) < maxOverlayCandidates {
			o.Candidates = append(o.Candidates, overlayCandidate(r, reason))
		}
	}
	if len(o.Candidates) == 0 {
		return nil
	}
	o.Summary = "Something lies over the page, and " + wording.Plural(len(o.Candidates), "control") + " may close it."
	return o
}

// coveredMark is how a snapshot marks an element that another one covers.
const coveredMark = "covered"

func overlayCandidate(r Ref, reason string) contract.OverlayCandidate {
	return contract.OverlayCandidate{
		Ref:    r.At(),
		Role:   r.Role,
		Name:   r.Name,
		Args:   []string{"click", r.At()},
		Reason: reason,
	}
}

func isDialog(role string) bool { return role == "dialog" || role == "alertdialog" }

// overlaid is what the lines of a snapshot say of things that lie over others.
type overlaid struct {
	dialog  bool            // there is a line of one
	inside  map[string]bool // refs below it
	covered map[string]bool // refs that are marked so
}

func readOverlay(text string) overlaid {
	o := overlaid{inside: map[string]bool{}, covered: map[string]bool{}}
	depth := -1 // of the dialog that the lines are in
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		if depth >= 0 && indent <= depth {
			depth = -1
		}
		role, _, _ := strings.Cut(strings.TrimPrefix(rest, "- "), " ")
		if depth < 0 && isDialog(strings.TrimSuffix(role, ":")) {
			o.dialog, depth = true, indent
			continue
		}
		line := refLine().FindStringSubmatch(rest)
		if line == nil {
			continue
		}
		id, marks := line[1], line[2]
		if _, after, found := strings.Cut(marks, "ref="); found && id == "" {
			id, _, _ = strings.Cut(after, ",")
		}
		if id == "" {
			continue
		}
		o.inside[id] = depth >= 0
		if isCovered().MatchString(marks) {
			o.covered[id] = true
		}
	}
	return o
}

// refLine is a line of a node with its ref and its states: `- button "Save" @e4 [disabled]`, or `- button "Save"
// [disabled, ref=e4]` of agent-browser.
var refLine = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^- [\w-]+(?: "(?:[^"\\]|\\.)*")?(?: @(e\d+))?(?: \[((?:[^"\]]|"(?:[^"\\]|\\.)*")*)\])?`)
})

var isCovered = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?:^|, )` + coveredMark + `\b`) })

// OverlayOf returns what the engine's error says of the way to take away what lies over the target; nil when it says
// nothing.
func OverlayOf(facts *FailureFacts) *contract.OverlayBlockers {
	dismiss := facts.Dismiss
	if dismiss.Ref == "" {
		return nil
	}
	by := facts.covering.element()
	r := Ref{ID: strings.TrimPrefix(dismiss.Ref, "@"), Role: dismiss.Role, Name: dismiss.Name}
	return &contract.OverlayBlockers{
		Candidates: []contract.OverlayCandidate{overlayCandidate(r, "it closes what covers the target")},
		Summary:    named(&by) + " lies over the target, and 1 control may close it.",
	}
}

// AfterOverlay is what to do about it.
func AfterOverlay(o *contract.OverlayBlockers) []contract.NextAction {
	list := []contract.NextAction{look("inspect-overlay-state", "See the dialog before anything in it is clicked.")}
	for i, c := range o.Candidates {
		list = append(list,
			caution(Act("try-overlay-blocker-candidate-"+strconv.Itoa(i+1), "This control may close what covers the page.",
				c.Args...),
				"Click it only if you want to close it."))
	}
	return list
}

// OverlayText is what the model reads of it.
func OverlayText(o *contract.OverlayBlockers) string {
	var b strings.Builder
	b.WriteString("Possible overlay blockers: " + o.Summary)
	for _, c := range o.Candidates {
		b.WriteString("\n- " + c.Ref + " " + c.Role + ` "` + c.Name + `"`)
	}
	return b.String()
}
