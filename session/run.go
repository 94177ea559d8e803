package session

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/replydata"
	"github.com/skua-browser/skua/session/restore"
)

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
	if err := checkTimeout(in); err != nil {
		reply.Err = err
		return reply
	}
	switch in.Asks() {
	case actions.AskHelp:
		reply.Text = manual.Help(m.registry, in.Program(), in.Topic())
		return reply
	case actions.AskStart:
		_, err := chrome.Find(true, in.String("executable-path"), req.Getenv)
		f, _ := errors.AsType[*fault.Error](err)
		reply.Text = manual.Start(m.registry, in.Program(), f == nil || f.Subject != "") // one that is named and not there is no reason to get another
		return reply
	case actions.AskVersion:
		return reply.version(in.Program())
	}
	if in.Bool("debug") && m.level != nil {
		m.level.Set(slog.LevelDebug)
	}
	name, owner := m.resolveSession(in, req)
	if req.waited, err = m.awaitArrival(ctx, in, name); err != nil {
		if in.Changes() {
			reply.Result.Outcome = actions.OutcomeNone
		}
		reply.Err = err
		return reply
	}
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
		if reply.Err != nil && reply.Result.Outcome == "" && in.Changes() {
			reply.Result.Outcome = actions.OutcomeNone // it was refused before it ran
		}
		if r := recover(); r != nil {
			if in.Changes() {
				reply.Result.Outcome = actions.OutcomeUnknown
			}
			m.log.Error("command panicked", "command", in.Name(), "panic", r, "stack", string(debug.Stack()))
			reply.Err = fault.New(fault.Internal, "a bug in skua ended `%s`: %v", in.Name(), r)
		}
	}()
	r := runner{manager: m, req: req, approved: approved, session: s.call(launch.Options{}, req.Getenv)}
	r.session.ask, r.session.agent = req.Ask, req.Agent
	notes, err := s.ruling.Apply(in, req.Getenv, r.path)
	if err != nil {
		reply.Err = err
		return reply
	}
	for _, note := range notes {
		s.addNotice(note)
	}
	s.noteConfiguration(in.Configuration())
	s.addNotice(m.setIdleTimeout(in))
	if in.Has("no-pin-tab") || in.Has("pin-tab") {
		s.browser.Pin(in.Bool("pin-tab") && !in.Bool("no-pin-tab"))
	}
	if in.Has("no-auto-dialog") {
		s.browser.KeepDialogs(in.Bool("no-auto-dialog"))
	}
	if err := s.applyDownloadPath(in, r.path); err != nil {
		reply.Err = err
		return reply
	}
	if r.session.Launch, err = s.ruling.WithNetwork(launch.Read(in, req.Getenv, r.path, m.log), in, req.Getenv); err != nil && !in.Command().Effect.Has(actions.Closes) {
		reply.Err = err
		return reply
	}
	var sealed bool
	if sealed, r.firstRules = s.ruling.Seal(in, r.session.Launch.Network != nil); sealed {
		s.inspection.close() // DevTools that were opened without rules would get around them
		s.rememberUnruled()
		if err := s.browser.GateOpen(ctx, s.browser.Lease(), r.session.Launch); err != nil {
			reply.Err = err
			return reply
		}
	}
	if r.session.Launch.Restore, err = restore.ReadOptions(restore.Call{
		Input: in, Session: s.name, Namespace: m.namespace, Getenv: req.Getenv, Path: r.path, CheckName: checkName,
	}); err != nil {
		reply.Err = err
		return reply
	}
	if err := s.checkLaunchFiles(in, &r.session.Launch); err != nil {
		reply.Err = err
		return reply
	}
	if r.session.Launch.Connect, err = launch.ReadExternal(in, r.session.Launch, req.Getenv); err != nil {
		reply.Err = err
		return reply
	}
	if in.String("provider") != "" && actions.HasPlugins(in, req.Getenv) {
		if made := r.plugins(in).Browser(); made != nil {
			r.session.Launch.Connect = made
		}
	}
	r.session.Launch.Extend = r.plugins(in).Additions(&r.session.Launch)
	reply.Result, reply.Err = r.runTop(ctx, in)
	reply.bare = in.Command().Bare && !reply.Result.Held
	if r.session.Started {
		m.noteOtherSessions(s, owner)
		m.noteMissingSandbox(s, req.Getenv)
		m.machineNoted.folders.Tell(req.Getenv, m.socketDir, s.addNotice)
		if r.session.Launch.Connect == nil {
			m.noteMissingFonts(ctx, s, req.Getenv)
		}
		s.startRequestedStream(req.Getenv)
	}
	if reply.Err == nil {
		r.session.CheckRestored(ctx)
	}
	s.changed() // the browser does not report all changes
	reply.Result.Notes = append(s.notices.Take(), reply.Result.Notes...)
	if more, err := s.notices.Failed(in.Name(), reply.Err); len(more) > 0 || err != nil {
		reply.Result.Notes = append(reply.Result.Notes, more...)
		reply.Err = cmp.Or(reply.Err, err)
		if err != nil && in.Changes() {
			reply.Result.Outcome = actions.OutcomeDone
		}
	}
	if req.Agent && reply.Err == nil && in.Command().Is(trait.Evaluates|trait.Waits) {
		r.session.refreshTitle(ctx, in)
	}
	reply.Lifecycle, reply.Page, reply.WorkedIn = r.lifecycle(), s.currentPage(), r.session.pageWorkedIn(in)
	reply.setBounds(in, r.session)
	if in.Bool("verbose") {
		reply.Details = r.details()
	}
	s.browser.KeepLater()
	return reply
}

// plugins returns the call's plugins.
func (r *runner) plugins(in *actions.Input) launch.Plugins {
	return launch.Plugins{Input: in, Getenv: r.req.Getenv, Cwd: r.req.Cwd, Path: r.path, Session: r.session.name, Log: r.manager.log}
}

// details describes the browser that served the command.
func (r *runner) details() []string {
	s := r.session
	lease := s.Lease()
	switch {
	case lease == nil:
		return []string{"session " + s.name + " has no browser"}
	case lease.Browser.Err() != nil:
		return []string{"session " + s.name + " has lost " + lease.Description()}
	case s.Started:
		return append([]string{"session " + s.name + " started in " + lease.Description()}, lease.Launch.Added...)
	}
	return []string{"session " + s.name + " runs in " + lease.Description()}
}

func (r *runner) lifecycle() replydata.Lifecycle {
	s := r.session
	lease := s.Lease()
	saved := s.Restoring()
	l := replydata.Lifecycle{RestoreStatus: saved.Restore, SaveStatus: saved.Save, EffectiveLaunch: replydata.EffectiveLaunch{Engine: "chrome"}}
	if lease != nil {
		l.EffectiveLaunch.BrowserLaunched = lease.Browser.Owned()
		l.EffectiveLaunch.LaunchHash = lease.Launch.Hash()
		if lease.Launch.Connect != nil {
			l.EffectiveLaunch.Provider = lease.Launch.Connect.Provider
		}
		l.Launched = s.Started
		l.Reused = !s.Started
		l.RelaunchedBrowser = s.Started && s.Lost
	}
	return l
}
