package electron

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/electron/fuses"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/childenv"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/profile"
)

// LaunchOptions say which app is launched and how. Exactly one of the first four is given.
type LaunchOptions struct {
	AppPath, AppName, BundleID, ExecutablePath string

	Args        []string      // for the app; see CheckArgs
	NoInspect   bool          // the inspector of its main process is not opened
	Allow, Deny []string      // parts of names or paths; deny wins
	Timeout     time.Duration // until its port answers; 0 means DefaultLaunchTimeout, at most MaxLaunchTimeout
	Cwd         string
	Env         []string // as in os.Environ; nil means that of Environ
}

// Launched is an app whose debugging port answers.
type Launched struct {
	Record  Record
	Version Version
	Targets []Target
	App     App

	TargetsCut int    // targets beyond MaxTargets
	Exposure   string // why the app runs without Chromium's sandbox; empty means that it has it
	Note       string // what is worth knowing of how it was started; may be empty
}

// Launch starts an app with a profile of its own and returns when its debugging port answers. When it does not, or ctx
// ends, nothing is left of the app. Errors: Usage, AppNotFound, AppUnsuitable, AppBlocked (with the fact `policy`, a
// Policy), AppLaunch, Timeout and Canceled (with the fact `diagnostics`, a Diagnostics, once something was started).
func (k *Launcher) Launch(ctx context.Context, o LaunchOptions) (*Launched, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.New(fault.CodeOf(err), "nothing was launched: %w", err)
	}
	if err := k.begin(); err != nil {
		return nil, err
	}
	defer k.work.Done()
	if info, err := os.Stat(o.Cwd); o.Cwd != "" && (err != nil || !info.IsDir()) {
		return nil, fault.New(fault.Usage, "%s is not a folder in which an app can be started", o.Cwd).About(o.Cwd)
	}
	start, err := Here(k.getenv(o.Env)).Resolve(ctx, o)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	go func() { // ends with this call
		select {
		case <-k.closing:
			cancel(errClosing)
		case <-ctx.Done():
		}
	}()

	l := newLaunch()
	exposure, err := k.start(ctx, l, start, o)
	if err != nil {
		return nil, err
	}
	w := wait{l: l, started: time.Now(), window: launchWindow(o.Timeout), name: start.App.Name}
	if err := w.ready(ctx); err != nil {
		return nil, k.undo(ctx, l, &w, err)
	}
	k.mu.Lock()
	l.account.PID, l.account.Port, l.account.WebSocketDebuggerURL = w.pid, w.port.number, w.port.url()
	l.account.InspectorURL = l.words.inspector.found()
	err = k.store.write(l.account)
	if err == nil && k.closed {
		err = errClosing
	}
	if err != nil {
		k.mu.Unlock()
		return nil, k.undo(ctx, l, &w, err)
	}
	k.launches[l.account.LaunchID] = l
	done := &Launched{
		Record:   l.account.Record,
		Version:  w.version,
		App:      start.App,
		Exposure: exposure,
		Note:     start.Note,
	}
	k.mu.Unlock()
	done.Targets, done.TargetsCut = bounded(w.targets)
	k.work.Go(func() { k.watch(l) })
	return done, nil
}

var errClosing = fault.New(fault.Canceled, "the launch was canceled: this program is ending")

func launchWindow(asked time.Duration) time.Duration {
	if asked <= 0 {
		asked = DefaultLaunchTimeout
	}
	return min(asked, MaxLaunchTimeout)
}

// start runs the app. When it fails nothing is left.
func (k *Launcher) start(ctx context.Context, l *launch, s *Start, o LaunchOptions) (exposure string, err error) {
	id := newLaunchID()
	if l.lock, err = k.store.claim(id); err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			k.store.remove(id)
			if l.profile != nil {
				_ = l.profile.Remove()
			}
			if l.words != nil {
				l.words.close()
			}
			l.screen.Close()
			disown(l.lock)
		}
	}()
	if l.profile, err = newProfile(s.ProfileBase); err != nil {
		return "", err
	}
	l.dir, l.crashes = l.profile.Dir(), k.store.crashes(id)
	cmd := exec.Command(s.Path)
	cmd.Dir, cmd.Env = o.Cwd, k.environment(l, s, o)
	if getenv := k.getenv(cmd.Env); chrome.NeedsDisplay(getenv) {
		if l.screen, err = chrome.StartDisplay(ctx, getenv, 0, 0); err != nil {
			return "", err
		}
		cmd.Env = append(cmd.Env, l.screen.Env()...)
	}
	args, exposure := switches(l, s, o, k.getenv(cmd.Env))
	if !o.NoInspect && inspectable(s.App.ExecutablePath, args) {
		args = slices.Insert(args, len(s.Args), "--inspect=0")
	}
	cmd.Args = append(cmd.Args, args...)
	l.account = account{
		Record: Record{
			Version:           recordVersion,
			LaunchID:          id,
			LaunchedByWrapper: true,
			AppName:           s.App.Name,
			BundleID:          s.App.BundleID,
			AppPath:           s.App.AppPath,
			ExecutablePath:    s.App.ExecutablePath,
			UserDataDir:       l.dir,
			CreatedAtMs:       time.Now().UnixMilli(),
			CleanupState:      Active,
		},
	}
	// Before it runs: who finds the record of a killed owner looks for processes that name the profile.
	if err := k.store.write(l.account); err != nil {
		return "", err
	}
	var theirs *os.File
	if l.words, theirs, err = newWords(); err != nil {
		return "", fault.New(fault.Internal, "cannot create a pipe for the output of the app: %w", err)
	}
	defer theirs.Close()
	cmd.Stdout, cmd.Stderr = theirs, theirs
	l.group, err = procgroup.Start(cmd, procgroup.Options{
		Guard: &procgroup.Guard{Mark: l.dir, Remove: []string{l.dir, l.profile.LockFile()}},
	})
	if err != nil {
		return "", chrome.NotStarted(fault.New(fault.AppLaunch, "%s could not be started: %w", s.App.label(), err), s.Path,
			err)
	}
	k.log.Info("launched an app", "app", s.App.Name, "launch", id, "pid", l.group.PID(), "exposure", exposure)
	return exposure, nil
}

// switches are the arguments of the app.
func switches(l *launch, s *Start, o LaunchOptions, getenv func(string) string) (args []string, exposure string) {
	args = append(slices.Clone(s.Args),
		"--remote-debugging-port=0", "--user-data-dir="+l.dir, "--disable-extensions", "--no-first-run",
		"--no-default-browser-check")
	_, needsSwitch, exposure := chrome.Sandbox(s.App.ExecutablePath, o.Args, getenv)
	if needsSwitch {
		args = append(args, "--no-sandbox")
	}
	args = append(args, chrome.SharedMemorySwitches()...)
	return append(args, o.Args...), exposure
}

// inspectable reports whether an app opens an inspector when it is asked to, and was not asked already.
func inspectable(executable string, args []string) bool {
	if slices.ContainsFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "--inspect") }) {
		return false
	}
	found, err := fuses.Read(executable)
	return err == nil && found.TakesInspect()
}

// ofElectron are variables that developers set for Electron and Node.
var ofElectron = []string{
	"NODE_ENV", "NODE_OPTIONS", "NODE_PATH", "ELECTRON_ENABLE_LOGGING", "ELECTRON_LOG_FILE",
	"ELECTRON_ENABLE_STACK_DUMPING", "ELECTRON_OZONE_PLATFORM_HINT",
	"ELECTRON_NO_ASAR", "ELECTRON_TRASH", "ELECTRON_IS_DEV", "ELECTRON_OVERRIDE_DIST_PATH",
	"ELECTRON_DISABLE_SECURITY_WARNINGS",
}

// Environ is what an app gets of this process's environment.
func Environ() []string { return childenv.Own(ofElectron...) }

// environment is the caller's, with what the app needs to be a desktop app and to leave nothing behind.
func (k *Launcher) environment(l *launch, s *Start, o LaunchOptions) []string {
	env := slices.Clone(o.Env)
	if o.Env == nil {
		env = Environ()
	}
	env = slices.DeleteFunc(env, func(entry string) bool {
		// With it Electron is plain Node: it opens no window and no port. Programs that run in an Electron themselves,
		// editors among them, hand it on to what they start.
		name, _, _ := strings.Cut(entry, "=")
		return name == "ELECTRON_RUN_AS_NODE" || runtime.GOOS == "windows" && strings.EqualFold(name, "ELECTRON_RUN_AS_NODE")
	})
	env = append(env, s.Env...)
	switch tmp := l.profile.Env(); {
	case tmp != nil:
		env = append(env, tmp...)
	case s.OwnTemp:
		env = append(env, "TMPDIR="+l.dir)
	}
	return env
}

// undo ends an app that did not become ready, or is not wanted any longer, and returns err with what is known about it.
func (k *Launcher) undo(ctx context.Context, l *launch, w *wait, err error) error {
	l.words.settle()
	d := w.diagnostics()
	if cause := context.Cause(ctx); cause != nil && ctx.Err() != nil {
		err = canceled(w, cause)
	}
	clean, cancel := context.WithTimeout(context.WithoutCancel(ctx), DefaultCleanupTimeout)
	defer cancel()
	l.kill() // nothing in it is worth the time to end in order
	if l.awaitEnd(clean) {
		<-l.group.Gone()
		l.words.close()
		l.screen.Close()
		err = withDiagnostics(err, d)
		if gone := l.removeProfile(clean); gone != nil {
			k.log.Warn("something of a profile could not be removed", "error", gone)
		}
		k.store.remove(l.account.LaunchID)
		disown(l.lock)
		return err
	}
	// It cannot be killed, while it waits for a disk for instance. It stays known, so that it can be cleaned up later.
	k.mu.Lock()
	l.account.CleanupState, l.account.PID = Partial, l.group.PID()
	k.launches[l.account.LaunchID] = l
	_ = k.store.write(l.account)
	closed := k.closed
	k.mu.Unlock()
	if closed {
		l.abandon()
	} else {
		k.work.Go(func() { k.watch(l) })
	}
	return withDiagnostics(err, d)
}

func canceled(w *wait, cause error) error {
	if f, ok := errors.AsType[*fault.Error](cause); ok {
		return fault.New(f.Code, "%s", f.Message)
	}
	if errors.Is(cause, context.DeadlineExceeded) {
		return fault.New(fault.Timeout, "the launch of %s exceeded the caller's time limit: %s", w.name, w.state())
	}
	return fault.New(fault.CodeOf(cause), "the launch of %s was canceled: %w", w.name, cause)
}

func withDiagnostics(err error, d Diagnostics) error {
	f, ok := errors.AsType[*fault.Error](err)
	if !ok {
		f = fault.New(fault.AppLaunch, "the app could not be launched: %w", err)
	}
	return f.With("diagnostics", d)
}

// removeProfile removes the profile, and tries again as long as something is written into it.
func (l *launch) removeProfile(ctx context.Context) error {
	l.keepDumps()
	for {
		err := l.tryRemoveProfile()
		if err == nil {
			return nil
		}
		if pause.For(ctx, poll) != nil {
			return err
		}
	}
}

func (l *launch) tryRemoveProfile() error {
	if l.profile == nil {
		l.profile = profile.TakeOver(l.dir) // of a launch that was taken over
	}
	if l.profile != nil {
		err := l.profile.Remove()
		if err == nil {
			l.profile = nil
		}
		return err
	}
	if _, err := os.Lstat(l.dir + profile.LockSuffix); err == nil {
		return fmt.Errorf("%s is in use by another program", l.dir)
	}
	return os.RemoveAll(l.dir) // a process that had begun to remove it was killed, or it is gone
}

// Policy says which entry of the caller's lists decided against an app.
type Policy struct {
	List  string `json:"list"`            // allow or deny
	Entry string `json:"entry,omitempty"` // of deny; of allow none matched
}
