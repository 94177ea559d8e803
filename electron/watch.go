package electron

import (
	"context"
	"time"

	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/profile"
)

const (
	// deathGrace is how long helpers may take to follow an app's process that has ended.
	deathGrace = 2 * time.Second

	// farPoll is how often a process is looked at that is not ours to wait for.
	farPoll = 250 * time.Millisecond
)

// watch waits for the end of an app that ends by itself, and clears it away. It returns when the launch is finished or
// given up.
func (k *Launcher) watch(l *launch) {
	k.mu.Lock()
	pid := l.account.PID
	k.mu.Unlock()
	for pid != 0 {
		if !l.awaitProcess(pid) {
			return
		}
		pid = k.follow(l)
	}
	l.keepDumps() // who hears of the end is told where they are
	l.once.ended.Do(func() { close(l.ended) })
	since := time.Now()
	for {
		k.bury(l, time.Since(since) > deathGrace)
		select {
		case <-l.stop:
			return
		case <-k.closing:
			return
		case <-time.After(farPoll):
		}
	}
}

// follow waits for the process in which an app goes on that has restarted itself, as by app.relaunch(): it has the same
// profile and another port. It returns 0 if the app has ended.
func (k *Launcher) follow(l *launch) (pid int) {
	if pid, waits := l.successor(); pid == 0 && !waits {
		return 0
	}
	l.restarting.Store(true)
	defer l.restarting.Store(false)
	if l.words != nil {
		l.words.inspector.again()
	}
	k.mu.Lock()
	before := portOf(&l.account.Record)
	k.mu.Unlock()
	for end := time.Now().Add(DefaultLaunchTimeout); time.Now().Before(end); {
		var waits bool
		if pid, waits = l.successor(); pid == 0 && !waits {
			return 0
		}
		state, p := readPortFile(l.dir)
		if pid != 0 && state == portFileFound && p.path != before.path {
			if _, err := p.version(context.Background()); err == nil {
				k.continued(l, pid, p)
				return pid
			}
		}
		select {
		case <-l.stop:
			return 0
		case <-k.closing:
			return 0
		case <-time.After(poll):
		}
	}
	return 0
}

// continued notes where an app runs that has restarted itself.
func (k *Launcher) continued(l *launch, pid int, p port) {
	k.mu.Lock()
	defer k.mu.Unlock()
	l.restarted.Store(true)
	l.account.PID, l.account.Port, l.account.WebSocketDebuggerURL, l.account.InspectorURL = pid, p.number, p.url(), ""
	if l.words != nil {
		l.account.InspectorURL = l.words.inspector.found()
	}
	if err := k.store.write(l.account); err != nil {
		k.log.Warn("the record of a launch could not be written", "error", err)
	}
	k.log.Info("a launched app has restarted itself", "launch", l.account.LaunchID, "app", l.account.AppName, "pid", pid)
}

// restartDoubt is how long the process of an app may live on after its connection has ended, before that says nothing
// about the app.
const restartDoubt = 5 * time.Second

// Restarted returns the launch of an app as it is now whose connection, to the address was, has ended. It waits until
// it is known whether the app has restarted itself: the connection ends before the process does. Not ok: it is not
// known, or it has ended.
func (k *Launcher) Restarted(ctx context.Context, launchID, was string) (r Record, ok bool) {
	for began := time.Now(); ; {
		k.mu.Lock()
		l := k.launches[launchID]
		if l == nil {
			k.mu.Unlock()
			return Record{}, false
		}
		r, ok = l.account.Record, l.pidAlive(l.account.PID)
		k.mu.Unlock()
		select {
		case <-l.ended:
			return r, false
		default:
		}
		decided := r.WebSocketDebuggerURL != was || time.Since(began) > restartDoubt
		if decided && !l.restarting.Load() || pause.For(ctx, poll) != nil {
			return r, ok
		}
	}
}

// SetInspector notes where the main process of a launched app is inspected.
func (k *Launcher) SetInspector(launchID, address string) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l := k.launches[launchID]; l != nil {
		l.account.InspectorURL = address
	}
}

// IsRestarting reports whether the process of an app has ended and has asked for another one.
func (k *Launcher) IsRestarting(launchID string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.launches[launchID]
	return l != nil && (l.restarting.Load() || l.restarted.Load() && l.pidAlive(l.account.PID))
}

// HasEnded reports whether an app's process has ended, and no other one goes on with the app. Of it, something may
// still be left.
func (k *Launcher) HasEnded(launchID string) bool {
	select {
	case <-k.Ended(launchID):
		return true
	default:
	}
	k.mu.Lock()
	l := k.launches[launchID]
	if l == nil || l.account.PID == 0 || l.pidAlive(l.account.PID) {
		k.mu.Unlock()
		return false
	}
	k.mu.Unlock()
	pid, waits := l.successor()
	return pid == 0 && !waits
}

// awaitProcess waits for the end of the app's own process; not ok when the launch was finished before.
func (l *launch) awaitProcess(pid int) bool {
	if l.group != nil && l.group.PID() == pid {
		select {
		case <-l.group.Done():
			return true
		case <-l.stop:
			return false
		}
	}
	for l.pidAlive(pid) {
		select {
		case <-l.stop:
			return false
		case <-time.After(farPoll):
		}
	}
	return true
}

// bury makes a launch dead whose processes have all ended, and removes its profile. Windows that live on without the
// app's process, which their port tells, are left alone; helpers without a port are killed after a while.
func (k *Launcher) bury(l *launch, patienceOver bool) {
	select {
	case <-l.busy: // else it is being cleaned up already
	default:
		return
	}
	defer l.release()
	k.mu.Lock()
	a := l.account
	k.mu.Unlock()
	if a.FinishedAtMs != 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), DefaultCleanupTimeout)
	defer cancel()
	runs := l.runs()
	if runs && !patienceOver {
		return
	}
	if p := portOf(&a.Record); p.number != 0 {
		if _, err := p.version(ctx); err == nil {
			return
		}
	}
	if runs {
		l.kill()
		if !l.awaitEnd(ctx) {
			return
		}
	}
	l.drop()
	if err := l.removeProfile(ctx); err != nil {
		k.log.Warn("the profile of an app that has ended could not be removed", "launch", a.LaunchID, "error", err)
		k.settle(l, Partial, false)
		return
	}
	k.log.Info("a launched app has ended by itself", "launch", a.LaunchID, "app", a.AppName)
	k.settle(l, Dead, false)
}

// takeOver takes the launches over whose owners are gone. Those of living owners are left alone.
func (k *Launcher) takeOver() {
	now := time.Now()
	k.mu.Lock() // a launch that is watched already may end before all are taken over
	defer k.mu.Unlock()
	for _, id := range k.store.ids(now) {
		a, ok := k.store.read(id)
		if !ok {
			continue
		}
		if a.FinishedAtMs != 0 {
			k.finished[id] = a
			continue
		}
		lock, err := k.store.claim(id)
		if err != nil || lock == nil {
			continue
		}
		if a, ok = k.store.read(id); !ok || a.FinishedAtMs != 0 { // its owner finished it meanwhile
			disown(lock)
			continue
		}
		l := newLaunch()
		l.lock, l.account, l.dir, l.profile = lock, a, a.UserDataDir, profile.TakeOver(a.UserDataDir)
		l.crashes = k.store.crashes(id)
		if named := procgroup.FindByPath(l.dir); a.PID == 0 && len(named) > 0 { // it was killed while it launched
			l.account.PID = l.mainProcess()
		}
		k.launches[id] = l
		k.work.Go(func() { k.watch(l) })
	}
	k.store.prune(k.finished, now)
}
