package session

import (
	"context"
	"path/filepath"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/lifecycle"
	"github.com/skua-browser/skua/session/rules"
)

// runner runs the commands of one request.
type runner struct {
	manager    *Manager
	req        Request
	session    *callSession
	owner      actions.Owner   // the request's
	top        *actions.Input  // the command of the request; nil means that of another session's. Others are run by it
	approved   *actions.Input  // the command that a person has confirmed
	asked      *actions.Input  // the command that the person at the caller has just confirmed
	lifetime   context.Context // of a command with rows: the session's lifetime when it began
	prepared   bool            // what the request sets in the session applies
	firstRules bool            // the request brought the session's first rules
	queueRows  bool            // each row waits in the session's queue
	// the tab that the command was fixed to while it waited for its turn; empty means the active one, or that of --tab
	fixed string
	// the deadline of the next command, which includes its waits; zero means that it starts when the command runs
	deadline time.Time
}

func (r *runner) path(p string) string {
	if filepath.IsAbs(p) {
		return filepath.Clean(p)
	}
	return filepath.Join(r.req.Cwd, p)
}

// runner returns what runs a request in the session.
func (s *Session) runner(req Request, in *actions.Input, owner actions.Owner) *runner {
	r := &runner{
		manager: s.manager,
		req:     req,
		session: s.call(launch.Options{}, req.Getenv),
		owner:   owner,
		top:     in,
	}
	r.session.ask, r.session.agent = req.Ask, req.Agent
	return r
}

// gate runs a command if the session and its rules let it: that of the request, or one that it runs. It says whether
// the command may be sent again.
func (r *runner) gate(ctx context.Context, in *actions.Input) (res actions.Result, err error) {
	sent := &cdp.Sent{}
	if in.Changes() {
		ctx, sent = cdp.Track(ctx)
	} else {
		ctx = cdp.Untracked(ctx) // a program that ran this, and nothing else, may be sent again
	}
	defer func() { res.Outcome = actions.OutcomeOf(in, &res, err, sent) }()
	row := in != r.top
	switch {
	case !row:
		err = r.prepare(ctx, in)
	case r.lifetime != nil && r.lifetime != r.session.Lifetime.Current():
		err = lifecycle.Closed()
	}
	if err != nil {
		return res, err
	}
	if !row || r.lifetime != nil {
		if instead, err := r.checkPolicy(ctx, in); err != nil {
			return res, err
		} else if instead != nil {
			return *instead, nil
		}
	}
	flows, ledger := r.flowRules()
	if instead, err := r.checkFlow(ctx, in, flows, ledger); err != nil {
		return res, err
	} else if instead != nil {
		return *instead, nil
	}
	res, err = r.queue(ctx, in)
	r.noteShown(in, ledger, &res, err)
	return res, err
}

// prepare applies what a request sets in its session, and reads what it asks of its browser.
func (r *runner) prepare(ctx context.Context, in *actions.Input) error {
	s := r.session
	notes, err := s.ruling.Apply(in, r.req.Getenv, r.path)
	if err != nil {
		return err
	}
	for _, note := range notes {
		s.addNotice(note)
	}
	s.noteConfiguration(in.Configuration())
	s.addNotice(r.manager.setIdleTimeout(in))
	if in.Has("no-pin-tab") || in.Has("pin-tab") {
		s.Pin(in.Bool("pin-tab") && !in.Bool("no-pin-tab"))
	}
	if in.Has("no-auto-dialog") {
		s.KeepDialogs(in.Bool("no-auto-dialog"))
	}
	if err := s.applyDownloadPath(in, r.path); err != nil {
		return err
	}
	err = r.readLaunch(ctx, in)
	r.prepared = err == nil
	return err
}

// checkPolicy applies the rules to a command. It returns nil if the command may run, or else the reply to give instead.
func (r *runner) checkPolicy(ctx context.Context, in *actions.Input) (*actions.Result, error) {
	v := r.session.ruling.Judge(in, rules.Requester{
		Agent:   r.req.Agent,
		First:   r.firstRules,
		Running: r.session.Running,
		Browser: r.session.ruledBrowser,
		Getenv:  r.req.Getenv,
	})
	switch v.Effect {
	case policy.Permit:
		return nil, nil
	case policy.Ask:
		return r.askPerson(ctx, in, v)
	}
	line, _ := in.Masked()
	r.session.recordRefusal(policy.Action, v.Action, v.Rule, line)
	err := fault.New(fault.PolicyBlocked, "Action '%s' denied by policy: %s", v.Action, v.Reason).About(v.Action).
		With("action", v.Action).With("rule", v.Rule).With("from", v.From)
	switch v.Rule {
	case "policy failed to load":
		err.WithHint("Repair the file, or end the session with `close`.")
	case policy.RuleNotAllowedByName:
		err.WithHint("The owner of the rules can name '%s' in the list \"allow\" of the action policy.", v.Action)
	case policy.RuleUnnamedBrowser:
		err.WithHint(
			"The owner of the rules can name '%s' in the list \"allow\" of the action policy, or `close` the session and sign "+
				"in in a browser that skua starts.",
			r.session.ruledBrowser().Unruled.Name())
	}
	return nil, err
}
