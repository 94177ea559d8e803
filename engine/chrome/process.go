package chrome

import (
	"context"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// Process is a launched browser. Its methods may be called by several goroutines.
type Process struct {
	path      string
	pid       int
	sandboxed bool
	profile   *profile // nil: the caller's own directory
	group     *group
	commands  io.WriteCloser
	replies   *replyReader
	stderr    *tail
	log       *slog.Logger

	ending   atomic.Bool   // the owner asked for the end
	err      error         // set before done is closed
	done     chan struct{} // all processes of the browser ended
	finished chan struct{} // and what it left behind is removed
}

// replyReader notes whether the browser ever answered.
type replyReader struct {
	io.ReadCloser
	answered atomic.Bool
}

func (r *replyReader) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	if n > 0 && !r.answered.Load() {
		r.answered.Store(true)
	}
	return n, err
}

// Pipe returns the browser's debugging pipe: r yields its NUL-terminated messages, w takes ours. Every call returns the same pipe.
// Closing w ends the browser.
func (p *Process) Pipe() (r io.ReadCloser, w io.WriteCloser) { return p.replies, p.commands }

// PID returns the id of the browser's main process, which is also the id of its process group on Unix.
func (p *Process) PID() int { return p.pid }

// Path returns the executable that runs: where the one that was found is a mere wrapper script, the one behind it.
func (p *Process) Path() string { return p.path }

// Sandboxed reports whether the browser runs its pages in Chromium's sandbox.
func (p *Process) Sandboxed() bool { return p.sandboxed }

// Done is closed when the browser and its helpers have ended, whoever ended them.
func (p *Process) Done() <-chan struct{} { return p.done }

// Err returns nil while the browser runs and when it ended because its owner asked for that. Else it tells why it ended: an error
// with code browser-launch when it never answered a command, browser-gone when it did, with the end of what it said.
func (p *Process) Err() error {
	select {
	case <-p.done:
		return p.err
	default:
		return nil
	}
}

// StderrTail returns the last lines that the browser wrote to its standard error.
func (p *Process) StderrTail() string { return p.stderr.String() }

// Kill ends the browser and all its helpers at once. It does not wait; Done and Close do.
func (p *Process) Kill() {
	p.ending.Store(true)
	select {
	case <-p.done:
	default:
		p.group.kill()
	}
}

// closeGrace is how long Close lets a browser take to end by itself.
const closeGrace = 2 * time.Second

// Close ends the browser: it closes the pipe, waits for the exit, and kills what still runs after 2 s or when ctx is done. Then it
// removes the temporary profile. It may be called again, and after the browser ended. The error is that of ctx, when the browser
// was still ending then.
func (p *Process) Close(ctx context.Context) error {
	p.ending.Store(true)
	_ = p.commands.Close()
	timer := time.NewTimer(closeGrace)
	defer timer.Stop()
	select {
	case <-p.finished:
	case <-timer.C:
		p.Kill()
	case <-ctx.Done():
		p.Kill()
	}
	_ = p.replies.Close()
	<-p.finished // all its processes were killed: no more than stragglerGrace
	return nil
}

// end records how the browser ended and announces it.
func (p *Process) end(state *os.ProcessState, waitErr error) {
	if !p.ending.Load() {
		p.err = endFault(p.path, exitWords(state, waitErr), p.stderr.String(), p.replies.answered.Load())
	}
	close(p.done)
}
