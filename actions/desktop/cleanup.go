package desktop

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/engine/fault"
)

type appCleanup struct {
	Action  string   `json:"action"`
	Status  string   `json:"status"` // succeeded or partial
	Cleanup cleanups `json:"cleanup"`
}

type cleanups struct {
	Partial bool               `json:"partial"`
	Records []electron.Record  `json:"records"`
	Results []electron.Cleanup `json:"results"`
}

// cleanupLimit bounds the end of each app.
func cleanupLimit(in *actions.Input) time.Duration {
	if d, ok := givenTimeout(in); ok {
		return d
	}
	return electron.DefaultCleanupTimeout
}

func runElectronCleanup(ctx context.Context, c *actions.Call) (actions.Result, error) {
	k, err := c.Session.Apps().Keeper()
	if err != nil {
		return actions.Result{}, err
	}
	records, err := selected(c, k)
	if err != nil {
		return actions.Result{}, err
	}
	results := make([]electron.Cleanup, len(records))
	errs := make([]error, len(records))
	var wg sync.WaitGroup
	for i, r := range records {
		wg.Go(func() { results[i], errs[i] = clean(ctx, c, k, r, cleanupLimit(c.Input)) })
	}
	wg.Wait()
	data := appCleanup{Action: "cleanup", Status: "succeeded", Cleanup: cleanups{Records: []electron.Record{}, Results: []electron.Cleanup{}}}
	var lines, left []string
	for i, done := range results {
		if errs[i] != nil {
			return actions.Result{}, errs[i]
		}
		r := records[i]
		r.CleanupState = done.State
		data.Cleanup.Records, data.Cleanup.Results = append(data.Cleanup.Records, r), append(data.Cleanup.Results, done)
		if done.State == electron.Cleaned {
			lines = append(lines, "✓ "+r.AppName+" ("+r.LaunchID+") is fully cleaned")
			continue
		}
		left = append(left, r.AppName+" ("+r.LaunchID+"): "+stepsLeft(done))
	}
	if len(left) > 0 {
		data.Status, data.Cleanup.Partial = "partial", true
		return actions.Result{}, fault.New(fault.CleanupFailed, "something is left of %s", strings.Join(left, "; ")).About(records[0].LaunchID).
			WithHint("See `electron status --all`, and run `electron cleanup` again; --timeout gives the app longer to end.").With("electron", data)
	}
	if len(lines) == 0 {
		lines = []string{"No apps are launched"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// clean ends one launched app, with the session that works in it.
func clean(ctx context.Context, c *actions.Call, k *electron.Keeper, r electron.Record, limit time.Duration) (electron.Cleanup, error) {
	return k.Cleanup(ctx, r.LaunchID, electron.CleanupOptions{
		Timeout: limit,
		CloseSession: func(ctx context.Context, session string) error {
			return c.Session.Apps().Leave(ctx, session, r.LaunchID)
		},
	})
}

// stepsLeft names the parts of a cleanup that were not done.
func stepsLeft(done electron.Cleanup) string {
	var steps []string
	for _, s := range done.Steps {
		if s.Status == "done" {
			continue
		}
		step := s.Name + ": " + s.Status
		if s.Detail != "" {
			step += " (" + s.Detail + ")"
		}
		steps = append(steps, step)
	}
	if len(steps) == 0 {
		return string(done.State)
	}
	return strings.Join(steps, ", ")
}
