package backend

import (
	"bytes"
	"context"
	"errors"
	"os/exec"
	"time"
)

// How processes of calls end.
const (
	graceAfterExit = 100 * time.Millisecond // for output that is still on its way, when others hold the pipes open
	killAfter      = 2 * time.Second        // of a process that was asked to end
	exitWatchdog   = 124
	exitMissing    = 127
	exitSignal     = 128 // a process that a signal ended
)

// job is a process to run.
type job struct {
	path  string
	args  []string
	cwd   string
	env   []string
	stdin []byte
}

// ran is the result of a job.
type ran struct {
	args     []string
	out      *output
	stderr   *tail
	exit     int
	spawnErr error
	timedOut bool
	aborted  bool
}

// run runs the process to its end. When ctx is done, its whole process group is asked to end, and then made to.
func (j job) run(ctx context.Context) *ran {
	r := &ran{args: j.args, out: &output{}, stderr: &tail{}}
	if ctx.Err() != nil {
		r.spawnErr = context.Cause(ctx)
		r.gaveUp(ctx)
		r.exit = exitMissing
		return r
	}
	cmd := exec.Command(j.path, j.args...)
	cmd.Dir, cmd.Env = j.cwd, j.env
	cmd.Stdin = bytes.NewReader(j.stdin) // a pipe that ends: programs that ask for input get none
	cmd.Stdout, cmd.Stderr = r.out, r.stderr
	cmd.WaitDelay = graceAfterExit
	apart(cmd)
	if err := cmd.Start(); err != nil {
		r.exit, r.spawnErr = exitMissing, err
		return r
	}
	exited, watched := make(chan struct{}), make(chan struct{})
	go func() { // ends when the process has ended; waited for below
		defer close(watched)
		select {
		case <-exited:
			return
		case <-ctx.Done():
		}
		r.gaveUp(ctx)
		ask(cmd)
		kill := time.NewTimer(killAfter)
		defer kill.Stop()
		select {
		case <-exited:
		case <-kill.C:
		}
		end(cmd)
	}()
	err := cmd.Wait()
	close(exited)
	<-watched
	r.exit = cmd.ProcessState.ExitCode()
	if r.exit < 0 {
		r.exit = exitSignal
		if r.timedOut {
			r.exit = exitWatchdog
		}
	}
	if _, exit := errors.AsType[*exec.ExitError](err); err != nil && !exit && !errors.Is(err, exec.ErrWaitDelay) &&
		r.out.err == nil {
		// A program that does not read its input is not a failure.
		r.stderr.note(err)
	}
	return r
}

func (r *ran) gaveUp(ctx context.Context) {
	r.timedOut = errors.Is(context.Cause(ctx), errWatchdog)
	r.aborted = !r.timedOut
}

// discard removes what was kept on disk.
func (r *ran) discard() { r.out.discard() }
