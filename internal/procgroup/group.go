package procgroup

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
)

// Options say how a group is tied to its owner, this process.
type Options struct {
	// Lenient spares a group whose owner was killed, so that it can end by itself: when a pipe to it closes, say. On Windows it is killed
	// all the same.
	Lenient bool
}

// Group is a program that runs, with all that it started. Its methods may be called by several goroutines.
type Group struct {
	pid  int
	cmd  *exec.Cmd
	done chan struct{} // closed when the first process has ended and the others were killed
	err  error         // of waiting; set before done is closed

	mu     sync.Mutex
	handle *handle // nil once the first process has ended: from then on its id may be somebody else's
}

// Start starts cmd as the first process of a group. cmd's SysProcAttr is completed, not replaced. The caller must not wait for cmd.
// The group ends with its first process, or by Kill; one goroutine watches it until then.
func Start(cmd *exec.Cmd, o Options) (*Group, error) {
	separate(cmd)
	if !o.Lenient {
		dieWithOwner(cmd)
	}
	g := &Group{cmd: cmd, done: make(chan struct{})}
	started := make(chan error)
	go func() {
		// Linux takes the thread that started a process for its parent, see dieWithOwner: it must last as long as the process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := g.exec()
		started <- err
		if err == nil {
			g.err = reap(cmd, g.end)
			close(g.done)
		}
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return g, nil
}

// exec starts the first process and ties what it will start to it.
func (g *Group) exec() error {
	if err := g.cmd.Start(); err != nil {
		return err
	}
	h, err := newHandle(g.cmd)
	if err != nil {
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
		return err
	}
	g.pid, g.handle = g.cmd.Process.Pid, h
	return nil
}

// end kills what the ended first process left behind.
func (g *Group) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.handle.kill()
	g.handle.release()
	g.handle = nil
}

// PID returns the id of the first process, which on Unix is the id of the group too.
func (g *Group) PID() int { return g.pid }

// Done is closed when the first process has ended and the others were killed.
func (g *Group) Done() <-chan struct{} { return g.done }

// Err returns nil while the first process runs and when it ended with success; else what exec.Cmd.Wait says.
func (g *Group) Err() error {
	select {
	case <-g.done:
		return g.err
	default:
		return nil
	}
}

// Exit says how the first process ended: "exit status 1", "signal: killed". It is empty while that runs.
func (g *Group) Exit() string {
	select {
	case <-g.done:
	default:
		return ""
	}
	if g.cmd.ProcessState != nil {
		return g.cmd.ProcessState.String()
	}
	return fmt.Sprint(g.err)
}

// Kill ends all processes of the group at once. It does not wait: Done tells when the first one is gone.
func (g *Group) Kill() { g.with((*handle).kill) }

// Terminate asks all processes of the group to end: by SIGTERM on Unix, by closing their windows on Windows. They may refuse.
func (g *Group) Terminate() { g.with((*handle).terminate) }

func (g *Group) with(do func(*handle)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.handle != nil {
		do(g.handle)
	}
}
