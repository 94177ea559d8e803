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

// probeStepLimit is for each question of a probe, so that a page that hangs does not keep the others from being answered.
const probeStepLimit = 5 * time.Second

func probeLimit(in *actions.Input) time.Duration {
	if d, ok := givenTimeout(in); ok {
		return d
	}
	return probeStepLimit
}

func runElectronProbe(ctx context.Context, c *actions.Call) (actions.Result, error) {
	s, launch, scope, err := probed(c)
	if err != nil {
		return actions.Result{}, err
	}
	r, err := lifecycle.Probe(ctx, host{c}, s, launch, scope)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: r, Text: strings.Join(r.ProbeLines(launch), "\n")}, nil
}

// probed returns the session that is meant, the launch of the app in it, and the scope of the probe. It starts no browser.
func probed(c *actions.Call) (s lifecycle.Session, launch *electron.Record, scope string, err error) {
	id, scope := c.String("launch"), "launch"
	if !c.Has("launch") {
		id, scope = c.Host.AppOf(c.Session.Name()), "current-session"
	}
	own := &session{c, c.Session.Name(), probeLimit(c.Input)}
	if id == "" {
		if !c.Browser.Running() {
			return nil, nil, "", fault.New(fault.LaunchNotFound, "session %s: no app or browser is attached to it", c.Session.Name()).
				WithHint("`electron launch` starts an app, `connect` attaches to one that runs; `electron status --all` lists what was launched.")
		}
		return own, nil, scope, nil
	}
	k, err := apps(c).Launcher()
	if err != nil {
		return nil, nil, "", err
	}
	records, err := k.Select(id, false)
	if err != nil {
		return nil, nil, "", err
	}
	launch = &records[0]
	if scope != "launch" {
		return own, launch, scope, nil
	}
	if s = (host{c}).Attached(launch); s != nil {
		s = &session{c, s.Name(), probeLimit(c.Input)}
	}
	return s, launch, scope, nil
}
