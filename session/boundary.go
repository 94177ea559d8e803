package session

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/replydata"
	"github.com/skua-browser/skua/session/rules"
)

// setBounds applies --content-boundaries and --max-output to a reply.
func (r *Reply) setBounds(in *actions.Input, s *callSession) {
	if in.Has("max-output") {
		r.maxChars = new(max(0, in.Int("max-output")))
	}
	if most := s.manager.owner.MaxOutput(); most != nil && (r.maxChars == nil || *r.maxChars > *most) {
		r.maxChars = most
	}
	if !s.manager.owner.Boundaries() && !rules.ContentBoundaries(in, s.Getenv) || r.Result.Held {
		return
	}
	origin, tab := "unknown", s.tabNamed(in)
	if of, ok := r.Result.Origin(); ok {
		origin = of
	} else if tab != nil {
		origin = tab.Page.URL()
	}
	r.boundary, r.ofPage = replydata.NewBoundary(origin), in.Command().ShowsPage()
}

// tabNamed returns the tab of --tab, else the active one, or nil.
func (s *callSession) tabNamed(in *actions.Input) *actions.Tab {
	if !in.Has("tab") {
		return s.Active()
	}
	tab, _ := s.FindTab(in.String("tab"))
	return tab
}

// shownText returns the result's text within the caller's limits.
func (r Reply) shownText() string {
	text := r.Result.Text
	if text == "" || r.Result.Held {
		return text
	}
	if r.maxChars != nil {
		text = policy.TruncateText(text, *r.maxChars)
	}
	if r.boundary != nil && r.ofPage && r.Result.Text != done {
		text = r.boundary.Wrap(text)
	}
	return text
}

// done is the reply of a command that has nothing else to say.
const done = "✓ Done"
