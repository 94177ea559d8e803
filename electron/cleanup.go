package electron

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/pause"
)

// CleanupOptions bound a cleanup.
type CleanupOptions struct {
	Timeout time.Duration // for all of it; 0 means DefaultCleanupTimeout
	// closes the session that is attached; nil means that there is none to close
	CloseSession func(ctx context.Context, session string) error
}

// Step is one part of a cleanup: managed-session, process, debug-port or user-data-dir.
type Step struct {
	Name   string `json:"step"`
	Status string `json:"status"` // done, skipped or failed
	Detail string `json:"detail,omitempty"`
}

// The steps of a cleanup and their possible results.
const (
	SessionStep = "managed-session"
	ProcessStep = "process"
	PortStep    = "debug-port"
	ProfileStep = "user-data-dir"

	StepDone    = "done"
	StepSkipped = "skipped"
	StepFailed  = "failed"
)

// Cleanup is the result of cleaning up a launch.
type Cleanup struct {
	LaunchID string       `json:"launchId"`
	State    CleanupState `json:"state"`
	Steps    []Step       `json:"steps"`
}

func (c *Cleanup) add(name, status, detail string) {
	c.Steps = append(c.Steps, Step{name, status, detail})
}

// left names what was not done.
func (c *Cleanup) left() string {
	var left []string
	for _, s := range c.Steps {
		if s.Status == StepFailed {
			left = append(left, strings.TrimSuffix(s.Name+": "+s.Status+" ("+s.Detail+")", " ()"))
		}
	}
	return strings.Join(left, ", ")
}

// judge says in which state the steps leave the launch.
func (c *Cleanup) judge() {
	done, failed := 0, 0
	for _, s := range c.Steps {
		switch s.Status {
		case StepDone:
			done++
		case StepFailed:
			failed++
		}
	}
	switch {
	case failed == 0:
		c.State = Cleaned
	case done == 0:
		c.State = Failed
	default:
		c.State = Partial
	}
}

// Cleanup ends a launched app and removes its profile. What could not be done is in the steps, and can be tried again;
// its error is only that there is no such launch.
func (k *Launcher) Cleanup(ctx context.Context, launchID string, o CleanupOptions) (Cleanup, error) {
	k.mu.Lock()
	l := k.launches[launchID]
	a, finished := k.finished[launchID]
	k.mu.Unlock()
	switch {
	case l != nil:
		return k.clean(ctx, l, o), nil
	case finished:
		return k.cleanFinished(ctx, a, o), nil
	}
	return Cleanup{}, launchNotFound(launchID)
}

// clean runs the steps in order; concurrent cleanups wait for it.
func (k *Launcher) clean(ctx context.Context, l *launch, o CleanupOptions) Cleanup {
	if o.Timeout <= 0 {
		o.Timeout = DefaultCleanupTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	deadline, _ := ctx.Deadline()
	k.mu.Lock()
	a := l.account
	k.mu.Unlock()
	c := Cleanup{LaunchID: a.LaunchID}
	if err := l.hold(ctx); err != nil {
		c.add(ProcessStep, StepFailed, "another cleanup of it is running")
		c.judge()
		return c
	}
	defer l.release()
	k.mu.Lock()
	a = l.account // another cleanup may have come first
	k.mu.Unlock()

	// The session gets a part of the time, so that one that hangs leaves enough for the app.
	sessionCtx, done := context.WithDeadline(ctx, time.Now().Add(time.Until(deadline)/2))
	closed := c.closeSession(sessionCtx, a, o)
	done()
	ended := c.endProcess(ctx, l)
	open := c.checkPort(ctx, portOf(&a.Record))
	switch {
	case !ended || open:
		c.add(ProfileStep, StepSkipped, "it is kept as long as the app's process or port exists")
	default:
		if err := l.removeProfile(ctx); err != nil {
			c.add(ProfileStep, StepFailed, err.Error())
		} else {
			c.add(ProfileStep, StepDone, "")
		}
	}
	c.judge()
	k.settle(l, c.State, closed)
	return c
}

// closeSession closes the attached session and reports whether it is closed.
func (c *Cleanup) closeSession(ctx context.Context, a account, o CleanupOptions) bool {
	switch {
	case a.SessionName == "":
		c.add(SessionStep, StepSkipped, "no session was attached")
	case a.SessionClosed:
		c.add(SessionStep, StepSkipped, "it was closed before")
		return true
	case o.CloseSession == nil:
		c.add(SessionStep, StepSkipped, "the session cannot be closed from here")
	default:
		if err := o.CloseSession(ctx, a.SessionName); err != nil {
			c.add(SessionStep, StepFailed, err.Error())
			return false
		}
		c.add(SessionStep, StepDone, "")
		return true
	}
	return false
}

// maxGrace is how long an app may take to end when it is asked to, before it is killed.
const maxGrace = 2 * time.Second

// endProcess ends all processes of the app and reports whether they are gone.
func (c *Cleanup) endProcess(ctx context.Context, l *launch) bool {
	if !l.runs() {
		l.drop()
		c.add(ProcessStep, StepDone, "it had ended already")
		return true
	}
	grace := maxGrace
	if deadline, ok := ctx.Deadline(); ok {
		grace = min(grace, time.Until(deadline)/2)
	}
	l.terminate()
	asked, cancel := context.WithTimeout(ctx, grace)
	gone, detail := l.awaitEnd(asked), ""
	cancel()
	if !gone {
		l.kill() // also when the time is over: else the next try would begin again
		gone, detail = l.awaitEnd(ctx), "it was killed, because it did not end when asked"
	}
	if !gone {
		c.add(ProcessStep, StepFailed, fmt.Sprintf("still running: %s", pidList(l.survivors())))
		return false
	}
	l.drop()
	c.add(ProcessStep, StepDone, detail)
	return true
}

// drop lets go of a group whose processes have ended.
func (l *launch) drop() {
	if l.group != nil {
		l.group.Kill() // its guard
		<-l.group.Gone()
	}
}

func pidList(pids []int) string {
	var words []string
	for _, pid := range pids {
		words = append(words, fmt.Sprint(pid))
	}
	if len(words) == 0 {
		return "it ended just now"
	}
	return strings.Join(words, ", ")
}

// checkPort makes sure that the app's port is closed, and reports whether it is still open. Another program that has it
// now does not count.
func (c *Cleanup) checkPort(ctx context.Context, p port) (open bool) {
	if p.number == 0 {
		c.add(PortStep, StepSkipped, "no port was open")
		return false
	}
	for {
		// Not bounded by ctx alone: a question that is not asked any longer would look like a port that is closed.
		if _, err := p.version(context.WithoutCancel(ctx)); err != nil {
			detail := ""
			if errors.Is(err, errStranger) {
				detail = err.Error() + " by now"
			}
			c.add(PortStep, StepDone, detail)
			return false
		}
		if pause.For(ctx, poll) != nil {
			c.add(PortStep, StepFailed, fmt.Sprintf("port %d still answers", p.number))
			return true
		}
	}
}

// settle notes the state of a launch, and lets go of one that is finished.
func (k *Launcher) settle(l *launch, state CleanupState, sessionClosed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l.account.CleanupState = state
	l.account.SessionClosed = l.account.SessionClosed || sessionClosed
	if state == Cleaned || state == Dead {
		k.finish(l)
		return
	}
	if err := k.store.write(l.account); err != nil {
		k.log.Warn("the record of a launch could not be written", "error", err)
	}
}

// finish moves a launch of which nothing is left to the finished ones. k.mu is held, and l's right to clean up.
func (k *Launcher) finish(l *launch) {
	now := time.Now()
	l.account.FinishedAtMs = now.UnixMilli()
	l.account.Exit, l.account.LastWords = l.exit(), l.lastWords()
	if l.words != nil {
		l.account.printed = l.words.printed.tail.String()
	}
	if err := k.store.write(l.account); err != nil {
		k.log.Warn("the record of a launch could not be written", "error", err)
	}
	disown(l.lock)
	l.lock = nil
	delete(k.launches, l.account.LaunchID)
	k.finished[l.account.LaunchID] = l.account
	k.store.prune(k.finished, now)
	l.once.ended.Do(func() { close(l.ended) })
	l.once.stop.Do(func() { close(l.stop) })
	if l.words != nil {
		_ = l.words.pipe.Close()
	}
	l.screen.Close()
}

// cleanFinished closes the session that was attached to an app that has ended; nothing else is left of it.
func (k *Launcher) cleanFinished(ctx context.Context, a account, o CleanupOptions) Cleanup {
	if o.Timeout <= 0 {
		o.Timeout = DefaultCleanupTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	c := Cleanup{LaunchID: a.LaunchID}
	closed := c.closeSession(ctx, a, o)
	for _, step := range []string{ProcessStep, PortStep, ProfileStep} {
		c.add(step, StepDone, "it was gone already")
	}
	c.judge()
	k.mu.Lock()
	defer k.mu.Unlock()
	if a, ok := k.finished[a.LaunchID]; ok && c.State == Cleaned {
		a.CleanupState, a.SessionClosed = Cleaned, a.SessionClosed || closed
		k.finished[a.LaunchID] = a
		if err := k.store.write(a); err != nil {
			k.log.Warn("the record of a launch could not be written", "error", err)
		}
	}
	return c
}
