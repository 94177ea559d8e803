package judging

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/skua-browser/skua/tool/contract"
)

// maxOverlayCandidates bounds how many controls are offered that may close what lies over the page.
const maxOverlayCandidates = 3

// Ref is an element of a snapshot.
type Ref struct{ ID, Role, Name string }

// At is the ref as commands take it.
func (r *Ref) At() string { return "@" + r.ID }

// RefsOf returns the refs of a snapshot's data, in the order of their numbers.
func RefsOf(data any) []Ref {
	m, _ := data.(map[string]any)
	rows, _ := m["refs"].(map[string]any)
	list := make([]Ref, 0, len(rows))
	for id, row := range rows {
		about, _ := row.(map[string]any)
		role, _ := about["role"].(string)
		name, _ := about["name"].(string)
		list = append(list, Ref{ID: id, Role: role, Name: name})
	}
	number := func(id string) int { n, _ := strconv.Atoi(strings.TrimPrefix(id, "e")); return n }
	slices.SortFunc(list, func(a, b Ref) int { return number(a.ID) - number(b.ID) })
	return list
}

var (
	closeName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)\b(?:close|dismiss|no thanks|not now|maybe later|skip|reject|decline|cancel|got it)\b|^[×✕✖╳x]$`)
	})
	refMark = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\bref=(e\d+)`) })
)

func closes(r Ref) bool {
	return (r.Role == "button" || r.Role == "link" || r.Role == "menuitem") && closeName().MatchString(strings.TrimSpace(r.Name))
}

// Overlay looks in the data of a snapshot for a dialog and the controls that may close it; nil when there is no dialog or no such control.
// Controls inside the dialog count before all others.
func Overlay(data any) *contract.OverlayBlockers {
	m, _ := data.(map[string]any)
	text, _ := m["snapshot"].(string)
	if !strings.Contains(text, "dialog") { // almost always
		return nil
	}
	refs := RefsOf(data)
	shown, inside := dialogIn(text)
	if !shown && !slices.ContainsFunc(refs, func(r Ref) bool { return isDialog(r.Role) }) {
		return nil
	}
	var within, others []Ref
	for _, r := range refs {
		switch {
		case !closes(r):
		case inside[r.ID]:
			within = append(within, r)
		default:
			others = append(others, r)
		}
	}
	candidates := within
	if len(candidates) == 0 {
		candidates = others
	}
	if len(candidates) == 0 {
		return nil
	}
	o := &contract.OverlayBlockers{}
	for i := range candidates[:min(len(candidates), maxOverlayCandidates)] {
		o.Candidates = append(o.Candidates, overlayCandidate(candidates[i], "its name says that it closes something, and a dialog is open"))
	}
	o.Summary = "The page shows a dialog, and " + plural(len(o.Candidates), "control") + " that may close it."
	return o
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return strconv.Itoa(n) + " " + what + "s"
}

func overlayCandidate(r Ref, reason string) contract.OverlayCandidate {
	return contract.OverlayCandidate{Ref: r.At(), Role: r.Role, Name: r.Name, Args: []string{"click", r.At()}, Reason: reason}
}

func isDialog(role string) bool { return role == "dialog" || role == "alertdialog" }

// dialogIn reports whether the lines of a snapshot show a dialog, and which refs stand below one.
func dialogIn(text string) (shown bool, inside map[string]bool) {
	inside = map[string]bool{}
	depth := -1 // of the dialog that the lines are in
	for line := range strings.SplitSeq(text, "\n") {
		rest := strings.TrimLeft(line, " ")
		indent := len(line) - len(rest)
		if depth >= 0 && indent <= depth {
			depth = -1
		}
		role, _, _ := strings.Cut(strings.TrimPrefix(rest, "- "), " ")
		switch {
		case depth < 0 && isDialog(strings.TrimSuffix(role, ":")):
			shown, depth = true, indent
		case depth >= 0:
			if m := refMark().FindStringSubmatch(rest); m != nil {
				inside[m[1]] = true
			}
		}
	}
	return shown, inside
}

// OverlayOf returns what the engine's error says of the way to take away what lies over the target; nil when it says nothing.
func OverlayOf(facts map[string]any) *contract.OverlayBlockers {
	dismiss, _ := facts["dismiss"].(map[string]any)
	ref, _ := dismiss["ref"].(string)
	if ref == "" {
		return nil
	}
	role, _ := dismiss["role"].(string)
	name, _ := dismiss["name"].(string)
	r := Ref{ID: strings.TrimPrefix(ref, "@"), Role: role, Name: name}
	return &contract.OverlayBlockers{
		Candidates: []contract.OverlayCandidate{overlayCandidate(r, "it closes what lies over the target")},
		Summary:    named(map[string]any{"element": facts["by"], "role": facts["byRole"], "name": facts["byName"], "ref": facts["byRef"]}) + " lies over the target, and 1 control may close it.",
	}
}

// AfterOverlay is what to do about it.
func AfterOverlay(o *contract.OverlayBlockers) []contract.NextAction {
	list := []contract.NextAction{look("inspect-overlay-state", "See the dialog before anything in it is clicked.")}
	for i, c := range o.Candidates {
		list = append(list, caution(Act("try-overlay-blocker-candidate-"+strconv.Itoa(i+1), "This control may close what lies over the page.", c.Args...),
			"Click it only when closing is what is wanted."))
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
