package chrome

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine/fault"
)

// Launch starts a browser and returns as soon as its process runs; whether it works is shown by the answer to the first command on
// its pipe, or by [Process.Err]. ctx bounds the launch only: the browser lives until [Process.Close], [Process.Kill] or the end of
// this process. The caller must call Close or Kill.
func Launch(ctx context.Context, o Options) (*Process, error) {
	if err := ctx.Err(); err != nil {
		return nil, fault.New(fault.CodeOf(err), "the browser was not launched: %w", err)
	}
	path, err := Find(o.Headless, o.ExecutablePath, o.getenv)
	if err != nil {
		return nil, err
	}
	path = unwrap(path)
	if !o.Headless && isShell(path) {
		return nil, fault.New(fault.BrowserLaunch, "%q is a headless shell and cannot show a window.", path).About(path).
			WithHint("Name a full browser such as chromium, or run headless.")
	}
	p := &Process{
		path: path, stderr: &tail{}, done: make(chan struct{}), finished: make(chan struct{}), log: o.log(),
	}
	dir := o.UserDataDir
	if dir == "" {
		base, err := profileBase()
		if err != nil {
			return nil, err
		}
		if p.profile, err = newProfile(base); err != nil {
			return nil, err
		}
		dir = p.profile.dir
	} else if dir, err = filepath.Abs(dir); err != nil {
		return nil, fault.New(fault.BrowserLaunch, "the profile directory cannot be used: %w", err).About(o.UserDataDir)
	}
	if err := p.start(o, dir); err != nil {
		if p.profile != nil {
			_ = p.profile.remove()
		}
		return nil, err
	}
	return p, nil
}

// start runs the browser's executable and the goroutines that watch it.
func (p *Process) start(o Options, dir string) error {
	var extra []string
	sandboxed, needsSwitch, reason := sandbox(p.path, o.Args)
	p.sandboxed = sandboxed
	if !sandboxed {
		p.log.Info("the browser runs without its sandbox: "+reason, "path", p.path)
	}
	if needsSwitch {
		extra = append(extra, noSandbox)
	}
	cmd := exec.Command(p.path, commandLine(o, dir, extra...)...)
	cmd.Env = o.environ()

	var files pipeFiles
	defer files.closeChildren()
	if err := files.open(); err != nil {
		return fault.New(fault.BrowserLaunch, "the pipes to the browser cannot be made: %w", err).About(p.path)
	}
	cmd.Stderr = files.childStderr
	if err := attachPipe(cmd, files.childCommands, files.childReplies); err != nil {
		files.closeOwn()
		return fault.New(fault.BrowserLaunch, "the pipes to the browser cannot be made: %w", err).About(p.path)
	}
	if err := cmd.Start(); err != nil {
		files.closeOwn()
		return startFault(p.path, err)
	}
	g, err := newGroup(cmd)
	if err != nil {
		files.closeOwn()
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		return fault.New(fault.BrowserLaunch, "the browser could not be tied to this process: %w", err).About(p.path)
	}
	p.pid, p.group = cmd.Process.Pid, g
	p.replies = &replyReader{ReadCloser: files.replies}
	p.commands = files.commands
	p.watch(cmd, files.stderr)
	return nil
}

// pipeFiles are the six ends of the three pipes of a browser.
type pipeFiles struct {
	commands, childCommands *os.File
	replies, childReplies   *os.File
	stderr, childStderr     *os.File
}

func (f *pipeFiles) open() error {
	var errs [3]error
	f.childCommands, f.commands, errs[0] = os.Pipe()
	f.replies, f.childReplies, errs[1] = os.Pipe()
	f.stderr, f.childStderr, errs[2] = os.Pipe()
	err := errors.Join(errs[:]...)
	if err != nil {
		f.closeOwn()
	}
	return err
}

// closeChildren closes the browser's ends in this process: only then does the browser's end show as the end of the replies.
func (f *pipeFiles) closeChildren() { closeFiles(f.childCommands, f.childReplies, f.childStderr) }

func (f *pipeFiles) closeOwn() { closeFiles(f.commands, f.replies, f.stderr) }

func closeFiles(files ...*os.File) {
	for _, f := range files {
		if f != nil {
			_ = f.Close()
		}
	}
}

// watch follows the browser to its end and cleans up behind it. Its goroutines end with the browser; Close waits for them.
func (p *Process) watch(cmd *exec.Cmd, stderr *os.File) {
	copied := make(chan struct{})
	go func() {
		defer close(copied)
		_, _ = io.Copy(p.stderr, stderr)
	}()
	go func() {
		defer close(p.finished)
		if p.profile != nil {
			sweep(filepath.Dir(p.profile.dir), time.Now(), p.log)
		}
		waitErr := cmd.Wait()
		p.group.kill() // helpers that the browser left behind
		p.group.release()
		// All processes of the browser share its stderr: its end says that they are gone. Something that left the group
		// could hold it open.
		select {
		case <-copied:
		case <-time.After(stragglerGrace):
		}
		_ = stderr.Close()
		<-copied
		p.end(cmd.ProcessState, waitErr)
		if p.profile != nil {
			if err := p.profile.remove(); err != nil {
				p.log.Warn("the browser's temporary profile could not be removed", "path", p.profile.dir, "error", err)
			}
		}
	}()
}

// stragglerGrace is how long the end of the last process of a browser is waited for after all were killed.
const stragglerGrace = 2 * time.Second

// isShell reports whether path is a browser that has no windows at all.
func isShell(path string) bool {
	name := strings.TrimSuffix(strings.ToLower(filepath.Base(path)), ".exe")
	return strings.HasSuffix(name, "headless-shell") || strings.HasSuffix(name, "headless_shell")
}

// exitWords says how a process ended: "exit status 1", "signal: killed".
func exitWords(state *os.ProcessState, err error) string {
	if state != nil {
		return state.String()
	}
	return fmt.Sprint(err)
}
