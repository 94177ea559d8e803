package run

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/snapshot/walls"
)

// arrivalArg is the argument of the in-page op arrival.
type arrivalArg struct {
	Posted string `json:"posted,omitzero"` // the address to which a form was sent
}

// arrived is what a document says of what led to it.
type arrived struct {
	Wall     *walls.Wall    `json:"wall"`
	Messages []fact.Message `json:"messages"`
	Form     bool           `json:"form"` // the form that was sent is there again
}

var opArrival = inpage.Define[arrivalArg, arrived]("arrival")

// arrive asks the document that the action led to for what keeps visitors out, and for its messages. It is one round
// trip. Of a page that does not answer, nothing is said.
func (a *Action) arrive(ctx context.Context, c *actions.Call, res *actions.Result) {
	page := a.Tab.Page
	if page.Err() != nil || page.Dialogs().Open() != nil {
		return
	}
	nav, posted := a.Effect.Navigation, a.posted()
	reply, err := opArrival.In(ctx, page.Main(), arrivalArg{posted})
	if err != nil {
		return
	}
	tellWall(c, reply.Wall.Known(), a.Tab, a.Traffic, res)
	nav.Form = reply.Form
	for _, m := range reply.Messages {
		if m.Kind == "error" || posted != "" || nav.To == nav.From { // else a page may have its notices for everybody
			a.Effect.Messages = append(a.Effect.Messages, m.Bounded())
		}
	}
}

// posted returns the address to which the action sent a form, or "".
func (a *Action) posted() string {
	if a.Traffic == nil {
		return ""
	}
	main := a.Tab.Page.Main().ID()
	for _, r := range a.Traffic.Requests() {
		if r.Posted != "" && r.FrameID == main {
			return r.Posted
		}
	}
	return ""
}
