package lifecycle

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// An app's port answers before its windows exist, and a window exists before it shows something.
const (
	targetTimeout = 5 * time.Second
	tabTimeout    = 2 * time.Second
	settleTime    = 500 * time.Millisecond // without a change among the windows, before the best of them is taken
	pollInterval  = 100 * time.Millisecond
	maxSnapshots  = 5 // without a ref, before the app counts as one that shows nothing
	snapshotPause = 300 * time.Millisecond
)

// LaunchOptions say which app is launched, and what the caller wants of it then.
type LaunchOptions struct {
	electron.LaunchOptions
	Session    Session
	Handoff    string // connect, tabs or snapshot
	TargetType string // page, webview or any
	Target     string // a part of the title or address of the window that is meant; empty means the app's main window
	Attach     string // the command that attaches to an app on port 9222

	CleanupTimeout time.Duration         // of a launch that fails after its start
	Started        func(launchID string) // is called when the app runs; may be nil
}

// Launched is a launch that was handed over.
type Launched struct {
	*Report
	App   electron.App
	Lines []string // the handoff, as the caller's user reads it
}

// launch is an app between its start and its handoff.
type launch struct {
	host     Host
	launcher *electron.Launcher
	options  LaunchOptions
	launched *electron.Launched
	target   electron.Target // that the session works in
	found    bool            // there is such a target
	tabs     []sessionTab
	result   *Launched
}

// Launch starts an app, attaches a session to it and hands it over. If something fails after the start, the app is
// cleaned up, and the report says what is left. The result is never nil.
func Launch(ctx context.Context, h Host, o LaunchOptions) (*Launched, error) {
	r := &Launched{Report: &Report{Action: "launch", Status: Succeeded, ProfileIsolation: newIsolation(o.Attach)}}
	k, err := h.Launcher()
	if err != nil {
		return r, r.fail(err)
	}
	began := time.Now()
	app, err := k.Launch(ctx, o.LaunchOptions)
	if err != nil {
		return r, r.fail(err)
	}
	id := app.Record.LaunchID
	if o.Started != nil {
		o.Started(id)
	}
	l := &launch{
		host:     h,
		launcher: k,
		options:  o,
		launched: app,
		result:   r,
	}
	l.awaitTarget(ctx, min(targetTimeout, o.Timeout-time.Since(began)))
	report(ctx, &l.launched.Record)
	if err := l.handOver(ctx); err != nil {
		return r, l.undo(ctx, err)
	}
	record := l.record()
	r.App, r.Launch, r.Targets, r.Version, r.Exposure = app.App, &record, electron.Attachable(app.Targets), &app.Version,
		app.Exposure
	r.Identifiers = &Identifiers{LaunchID: id, SessionName: o.Session.Name()}
	if app.Exposure != "" {
		r.Notes = append(r.Notes, "The app runs without Chromium's sandbox: "+app.Exposure+".")
	}
	if app.Note != "" {
		r.Notes = append(r.Notes, app.Note)
	}
	return r, nil
}

// fail makes the report one of a launch that failed.
func (r *Launched) fail(err error) error {
	r.Status, r.Failure = Unsuccessful, &Failure{Reason: string(fault.CodeOf(err)), Message: err.Error()}
	if e, ok := errors.AsType[*fault.Error](err); ok {
		if d, ok := e.Facts["diagnostics"].(electron.Diagnostics); ok {
			r.Failure.Diagnostics = &d
		}
		if p, ok := e.Facts["policy"].(electron.Policy); ok {
			r.Failure.Policy = &p
		}
	}
	return err
}

// record is the launcher's record of the launch as it is now.
func (l *launch) record() electron.Record {
	if records, err := l.launcher.Select(l.launched.Record.LaunchID, false); err == nil {
		return records[0]
	}
	return l.launched.Record
}

// awaitTarget waits until the app has settled on a window of the wanted kind: one that is known to be its window, or
// the best of those that have stayed the same for a while. Its port reports new windows only when it is asked.
func (l *launch) awaitTarget(ctx context.Context, timeout time.Duration) {
	var windows string
	since := time.Now()
	// who names a window means that one
	passing := func() bool { return l.options.Target == "" && l.target.Window.Passing() }
	for deadline := since.Add(timeout); ; {
		l.choose(ctx)
		if now := windowSet(l.launched.Targets); now != windows {
			windows, since = now, time.Now()
		}
		switch {
		case l.found && l.target.IsMain():
			return
		case l.found && l.target.Loaded() && !passing() && time.Since(since) >= settleTime:
			return
		case time.Now().After(deadline) || pause.For(ctx, pollInterval) != nil || !l.refresh(ctx):
			return
		}
	}
}

// AwaitWindow waits for the main window of an app that runs, and returns its target ID, or "" without one.
func AwaitWindow(ctx context.Context, k *electron.Launcher, app electron.Record) string {
	l := &launch{
		launcher: k,
		launched: &electron.Launched{Record: app},
		options:  LaunchOptions{TargetType: electron.PageTarget},
	}
	l.awaitTarget(ctx, targetTimeout)
	return l.target.ID
}

// choose chooses the target among the windows that are known.
func (l *launch) choose(ctx context.Context) {
	describeWindows(ctx, &l.launched.Record, l.launched.Targets)
	l.target, l.found = electron.Choose(l.launched.Targets, l.options.TargetType, l.options.Target)
}

// windowSet names the windows of an app and what they show, to tell whether they have changed.
func windowSet(targets []electron.Target) string {
	var all strings.Builder
	for _, t := range electron.Attachable(targets) {
		all.WriteString(t.ID + " " + t.URL + "\n")
	}
	return all.String()
}

// refresh asks the app's port which windows exist now.
func (l *launch) refresh(ctx context.Context) bool {
	status, err := l.launcher.Status(ctx, l.launched.Record.LaunchID)
	if err != nil || !status.PortAlive {
		return false
	}
	l.launched.Targets = status.Targets
	return true
}

// rechoose chooses the target among the windows that exist now.
func (l *launch) rechoose(ctx context.Context) {
	if l.refresh(ctx) {
		l.choose(ctx)
	}
}

// keepsSession is a host whose cleanup leaves the session alone: it runs the launch, whose reason would be lost with
// it.
type keepsSession struct{ Host }

func (keepsSession) Closer(*electron.Record) func(context.Context, string) error { return nil }

// undo cleans up an app that was started and could not be handed over.
func (l *launch) undo(ctx context.Context, cause error) error {
	id, name := l.launched.Record.LaunchID, l.launched.Record.AppName
	err := fault.New(fault.CodeOf(cause), "%s was launched, and then the handoff failed: %w", name, cause)
	if gaveUp := context.Cause(ctx); gaveUp != nil {
		err = fault.New(fault.CodeOf(gaveUp), "the launch of %s was canceled after the app had started: %w", name, gaveUp)
	}
	record := l.record()
	done := cleanUp(context.WithoutCancel(ctx), keepsSession{l.host}, l.launcher, &record, l.options.CleanupTimeout)
	record = l.record()
	r := l.result
	_ = r.fail(err)
	r.Launch, r.Handoff = &record, nil
	r.Cleanup = &Cleanup{
		Partial: done.State != electron.Cleaned,
		Records: []electron.Record{record},
		Results: []electron.Cleanup{done},
	}
	left := "The app was ended again; nothing of it is left."
	if r.Cleanup.Partial {
		left = "Something of the app is left; see `electron status " + id + "`."
	}
	return err.About(name).WithHint("%s", left).With("launchId", id).With("cleanup", done)
}
