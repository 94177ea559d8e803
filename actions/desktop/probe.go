package desktop

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/internal/fault"
)

// probeStepLimit is for each question of a probe, so that a page that hangs does not keep the others from being
// answered.
const probeStepLimit = 5 * time.Second

func probeLimit(in *actions.Input) time.Duration {
	if d, ok := givenTimeout(in); ok {
		return d
	}
	return probeStepLimit
}

func runElectronProbe(ctx context.Context, c *actions.Call) (actions.Result, error) {
	what, err := probed(c)
	if err != nil {
		return actions.Result{}, err
	}
	r, err := lifecycle.Probe(ctx, host{c}, what.session, what.launch, what.scope)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: r, Text: strings.Join(r.ProbeLines(what.launch), "\n")}, nil
}

// probedApp is what a probe looks at.
type probedApp struct {
	session lifecycle.Session // nil means that none is attached to the launch
	launch  *electron.Record  // nil means that the app was not launched here
	scope   string            // what the probe is of: "launch" or "current-session"
}

// probed returns the app that is meant. It starts no browser.
func probed(c *actions.Call) (probedApp, error) {
	id, scope := c.String("launch"), "launch"
	if !c.Has("launch") {
		id, scope = c.Host.AppOf(c.Session.Name()), "current-session"
	}
	own := &session{c, c.Session.Name(), probeLimit(c.Input)}
	if id == "" {
		if !c.Browser.Running() {
			return probedApp{}, fault.New(fault.LaunchNotFound, "session %s: no app or browser is attached to it",
				c.Session.Name()).
				WithHint(
					"`electron launch` starts an app, `connect` attaches to one that runs; `electron status --all` lists what " +
						"was launched.")
		}
		return probedApp{own, nil, scope}, nil
	}
	k, err := apps(c).Launcher()
	if err != nil {
		return probedApp{}, err
	}
	records, err := k.Select(id, false)
	if err != nil {
		return probedApp{}, err
	}
	launch := &records[0]
	if scope != "launch" {
		return probedApp{own, launch, scope}, nil
	}
	s := (host{c}).Attached(launch)
	if s != nil {
		s = &session{c, s.Name(), probeLimit(c.Input)}
	}
	return probedApp{s, launch, scope}, nil
}
