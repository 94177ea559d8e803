package session

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"runtime/debug"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/manual"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/replydata"
)

// Do parses and runs one command line. It never panics: a bug in a command becomes an error with code Internal.
func (m *Manager) Do(ctx context.Context, req Request) (reply Reply) {
	req.fill()
	in, reply, answered := m.parse(req)
	if answered {
		return reply
	}
	defer reply.survive(in, m.log)
	name, owner := m.resolveSession(in, req)
	waited, err := m.awaitArrival(ctx, in, name)
	if err != nil {
		return reply.refused(in, err)
	}
	s, leave, err := m.acquireSession(name, owner)
	if err != nil {
		return reply.refused(in, err)
	}
	defer leave()
	req.waited = waited
	r := s.runner(req, in, owner)
	reply.Result, reply.Err = r.gate(ctx, in)
	r.complete(ctx, in, &reply)
	return reply
}

// answer runs a command that waited in the session until a person confirmed it.
func (s *Session) answer(ctx context.Context, req Request, in *actions.Input) (reply Reply) {
	req.fill()
	reply.JSON, reply.short = in.Bool("json"), in.Bool("short")
	defer reply.survive(in, s.manager.log)
	_, owner := s.manager.resolveSession(in, req)
	r := s.runner(req, in, owner)
	r.approved = in
	reply.Result, reply.Err = r.gate(ctx, in)
	r.complete(ctx, in, &reply)
	return reply
}

// parse parses a command line, and answers one that asks for help or the version.
func (m *Manager) parse(req Request) (in *actions.Input, reply Reply, answered bool) {
	configure := m.config.For(req.Cwd, req.Getenv)
	in, err := m.registry.Parse(req.Args, actions.ParseOptions{
		Program:   req.Program,
		Tool:      req.Agent,
		Getenv:    req.Getenv,
		Configure: configure,
	})
	if err != nil {
		return nil, Reply{Err: err, JSON: wantsJSON(req, configure)}, true
	}
	reply.JSON, reply.short = in.Bool("json"), in.Bool("short")
	if err := checkTimeout(in); err != nil {
		reply.Err = err
		return in, reply, true
	}
	switch in.Asks() {
	case grammar.AskHelp:
		reply.Text = manual.Help(m.registry, in.Program(), in.Topic())
		return in, reply, true
	case grammar.AskStart:
		_, err := chrome.Find(true, in.String("executable-path"), req.Getenv)
		f, _ := errors.AsType[*fault.Error](err)
		// one that is named and not there is no reason to get another
		reply.Text = manual.Start(m.registry, in.Program(), f == nil || f.Subject != "")
		return in, reply, true
	case grammar.AskVersion:
		return in, reply.version(in.Program()), true
	}
	if in.Bool("debug") && m.options.Level != nil {
		m.options.Level.Set(slog.LevelDebug)
	}
	return in, reply, false
}

// refused returns the reply to a command that was refused before it had a session.
func (r Reply) refused(in *actions.Input, err error) Reply {
	r.Err = err
	r.Result.Outcome = actions.OutcomeOf(in, &r.Result, err, &cdp.Sent{})
	return r
}

// survive is deferred: a bug in a command becomes an error, and the host goes on.
func (r *Reply) survive(in *actions.Input, log *slog.Logger) {
	bug := recover()
	if bug == nil {
		return
	}
	if in.Changes() {
		r.Result.Outcome = actions.OutcomeUnknown
	}
	log.Error("command panicked", "command", in.Name(), "panic", bug, "stack", string(debug.Stack()))
	r.Err = fault.New(fault.Internal, "a bug in skua ended `%s`: %v", in.Name(), bug)
}

// complete adds to the reply of a command what there is to say besides its result, and has the session remembered.
func (r *runner) complete(ctx context.Context, in *actions.Input, reply *Reply) {
	if !r.prepared {
		return
	}
	m, s, req := r.manager, r.session.Session, r.req
	reply.bare = in.Command().Bare && !reply.Result.Held
	if r.session.Started {
		m.noteOtherSessions(s, r.owner)
		m.noteMissingSandbox(s, req.Getenv)
		m.machineNoted.folders.Tell(req.Getenv, m.options.SocketDir, s.addNotice)
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
	more, err := s.notices.Failed(in.Name(), reply.Err)
	reply.Result.Notes, reply.Err = append(reply.Result.Notes, more...), cmp.Or(reply.Err, err)
	if req.Agent && reply.Err == nil && in.Command().Is(trait.Retitles) {
		r.session.refreshTitle(ctx, in)
	}
	reply.Lifecycle, reply.Page, reply.WorkedIn = r.lifecycle(), s.currentPage(), r.session.pageWorkedIn(in)
	reply.setBounds(in, r.session)
	if in.Bool("verbose") {
		reply.Details = r.details()
	}
	s.browser.KeepLater()
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
	l := replydata.Lifecycle{
		RestoreStatus:   saved.Restore,
		SaveStatus:      saved.Save,
		EffectiveLaunch: replydata.EffectiveLaunch{Engine: "chrome"},
	}
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
