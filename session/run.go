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
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/session/daemon"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/restore"
	"github.com/skua-browser/skua/session/wire"
)

// Request is one command line of a caller.
type Request struct {
	Program string              // the name to use in help and usage lines; empty: "skua"
	Args    []string            // without the program's name
	Cwd     string              // the base of relative paths
	Getenv  func(string) string // the caller's environment; nil: empty
	Stdin   []byte
	// Terminal is where a person watches this process during long work; nil: no person does.
	Terminal io.Writer

	// Ask asks the person at the caller's terminal and returns the typed line. It returns actions.ErrNoTerminal, and may be nil, if there is no terminal.
	Ask func(ctx context.Context, prompt string, hidden bool) (string, error)

	// Out and ErrOut reach the caller while the command runs; nil: only the reply does.
	Out, ErrOut io.Writer
	Attended    bool              // the caller's standard input is a terminal
	Report      func(line string) // gets what a long command does, while it runs; nil: the caller does not follow it

	// Agent says that the command line came through the agent_browser tool: an agent must not confirm its own command.
	Agent bool
	// Approve asks a person, in a way that the requester cannot use itself, whether the command may run. An error says that no person could be asked.
	// Nil: there is no such way.
	Approve func(ctx context.Context, question string) (bool, error)
	// Hand asks a person in the same way to do something at an address; see actions.Call.
	Hand func(ctx context.Context, text, address string) (done bool, reason string, err error)

	// Redact returns the data of a command's result without what the caller must not see, for a command whose program gets that of others. Nil: the
	// caller may see everything.
	Redact func(line []string, res *actions.Result) any

	// ByFolder makes a command without a session name work in the session of the git worktree of Cwd.
	ByFolder bool
}

// Reply is the outcome of a command line.
type Reply struct {
	Result    actions.Result
	Err       error
	Text      string    // instead of a result: help, or the version
	JSON      bool      // the caller asked for JSON
	Details   []string  // for --verbose
	Lifecycle Lifecycle // what the command did to the browser
	Page      *PageInfo // the session's page; nil: none

	maxChars *int      // the maximum number of characters of the result that Write prints; nil: all
	boundary *boundary // the boundary around page text; nil: none
	ofPage   bool      // the result contains page text
	bare     bool      // the data is printed without the envelope

	browserless bool // nothing is known of a browser, and nothing is said of one
}

// Bare reports whether the data is printed by itself, without the envelope.
func (r Reply) Bare() bool { return r.bare }

// Lifecycle says what a command did to the session's browser, in agent-browser's fields.
type Lifecycle struct {
	EffectiveLaunch     EffectiveLaunch `json:"effectiveLaunch"`
	Launched            bool            `json:"launched"`            // this command started the browser
	RelaunchedBrowser   bool            `json:"relaunchedBrowser"`   // as a replacement for another one
	RestartedBackground bool            `json:"restartedBackground"` // always false: no option restarts the host
	RestoreStatus       string          `json:"restoreStatus"`
	Reused              bool            `json:"reused"` // an earlier browser served the command
	SaveStatus          string          `json:"saveStatus"`
}

// EffectiveLaunch says how the browser runs.
type EffectiveLaunch struct {
	BrowserLaunched bool   `json:"browserLaunched"`
	Engine          string `json:"engine"`
	LaunchHash      uint32 `json:"launchHash"`         // of the launch options; equal options have equal numbers
	Provider        string `json:"provider,omitempty"` // the provider of the browser
}

// Handle runs the command line of a client.
func (m *Manager) Handle(ctx context.Context, req *wire.Request, out, errOut io.Writer) int {
	r := Request{Program: programName(req.Name), Args: req.Args, Cwd: req.Cwd, Getenv: req.Getenv, Stdin: req.Stdin, ByFolder: true}
	if a, ok := errOut.(daemon.Prompter); ok {
		r.Ask, r.Out, r.ErrOut = atTerminal(a), out, errOut
		r.Attended, r.Report = req.TTY&wire.StdinTTY != 0, daemon.Lines(errOut, req.TTY&wire.StderrTTY != 0)
	}
	if req.Kind == wire.Offer && m.wantsStdin(r) {
		return daemon.WantsInput
	}
	return m.Do(ctx, r).Write(out, errOut)
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
	in, err := m.registry.Parse(r.Args, actions.ParseOptions{Program: r.Program, Getenv: r.Getenv, Configure: m.config.For(r.Cwd, r.Getenv)})
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

// Do parses and runs one command line. It never panics: a bug in a command becomes an error with code Internal.
func (m *Manager) Do(ctx context.Context, req Request) (reply Reply) {
	if req.Getenv == nil {
		req.Getenv = func(string) string { return "" }
	}
	if req.Ask == nil {
		req.Ask = func(context.Context, string, bool) (string, error) { return "", actions.ErrNoTerminal }
	}
	configure := m.config.For(req.Cwd, req.Getenv)
	in, err := m.registry.Parse(req.Args, actions.ParseOptions{Program: req.Program, Tool: req.Agent, Getenv: req.Getenv, Configure: configure})
	if err != nil {
		return Reply{Err: err, JSON: wantsJSON(req, configure)}
	}
	reply.JSON = in.Bool("json")
	switch in.Asks() {
	case actions.AskHelp:
		reply.Text = m.registry.Help(in.Program(), in.Topic())
		return reply
	case actions.AskStart:
		_, err := chrome.Find(true, in.String("executable-path"), req.Getenv)
		f, _ := errors.AsType[*fault.Error](err)
		reply.Text = m.registry.Start(in.Program(), f == nil || f.Subject != "") // one that is named and not there is no reason to get another
		return reply
	case actions.AskVersion:
		return reply.version(in.Program())
	}
	if in.Bool("debug") && m.level != nil {
		m.level.Set(slog.LevelDebug)
	}
	name, owner := m.resolveSession(in, req)
	s, leave, err := m.acquireSession(name, owner)
	if err != nil {
		reply.Err = err
		return reply
	}
	defer leave()
	return m.perform(ctx, s, owner, req, in, nil)
}

// perform runs a parsed command line in a session. approved is the command that a person has confirmed, or nil.
func (m *Manager) perform(ctx context.Context, s *Session, owner actions.Owner, req Request, in, approved *actions.Input) (reply Reply) {
	reply.JSON = in.Bool("json")
	defer func() {
		if reply.Err != nil && reply.Result.Outcome == "" && in.Command().Changes() {
			reply.Result.Outcome = actions.OutcomeNone // it was refused before it ran
		}
		if r := recover(); r != nil {
			if in.Command().Changes() {
				reply.Result.Outcome = actions.OutcomeUnknown
			}
			m.log.Error("command panicked", "command", in.Name(), "panic", r, "stack", string(debug.Stack()))
			reply.Err = fault.New(fault.Internal, "a bug in skua ended `%s`: %v", in.Name(), r)
		}
	}()
	r := runner{manager: m, req: req, approved: approved, session: &callSession{Session: s, getenv: req.Getenv, ask: req.Ask, agent: req.Agent}}
	notes, err := s.ruling.Apply(in, req.Getenv, r.path)
	if err != nil {
		reply.Err = err
		return reply
	}
	for _, note := range notes {
		s.addNotice(note)
	}
	s.noteConfiguration(in.Configuration())
	if note := m.setIdleTimeout(in); note != "" {
		s.addNotice(note)
	}
	if in.Has("no-pin-tab") || in.Has("pin-tab") {
		s.pin(in.Bool("pin-tab") && !in.Bool("no-pin-tab"))
	}
	if in.Has("no-auto-dialog") {
		s.keepDialogs(in.Bool("no-auto-dialog"))
	}
	if err := s.applyDownloadPath(in, r.path); err != nil {
		reply.Err = err
		return reply
	}
	if r.session.launch, err = s.withNetworkRules(in, req.Getenv, launch.Read(in, req.Getenv, r.path, m.log)); err != nil && !in.Command().Effect.Has(actions.Closes) {
		reply.Err = err
		return reply
	}
	var sealed bool
	if sealed, r.firstRules = s.ruling.Seal(in, r.session.launch.Network != nil); sealed {
		s.inspection.close() // DevTools that were opened without rules would get around them
	}
	if r.session.launch.Restore, err = restore.ReadOptions(restore.Call{
		Input: in, Session: s.name, Namespace: m.namespace, Getenv: req.Getenv, Path: r.path, CheckName: checkName,
	}); err != nil {
		reply.Err = err
		return reply
	}
	if err := s.checkLaunchFiles(in, &r.session.launch); err != nil {
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
	reply.Result, reply.Err = r.runTop(ctx, in)
	reply.bare = in.Command().Bare && !reply.Result.Held
	if r.session.started {
		m.noteOtherSessions(s, owner)
		m.noteMissingSandbox(s, req.Getenv)
		if r.session.launch.Connect == nil {
			m.noteMissingFonts(ctx, s, req.Getenv)
		}
		s.startRequestedStream(req.Getenv)
	}
	if reply.Err == nil {
		s.checkRestored(ctx)
	}
	s.changed() // the browser does not report all changes
	reply.Result.Notes = append(s.takeNotices(), reply.Result.Notes...)
	reply.Lifecycle, reply.Page = r.lifecycle(), s.currentPage()
	reply.setBounds(in, r.session)
	if in.Bool("verbose") {
		reply.Details = r.details()
	}
	s.remember()
	s.saveLater()
	s.checkpointLater()
	return reply
}

// plugins returns the call's plugins.
func (r *runner) plugins(in *actions.Input) launch.Plugins {
	return launch.Plugins{Input: in, Getenv: r.req.Getenv, Cwd: r.req.Cwd, Path: r.path, Session: r.session.name, Log: r.manager.log}
}

// runner runs the commands of one request.
type runner struct {
	manager    *Manager
	req        Request
	session    *callSession
	approved   *actions.Input  // the command that a person has confirmed
	asked      *actions.Input  // the command that the person at the caller has just confirmed
	lifetime   context.Context // of a command with rows: the session's lifetime when it began
	firstRules bool            // the request brought the session's first rules
	queueRows  bool            // each row waits in the session's queue
	fixed      string          // the tab that the command was fixed to while it waited for its turn; empty: the active one, or that of --tab
	deadline   time.Time       // the deadline of the next command, which includes its waits; zero: it starts when the command runs
}

func (r *runner) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(r.req.Cwd, p)
}

// runTop runs the command of the request, and says whether it may be sent again.
func (r *runner) runTop(ctx context.Context, in *actions.Input) (actions.Result, error) {
	ctx, sent := cdp.Track(ctx)
	res, err := r.admit(ctx, in)
	res.Outcome = actions.OutcomeOf(in.Command(), &res, err, sent)
	return res, err
}

// admit checks the policy and the launch options, waits in the session's queue, and runs a command.
func (r *runner) admit(ctx context.Context, in *actions.Input) (actions.Result, error) {
	cmd := in.Command()
	if instead, err := r.checkPolicy(ctx, in); err != nil {
		return actions.Result{}, err
	} else if instead != nil {
		return *instead, nil
	}
	r.deadline = time.Now().Add(timeLimit(in))
	if err := r.awaitHandBack(ctx, in); err != nil {
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
		r.deadline = time.Time{}
		r.lifetime, r.queueRows = r.session.lifetime(), cmd.Effect.Has(actions.Control)
		return r.run(ctx, in, time.Time{}, 0)
	}
	return r.exec(ctx, in)
}

// timeLimit returns how long a command may take.
func timeLimit(in *actions.Input) time.Duration {
	limit := in.Duration("timeout")
	if d := in.Command().AtLeast; d != nil {
		needs := d(in)
		limit = max(limit, needs+min(needs, maxExtraTime))
	}
	return limit
}

// maxExtraTime bounds the time that a command gets in addition to a time that its arguments require, such as how long to hold a button. It is at most
// that time again.
const maxExtraTime = 2 * time.Second

// withDeadline ends ctx at the deadline of the next command.
func (r *runner) withDeadline(ctx context.Context, in *actions.Input) (context.Context, context.CancelFunc) {
	if r.deadline.IsZero() {
		return context.WithTimeout(ctx, timeLimit(in))
	}
	return context.WithDeadline(ctx, r.deadline)
}

// enter waits in the session's queue, for at most the command's own time.
func (r *runner) enter(ctx context.Context, in *actions.Input) (leave func(), err error) {
	ctx, stop := r.session.untilClosed(ctx)
	defer stop()
	ctx, cancel := r.withDeadline(ctx, in)
	defer cancel()
	tab := r.session.laneOf(in)
	leave, err = r.session.queue.Enter(ctx, in.Name(), tab)
	if err == nil {
		r.fixed = ""
		if now := r.session.activeTab(); tab != "" && !in.Has("tab") && (now == nil || now.ID != tab) {
			r.fixed = tab // another tab became the active one meanwhile
		}
	}
	return leave, err
}

// checkLaunch handles launch options that the running browser does not have. A command that opens a page replaces the browser, since it leaves the
// page anyway; all others keep it. A note reports either.
func (r *runner) checkLaunch(ctx context.Context, in *actions.Input) error {
	s := r.session
	s.mu.Lock()
	lease := s.lease
	s.mu.Unlock()
	if lease == nil || lease.browser.Err() != nil && (lease.launch.Connect == nil || s.launch.Connect == nil) {
		return nil
	}
	differ := append(s.launch.DiffersFrom(lease.launch), s.launch.MissingRules(lease.launch)...)
	if len(differ) == 0 {
		return nil
	}
	lost := lease.browser.Err() != nil // and the call names another browser
	if lost || in.Command().Is(trait.Opens) && in.Has("url") {
		ctx, stop := s.untilClosed(ctx)
		defer stop()
		ctx, cancel := r.withDeadline(ctx, in)
		defer cancel()
		return s.replace(ctx, differ)
	}
	if err := launch.CheckGated(differ); err != nil && !in.Command().Effect.Has(actions.Control) && !in.Command().Choosing {
		return err
	}
	s.addNotice("the session's browser already runs and keeps its options; not applied: " + strings.Join(differ, ", ") +
		" (use `close` first, or another --session)")
	return nil
}

// How much longer than its timeout a command may take to report: answerGrace if the caller set the timeout on the command line, see [Options.Grace];
// otherwise defaultGrace, since the command may have to start a browser first.
const (
	answerGrace  = 80 * time.Millisecond
	defaultGrace = 2 * time.Second
)

// startPatience is the additional time of a command that starts its session's browser, if the caller set no timeout: on an overloaded machine a
// browser takes seconds to start. Only the start may use it.
const startPatience = 10 * time.Second

// startTime returns startPatience if the command may have to start a browser, else 0.
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

// exec runs a command, and says whether it may be sent again.
func (r *runner) exec(ctx context.Context, in *actions.Input) (actions.Result, error) {
	if !in.Command().Changes() {
		return r.execBounded(cdp.Untracked(ctx), in) // a program that ran this, and nothing else, may be sent again
	}
	ctx, sent := cdp.Track(ctx)
	res, err := r.execBounded(ctx, in)
	res.Outcome = actions.OutcomeOf(in.Command(), &res, err, sent)
	return res, err
}

// execBounded runs a command under its deadline. It ends when the session closes. A command that closes goes on when its caller is gone.
func (r *runner) execBounded(ctx context.Context, in *actions.Input) (actions.Result, error) {
	if r.lifetime != nil && r.lifetime != r.session.lifetime() {
		return actions.Result{}, sessionClosed()
	}
	if r.lifetime != nil {
		if instead, err := r.checkPolicy(ctx, in); err != nil {
			return actions.Result{}, err
		} else if instead != nil {
			return *instead, nil
		}
	}
	if err := r.awaitHandBack(ctx, in); err != nil { // a takeover may start during a batch
		return actions.Result{}, err
	}
	if r.queueRows && !in.Command().Effect.Has(actions.Control) {
		leave, err := r.enter(ctx, in)
		if err != nil {
			return actions.Result{}, err
		}
		defer leave()
	}
	end := r.session.record(in, r.fixed)
	r.session.changed()
	res, err := r.execLogged(ctx, in)
	run.BoundError(err)
	end(res, err)
	return res, r.session.withAppEnded(err)
}

func (r *runner) execLogged(ctx context.Context, in *actions.Input) (actions.Result, error) {
	closes, life := in.Command().Effect.Has(actions.Closes), r.session.lifetime()
	if closes {
		if r.lifetime != nil {
			defer func() { r.lifetime = r.session.lifetime() }() // the rows after a `close` get a new browser
		}
		ctx = context.WithoutCancel(ctx)
		cdp.Changing(ctx) // what ends may have ended, whatever comes of the rest
	} else {
		var stop func()
		ctx, stop = r.session.untilClosed(ctx)
		defer stop()
	}
	limit, deadline := timeLimit(in), r.deadline
	if deadline.IsZero() {
		deadline = time.Now().Add(limit)
	} else {
		r.deadline = time.Time{} // commands that it runs have their own deadlines
	}
	starting := r.startTime(in)
	limit, deadline = limit+starting, deadline.Add(starting)
	ctx, cancel := context.WithDeadline(ctx, deadline.Add(r.grace(in)))
	defer cancel()
	res, err := r.run(ctx, in, deadline, starting)
	if !closes {
		err = closedError(life, err)
	}
	if err != nil && errors.Is(err, context.DeadlineExceeded) && fault.CodeOf(err) == fault.Timeout {
		if _, ok := errors.AsType[*fault.Error](err); !ok {
			err = fault.New(fault.Timeout, "`%s` timed out after %s: %w", in.Name(), (limit - max(0, time.Until(deadline))).Round(time.Millisecond), err)
		}
	}
	return res, err
}

// run runs a command. Of the time until the deadline, starting is reserved for the start of a browser.
func (r *runner) run(ctx context.Context, in *actions.Input, deadline time.Time, starting time.Duration) (actions.Result, error) {
	var session actions.Session = r.session
	if in.Has("tab") && in.Command().OneTab() {
		session = &tabSession{callSession: r.session, name: in.String("tab")}
	} else if r.fixed != "" && in.Command().Effect.Has(actions.InTab) {
		session = &tabSession{callSession: r.session, name: r.fixed}
	}
	began := time.Now()
	call := &actions.Call{
		Input:    in,
		Session:  session,
		Cwd:      r.req.Cwd,
		Stdin:    r.req.Stdin,
		Getenv:   r.req.Getenv,
		Deadline: deadline,
		Ask:      r.req.Ask,
		Hand:     r.req.Hand,
		Hold:     func(ctx context.Context, why string) (*actions.Result, error) { return r.hold(ctx, in, why) },
		Terminal: r.req.Terminal,
		Out:      r.req.Out,
		ErrOut:   r.req.ErrOut,
		Attended: r.req.Attended,
		Looker:   look.Looker{},
		Beside:   func(tab *actions.Tab) bool { return r.session.queue.At(tab.ID, began) },
		HostInfo: daemon.HostInfo{},
		Exec:     r.exec,
		Redact:   r.req.Redact,
		Report:   r.req.Report,
		ExecIn:   r.execIn,
		Brief:    r.manager.brief && r.lifetime == nil,
		Parse: func(argv []string) (*actions.Input, error) {
			return r.manager.registry.Parse(argv, actions.ParseOptions{Program: r.req.Program, Tool: r.req.Agent, Getenv: r.req.Getenv, Within: in})
		},
	}
	r.session.onTab = func(took time.Duration) {
		call.Deadline, starting = call.Deadline.Add(-max(0, starting-took)), 0
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) && !cmd.Effect.Has(actions.Closes) {
		if err := r.session.reconnect(cdp.Untracked(ctx)); err != nil {
			return actions.Result{}, err
		}
	}
	if cmd := in.Command(); !cmd.Choosing && !cmd.Effect.Has(actions.NoBrowser) && (!cmd.Effect.Has(actions.Closes) || cmd.OneTab()) {
		r.session.recovery = recovery{opensURL: cmd.Is(trait.Opens) && in.Has("url"), reloads: cmd.Is(trait.Reloads), blank: in.Bool("no-restore-tabs")}
		if err := r.session.recoverBrowser(cdp.Untracked(ctx)); err != nil {
			return actions.Result{}, err
		}
	}
	res, err := run.Command(ctx, call)
	if how := r.session.recovery; (how.opensURL || how.reloads) && r.session.abandonForError(err) { // no page has loaded the URL, so another browser may
		if err := r.session.recoverBrowser(cdp.Untracked(ctx)); err != nil {
			return actions.Result{}, err
		}
		return run.Command(ctx, call)
	}
	return res, err
}

// details describes the browser that served the command.
func (r *runner) details() []string {
	s := r.session
	s.mu.Lock()
	lease := s.lease
	s.mu.Unlock()
	switch {
	case lease == nil:
		return []string{"session " + s.name + " has no browser"}
	case lease.browser.Err() != nil:
		return []string{"session " + s.name + " has lost " + lease.description()}
	case s.started:
		return append([]string{"session " + s.name + " started in " + lease.description()}, lease.launch.Added...)
	}
	return []string{"session " + s.name + " runs in " + lease.description()}
}

func (r *runner) lifecycle() Lifecycle {
	s := r.session
	s.mu.Lock()
	lease := s.lease
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
