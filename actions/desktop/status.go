package desktop

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
)

// selected returns the launches that a command means by its argument and --all.
func selected(c *actions.Call) ([]electron.Record, error) {
	return chosen(c, (*electron.Launcher).SelectIn)
}

// chosen returns what a way to choose apps makes of the command's argument and --all.
func chosen(
	c *actions.Call, choose func(k *electron.Launcher, session, id string, all bool) ([]electron.Record, error),
) ([]electron.Record, error) {
	if c.Has("launch") && c.Bool("all") {
		return nil, c.Invalid("--all means all launches; it takes no launch id")
	}
	k, err := apps(c).Launcher()
	if err != nil {
		return nil, err
	}
	return choose(k, c.Session.Name(), c.String("launch"), c.Bool("all"))
}

// runElectronStatus waits for no page: it runs beside the commands of all sessions.
func runElectronStatus(ctx context.Context, c *actions.Call) (actions.Result, error) {
	records, err := chosen(c, (*electron.Launcher).AnyIn)
	if err != nil {
		return actions.Result{}, err
	}
	r, err := lifecycle.Status(ctx, host{c}, records, false)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: r, Text: orNone(r.StatusLines())}, nil
}

// orNone is the text of a command about launches of which there may be none.
func orNone(lines []string) string {
	if len(lines) == 0 {
		return "No apps are launched"
	}
	return strings.Join(lines, "\n")
}
