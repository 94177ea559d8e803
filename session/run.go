package session

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/run"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/session/wire"
)

// Request is one command line of a caller's.
type Request struct {
	Program string              // the name to use in help and usage lines; empty: "skua"
	Args    []string            // without the program's name
	Cwd     string              // what relative paths are relative to
	Getenv  func(string) string // the caller's environment; nil: empty
	Stdin   []byte
	// Terminal is where a person watches this very process, for work that takes long; nil: nobody does.
	Terminal io.Writer

	// Ask asks the person at the caller's terminal and returns the line that was typed, hidden or not. It returns actions.ErrNoTerminal
	// when there is none. Nil: nobody can be asked.
	Ask func(ctx context.Context, prompt string, hidden bool) (string, error)

	// Out and ErrOut reach the caller while the command runs, for what is worth reading before its end; nil: nothing does.
	Out, ErrOut io.Writer
	Attended    bool // the caller's standard input is a terminal

	// Agent says that the command line came by way of the tool: who asked is an agent, which must not confirm what it asked for.
	Agent bool
	// Approve asks a person, by a way that who asked for the command does not have, whether it may run. An error says that nobody could be asked;
	// nil: there is no such way.
	Approve func(ctx context.Context, question string) (bool, error)

	// ByFolder has a command that names no session work in the one of the git worktree that Cwd is in.
	ByFolder bool
}

// Reply is the outcome of a command line.
type Reply struct {
	Result    actions.Result
	Err       error
	Text      string    // in place of a result: help, or the version
	JSON      bool      // the caller asked for JSON
	Details   []string  // what --verbose asks for
	Lifecycle Lifecycle // what became of the browser
	Shown     *Shown    // the page that the session shows now; nil: none

	most     *int      // how many characters Write may print of the result; nil: all
	boundary *boundary // that Write tells text of pages by; nil: it does not
	ofPage   bool      // the result holds such text
}

// Lifecycle tells what a command did to the session's browser, in agent-browser's fields.
type Lifecycle struct {
	EffectiveLaunch     EffectiveLaunch `json:"effectiveLaunch"`
	Launched            bool            `json:"launched"`            // this command started the browser
	RelaunchedBrowser   bool            `json:"relaunchedBrowser"`   // in place of another one
	RestartedBackground bool            `json:"restartedBackground"` // always false: nothing restarts the host for an option
	RestoreStatus       string          `json:"restoreStatus"`
	Reused              bool            `json:"reused"` // a browser that ran before served the command
	SaveStatus          string          `json:"saveStatus"`
}

// EffectiveLaunch tells how the browser runs.
type EffectiveLaunch struct {
	BrowserLaunched bool   `json:"browserLaunched"`
	Engine          string `json:"engine"`
	LaunchHash      uint32 `json:"launchHash"`         // of the launch options; equal options have equal numbers
	Provider        string `json:"provider,omitempty"` // that the browser is from
}

// Handle runs the command line of a client.
func (m *Manager) Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int {
	r := Request{Program: programName(req.Name), Args: req.Args, Cwd: req.Cwd, Getenv: req.Getenv, Stdin: req.Stdin, ByFolder: true}
	if a, ok := errOut.(daemon.Asker); ok {
		r.Ask, r.Out, r.ErrOut = atTerminal(a), out, errOut
		r.Attended = req.TTY&wire.StdinTTY != 0
	}
	if req.Kind == wire.Offer && m.wantsStdin(r) {
		return daemon.WantsInput
	}
	return m.Do(ctx, r).Write(out, errOut)
}

// atTerminal asks the person at the client.
func atTerminal(a daemon.Asker) func(ctx context.Context, prompt string, hidden bool) (string, error) {
	return func(ctx context.Context, prompt string, hidden bool) (string, error) {
		answer, err := a.Ask(ctx, prompt, hidden)
		if errors.Is(err, daemon.ErrNoTerminal) {
			err = actions.ErrNoTerminal
		}
		return answer, err
	}
}

// wantsStdin reports whether a command line reads the standard input. What is wrong with it, Do says.
func (m *Manager) wantsStdin(r Request) bool {
	in, err := m.registry.Parse(r.Args, actions.ParseOptions{Program: r.Program, Getenv: r.Getenv, Configure: m.config.For(r.Cwd, r.Getenv)})
	return err == nil && in.WantsStdin()
}

// programName is the name that the caller used, if it is one of ours.
func programName(called string) string {
	name := strings.TrimSuffix(filepath.Base(called), ".exe")
	if name == "agent-browser" {
		return name
	}
	return "skua"
}

// Do parses and runs one command line. It never panics: a bug in a command becomes an error with code Internal.
func (m *Manager) Do(ctx context.Context, req Request) (reply Reply) {
	if req.Getenv == nil {
		req.Getenv = func(string) string { return "" }
	}
	if req.Ask == nil {
		req.Ask = func(context.Context, string, bool) (string, error) { return "", actions.ErrNoTerminal }
	}
	configure := m.config.For(req.Cwd, req.Getenv)
	in, err := m.registry.Parse(req.Args, actions.ParseOptions{Program: req.Program, Getenv: req.Getenv, Configure: configure})
	if err != nil {
		return Reply{Err: err, JSON: wantsJSON(req, configure)}
	}
	reply.JSON = in.Bool("json")
	switch in.Asks() {
	case actions.AskHelp:
		reply.Text = m.registry.Help(in.Program(), in.Topic())
		return reply
	case actions.AskVersion:
		reply.Text = in.Program() + " " + Version
		return reply
	}
	if in.Bool("debug") && m.level != nil {
		m.level.Set(slog.LevelDebug)
	}
	name, owner := m.whose(in, req)
	s, leave, err := m.sessionOf(name, owner)
	if err != nil {
		reply.Err = err
		return reply
	}
	defer leave()
	return m.perform(ctx, s, owner, req, in, nil)
}

// perform runs a parsed command line in a session. Approved is the command that a person has confirmed; nil: none.
func (m *Manager) perform(ctx context.Context, s *Session, owner actions.Owner, req Request, in, approved *actions.Input) (reply Reply) {
	reply.JSON = in.Bool("json")
	defer func() {
		if r := recover(); r != nil {
			m.log.Error("command panicked", "command", in.Name(), "panic", r, "stack", string(debug.Stack()))
			reply.Err = fault.New(fault.Internal, "a bug in skua ended `%s`: %v", in.Name(), r)
		}
	}()
	r := runner{manager: m, req: req, approved: approved, session: &inCall{Session: s, getenv: req.Getenv, ask: req.Ask, agent: req.Agent}}
	notes, err := s.ruling.Heed(in, req.Getenv, r.path)
	if err != nil {
		reply.Err = err
		return reply
	}
	for _, note := range notes {
		s.tell(note)
	}
	s.tellConfiguration(in.Configuration())
	if note := m.wishIdle(in); note != "" {
		s.tell(note)
	}
	if in.Has("no-pin-tab") || in.Has("pin-tab") {
		s.pin(in.Bool("pin-tab") && !in.Bool("no-pin-tab"))
	}
	if in.Has("no-auto-dialog") {
		s.keepDialogs(in.Bool("no-auto-dialog"))
	}
	if err := s.heedDownloadPath(in, r.path); err != nil {
		reply.Err = err
		return reply
	}
	if r.session.launch, err = s.gatedAs(in, req.Getenv, launch.Read(in, req.Getenv, r.path, m.log)); err != nil && !in.Command().Effect.Has(actions.Closes) {
		reply.Err = err
		return reply
	}
	var sealed bool
	if sealed, r.first = s.ruling.Seal(in, r.session.launch.Network != nil); sealed {
		s.inspection.close() // what was opened without rules would get around them
	}
	if r.session.launch.Wish, err = restore.ReadWish(restore.Call{
		Input: in, Session: s.name, Namespace: m.namespace, Getenv: req.Getenv, Path: r.path, CheckName: checkName,
	}); err != nil {
		reply.Err = err
		return reply
	}
	if err := s.confine(in, &r.session.launch); err != nil {
		reply.Err = err
		return reply
	}
	if r.session.launch.Connect, err = launch.ReadExternal(in, r.session.launch, req.Getenv); err != nil {
		reply.Err = err
		return reply
	}
	if in.String("provider") != "" && actions.HasPlugins(in, req.Getenv) {
		if made := r.plugins(in).Browser(); made != nil {
			r.session.launch.Connect = made
		}
	}
	r.session.launch.Extend = r.plugins(in).Additions(&r.session.launch)
	reply.Result, reply.Err = r.top(ctx, in)
	if r.session.started {
		m.introduce(s, owner)
		m.exposure(s, req.Getenv)
		s.streamAsAsked(req.Getenv)
	}
	if reply.Err == nil {
		s.checkRestored(ctx)
	}
	s.changed() // a command may have changed what the browser does not tell of
	reply.Result.Notes = append(s.takeTold(), reply.Result.Notes...)
	reply.Lifecycle, reply.Shown = r.lifecycle(), s.shown()
	reply.bound(in, r.session)
	if in.Bool("verbose") {
		reply.Details = r.details()
	}
	s.remember()
	s.saveLater()
	s.noteLater()
	return reply
}

// plugins are those that the call has.
func (r *runner) plugins(in *actions.Input) launch.Plugins {
	return launch.Plugins{Input: in, Getenv: r.req.Getenv, Cwd: r.req.Cwd, Path: r.path, Session: r.session.name, Log: r.manager.log}
}

// runner runs the commands of one request.
type runner struct {
	manager  *Manager
	req      Request
	session  *inCall
	approved *actions.Input  // a person has confirmed it
	life     context.Context // of a command with rows: the life of the session that they run in
	first    bool            // the request brought the first rules of the session
	turns    bool            // each row waits for the session's turn
	until    time.Time       // the deadline of the command that is next, with all that it waits for before it runs; zero: it begins when it runs
}

func (r *runner) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(r.req.Cwd, p)
}

// top runs the command of the request: it checks the launch options and waits for the session's turn.
func (r *runner) top(ctx context.Context, in *actions.Input) (actions.Result, error) {
	cmd := in.Command()
	if instead, err := r.allowed(ctx, in); err != nil {
		return actions.Result{}, err
	} else if instead != nil {
		return *instead, nil
	}
	r.until = time.Now().Add(limitOf(in))
	if err := r.handedBack(ctx, in); err != nil {
		return actions.Result{}, err
	}
	if !cmd.Effect.Has(actions.Control) {
		leave, err := r.enter(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		defer leave()
	}
	if !cmd.Effect.Has(actions.NoBrowser) {
		if err := r.checkLaunch(ctx, in); err != nil {
			return actions.Result{}, err
		}
	}
	if cmd.Rows { // each of its rows has its own deadline
		r.until = time.Time{}
		r.life, r.turns = r.session.life(), cmd.Effect.Has(actions.Control)
		return r.run(ctx, in, time.Time{}, 0)
	}
	return r.exec(ctx, in)
}

// limitOf is how long a command may take.
func limitOf(in *actions.Input) time.Duration {
	limit := in.Duration("timeout")
	if d := in.Command().AtLeast; d != nil {
		needs := d(in)
		limit = max(limit, needs+min(needs, besides))
	}
	return limit
}

// besides is what a command may take in addition to a time that it needs by what it was asked, such as the one that a button is held for; no more
// than that time again.
const besides = 2 * time.Second

// within ends ctx at the deadline of the command that is next.
func (r *runner) within(ctx context.Context, in *actions.Input) (context.Context, context.CancelFunc) {
	if r.until.IsZero() {
		return context.WithTimeout(ctx, limitOf(in))
	}
	return context.WithDeadline(ctx, r.until)
}

// enter waits for the session's turn, for as long as the command itself may take.
func (r *runner) enter(ctx context.Context, in *actions.Input) (leave func(), err error) {
	ctx, stop := r.session.during(ctx)
	defer stop()
	ctx, cancel := r.within(ctx, in)
	defer cancel()
	return r.session.queue.Enter(ctx, in.Name())
}

// checkLaunch deals with launch options that the running browser does not have. A command that opens a page replaces the browser,
// since it leaves the page anyway; all others keep it. Both is said.
func (r *runner) checkLaunch(ctx context.Context, in *actions.Input) error {
	s := r.session
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	if lease == nil || lease.browser.Err() != nil && (lease.launch.Connect == nil || s.launch.Connect == nil) {
		return nil
	}
	differ := append(s.launch.Differs(lease.launch), s.launch.NotAbove(lease.launch)...)
	if len(differ) == 0 {
		return nil
	}
	lost := lease.browser.Err() != nil // and the call names another one
	if lost || in.Command().Is(trait.Opens) && in.Has("url") {
		ctx, stop := s.during(ctx)
		defer stop()
		ctx, cancel := r.within(ctx, in)
		defer cancel()
		return s.replace(ctx, differ)
	}
	if err := launch.NotGated(differ); err != nil && !in.Command().Effect.Has(actions.Control) && !in.Command().Choosing {
		return err
	}
	s.tell("the session's browser already runs and keeps its options; not applied: " + strings.Join(differ, ", ") +
		" (use `close` first, or another --session)")
	return nil
}

// How much longer than its timeout a command may take to say what it saw: where the caller gave the time on the command line, see
// [Options.Grace], and where nobody chose it for this command, which may have to start a browser first.
const (
	answerGrace  = 80 * time.Millisecond
	defaultGrace = 2 * time.Second
)

// startPatience is how much more time a command has that starts the browser of its session, where nobody chose the time for it: on a machine that is
// overloaded a browser takes seconds to start. What the start did not need of it, the command does not have either.
const startPatience = 10 * time.Second

// startTime is startPatience where the command may have to start a browser.
func (r *runner) startTime(in *actions.Input) time.Duration {
	if in.Flagged("timeout") || in.Command().Effect.Has(actions.NoBrowser) || r.session.running() {
		return 0
	}
	return startPatience
}

func (r *runner) grace(in *actions.Input) time.Duration {
	if in.Flagged("timeout") {
		return r.manager.grace
	}
	return max(r.manager.grace, defaultGrace)
}

// exec runs a command under its deadline. It ends when the session is closed; what closes goes on when its caller is gone.
func (r *runner) exec(ctx context.Context, in *actions.Input) (actions.Result, error) {
	if r.life != nil && r.life != r.session.life() {
		return actions.Result{}, sessionClosed()
	}
	if r.life != nil {
		if instead, err := r.allowed(ctx, in); err != nil {
			return actions.Result{}, err
		} else if instead != nil {
			return *instead, nil
		}
	}
	if err := r.handedBack(ctx, in); err != nil { // of a batch, in whose middle a person may have come
		return actions.Result{}, err
	}
	if r.turns && !in.Command().Effect.Has(actions.Control) {
		leave, err := r.enter(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		defer leave()
	}
	end := r.session.record(in)
	r.session.changed()
	res, err := r.execLogged(ctx, in)
	boundError(err)
	end(res, err)
	return res, r.session.sayApp(err)
}

func (r *runner) execLogged(ctx context.Context, in *actions.Input) (actions.Result, error) {
	closes, life := in.Command().Effect.Has(actions.Closes), r.session.life()
	if closes {
		if r.life != nil {
			defer func() { r.life = r.session.life() }() // the rows after a `close` have a new browser
		}
		ctx = context.WithoutCancel(ctx)
	} else {
		var stop func()
		ctx, stop = r.session.during(ctx)
		defer stop()
	}
	limit, deadline := limitOf(in), r.until
	if deadline.IsZero() {
		deadline = time.Now().Add(limit)
	} else {
		r.until = time.Time{} // what it runs itself has deadlines of its own
	}
	starting := r.startTime(in)
	limit, deadline = limit+starting, deadline.Add(starting)
	ctx, cancel := context.WithDeadline(ctx, deadline.Add(r.grace(in)))
	defer cancel()
	res, err := r.run(ctx, in, deadline, starting)
	if !closes {
		err = goneWith(life, err)
	}
	if err != nil && errors.Is(err, context.DeadlineExceeded) && fault.CodeOf(err) == fault.Timeout {
		if _, ok := errors.AsType[*fault.Error](err); !ok {
			err = fault.New(fault.Timeout, "`%s` timed out after %s: %w", in.Name(), (limit - max(0, time.Until(deadline))).Round(time.Millisecond), err)
		}
	}
	return res, err
}

// run runs a command. Of its time until the deadline, starting is there for the start of a browser alone.
func (r *runner) run(ctx context.Context, in *actions.Input, deadline time.Time, starting time.Duration) (actions.Result, error) {
	var session actions.Session = r.session
	if in.Has("tab") && in.Command().OneTab() {
		session = &inTab{inCall: r.session, name: in.String("tab")}
	}
	call := &actions.Call{
		Input:    in,
		Session:  session,
		Cwd:      r.req.Cwd,
		Stdin:    r.req.Stdin,
		Getenv:   r.req.Getenv,
		Deadline: deadline,
		Ask:      r.req.Ask,
		Terminal: r.req.Terminal,
		Out:      r.req.Out,
		ErrOut:   r.req.ErrOut,
		Attended: r.req.Attended,
		Looker:   look.Looker{},
		HostInfo: surroundings{},
		Exec:     r.exec,
		ExecIn:   r.execIn,
		Brief:    r.manager.brief && r.life == nil,
		Parse: func(argv []string) (*actions.Input, error) {
			return r.manager.registry.Parse(argv, actions.ParseOptions{Program: r.req.Program, Getenv: r.req.Getenv, Within: in})
		},
	}
	r.session.hadTab = func(took time.Duration) {
		call.Deadline, starting = call.Deadline.Add(-max(0, starting-took)), 0
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) && !cmd.Effect.Has(actions.Closes) {
		if err := r.session.reconnect(ctx); err != nil {
			return actions.Result{}, err
		}
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) && (!cmd.Effect.Has(actions.Closes) || cmd.OneTab()) {
		r.session.how = revival{opens: cmd.Is(trait.Opens) && in.Has("url"), reloads: cmd.Is(trait.Reloads), blank: in.Bool("no-restore-tabs")}
		if err := r.session.revive(ctx); err != nil {
			return actions.Result{}, err
		}
	}
	res, err := run.Command(ctx, call)
	if how := r.session.how; (how.opens || how.reloads) && r.session.leavesFor(err) { // no page has had the address, and another browser may show it
		if err := r.session.revive(ctx); err != nil {
			return actions.Result{}, err
		}
		return run.Command(ctx, call)
	}
	return res, err
}

// details says which browser served the command.
func (r *runner) details() []string {
	s := r.session
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	switch {
	case lease == nil:
		return []string{"session " + s.name + " has no browser"}
	case lease.browser.Err() != nil:
		return []string{"session " + s.name + " has lost " + lease.said()}
	case s.started:
		return append([]string{"session " + s.name + " started in " + lease.said()}, lease.launch.Added...)
	}
	return []string{"session " + s.name + " runs in " + lease.said()}
}

func (r *runner) lifecycle() Lifecycle {
	s := r.session
	s.mu.Lock()
	lease := s.holds
	s.mu.Unlock()
	saved := s.restoreReport()
	l := Lifecycle{RestoreStatus: saved.Restore, SaveStatus: saved.Save, EffectiveLaunch: EffectiveLaunch{Engine: "chrome"}}
	if lease != nil {
		l.EffectiveLaunch.BrowserLaunched = lease.browser.Owned()
		l.EffectiveLaunch.LaunchHash = lease.launch.Hash()
		if lease.launch.Connect != nil {
			l.EffectiveLaunch.Provider = lease.launch.Connect.Provider
		}
		l.Launched = s.started
		l.Reused = !s.started
		l.RelaunchedBrowser = s.started && s.lost
	}
	return l
}
