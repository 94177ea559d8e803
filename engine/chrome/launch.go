package chrome

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/profile"
)

// Launch starts a browser and returns as soon as its process runs. Whether it works is shown by the answer to the first
// command on its pipe, or by [Process.Err] after [Process.Done]. ctx bounds the launch only: the browser lives until
// [Process.Close], [Process.Kill] or the end of this process. It opens no page by itself.
func Launch(ctx context.Context, o Options) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.New(fault.CodeOf(err), "The browser was not launched: %w.", err)
	}
	path, err := o.find()
	if err != nil {
		return nil, err
	}
	path = unwrap(path)
	if len(o.Extensions) > 0 && isShell(path) {
		return nil, fault.New(fault.BrowserLaunch, "The browser %q is a headless shell and has no extensions.", path).
			About(path).
			WithHint("Name a full browser such as chromium with --executable-path, or name none to have one looked for.")
	}
	if !o.Headless && isShell(path) {
		return nil, fault.New(fault.BrowserLaunch, "The browser %q is a headless shell and cannot show a window.", path).
			About(path).
			WithHint("Name a full browser such as chromium, or run headless.")
	}
	p := &Process{
		path:     path,
		stderr:   &Tail{},
		done:     make(chan struct{}),
		finished: make(chan struct{}),
		log:      o.log(),
	}
	dir, err := p.claimProfile(ctx, o.UserDataDir)
	if err != nil {
		return nil, err
	}
	env, err := p.furnish(ctx, o, dir)
	if err == nil {
		err = p.start(o, dir, env)
	}
	if err != nil {
		p.display.Close()
		_ = p.dropProfile()
		return nil, err
	}
	return p, nil
}

// find returns the browser to launch: a full one when what is asked for needs that, and the user's own for a copy of
// its profile, since what is encrypted in that is so for that browser.
func (o Options) find() (string, error) {
	if o.ExecutablePath == "" && o.ofUser() {
		if own := o.Copy; own != nil {
			if path := own.executable(o.getenv); path != "" {
				return path, nil
			}
		}
		if path, err := Find(false, "", o.getenv); err == nil {
			return path, nil
		}
	}
	return Find(o.Headless && len(o.Extensions) == 0, o.ExecutablePath, o.getenv)
}

// ofUser reports whether the profile is one of the user's own browser.
func (o Options) ofUser() bool { return o.Copy != nil || o.Profile != "" }

// furnish puts into the profile what the browser is to find there, makes a screen if it needs one, and returns what its
// environment needs for that.
func (p *Process) furnish(ctx context.Context, o Options, dir string) (env []string, err error) {
	if o.Copy != nil && p.profile != nil {
		if p.copied, err = o.Copy.copyTo(ctx, dir); err != nil {
			return nil, err
		}
	}
	if env, err = o.trust(ctx, dir); err != nil {
		return nil, err
	}
	if o.needsDisplay() {
		width, height := o.size()
		if p.display, err = StartDisplay(ctx, o.getenv, width, height); err != nil {
			if f, ok := errors.AsType[*fault.Error](err); ok && f.Hint != "" {
				f.Subject, f.Hint = "--headed", strings.TrimSuffix(f.Hint, ".")+", or leave out --headed."
			}
			return nil, err
		}
		env = append(env, p.display.Env()...)
	}
	return env, nil
}

// Temporary profiles of browsers, by which sweeps tell them from others.
const (
	profileBase   = "profiles"
	profilePrefix = "profile-"
)

// claimProfile takes the caller's profile directory, or makes a temporary one.
func (p *Process) claimProfile(ctx context.Context, userDir string) (string, error) {
	if userDir != "" {
		dir, err := filepath.Abs(userDir)
		if err != nil {
			return "", fault.New(fault.BrowserLaunch, "The profile directory %q cannot be used: %w.", userDir, err).
				About(userDir)
		}
		if p.userDir, err = claimUserDir(ctx, dir); err != nil {
			return "", err
		}
		if p.mended, err = removeStaleSingleton(dir); err != nil {
			_ = p.userDir.Close()
		}
		return dir, err
	}
	base, err := profile.Base(profileBase)
	if err != nil {
		return "", err
	}
	if p.profile, err = profile.New(base, profilePrefix); err != nil {
		return "", err
	}
	return p.profile.Dir(), nil
}

// dropProfile removes the temporary profile, or gives the caller's directory back.
func (p *Process) dropProfile() error {
	if p.profile != nil {
		return p.profile.Remove()
	}
	return p.userDir.Close()
}

// start runs the executable and hands it over to the goroutines of watch.
func (p *Process) start(o Options, dir string, env []string) error {
	extra := SharedMemorySwitches()
	sandboxed, needsSwitch, reason := Sandbox(p.path, o.Args, o.getenv)
	p.sandboxed = sandboxed
	if !sandboxed {
		p.exposure = reason
		p.log.Info("the browser runs without its sandbox: "+reason, "path", p.path)
	}
	if needsSwitch {
		extra, p.refused = append(extra, noSandbox), reason
	}
	cmd := exec.Command(p.path, commandLine(o, dir, extra...)...)
	cmd.Env = append(o.browserEnv(), env...)
	if p.profile != nil {
		cmd.Env = append(cmd.Env, p.profile.Env()...)
	}

	var files pipeFiles
	defer files.closeChild()
	err := files.open()
	if err == nil {
		// "Opening in existing browser session." goes to the standard output.
		cmd.Stdout, cmd.Stderr = files.childWords, files.childWords
		err = attachPipe(cmd, files.childCommands, files.childReplies)
	}
	if err != nil {
		files.closeOwn()
		return NotStarted(fault.New(fault.BrowserLaunch, "The pipes to the browser %q cannot be made: %w.", p.path, err),
			p.path, err)
	}
	p.replies = &replyReader{ReadCloser: files.replies, lacked: p.Shortage}
	p.commands = files.commands
	// A profile that is kept gets the time to be written: the closing pipe ends its browser. A browser that hangs outlives
	// the pipe.
	g, err := procgroup.Start(cmd, procgroup.Options{Lenient: p.profile == nil})
	if err != nil {
		files.closeOwn()
		return startFault(p.path, err)
	}
	p.group = g
	go p.watch(files.words)
	return nil
}

// pipeFiles are the ends of a browser's pipes: commands to it, replies from it, and what it says on stdout and stderr.
type pipeFiles struct {
	commands, childCommands *os.File
	replies, childReplies   *os.File
	words, childWords       *os.File
}

func (f *pipeFiles) open() error {
	var errs [3]error
	f.childCommands, f.commands, errs[0] = os.Pipe()
	f.replies, f.childReplies, errs[1] = os.Pipe()
	f.words, f.childWords, errs[2] = os.Pipe()
	return errors.Join(errs[:]...)
}

// closeChild closes the browser's ends in this process: only then does the end of the browser show as the end of its
// replies.
func (f *pipeFiles) closeChild() { closeFiles(f.childCommands, f.childReplies, f.childWords) }

func (f *pipeFiles) closeOwn() { closeFiles(f.commands, f.replies, f.words) }

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// isShell reports whether path is a browser that has no windows at all.
func isShell(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	return strings.HasSuffix(name, "headless-shell") || strings.HasSuffix(name, "headless_shell")
}
