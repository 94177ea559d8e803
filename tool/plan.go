package tool

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/planning"
)

// plan is where a call runs.
type plan struct {
	effective []string // the whole command line
	key       conversation.Key
	namespace *string // as it is known; nil: the ordinary one
	stateless bool    // it needs no session
	implicit  bool    // the tool chose the session: the one that it keeps
	fresh     bool    // it is a new one
	managed   bool    // it is one that the tool keeps, or is to keep from now on
	before    conversation.Managed
	rows      []argv.Words // of a batch
	closes    bool         // the session, or all of them
	closesAll bool
}

// planSession decides which session the call works in and what is really run, and waits for the session's turn.
func (c *call) planSession(ctx context.Context) (leave func(), r *contract.Refusal) {
	w := &c.words
	c.sessions = c.tool.on(c.backend)
	c.state = &conversation.State{}
	if w.Inspects() {
		c.plan.stateless, c.plan.effective, c.details.Inspection = true, c.args, true
		return func() {}, nil
	}
	if r := c.checkRows(); r != nil {
		return nil, r
	}
	if !w.HasSession && planning.Sessionless(w) {
		c.plan.stateless, c.plan.effective = true, planning.Line(w, nil, "", c.unknownFlags())
		c.plan.key = conversation.KeyIn(c.givenNamespace(), "")
		return func() {}, nil
	}
	c.plan.closes = w.Does(trait.EndsSession)
	c.plan.closesAll = c.plan.closes && w.Has("all")
	return c.enter(ctx)
}

// enter waits until the call may run and plans its session. Which one is the managed session is only known when its turn has come.
func (c *call) enter(ctx context.Context) (leave func(), r *contract.Refusal) {
	var leaves []func()
	leave = func() {
		for _, l := range slices.Backward(leaves) {
			l()
		}
	}
	take := func(l func(), err error) bool {
		if err != nil {
			leave()
			r = contract.Refuse(contract.Aborted, "The call was canceled while it waited for its turn: "+err.Error())
			return false
		}
		leaves = append(leaves, l)
		return true
	}
	w, s := &c.words, c.sessions
	c.plan.managed = !w.HasSession || conversation.IsReserved(w.Session)
	if c.plan.managed || c.plan.closesAll {
		if !take(s.Turn.Take(ctx)) {
			return nil, r
		}
		leaves = append(leaves, s.Rested)
	}
	if r := c.choose(); r != nil {
		leave()
		return nil, r
	}
	if !take(s.Gate(c.plan.key.Namespace).Enter(ctx, c.plan.closesAll)) {
		return nil, r
	}
	c.state = s.State(c.plan.key)
	if !take(c.state.Turn.Take(ctx)) {
		return nil, r
	}
	if c.tool.isClosed() {
		leave()
		return nil, contract.Refuse(contract.Aborted, "The tool has been closed.")
	}
	if r := c.checkPlan(); r != nil {
		leave()
		return nil, r
	}
	return leave, nil
}

// choose picks the session.
func (c *call) choose() *contract.Refusal {
	w, s, p, d := &c.words, c.sessions, &c.plan, c.details
	p.before = s.Managed()
	p.namespace = c.givenNamespace()
	if w.HasSession {
		p.key.Name = w.Session
		if current := conversation.KeyOf(p.before); p.managed && current.Name == w.Session && (p.namespace == nil || *p.namespace == current.Namespace) {
			p.namespace = p.before.Namespace
		} else if p.managed {
			if !s.Owns(conversation.KeyIn(p.namespace, w.Session)) {
				return contract.Refuse(contract.ValidationError, "The session name "+w.Session+" is reserved for a browser managed by this tool instance or another one. "+
					"Leave --session out to work in the managed session, or give a name that does not begin with "+conversation.Reserved+".")
			}
			p.managed = false
		}
	} else {
		p.implicit, p.fresh = d.SessionMode != contract.Fresh, d.SessionMode == contract.Fresh
		if p.namespace == nil || p.implicit && p.before.Active {
			p.namespace = p.before.Namespace
		}
		p.key.Name = p.before.Name
		if p.fresh && !p.closes {
			p.key.Name = c.tool.names.Fresh()
		}
	}
	p.key = conversation.KeyIn(p.namespace, p.key.Name)
	d.SessionName, d.SessionNamespace, d.UsedImplicitSession = p.key.Name, p.namespace, &p.implicit
	return nil
}

// checkPlan refuses what the session cannot take, and writes the command line.
func (c *call) checkPlan() *contract.Refusal {
	w, p := &c.words, &c.plan
	running := p.managed && p.before.Active && p.key == conversation.KeyOf(p.before)
	if flags := c.lateFlags(); running && !p.closes && len(flags) > 0 {
		message, hint := planning.TooLate(w, flags)
		c.details.SessionRecoveryHint = hint
		return contract.Refuse(contract.ValidationError, message)
	}
	if p.managed && !p.closes {
		if conflict := planning.IdleConflict(w, c.tool.limits.ManagedIdle); conflict != "" {
			return contract.Refuse(contract.ValidationError, conflict)
		}
	}
	if r := c.checkDomains(); r != nil {
		return r
	}
	if r := c.checkFiles(); r != nil {
		return r
	}
	if r := c.checkPrompt(); r != nil {
		return r
	}
	drop := c.views.Drop(w, c.state.Refs.Snapshot, c.backend.Can().OwnWords, c.unknownFlags())
	if p.managed && p.closes {
		drop = func(f *argv.Flag) bool { return f.Global }
	}
	p.effective = c.scroll.Line(w, planning.Line(w, p.namespace, p.key.Name, drop), c.backend.Can().OwnWords)
	if list := w.Value("allowed-domains"); list != "" && c.backend.Can().KeepsDomains && !p.closes {
		allowed, err := planning.Domains(list)
		if err != nil {
			return contract.Refuse(contract.ValidationError, err.Error())
		}
		p.effective = slices.Insert(p.effective, 1, "--allowed-domains", allowed.String()) // the browser itself keeps to them, in all that pages load
	}
	return nil
}

// lateFlags are the launch-scoped flags of the line. The namespace that the session has is already in effect.
func (c *call) lateFlags() []string {
	flags := c.words.LaunchScoped()
	if c.words.HasNamespace && c.words.Namespace == c.plan.key.Namespace {
		flags = slices.DeleteFunc(flags, func(token string) bool { return token == "--namespace" })
	}
	return flags
}

// unknownFlags are global flags that the tool itself sees to on this backend.
func (c *call) unknownFlags() func(*argv.Flag) bool {
	can := c.backend.Can()
	return func(f *argv.Flag) bool {
		return f.Global && (can.KeepsDomains && f.Name == "allowed-domains" || can.IdleVariable == "" && f.Name == "idle-timeout" && c.plan.managed)
	}
}

// givenNamespace is the namespace that the line or its environment names.
func (c *call) givenNamespace() *string {
	if c.words.HasNamespace {
		return new(c.words.Namespace)
	}
	for _, name := range []string{"SKUA_NAMESPACE", "AGENT_BROWSER_NAMESPACE"} {
		if v := c.tool.options.Env[name]; v != "" {
			return &v
		}
	}
	return nil
}

func (t *Tool) isClosed() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.closed
}

// checkRows reads the rows of a batch and refuses those that would change under the batch what its plan depends on.
func (c *call) checkRows() *contract.Refusal {
	if !c.words.Does(trait.RunsRows) {
		return nil
	}
	rows, err := argv.Batch(&c.words, c.stdin)
	if err != nil {
		return contract.Refuse(contract.ValidationError, err.Error())
	}
	c.plan.rows = rows
	for i := range rows {
		if rows[i].Does(trait.Connects | trait.RunsRows) {
			return contract.Refuse(contract.ValidationError, "A batch cannot hold `"+rows[i].Command+"`: it changes what the rows after it run in. "+
				"Send it as a call of its own.")
		}
	}
	return nil
}
