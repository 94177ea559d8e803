package planning

import (
	"context"
	"slices"
	"time"

	"github.com/skua-browser/skua/tool/artifacts"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/conversation"
	"github.com/skua-browser/skua/tool/input"
	"github.com/skua-browser/skua/tool/judging"
)

// Desk is where the calls of a tool are planned that run on one backend.
type Desk struct {
	Sessions  *conversation.Sessions
	Files     *artifacts.Ledger
	Protected []string    // folders that no call may touch
	Closed    func() bool // the tool has ended
}

// Plan plans a call, and waits for the turn of the session that it runs in. Prompt is what the user asked for last. The
// plan is never nil: of a call that is refused, it has what had been decided until then. Leave gives the turn back;
// call it in any case.
func (d *Desk) Plan(ctx context.Context, line *input.Line, prompt string) (p *Plan, leave func(), r *contract.Refusal) {
	s := &planner{Desk: d, prompt: prompt, Plan: &Plan{Line: line, Args: line.Args, Words: line.Words, Stdin: line.Stdin}}
	s.Plan.Sessions, s.Plan.State = d.Sessions, &conversation.State{}
	s.Details.SessionMode = line.SessionMode
	s.Watchdog = s.watchdog()
	for _, step := range []func(context.Context) *contract.Refusal{
		s.where, s.refs, s.seen, s.oneTracer, s.attached,
		s.element, s.files,
	} {
		if r := step(ctx); r != nil {
			s.leave()
			return s.Plan, func() {}, r
		}
	}
	return s.Plan, s.leave, nil
}

// planner makes one plan.
type planner struct {
	*Desk
	*Plan
	prompt string
	turns  []func() // what gives each of them back
}

func (s *planner) leave() {
	for _, l := range slices.Backward(s.turns) {
		l()
	}
	s.turns = nil
}

// watchdog is how long the command may run.
func (s *planner) watchdog() time.Duration {
	if ms := s.Line.TimeoutMs; ms > 0 && s.Line.Mode != contract.ModeScript {
		// the program of a script keeps the time itself
		return time.Duration(ms) * time.Millisecond
	}
	return judging.Watchdog(&s.Words, s.Rows, s.Desk.Sessions.Limits(), !s.Can().TellsEffects)
}

// where decides which session the call works in and what is really run, and waits for the session's turn.
func (s *planner) where(ctx context.Context) *contract.Refusal {
	w := &s.Words
	if w.Inspects() {
		s.Stateless, s.Command = true, s.Args
		return nil
	}
	if r := s.batch(); r != nil {
		return r
	}
	if !w.HasSession && Sessionless(w) {
		s.Stateless, s.Command = true, Line(w, nil, "", s.ours())
		s.Key = conversation.KeyIn(s.givenNamespace(), "")
		return nil
	}
	s.Closes = w.EndsSession()
	s.ClosesAll = s.Closes && w.Has("all")
	if r := s.enter(ctx); r != nil {
		return r
	}
	return s.commandLine()
}

// batch takes the rows of a batch, and refuses those that would change under the batch what its plan depends on.
func (s *planner) batch() *contract.Refusal {
	s.Rows = s.Line.Rows
	for i := range s.Rows {
		if row := &s.Rows[i]; row.Entry.ChoosesBrowser() || row.IsBatch() {
			return contract.Refuse(contract.ValidationError,
				"A batch cannot hold `"+s.Rows[i].Command+"`: it changes what the rows after it run in. "+
					"Send it as a call of its own.")
		}
	}
	s.Watchdog = s.watchdog()
	return nil
}

// enter waits until the call may run, and chooses its session. Which one is the managed session is only known when its
// turn has come.
func (s *planner) enter(ctx context.Context) (r *contract.Refusal) {
	take := func(leave func(), err error) bool {
		if err != nil {
			r = contract.Refuse(contract.Aborted, "The call was canceled while it waited for its turn: "+err.Error())
			return false
		}
		s.turns = append(s.turns, leave)
		return true
	}
	w, all := &s.Words, s.Desk.Sessions
	s.Managed = !w.HasSession || conversation.IsReserved(w.Session)
	if s.Managed || s.ClosesAll {
		if !take(all.Turn.Take(ctx)) {
			return r
		}
		s.turns = append(s.turns, all.Rested)
	}
	if r := s.choose(); r != nil {
		return r
	}
	if !take(all.Gate(s.Key.Namespace).Enter(ctx, s.ClosesAll)) {
		return r
	}
	s.Plan.State = all.State(s.Key)
	if !take(s.Plan.State.Turn.Take(ctx)) {
		return r
	}
	if s.Closed() {
		return contract.Refuse(contract.Aborted, "The tool has been closed.")
	}
	return nil
}

// choose picks the session.
func (s *planner) choose() *contract.Refusal {
	w, p, all := &s.Words, s.Plan, s.Desk.Sessions
	p.Before = all.Managed()
	p.Namespace = s.givenNamespace()
	name, implicit := p.Before.Name, false
	if w.HasSession {
		name = w.Session
		if current := conversation.KeyOf(p.Before); p.Managed && current.Name == name &&
			(p.Namespace == nil || *p.Namespace == current.Namespace) {
			p.Namespace = p.Before.Namespace
		} else if p.Managed {
			if !all.Owns(conversation.KeyIn(p.Namespace, name)) {
				return contract.Refuse(contract.ValidationError,
					"The session name "+name+" is reserved for a browser managed by this tool instance or another one. "+
						"Leave --session out to work in the managed session, or give a name that does not begin with "+
						conversation.Reserved+".")
			}
			p.Managed = false
		}
	} else {
		implicit = p.Line.SessionMode != contract.Fresh
		if p.Namespace == nil || implicit && p.Before.Active {
			p.Namespace = p.Before.Namespace
		}
		if !implicit && !p.Closes {
			name = all.FreshName()
		}
	}
	p.Key = conversation.KeyIn(p.Namespace, name)
	p.Details.SessionName, p.Details.SessionNamespace, p.Details.UsedImplicitSession = name, p.Namespace, &implicit
	return nil
}

// givenNamespace is the namespace that the line or its environment names.
func (s *planner) givenNamespace() *string {
	if s.Words.HasNamespace {
		return new(s.Words.Namespace)
	}
	for _, name := range []string{"SKUA_NAMESPACE", "AGENT_BROWSER_NAMESPACE"} {
		if v := s.Desk.Sessions.Env()[name]; v != "" {
			return &v
		}
	}
	return nil
}
