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

// cleanupLimit bounds the end of each app.
func cleanupLimit(in *actions.Input) time.Duration {
	if d, ok := givenTimeout(in); ok {
		return d
	}
	return electron.DefaultCleanupTimeout
}

func runElectronCleanup(ctx context.Context, c *actions.Call) (actions.Result, error) {
	records, err := selected(c)
	if err != nil {
		return actions.Result{}, err
	}
	if len(records) == 0 {
		return actions.Result{Data: &lifecycle.Report{Action: "cleanup", Status: lifecycle.Succeeded}, Text: orNone(nil)}, nil
	}
	if r := &records[0]; len(records) == 1 && !c.Has("launch") && !c.Bool("all") && r.SessionName != "" &&
		r.SessionName != c.Session.Name() {
		return actions.Result{}, fault.New(fault.LaunchNotFound, "session %s has launched no app", c.Session.Name()).
			About(c.Session.Name()).
			WithHint("%s was launched in session %s; `electron cleanup %s` ends it.", r.AppName, r.SessionName, r.LaunchID)
	}
	r, err := lifecycle.CleanUp(ctx, host{c}, records, cleanupLimit(c.Input))
	if err != nil {
		return actions.Result{}, err
	}
	var lines, left []string
	for i, done := range r.Cleanup.Results {
		if done.State == electron.Cleaned {
			lines = append(lines, "✓ "+r.Cleanup.Line(i))
			continue
		}
		left = append(left, r.Cleanup.Line(i)+": "+strings.Join(r.Cleanup.StepLines(i), ", "))
	}
	if len(left) > 0 {
		return actions.Result{}, fault.New(fault.CleanupFailed, "%s", strings.Join(left, "; ")).About(records[0].LaunchID).
			WithHint("See `electron status --all`, and run `electron cleanup` again; --timeout gives the app longer to end.").
			With("electron", r)
	}
	return actions.Result{Data: r, Text: orNone(lines)}, nil
}
