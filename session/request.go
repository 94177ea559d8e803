package session

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/visible"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/handover"
	"github.com/skua-browser/skua/session/wire"
)

// Request is one command line of a caller.
type Request struct {
	Program string              // the name to use in help and usage lines; empty means "skua"
	Args    []string            // without the program's name
	Cwd     string              // the base of relative paths
	Getenv  func(string) string // the caller's environment; nil means empty
	Stdin   []byte
	// Terminal is where a person watches this process during long work; nil means that no person does.
	Terminal io.Writer

	// Ask asks the person at the caller's terminal and returns the typed line. It returns actions.ErrNoTerminal, and may
	// be nil, if there is no terminal.
	Ask func(ctx context.Context, prompt string, hidden bool) (string, error)

	// Out and ErrOut reach the caller while the command runs; nil means only the reply does.
	Out, ErrOut io.Writer
	Attended    bool // the caller's standard input is a terminal
	// gets what a long command does, while it runs; nil means that the caller does not follow it
	Report func(line string)

	// Agent says that the command line came through the agent_browser tool: an agent must not confirm its own command.
	Agent bool
	// Known is what the user asked for, which may go to every site. It is of the program that the manager is a part of,
	// and never of the agent.
	Known string
	// Approve asks a person whether the command may run, in a way that the requester cannot use itself. An error means
	// that no person could be asked. A nil function means that there is no such way.
	Approve func(ctx context.Context, question string) (bool, error)
	// Hand asks a person in the same way to do something at an address; see actions.Call.
	Hand func(ctx context.Context, text, address string) (done bool, reason string, err error)

	// Redact returns the data of a command's result without what the caller must not see, for a command whose program gets
	// that of others. Nil means that the caller may see everything.
	Redact func(line []string, res *actions.Result) any

	waited time.Duration // for the session to come from an older host, of the command's time

	// ByFolder makes a command without a session name work in the session of the git worktree of Cwd.
	ByFolder bool
}

// fill gives a request what it leaves out.
func (r *Request) fill() {
	if r.Getenv == nil {
		r.Getenv = noEnv
	}
	if r.Ask == nil {
		r.Ask = noTerminal
	}
	ask := r.Ask
	r.Ask = func(ctx context.Context, prompt string, hidden bool) (string, error) {
		return ask(ctx, visible.Text(prompt), hidden) // it may quote the page
	}
}

// Handle runs the command line of a client.
func (m *Manager) Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int {
	r := Request{
		Program:  programName(req.Name),
		Args:     req.Args,
		Cwd:      req.Cwd,
		Getenv:   req.Getenv,
		Stdin:    req.Stdin,
		ByFolder: true,
	}
	a, asks := errOut.(daemon.Prompter)
	out, errOut = visible.Stream(out, req.TTY&wire.StdoutTTY != 0), visible.Stream(errOut, req.TTY&wire.StderrTTY != 0)
	if asks {
		r.Ask, r.Out, r.ErrOut = atTerminal(a), out, errOut
		r.Attended, r.Report = req.TTY&wire.StdinTTY != 0, daemon.Lines(errOut, req.TTY&wire.StderrTTY != 0)
	}
	if req.Kind == wire.Offer && m.wantsStdin(r) {
		return daemon.WantsInput
	}
	reply := m.Do(ctx, r)
	if errors.Is(reply.Err, handover.ErrMoved) {
		return daemon.Elsewhere
	}
	return reply.Write(out, errOut)
}

// atTerminal asks the person at the client's terminal.
func atTerminal(a daemon.Prompter) func(ctx context.Context, prompt string, hidden bool) (string, error) {
	return func(ctx context.Context, prompt string, hidden bool) (string, error) {
		answer, err := a.Ask(ctx, prompt, hidden)
		if errors.Is(err, daemon.ErrNoTerminal) {
			err = actions.ErrNoTerminal
		}
		return answer, err
	}
}

// wantsStdin reports whether a command line reads standard input. Do reports its errors.
func (m *Manager) wantsStdin(r Request) bool {
	in, err := m.registry.Parse(r.Args, actions.ParseOptions{
		Program:   r.Program,
		Getenv:    r.Getenv,
		Configure: m.config.For(r.Cwd, r.Getenv),
	})
	return err == nil && in.WantsStdin()
}

// programName returns the name that the caller used, if it is one of ours.
func programName(called string) string {
	name := strings.TrimSuffix(filepath.Base(called), ".exe")
	if name == "agent-browser" {
		return name
	}
	return "skua"
}
