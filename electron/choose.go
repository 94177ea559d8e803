package electron

import "strings"

// The kinds of targets that a launch can be asked for.
const (
	PageTarget    = "page"
	WebviewTarget = "webview"
	AnyTarget     = "any"
)

// Choose returns the target of a kind that a session is to work in first: the first one that shows something, else the first one. Any is a
// page where there is one. The app's own tools for developers are never meant.
func Choose(targets []Target, kind string) (chosen Target, ok bool) {
	best := -1
	for i := range targets {
		rank := targets[i].rank(kind)
		if rank > best {
			best, chosen = rank, targets[i]
		}
	}
	return chosen, best >= 0
}

// rank says how well a target fits; less than 0: not at all.
func (t *Target) rank(kind string) int {
	rank := 0
	switch {
	case strings.HasPrefix(t.URL, "devtools://"):
		return -1
	case t.Type == kind:
	case kind == AnyTarget && t.Type == PageTarget:
		rank = 2
	case kind == AnyTarget && t.Type == WebviewTarget:
	default:
		return -1
	}
	if t.URL != "" && t.URL != "about:blank" {
		rank++
	}
	return rank
}

// Attachable are the targets that a session can work in: windows and webviews.
func Attachable(targets []Target) []Target {
	var list []Target
	for i := range targets {
		if targets[i].rank(AnyTarget) >= 0 {
			list = append(list, targets[i])
		}
	}
	return list
}
