package electron

import "strings"

// The kinds of targets that a launch can be asked for.
const (
	PageTarget    = "page"
	WebviewTarget = "webview"
	AnyTarget     = "any"
)

// WindowFacts are how a target is shown to a person. They come from the app's main process, or, as far as a page knows
// them, from the page.
type WindowFacts struct {
	ID      int    `json:"id,omitzero"`      // of the BrowserWindow; 0 if only the page was asked
	Kind    string `json:"kind,omitempty"`   // window, browserView, webview and others of Electron; empty as ID
	Hidden  bool   `json:"hidden,omitzero"`  // the window is not shown, or has no size
	Focused bool   `json:"focused,omitzero"` // it has the keyboard, as the main process says
	Modal   bool   `json:"modal,omitzero"`   // it belongs to another window, which waits for it
	Splash  bool   `json:"splash,omitzero"`  // it looks like a window that is there while the app starts
	Crashed bool   `json:"crashed,omitzero"` // its page has, so that no port lists it
	Width   int    `json:"width"`
	Height  int    `json:"height"`
}

// ViewKind is the kind of what is shown in a part of a window: a BrowserView, or a WebContentsView of newer Electrons.
const ViewKind = "browserView"

// View reports whether a target is shown in a part of a window, beside the window's own page.
func (f *WindowFacts) View() bool { return f != nil && f.Kind == ViewKind }

// isMain reports whether a target is shown as the window of an app usually is.
func (f *WindowFacts) isMain() bool {
	return f != nil && f.Kind == "window" && !f.Hidden && !f.Modal && !f.Splash
}

// Passing reports whether a target is known to be one that another will follow: a splash, or a window that is not
// shown.
func (f *WindowFacts) Passing() bool { return f != nil && (f.Splash || f.Hidden) }

// Choose returns the target of a kind that a session is to work in first: the one that a person would call the app's
// window. Any is a page where there is one. The app's own tools for developers are never meant.
//
// With wanted, only targets with this text in their title or address count, in any case. Those that have nothing else
// there come first.
func Choose(targets []Target, kind, wanted string) (chosen Target, ok bool) {
	best := -1
	for i := range targets {
		rank := targets[i].rank(kind)
		switch contains, equals := targets[i].matches(wanted); {
		case !contains:
			continue
		case equals && rank >= 0:
			rank += rankEqual
		}
		if rank > best {
			best, chosen = rank, targets[i]
		}
	}
	return chosen, best >= 0
}

// Ranks of what makes a target the app's window, each more than all that follow.
const (
	rankEqual   = 1 << 31
	rankKind    = 1 << 30
	rankAddress = 1 << 29
	rankShown   = 1 << 28
	rankWindow  = 1 << 27 // rather than a view in a window
	rankLasting = 1 << 26 // rather than a splash or a modal window
	rankFocused = 1 << 25
	maxArea     = rankFocused - 1 // of pixels, which decide last
)

// matches reports whether a text is in the target's title or address, and whether it is the whole of one of them.
func (t *Target) matches(text string) (contains, equals bool) {
	for _, field := range []string{t.Title, t.URL} {
		contains = contains || strings.Contains(strings.ToLower(field), strings.ToLower(text))
		equals = equals || strings.EqualFold(field, text)
	}
	return contains, equals
}

// rank says how well a target fits. It is less than 0 for one that does not fit at all.
func (t *Target) rank(kind string) int {
	rank := 0
	switch {
	case strings.HasPrefix(t.URL, "devtools://"):
		return -1
	case t.Type == kind && kind != AnyTarget:
	case kind == AnyTarget && t.Type == PageTarget:
		rank += rankKind
	case kind == AnyTarget && t.Type == WebviewTarget:
	default:
		return -1
	}
	if t.Loaded() {
		rank += rankAddress
	}
	f := t.Window
	if f == nil {
		return rank
	}
	for _, point := range []struct {
		is   bool
		rank int
	}{
		{!f.Hidden, rankShown},
		{f.Kind == "window", rankWindow},
		{!f.Splash && !f.Modal, rankLasting},
		{f.Focused, rankFocused},
	} {
		if point.is {
			rank += point.rank
		}
	}
	return rank + min(f.Width*f.Height, maxArea)
}

// Loaded reports whether the target has an address: a window has none, or ":", until its page begins to load.
func (t *Target) Loaded() bool { return t.URL != "" && t.URL != ":" && t.URL != "about:blank" }

// IsMain reports whether the target is known to be shown as an app's window usually is.
func (t *Target) IsMain() bool { return t.Loaded() && t.Window.isMain() }

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
