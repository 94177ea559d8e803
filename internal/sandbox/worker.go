package sandbox

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/procgroup"
)

// workerName is the first word of the command line of a worker. Each program that links this package is the worker too:
// its own file is started once more under this name, so that a script needs no second program, also where skua is a
// library of another one.
const workerName = "skua-script"

// worker is the process that runs a script, as its host sees it.
type worker struct {
	*link
	group *procgroup.Group
	pipes []*os.File // ours
	said  said
	read  sync.WaitGroup // of said
}

// newWorker starts a worker. It gets nothing of the environment, and no file but its three pipes.
func newWorker() (*worker, error) {
	path, err := ownProgram()
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Path: path, Args: []string{workerName}, Env: []string{}, Dir: os.TempDir()}
	w := &worker{}
	theirs, err := w.open(cmd)
	if err == nil {
		w.group, err = procgroup.Start(cmd, procgroup.Options{})
	}
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		w.close()
		return nil, err
	}
	w.read.Go(func() { _, _ = io.Copy(&w.said, w.pipes[2]) })
	return w, nil
}

// open makes the pipes. It returns the worker's ends.
func (w *worker) open(cmd *exec.Cmd) (theirs []*os.File, err error) {
	for i := range 3 {
		r, s, err := os.Pipe()
		if err != nil {
			return theirs, err
		}
		if i == 0 {
			r, s = s, r
		}
		w.pipes, theirs = append(w.pipes, r), append(theirs, s)
	}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = theirs[0], theirs[1], theirs[2]
	w.link = newLink(w.pipes[1], w.pipes[0])
	return theirs, nil
}

// end kills the worker and waits until it is gone.
func (w *worker) end() {
	w.group.Kill()
	<-w.group.Gone()
	w.close()
	w.read.Wait()
}

func (w *worker) close() {
	for _, f := range w.pipes {
		_ = f.Close()
	}
}

// lost says why a worker ended without a report, by its last words.
func (w *worker) lost(cause error, memory uint64) *ending {
	if errors.Is(cause, errTooLong) {
		return &ending{ScriptError, "The script's process said too much."}
	}
	select {
	case <-w.group.Done():
		w.read.Wait()
	case <-time.After(Grace): // it closed its pipe and lives
	}
	output := w.said.text()
	switch {
	case bytes.Contains(output, []byte("out of memory")), bytes.Contains(output, []byte("cannot allocate memory")):
		return tooMuchMemory(memory)
	case bytes.Contains(output, []byte("stack exceeds")):
		return &ending{ScriptError, "The script failed: its calls are nested too deep."}
	}
	message := fmt.Sprintf("The script's process ended: %s. %s", w.group.Exit(), firstLine(string(output)))
	return &ending{ScriptError, message}
}

func tooMuchMemory(most uint64) *ending {
	return &ending{ScriptError, fmt.Sprintf("The script was ended: it needs more than %d MiB of memory.", most>>20)}
}

// said keeps the beginning of what a worker says on standard error.
type said struct {
	mu   sync.Mutex
	kept []byte
}

func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept = append(s.kept, p[:min(len(p), 4096-len(s.kept))]...)
	return len(p), nil
}

func (s *said) text() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.kept
}

// init makes this process a worker when it was started as one.
func init() {
	if len(os.Args) == 1 && os.Args[0] == workerName {
		work(newLink(os.Stdin, os.Stdout))
		os.Exit(0)
	}
}

// work runs the script that the host sends, and reports how it ended. The process ends with the host, whose pipe closes
// then.
func work(host *link) {
	var first order
	if err := host.receive(&first); err != nil || first.Start == nil {
		return
	}
	s := first.Start
	confine(s)
	r := newRun(host, s)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go r.obey()
	go r.watch(ctx, s.Memory)
	r.run(s.Source)
	_ = host.send(news{Done: &r.out})
}
