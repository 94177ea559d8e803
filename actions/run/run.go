package run

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/network"
	"github.com/skua-browser/skua/internal/fault"
)

// Command runs the command that was asked for.
func Command(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if !c.Command().OneTab() && c.Flagged("tab") {
		return actions.Result{}, c.Invalid("`" + c.Name() + "` is not about one tab: leave out --tab.")
	}
	if err := beginDialogs(c); err != nil {
		return actions.Result{}, err
	}
	added, err := addInitScripts(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	stop := watchLife(c)
	res, err := c.Command().Run(ctx, c)
	stop()
	if cause := context.Cause(ctx); err == nil && actions.IsSessionClosed(cause) &&
		!c.Command().Effect.Has(actions.Closes) && !c.Confirmed {
		err = cause // what the page did when its session was closed is not an effect of the command
	}
	disarm(ctx, c)
	lateNotes(c, err != nil)
	if err == nil {
		tellInitScripts(&res, added)
	}
	if a := Of(c); a != nil {
		if err == nil && a.begun {
			err = conclude(ctx, c, &res)
		}
		if a.Traffic != nil {
			tab := a.Tab
			KeepTraffic(tab, a.Traffic)
		}
	}
	lateDownloads(c)
	if res.Secret = res.Secret || state(c).intoSecret || unanswered(c, err); res.Secret {
		keepSecrets(c)
	}
	reportRefs(c, &res)
	endDialogs(c)
	err = ranOut(c, DialogError(c, err))
	if err == nil && c.Bool("observe") {
		observe(ctx, c, &res)
	}
	if _, tab := c.Tabs.All(); tab != nil && c.Has("tab") && c.Command().OneTab() {
		res.Tab = tab.ID
	}
	for _, note := range c.Session.States().TakeNotes() {
		c.Note(note)
	}
	res.Notes = append(c.Notes, res.Notes...)
	return res, err
}

// keepSecrets redacts what was typed into password fields from the session's reported requests.
func keepSecrets(c *actions.Call) {
	if Of(c) == nil {
		return
	}
	for _, a := range c.Command().Args {
		if a.Typed {
			network.KeepSecret(Of(c).Tab.Page.Context(), strings.TrimRight(c.String(a.Name), "\n"))
		}
	}
}

// callState is what is kept of a call while it runs.
type callState struct {
	armed   *engine.Frame // in whose page an aim waits for its input
	action  *Action       // of a command that may change something
	dialogs dialogWatch

	intoSecret bool // what was typed goes into a field whose content is not shown
	fieldKnown bool // the page has said whether it does

	healed  []fact.RefReport
	changed []fact.RefReport
	matched []fact.MatchedReport
}

func state(c *actions.Call) *callState { return actions.StateOf[callState](&c.States) }

// Of returns what is kept of a command that may change something; nil means that it has done nothing yet, or is not of
// that kind.
func Of(c *actions.Call) *Action { return state(c).action }

// SetArmed notes in which frame's page an aim waits for its input; nil means that the input was sent.
func SetArmed(c *actions.Call, frame *engine.Frame) { state(c).armed = frame }

// NoteSecret notes whether the content of the field that text goes into is not shown, as its page has said.
func NoteSecret(c *actions.Call, secret bool) {
	state(c).fieldKnown = true
	if secret {
		state(c).intoSecret = true
	}
}

// unanswered reports whether a command failed before its page has said what the field is that its text was for: the
// text may be a secret then.
func unanswered(c *actions.Call, err error) bool {
	return err != nil && !state(c).fieldKnown && !fault.Is(err, fault.Usage) &&
		slices.ContainsFunc(c.Command().Args, func(a actions.Arg) bool { return a.Typed })
}
