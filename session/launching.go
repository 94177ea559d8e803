package session

import (
	"context"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/plugins"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/restore"
)

// readLaunch reads what a request asks of its browser. What only the start of a browser needs is read when one starts,
// or if the session's browser is not as asked.
func (r *runner) readLaunch(ctx context.Context, in *actions.Input) (err error) {
	s := r.session
	s.Launch, err = s.ruling.WithNetwork(launch.Asked(in, r.req.Getenv, r.path), in, r.req.Getenv)
	if err != nil && !in.Command().Effect.Has(actions.Closes) {
		return err
	}
	s.Rest = func(l *launch.Options) error { return r.completeLaunch(in, l) }
	var sealed bool
	if sealed, r.firstRules = s.ruling.Seal(in, s.Launch.Network != nil); sealed {
		s.inspection.close() // DevTools that were opened without rules would get around them
		lease := s.Lease()
		if lease != nil && !lease.InApp() {
			s.ruling.SetUnruled(lease.Launch.Connect)
		}
		if err := s.GateOpen(ctx, lease, s.Launch); err != nil {
			return err
		}
	}
	if lease := s.Lease(); s.Launch.Plain() || lease != nil && lease.Browser.Err() == nil && s.Launch.Same(lease.Launch) {
		return nil
	}
	return s.ReadRest()
}

// completeLaunch reads what the start of a browser needs besides what was asked.
func (r *runner) completeLaunch(in *actions.Input, l *launch.Options) (err error) {
	s := r.session
	l.Fill(in, r.path, r.manager.log)
	if l.Restore, err = restore.ReadOptions(restore.Call{
		Input:     in,
		Session:   s.name,
		Namespace: r.manager.options.Namespace,
		Getenv:    r.req.Getenv,
		Path:      r.path,
		CheckName: checkName,
	}); err != nil {
		return err
	}
	if err := s.checkLaunchFiles(in, l); err != nil {
		return err
	}
	if l.Connect, err = launch.ReadExternal(in, *l, r.req.Getenv); err != nil {
		return err
	}
	byPlugins := launch.Plugins{
		Input:   in,
		Getenv:  r.req.Getenv,
		Cwd:     r.req.Cwd,
		Path:    r.path,
		Session: s.name,
		Log:     r.manager.log,
	}
	if in.String("provider") != "" && plugins.Any(in, r.req.Getenv) {
		if made := byPlugins.Browser(); made != nil {
			l.Connect = made
		}
	}
	l.Extend = byPlugins.Additions(l)
	return nil
}

// checkLaunch handles launch options that the running browser does not have. A command that opens a page replaces the
// browser, since it leaves the page anyway, and a note reports it. All others keep the browser: they fail if the caller
// typed the options or they name another browser, and a note reports options of the environment.
func (r *runner) checkLaunch(ctx context.Context, in *actions.Input) error {
	s := r.session
	lease := s.Lease()
	if lease == nil || lease.Browser.Err() != nil && (lease.Launch.Connect == nil || s.Launch.Connect == nil) {
		return nil
	}
	differ := s.Launch.NotIn(lease.Launch)
	if len(differ) == 0 {
		return nil
	}
	lost := lease.Browser.Err() != nil // and the call names another browser
	if lost || in.Command().Loads() && in.Command().Renews(in) {
		ctx, stop := s.Lifetime.Within(ctx)
		defer stop()
		ctx, cancel := r.withDeadline(ctx, in)
		defer cancel()
		return s.Replace(ctx, differ)
	}
	if err := launch.CheckGated(differ); err != nil && !in.Command().Effect.Has(actions.Control) &&
		!in.Command().Choosing {
		return err
	}
	note, err := s.Launch.Unapplied(differ)
	if note != "" {
		s.addNotice("the session's browser already runs and keeps its options; " + note)
	}
	if in.Command().Choosing {
		return nil
	}
	return err
}
