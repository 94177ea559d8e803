package tool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/judging"
	"github.com/skua-browser/skua/tool/planning"
)

// cleanUpApps ends apps that were launched from here, and no others.
func (c *call) cleanUpApps(ctx context.Context) *refusal {
	k, records, r := c.selectApps()
	if r != nil {
		return r
	}
	wish, d := c.details.CompiledElectron, c.details
	timeout := c.tool.limits.Close
	if wish.TimeoutMs > 0 {
		timeout = time.Duration(wish.TimeoutMs) * time.Millisecond
	}
	c.progress(fmt.Sprintf("Cleaning up %d desktop app(s)", len(records)))
	results := make([]electron.Cleanup, len(records))
	for i := range records {
		closed := c.cleanUp(ctx, k, &records[i], timeout, &results[i])
		if closed != nil && d.ManagedSessionOutcome == nil { // at most one of them is the managed session
			d.SessionDetails = closed.details.SessionDetails
		}
	}
	account := &contract.ElectronCleanup{Results: results}
	now := make([]electron.Record, len(records))
	var lines []string
	var after []contract.NextAction
	for i := range records {
		now[i] = records[i]
		if r, ok := c.tool.apps.record(records[i].LaunchID); ok {
			now[i] = r
		}
		now[i].CleanupState = results[i].State
		if results[i].State != electron.Cleaned {
			account.Partial = true
			after = append(after, c.named(&records[i]).AfterCleanupFailed()...)
		}
		lines = append(lines, cleanupText(&now[i], &results[i]))
		c.identify(&now[i], len(records))
	}
	account.Records = now
	d.Electron.Cleanup = account
	if len(records) == 0 {
		lines = []string{"Electron cleanup: no app that was launched from here is left."}
	}
	text := strings.Join(lines, "\n")
	if account.Partial {
		d.Electron.Status = "partial"
		c.didNot(contract.CleanupFailed, "Electron cleanup failed in part: "+firstLine(text), text, judging.AppendUnique(nil, after...))
		return nil
	}
	c.did(fmt.Sprintf("Electron cleanup: %d app(s) fully cleaned", len(records)), text)
	return nil
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

// cleanUp ends one app, and returns the call that closed its session, if that was open. The close waits for the calls in that session. A
// session that the caller named stays the caller's: it has lost its browser, and that is all.
func (c *call) cleanUp(ctx context.Context, k *electron.Keeper, r *electron.Record, timeout time.Duration, result *electron.Cleanup) (closed *call) {
	o := electron.CleanupOptions{Timeout: timeout}
	if s, attached := c.tool.apps.sessionOf(r.LaunchID); attached && planning.IsReserved(s.key.name) {
		sessions := c.tool.on(s.backend)
		o.CloseSession = func(ctx context.Context, _ string) error {
			if !sessions.owns(s.key) { // of another branch of the conversation
				if !sessions.close(ctx, s.key) {
					return errors.New("the session " + s.key.name + " could not be closed")
				}
				return nil
			}
			left := timeout
			if deadline, ok := ctx.Deadline(); ok {
				left = time.Until(deadline)
			}
			inner, result := c.within(ctx, &s, left, "", "close")
			if result.IsError {
				return errors.New(whyNot(result))
			}
			closed = inner
			return nil
		}
	}
	done, err := k.Cleanup(ctx, r.LaunchID, o)
	if err != nil {
		done = electron.Cleanup{LaunchID: r.LaunchID, State: electron.Failed, Steps: []electron.Step{{Name: "process", Status: "failed", Detail: err.Error()}}}
	}
	*result = done
	return closed
}

// cleanupText tells what became of one app.
func cleanupText(r *electron.Record, result *electron.Cleanup) string {
	var b strings.Builder
	how := "fully cleaned"
	if result.State != electron.Cleaned {
		how = "only partially cleaned (" + string(result.State) + ")"
	}
	fmt.Fprintf(&b, "Electron cleanup: %s (launchId %s) is %s.", r.AppName, result.LaunchID, how)
	for _, step := range result.Steps {
		fmt.Fprintf(&b, "\n- %s: %s", step.Name, step.Status)
		if step.Detail != "" {
			b.WriteString(" — " + step.Detail)
		}
	}
	return b.String()
}
