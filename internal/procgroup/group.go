package procgroup

import (
	"fmt"
	"os/exec"
	"runtime"
	"sync"
)

// Options say how a group is tied to its owner, this process.
type Options struct {
	// Lenient spares a group whose owner was killed, so that it can end by itself: when a pipe to it closes, say. On
	// Windows it is killed all the same.
	Lenient bool

	// Guard, when given, has everything end with an owner that is killed, and lets the group outlive its first process,
	// until Kill.
	Guard *Guard
}

// Group is a program that runs, with all that it started. Its methods may be called by several goroutines.
type Group struct {
	pid   int
	cmd   *exec.Cmd
	guard *guard        // nil means none
	done  chan struct{} // closed when the first process has ended
	gone  chan struct{} // closed when all have ended, as far as they belong to the group
	err   error         // of waiting; set before done is closed

	mu     sync.Mutex
	handle *handle // nil once the group's id may be reused
	led    bool    // the first process has not ended
	linger bool    // the group's id stays ours without its first process
}

// Start starts cmd as the first process of a group. cmd's SysProcAttr is completed, not replaced. The caller must not
// wait for cmd. The group ends with its first process, unless it has a Guard, or by Kill; one or two goroutines watch
// it until then.
func Start(cmd *exec.Cmd, o Options) (*Group, error) {
	separate(cmd)
	if !o.Lenient {
		dieWithOwner(cmd)
	}
	g := &Group{cmd: cmd, done: make(chan struct{}), gone: make(chan struct{}), led: true}
	started := make(chan error)
	go func() {
		// Linux takes the thread that started a process for its parent, see dieWithOwner: it must last as long as the
		// process.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		err := g.exec(o.Guard)
		started <- err
		if err != nil {
			return
		}
		g.err = reap(cmd, g.leaderEnded)
		close(g.done)
		if g.guard != nil {
			<-g.guard.done
		}
		close(g.gone)
	}()
	if err := <-started; err != nil {
		return nil, err
	}
	return g, nil
}

// exec starts the first process and ties what it will start to it.
func (g *Group) exec(watch *Guard) error {
	g.mu.Lock() // until all is set: a guard may end at once
	defer g.mu.Unlock()
	if err := g.cmd.Start(); err != nil {
		return err
	}
	h, err := newHandle(g.cmd)
	if err == nil && watch != nil {
		g.guard, err = startGuard(g.cmd.Process.Pid, watch, g.unguarded)
		g.linger = err == nil
	}
	if err != nil {
		_ = g.cmd.Process.Kill()
		_ = g.cmd.Wait()
		if h != nil {
			h.release()
		}
		return err
	}
	g.pid, g.handle = g.cmd.Process.Pid, h
	return nil
}

// leaderEnded kills what the ended first process left behind, unless the group may stay.
func (g *Group) leaderEnded() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.led = false
	if !g.linger {
		g.drop()
	}
}

// unguarded is called when the guard has ended, while it still holds its id: nothing but the first process keeps the
// group's id any longer.
func (g *Group) unguarded() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.linger = false
	if !g.led {
		g.drop()
	}
}

// drop kills the group and gives it up.
func (g *Group) drop() {
	if g.handle != nil {
		g.handle.kill()
		g.handle.release()
		g.handle = nil
	}
}

// PID returns the id of the first process, which on Unix is the id of the group too.
func (g *Group) PID() int { return g.pid }

// Done is closed when the first process has ended. Without a Guard the others were killed then.
func (g *Group) Done() <-chan struct{} { return g.done }

// Gone is closed when the first process has ended and the group was given up: no goroutine and no process of ours is
// left.
func (g *Group) Gone() <-chan struct{} { return g.gone }

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

// Kill ends all processes of the group at once, its guard included. It does not wait: Done and Gone tell.
func (g *Group) Kill() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.handle == nil {
		return
	}
	g.handle.kill()
	if g.guard != nil && g.guard.none {
		g.linger = false
		if !g.led {
			g.drop()
		}
	}
}

// Terminate asks all processes of the group to end: by SIGTERM on Unix, by closing their windows on Windows. They may
// refuse.
func (g *Group) Terminate() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.handle != nil {
		g.handle.terminate()
	}
}

// Members returns the processes of the group that run, without its guard.
func (g *Group) Members() []int {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.handle == nil {
		return nil
	}
	members := g.handle.members()
	if g.guard != nil {
		members = g.guard.without(members)
	}
	return members
}
