package tool

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// execute runs the command line.
func (c *call) execute(ctx context.Context) {
	c.progress("Running agent-browser " + strings.Join(c.secrets().Args(c.details.Args), " "))
	watchdog := c.plan.Watchdog
	inv, pinned := c.pinned(backend.Invocation{
		Args: c.plan.Command, Stdin: c.stdin, Cwd: c.tool.options.Cwd, Env: c.sessions.Env(), Timeout: watchdog, Approve: c.approve, Hand: c.hand, Report: c.progress,
		Session: c.plan.Key.Name, Namespace: c.plan.Key.Namespace, NoBrowser: c.plan.Stateless || c.words.Entry != nil && c.words.Entry.Effect.Has(actions.Closes),
		Attached: c.state.Attached || c.words.Attaches(),
	})
	c.plan.Command = inv.Args
	if c.plan.ClosesAll && c.backend.Can().InProcess {
		c.answer = c.closeVisible(ctx, inv)
	} else {
		c.answer = c.backend.Run(ctx, inv)
	}
	c.typedSecrets()
	if pinned {
		c.unpin(&c.answer)
	}
	c.alreadyStreams()
	d, a := c.details, &c.answer
	if scrolled, ofContainer := c.plan.Scroll.Read(a); ofContainer {
		d.ScrollContainer = scrolled
	} else {
		d.ScrollPage = scrolled
	}
	if a.Success {
		c.plan.Views.Look(a.Page, func(args ...string) backend.Answer { return c.probe(ctx, c.tool.limits.Dialog, args...) })
	}
	d.EffectiveArgs, d.ExitCode = c.plan.Command, &a.ExitCode
	d.Data, d.Stderr, d.ParseError, d.SpawnError, d.TimedOut = a.Data, a.Stderr, a.ParseError, a.SpawnError, a.TimedOut
	d.Error, d.Code, d.Facts, d.Warnings, d.Outcome = a.Error, string(a.Code), a.Facts, a.Warnings, string(a.Outcome)
	if !a.Started {
		d.Started = new(bool)
	}
	if a.TimedOut {
		c.expired(ctx, watchdog)
	}
	if m := a.Mismatch; m != nil {
		d.VersionValidation = &contract.VersionValidation{Expected: m.Expected, Observed: m.Observed}
		d.ExpectedVersion, d.ObservedVersion = m.Expected, m.Observed
	}
}

// probe runs a further command in the call's session, for what the tool itself wants to know.
func (c *call) probe(ctx context.Context, timeout time.Duration, args ...string) backend.Answer {
	return c.backend.Run(ctx, backend.Invocation{
		Args: c.plan.Key.Line(args...), Cwd: c.tool.options.Cwd, Env: c.sessions.Env(), Timeout: timeout,
		Session: c.plan.Key.Name, Namespace: c.plan.Key.Namespace, Attached: c.state.Attached,
	})
}

// get asks the call's session for a text; empty: it has none, or did not answer.
func (c *call) get(ctx context.Context, timeout time.Duration, what string) string {
	a := c.probe(ctx, timeout, "get", what)
	return a.Field(what)
}

// alreadyStreams makes a success of `stream enable` in a session that streams already: what was asked for is so. Any other failure stays one.
func (c *call) alreadyStreams() {
	a := &c.answer
	if a.Success || !c.words.Does(trait.StartsStream) {
		return
	}
	switch a.Code {
	case "": // a subprocess has prose alone
		if !strings.Contains(strings.ToLower(a.Error), "already enabled") {
			return
		}
	case fault.StreamState:
		if !strings.Contains(a.Error, "already enabled") {
			return
		}
	default:
		return
	}
	data := map[string]any{"alreadyEnabled": true, "enabled": true}
	if port, ok := number(a.Facts["port"]); ok {
		data["port"] = port
	}
	if address, ok := a.Facts["url"].(string); ok {
		data["url"] = address
	}
	a.Success, a.ExitCode, a.Data, a.Error, a.Code, a.Facts = true, 0, data, "", "", nil
}

func number(v any) (float64, bool) {
	switch n := v.(type) {
	case float64:
		return n, true
	case int:
		return float64(n), true
	}
	return 0, false
}
