package lifecycle

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/electron"
)

// CleanUp ends launched apps, several at a time. What could not be done is in the report, and can be tried again.
func CleanUp(ctx context.Context, h Host, records []electron.Record, timeout time.Duration) (*Report, error) {
	k, err := h.Launcher()
	if err != nil {
		return nil, err
	}
	r := &Report{Action: "cleanup", Status: Succeeded}
	for i := range records { // the sessions are those before the cleanup
		r.identify(&records[i], h.Attached(&records[i]), len(records))
	}
	c := &Cleanup{Records: make([]electron.Record, len(records)), Results: make([]electron.Cleanup, len(records))}
	var wg sync.WaitGroup
	for i := range records {
		wg.Go(func() {
			c.Results[i] = cleanUp(ctx, h, k, &records[i], timeout)
			c.Records[i] = records[i]
			if now, err := k.Select(records[i].LaunchID, false); err == nil {
				c.Records[i] = now[0]
			}
			c.Records[i].CleanupState = c.Results[i].State
		})
	}
	wg.Wait()
	for i := range c.Results {
		if c.Results[i].State != electron.Cleaned {
			r.Status, c.Partial = Incomplete, true
		}
	}
	r.Cleanup = c
	return r, nil
}

// cleanUp ends one app.
func cleanUp(
	ctx context.Context, h Host, k *electron.Launcher, r *electron.Record, timeout time.Duration,
) electron.Cleanup {
	done, err := k.Cleanup(ctx, r.LaunchID, electron.CleanupOptions{Timeout: timeout, CloseSession: h.Closer(r)})
	if err != nil {
		return electron.Cleanup{
			LaunchID: r.LaunchID,
			State:    electron.Failed,
			Steps:    []electron.Step{{Name: electron.ProcessStep, Status: electron.StepFailed, Detail: err.Error()}},
		}
	}
	return done
}

// Line describes the result for an app: "sample (electron-…) is fully cleaned".
func (c *Cleanup) Line(i int) string {
	state := "fully cleaned"
	if s := c.Results[i].State; s != electron.Cleaned {
		state = "only partially cleaned (" + string(s) + ")"
	}
	return c.Records[i].AppName + " (" + c.Results[i].LaunchID + ") is " + state
}

// StepLines describes the steps that a cleanup of an app took.
func (c *Cleanup) StepLines(i int) (lines []string) {
	for _, step := range c.Results[i].Steps {
		line := step.Name + ": " + step.Status
		if step.Detail != "" {
			line += " — " + step.Detail
		}
		lines = append(lines, line)
	}
	return lines
}
