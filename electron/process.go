package electron

import (
	"context"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/profile"
)

// launch is an app that was started, until nothing of it is left.
type launch struct {
	dir     string           // its profile
	crashes string           // where its crash reports outlive the profile; empty means nowhere
	group   *procgroup.Group // nil means an earlier run of this program started it
	words   *words           // what it says; nil with group
	screen  *chrome.Display  // that was made for its windows; nil where there is one
	ended   chan struct{}    // closed when the app's own process has ended
	stop    chan struct{}    // closed when the launch is finished, or given up

	busy chan struct{} // holds a token while no cleanup runs: see hold

	// Guarded by busy.
	profile *profile.Profile // nil means removed, or not ours
	lock    *flock.Flock     // of the account; nil without a store

	restarting atomic.Bool // its process has ended and has asked for another one, which is awaited
	restarted  atomic.Bool // the app runs in a process that its first one asked for

	account account // guarded by Launcher.mu
	once    struct{ ended, stop sync.Once }
}

func newLaunch() *launch {
	l := &launch{ended: make(chan struct{}), stop: make(chan struct{}), busy: make(chan struct{}, 1)}
	l.busy <- struct{}{}
	return l
}

// hold waits for the right to clean up. The caller gives it back by release.
func (l *launch) hold(ctx context.Context) error {
	select {
	case <-l.busy:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (l *launch) release() { l.busy <- struct{}{} }

func (l *launch) label() string { return l.account.AppName + " (" + l.account.LaunchID + ")" }

// abandon leaves what is left of a launch to the next launcher.
func (l *launch) abandon() {
	l.once.stop.Do(func() { close(l.stop) })
	if l.profile != nil {
		l.profile.Release()
	}
	if l.lock != nil {
		_ = l.lock.Close()
	}
	if l.words != nil {
		l.words.close()
	}
	l.screen.Close()
}

// survivors are the running processes of the app: those of its group, and those that left it and name its profile.
func (l *launch) survivors() []int {
	var pids []int
	if l.group != nil {
		pids = l.group.Members()
	}
	for _, p := range procgroup.FindByPath(l.dir) {
		if !slices.Contains(pids, p.PID) {
			pids = append(pids, p.PID)
		}
	}
	return pids
}

// runs reports whether a process of the app runs. Most often that is known without a look at all processes.
func (l *launch) runs() bool {
	if l.group != nil {
		select {
		case <-l.group.Done():
		default:
			return true
		}
	}
	return len(l.survivors()) > 0
}

// terminate asks all processes of the app to end.
func (l *launch) terminate() {
	if l.group != nil {
		l.group.Terminate()
	}
	procgroup.EndByPath(l.dir, false)
}

// kill ends all processes of the app.
func (l *launch) kill() {
	if l.group != nil {
		l.group.Kill()
	}
	procgroup.EndByPath(l.dir, true)
}

// awaitEnd waits until no process of the app runs, at most until ctx ends.
func (l *launch) awaitEnd(ctx context.Context) bool {
	for l.runs() {
		var done <-chan struct{}
		if l.group != nil {
			done = l.group.Done()
			select {
			case <-done:
				done = nil // it is the others that are waited for
			default:
			}
		}
		select {
		case <-ctx.Done():
			return !l.runs()
		case <-done:
		case <-time.After(poll):
		}
	}
	return true
}

// mainProcess returns the process of the app that others belong to: the one that names the profile and is not a helper
// of Chromium.
func (l *launch) mainProcess() int {
	for _, p := range procgroup.FindByPath(l.dir) {
		isHelper := slices.ContainsFunc(p.Args, func(arg string) bool {
			return strings.HasPrefix(arg, "--type=") || strings.Contains(arg, " --type=") ||
				strings.HasPrefix(arg, "--monitor-self")
		})
		if !isHelper && slices.ContainsFunc(p.Args, func(arg string) bool {
			return strings.Contains(arg, "--user-data-dir="+l.dir)
		}) {
			return p.PID
		}
	}
	return 0
}

// successor returns the process in which the app goes on, or whether one waits to start it. The one that waits is
// looked for first: it ends as soon as it has started the app.
func (l *launch) successor() (pid int, waits bool) {
	for look := range successorLooks {
		if look > 0 {
			<-time.After(poll)
		}
		waits = l.relauncher()
		if pid = l.mainProcess(); pid != 0 || waits {
			break
		}
	}
	return pid, waits
}

// successorLooks is how often no process must be seen before there is none: one that is being started has no command
// line for a moment, and its starter has ended by then.
const successorLooks = 3

// relauncher reports whether a process waits to start the app again, when its process has ended.
func (l *launch) relauncher() bool {
	return slices.ContainsFunc(procgroup.FindByPath(l.dir), func(p procgroup.Process) bool {
		return slices.Contains(p.Args, "--type=relauncher")
	})
}

const (
	profileBase   = "apps"
	profilePrefix = "app-"
)

// newProfile makes the profile of a launch, in the folder that the app can reach.
func newProfile(base string) (*profile.Profile, error) {
	var err error
	if base == "" {
		base, err = profile.ShortBase(profileBase)
	} else {
		err = os.MkdirAll(base, 0o700)
	}
	if err != nil {
		return nil, err
	}
	return profile.New(base, profilePrefix)
}

// sweepProfiles removes the profiles that killed owners left, and no app uses any longer.
func sweepProfiles(log *slog.Logger) {
	if base, err := profile.ShortBase(profileBase); err == nil {
		profile.Sweep(base, profilePrefix, time.Now(), inUse, log)
	}
}

// inUse reports whether an app works in a profile: a process names it, or its debugging port answers, as that of an app
// does whose processes cannot be seen from here.
func inUse(dir string) bool {
	if len(procgroup.FindByPath(dir)) > 0 {
		return true
	}
	state, p := readPortFile(dir)
	if state != portFileFound {
		return false
	}
	_, err := p.version(context.Background())
	return err == nil
}
