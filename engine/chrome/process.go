package chrome

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/limits"
	"github.com/skua-browser/skua/internal/procgroup"
	"github.com/skua-browser/skua/internal/profile"
)

// Process is a launched browser. Its methods may be called by several goroutines.
type Process struct {
	path      string
	group     *procgroup.Group
	sandboxed bool
	exposure  string           // why not sandboxed
	refused   string           // the same, when it is not what the caller asked for
	profile   *profile.Profile // the temporary one, or nil
	userDir   *flock.Flock     // the lock of the caller's profile directory, or nil
	mended    string           // what was wrong with the caller's profile directory and was put right, or ""
	copied    *Copied          // the copy of a profile; nil means that it runs without one
	display   *Display         // the screen that was made for it, or nil
	commands  io.WriteCloser
	replies   *replyReader
	stderr    *Tail
	log       *slog.Logger
	done      chan struct{} // closed when all processes of the browser ended
	finished  chan struct{} // closed when what it left behind is removed too
	err       error         // set before done is closed

	mu     sync.Mutex
	ending bool // the owner asked for the end
}

// replyReader notes whether the browser ever answered.
type replyReader struct {
	io.ReadCloser
	answered atomic.Bool
	lacked   func() string // says for want of what the browser has ended
}

func (r *replyReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if n > 0 && !r.answered.Load() {
		r.answered.Store(true)
	}
	if err == io.EOF && r.answered.Load() { // else the error of the launch tells
		if what := r.lacked(); what != "" {
			err = &starvedError{what}
		}
	}
	return n, err
}

// Pipe returns the browser's debugging pipe: r yields its NUL-terminated messages, w takes ours. Every call returns the
// same pipe. Closing w ends the browser.
func (p *Process) Pipe() (r io.ReadCloser, w io.WriteCloser) { return p.replies, p.commands }

// PID returns the id of the browser's main process, which on Unix is the id of its process group too.
func (p *Process) PID() int { return p.group.PID() }

// Path returns the executable that runs: the browser itself where a package has a script in front of it.
func (p *Process) Path() string { return p.path }

// Sandboxed reports whether the browser confines its pages in Chromium's sandbox.
func (p *Process) Sandboxed() bool { return p.sandboxed }

// Exposure says why the browser runs without Chromium's sandbox; it is empty when it has it.
func (p *Process) Exposure() string { return p.exposure }

// SandboxRefused is why the system refuses Chromium's sandbox. It is empty if the browser has the sandbox, or if the
// caller asked to run without it.
func (p *Process) SandboxRefused() string { return p.refused }

// Mended is what was repaired in the caller's profile directory for the launch; it is empty if nothing was.
func (p *Process) Mended() string { return p.mended }

// Copied describes the copy of a user's profile that the browser runs with; nil if it runs without one.
func (p *Process) Copied() *Copied { return p.copied }

// Done is closed when the browser and its helper processes have ended, for any reason.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns nil while the browser runs and after its owner ended it. Otherwise it returns why the browser ended, with
// its last output. The code is browser-launch if the browser never answered on its pipe, and browser-gone if it did.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// StderrTail returns the last lines that the browser wrote to its standard error and output.
func (p *Process) StderrTail() string { return p.stderr.String() }

// Kill ends the browser and all its helper processes at once. It does not wait: Done tells when they are gone.
func (p *Process) Kill() {
	p.mu.Lock()
	p.ending = true
	p.mu.Unlock()
	p.group.Kill()
}

// TempDir returns the folder of the browser's temporary profile, which goes with it; "" when it has another one.
func (p *Process) TempDir() string {
	if p.profile == nil {
		return ""
	}
	return p.profile.Dir()
}

// How long Close lets a browser take to end by itself. Chromium takes 20 to 120 ms, and longer on a busy machine. A
// profile that outlives the browser is worth waiting for: what Chromium has not written when it is killed is lost, and
// cookies of the last half minute are among that.
const (
	closeGrace       = 2 * time.Second
	closeGraceOfKept = 10 * time.Second
)

// Close ends the browser: it closes our end of the pipe, waits until it ended and its temporary profile is removed, and
// kills what still runs after 2 s (10 s where the profile is kept) or when ctx is done, whichever comes first. It may
// be called again, and after the browser ended. An error only says that the pipe could not be closed; the browser is
// gone in any case.
func (p *Process) Close(ctx context.Context) error {
	p.mu.Lock()
	p.ending = true
	p.mu.Unlock()
	err := p.commands.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil // the caller's transport did that already
	}
	grace := closeGrace
	if p.profile == nil {
		grace = closeGraceOfKept
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-p.finished:
	case <-timer.C:
		p.Kill()
	case <-ctx.Done():
		p.Kill()
	}
	<-p.finished // bounded: everything was killed, and stragglerGrace limits the rest
	_ = p.replies.Close()
	return err
}

// stragglerGrace is how long the end of the last process of a browser is waited for after all were killed.
const stragglerGrace = 2 * time.Second

// watch follows the started browser to its end and cleans up behind it. It returns, and the goroutines that it starts
// end, when the browser has ended; Close waits for that.
func (p *Process) watch(words *os.File) {
	defer close(p.finished)
	var helpers sync.WaitGroup
	defer helpers.Wait()
	copied := make(chan struct{})
	helpers.Go(func() {
		defer close(copied)
		_, _ = io.Copy(p.stderr, words)
	})
	if p.profile != nil {
		helpers.Go(func() {
			profile.Sweep(filepath.Dir(p.profile.Dir()), profilePrefix, time.Now(), nil, p.log)
			if drafts, err := profile.Base(profile.Drafts); err == nil {
				profile.Sweep(drafts, profile.DraftPrefix, time.Now(), nil, p.log)
			}
		})
	}

	<-p.group.Done()
	asked := p.asked()
	// All processes of the browser share its standard error: its end says that the last one is gone. What left the group
	// could hold it open for ever.
	select {
	case <-copied:
	case <-time.After(stragglerGrace):
	}
	_ = words.Close()
	<-copied
	if !asked {
		p.err = endFault(p.path, p.group.Exit(), p.stderr.String(), p.replies.answered.Load(), limits.Low())
	}
	p.display.Close()
	close(p.done)
	if err := p.dropProfile(); err != nil {
		p.log.Warn("something of the browser's profile could not be removed", "error", err)
	}
}

// asked reports whether the owner asked for the end.
func (p *Process) asked() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.ending
}
