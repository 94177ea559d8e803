package lifecycle

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/wording"
)

// handOver attaches the session and does what is wanted in it.
//
// It is attached to the app's browser and not to the target's own address: a connection to a window ends with that
// window, and with it the session's other tabs. The target is chosen by its tab, to the same effect.
func (l *launch) handOver(ctx context.Context) error {
	s := l.options.Session
	if err := l.attach(ctx); err != nil {
		return fmt.Errorf("its window could not be attached to: %w", err)
	}
	if err := l.launcher.Attached(l.launched.Record.LaunchID, s.Name()); err != nil {
		return err
	}
	h := &Handoff{Handoff: l.options.Handoff}
	l.result.Handoff = h
	for _, step := range []func(context.Context, *Handoff) error{l.chooseTab, l.readAddress, l.showTabs, l.showSnapshot} {
		if err := step(ctx, h); err != nil {
			return err
		}
	}
	return nil
}

// attach attaches the session, again where the chosen window went away meanwhile: those of a start come and go.
func (l *launch) attach(ctx context.Context) error {
	for deadline := time.Now().Add(targetTimeout); ; l.rechoose(ctx) {
		target := ""
		if l.found {
			target = l.target.ID
		}
		err := l.options.Session.Attach(ctx, &l.launched.Record, target)
		if err == nil || !windowWent(err) || time.Now().After(deadline) || pause.For(ctx, pollInterval) != nil {
			return err
		}
	}
}

// windowWent reports whether an error is that of a window that closed.
func windowWent(err error) bool {
	return fault.Is(err, fault.PageGone) || fault.Is(err, fault.TabGone) || fault.Is(err, fault.FrameGone)
}

// chooseTab makes the target's tab the active one. A session may hear of it a little later than the app's port reports
// it.
func (l *launch) chooseTab(ctx context.Context, _ *Handoff) error {
	for deadline := time.Now().Add(tabTimeout); ; l.rechoose(ctx) {
		var err error
		if l.tabs, err = askTabs(ctx, l.options.Session); err != nil {
			return fmt.Errorf("its windows could not be listed: %w", err)
		}
		if !l.found {
			l.note(l.withoutWindow())
			return nil
		}
		tab := l.tab()
		again := func() bool { return time.Now().Before(deadline) && pause.For(ctx, pollInterval) == nil }
		switch {
		case tab == nil && again():
			continue
		case tab == nil:
			l.note("The app's " + l.target.Type + " " + l.target.URL +
				" is not among the session's tabs; the session works in another one.")
			return nil
		case tab.Active:
			return nil
		}
		if _, err := l.options.Session.Run(ctx, "tab", tab.TabID); err != nil {
			if again() { // windows come and go while an app starts
				continue
			}
			return fmt.Errorf("its window could not be chosen: %w", err)
		}
		for i := range l.tabs {
			l.tabs[i].Active = l.tabs[i].TabID == tab.TabID
		}
		return nil
	}
}

// withoutWindow says that the app has no window of the kind or name that is meant, and what follows from that.
func (l *launch) withoutWindow() string {
	some := len(electron.Attachable(l.launched.Targets)) > 0
	if some && l.options.Target != "" {
		return "The app has no window with " + wording.Quote(l.options.Target) +
			" in its title or address yet; the session works in another one. `tab list` shows when there is one, and `tab " +
			"switch` goes there."
	}
	if some {
		return "The app has no target of the type " + l.options.TargetType +
			" yet; the session is attached to what it has. `tab list` shows when there is one."
	}
	id := l.launched.Record.LaunchID
	if thrown := l.launcher.StartError(id); thrown != "" {
		return "The app has no window: its main process threw an error at its start, and runs without what was to follow: " +
			thrown + ". `electron logs` has the stack; `electron cleanup` ends the app."
	}
	note := "The app has no window yet: it may have begun in the tray, or wait for something. Its first window becomes " +
		"the session's tab; `electron status` shows it."
	if output := l.launcher.LastSaid(id); output != "" {
		note += " It said: " + output
	}
	return note
}

// note adds a note, once.
func (l *launch) note(text string) {
	if !slices.Contains(l.result.Notes, text) {
		l.result.Notes = append(l.result.Notes, text)
	}
}

// tab is the session's tab of the target, or nil.
func (l *launch) tab() *sessionTab {
	for i := range l.tabs {
		if l.tabs[i].TargetID == l.target.ID {
			return &l.tabs[i]
		}
	}
	return nil
}

// readAddress asks for the live address before any content of the window is read.
func (l *launch) readAddress(ctx context.Context, h *Handoff) error {
	if len(l.tabs) == 0 {
		return nil // there is no window
	}
	url, err := askPage(ctx, l.options.Session, "url")
	for deadline := time.Now().Add(tabTimeout); err != nil && time.Now().Before(deadline) &&
		pause.For(ctx, pollInterval) == nil; {
		// the window may have just come, or gone
		l.rechoose(ctx)
		if err := l.chooseTab(ctx, h); err != nil {
			return err
		}
		url, err = askPage(ctx, l.options.Session, "url")
	}
	if err != nil {
		return fmt.Errorf("its window does not say its address: %w", err)
	}
	if l.found {
		target := l.target
		h.Target = &target
	}
	h.URL = url
	for i := range l.tabs {
		if l.tabs[i].Active {
			h.Title = l.tabs[i].Title
		}
	}
	return nil
}

// showTabs adds the list of windows, if it is wanted.
func (l *launch) showTabs(_ context.Context, h *Handoff) error {
	if h.Handoff == "connect" {
		return nil
	}
	h.Tabs = probeTabs(l.tabs)
	l.result.Lines = append(l.result.Lines, fmt.Sprintf("Tabs: %d", len(l.tabs)))
	for i := range h.Tabs {
		l.result.Lines = append(l.result.Lines, tabLine(&h.Tabs[i]))
	}
	return nil
}

// tabLine shows a tab: "→ [t1] Title - https://… (webview in t2)".
func tabLine(t *electron.ProbeTab) string {
	line := "  ["
	if t.Active {
		line = "→ ["
	}
	line += t.TabID + "] "
	if t.Title != "" {
		line += t.Title + " - "
	}
	line += t.URL
	window := electron.WindowFacts{Hidden: t.Hidden, Modal: t.Modal}
	if t.View {
		window.Kind = electron.ViewKind
	}
	shown := window.Unlike(t.Parent)
	if t.Type == "" || t.Type == electron.PageTarget {
		return line + shown
	}
	kind := t.Type
	if t.Parent != "" {
		kind += " in " + t.Parent
	}
	return line + " (" + kind + ")" + shown
}

// showSnapshot takes the first snapshot, if it is wanted. An app that has just started may still have to draw its
// window.
func (l *launch) showSnapshot(ctx context.Context, h *Handoff) error {
	if h.Handoff != "snapshot" || len(l.tabs) == 0 {
		return nil
	}
	for try := 1; ; try++ {
		shot, err := askSnapshot(ctx, l.options.Session)
		if err != nil {
			return fmt.Errorf("no snapshot of its window could be taken: %w", err)
		}
		h.Snapshot, h.RefCount = shot.raw, len(shot.refs)
		if h.RefCount == 0 {
			h.EmptyTries = try
			if try < maxSnapshots && pause.For(ctx, snapshotPause) == nil {
				continue
			}
			if err := context.Cause(ctx); err != nil {
				return err
			}
			l.note(
				fmt.Sprintf(
					"%d snapshots show no refs: the app may still be settling. Run snapshot -i once more before you treat its "+
						"window as unusable.", try))
		}
		l.result.Lines = append(l.result.Lines, shot.text)
		return nil
	}
}
