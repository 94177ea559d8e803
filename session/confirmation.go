package session

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/launch"
)

// pendingCommands are the commands of a session that wait for confirmation.
type pendingCommands struct {
	mu   sync.Mutex
	list []*pendingCommand // the oldest first
}

// any reports whether a command waits.
func (k *pendingCommands) any() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.list) > 0
}

// forget drops all commands when the session closes.
func (k *pendingCommands) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, h := range k.list {
		h.timer.Stop()
	}
	k.list = nil
}

// pendingCommand is a command that waits for confirmation.
type pendingCommand struct {
	policy.Held
	req       Request
	in        *actions.Input
	tab       string // the active tab when the command was requested
	url       string // of that tab
	shownLine string // for the log of refusals
	rule      string
	timer     *time.Timer
}

const (
	// confirmTime is how long a command waits before it is denied.
	confirmTime = time.Minute
	// maxPending is how many commands of a session may wait.
	maxPending = 16
)

// holdForConfirmation keeps a command until it is confirmed or denied, and returns the reply that says so.
func (r *runner) holdForConfirmation(in *actions.Input, v policy.Verdict) (*actions.Result, error) {
	s := r.session
	line, _ := in.Masked()
	h := &pendingCommand{req: r.req, in: in, shownLine: line, rule: v.Rule}
	h.Action, h.Command, h.Expires = v.Action, in.Spelled(), time.Now().Add(confirmTime)
	h.req.Ask, h.req.Out, h.req.ErrOut, h.req.Approve, h.req.Hand, h.req.Report = nil, nil, nil, nil, nil, nil
	if tab := s.Active(); tab != nil {
		h.tab, h.url = tab.ID, tab.Page.URL()
	}
	k := &s.pending
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.list) == maxPending {
		return nil, fault.New(fault.PolicyBlocked,
			"Action '%s' needs confirmation, but %d others are already waiting for it.", v.Action, maxPending).
			About(v.Action).WithHint("`%s policy` lists them; confirm or deny some.", in.Program())
	}
	var err error
	if h.ID, err = k.newIDLocked(); err != nil {
		return nil, err
	}
	h.timer = time.AfterFunc(confirmTime, func() {
		if k.take(h.ID) != nil {
			s.recordRefusal(policy.Confirm, h.Action, "not confirmed in time", h.shownLine)
			s.changed()
		}
	})
	k.list = append(k.list, h)
	s.changed() // for the dashboard
	data := actions.HeldResult{Action: h.Action, Command: h.Command, ConfirmationID: h.ID, ConfirmationRequired: true}
	run := "\n  Run: " + in.Program() + " confirm " + h.ID
	if r.req.Agent {
		mayConfirm := s.manager.owner.SelfConfirm()
		data.SelfConfirmation = &mayConfirm
		if !mayConfirm {
			run = "\n  It waits for a person, for " + confirmTime.String() + ". Who asked for it cannot confirm it."
		}
	}
	return &actions.Result{
		Held: true,
		Data: data,
		Text: "Confirmation required:\n  " + h.Action + because(v) + "\n  Command: " + h.Command + run + "\n  Or:  " +
			in.Program() + " deny " + h.ID,
	}, nil
}

// because is why a command is held, if no rule of the owner's says so.
func because(v policy.Verdict) string {
	if v.Reason == "" {
		return ""
	}
	return " (" + v.Reason + ")"
}

// newIDLocked returns an unused id in agent-browser's form.
func (k *pendingCommands) newIDLocked() (string, error) {
	for {
		n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
		if err != nil {
			return "", err
		}
		id := fmt.Sprintf("r%06d", n)
		if !slices.ContainsFunc(k.list, func(h *pendingCommand) bool { return h.ID == id }) {
			return id, nil
		}
	}
}

// take removes and returns the command with the id, or nil.
func (k *pendingCommands) take(id string) *pendingCommand {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, h := range k.list {
		if h.ID == id {
			k.list = slices.Delete(k.list, i, i+1)
			h.timer.Stop()
			return h
		}
	}
	return nil
}

// Pending returns the commands that wait.
func (r sessionRules) Pending() []policy.Held { return r.s.pending.held() }

// held returns the commands that wait.
func (k *pendingCommands) held() []policy.Held {
	k.mu.Lock()
	defer k.mu.Unlock()
	pending := []policy.Held{}
	for _, h := range k.list {
		pending = append(pending, h.Held)
	}
	return pending
}

// Confirm runs a waiting command as it was requested. An agent may not confirm, unless the owner allows it.
func (r sessionRules) Confirm(ctx context.Context, id string) (policy.Held, actions.Result, error) {
	if r.s.agent && !r.s.manager.owner.SelfConfirm() {
		return policy.Held{}, actions.Result{}, fault.New(fault.PolicyBlocked,
			"confirm %s: the agent that asks for a command cannot confirm it.", id).About(id).
			With("rule", "no self-confirmation").
			WithHint("A person can, at the dashboard; tell the user what is waiting. Do not try to get around it.")
	}
	h := r.s.pending.take(id)
	if h == nil {
		return policy.Held{}, actions.Result{}, r.noPending(id)
	}
	h.req.Ask = r.s.ask
	note := h.changedPage(r.s)
	reply := r.s.answer(ctx, h.req, h.in)
	res := reply.Result
	if note != "" {
		res.Notes = append([]string{note}, res.Notes...)
	}
	if f, ok := errors.AsType[*fault.Error](reply.Err); ok {
		copied := *f
		copied.Facts = maps.Clone(f.Facts)
		return h.Held, res, copied.With("action", h.Action).With("confirmed", true)
	}
	return h.Held, res, reply.Err
}

// answerPending confirms or denies a waiting command for the person at the dashboard. The session's next reply reports
// the result.
func (s *Session) answerPending(ctx context.Context, id string, yes bool) error {
	person := sessionRules{s.call(launch.Options{}, noEnv)}
	person.s.ask = noTerminal
	if !yes {
		h, err := person.Deny(id)
		if err == nil {
			s.addNotice("a person denied `" + h.Command + "`, which was held")
			s.changed()
		}
		return err
	}
	h, _, err := person.Confirm(ctx, id)
	switch {
	case fault.Is(err, fault.ConfirmationUnknown) && h.ID == "":
		return err
	case err != nil:
		s.addNotice("a person confirmed `" + h.Command + "`, which was held; it failed: " + err.Error())
	default:
		s.addNotice("a person confirmed `" + h.Command + "`, which was held; it was done")
	}
	s.changed()
	return err
}

func noTerminal(context.Context, string, bool) (string, error) { return "", actions.ErrNoTerminal }

// changedPage describes how the page differs from when the command was held; empty for a command that needs no page.
func (h *pendingCommand) changedPage(s *callSession) string {
	if h.in.Command().Effect.Has(actions.NoBrowser) || h.in.Has("tab") {
		return ""
	}
	tab := s.Active()
	switch {
	case tab == nil && h.tab == "", tab != nil && tab.ID == h.tab && tab.Page.URL() == h.url:
		return ""
	case tab == nil:
		return "the tab that was active when the command was held, " + h.tab + " (" + h.url + "), is gone"
	case h.tab == "":
		return "no tab was open when the command was held; now " + tab.ID + " (" + tab.Page.URL() + ") is"
	case tab.ID != h.tab:
		return "the active tab is now " + tab.ID + " (" + tab.Page.URL() + "); when the command was held it was " + h.tab +
			" (" + h.url + ")"
	}
	return "the page is now " + tab.Page.URL() + "; when the command was held it was " + h.url
}

// Deny drops a waiting command.
func (r sessionRules) Deny(id string) (policy.Held, error) {
	h := r.s.pending.take(id)
	if h == nil {
		return policy.Held{}, r.noPending(id)
	}
	r.s.recordRefusal(policy.Confirm, h.Action, "denied", h.shownLine)
	return h.Held, nil
}

func (r sessionRules) noPending(id string) error {
	err := fault.New(fault.ConfirmationUnknown, "No pending confirmation").About(id)
	if other := r.s.manager.sessionWithPending(id); other != "" {
		return err.WithHint("It is waiting in session %s: add --session %s.", other, other)
	}
	return err
}

// sessionWithPending returns the session in which a command waits, or "".
func (m *Manager) sessionWithPending(id string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, s := range m.sessions {
		s.pending.mu.Lock()
		found := slices.ContainsFunc(s.pending.list, func(h *pendingCommand) bool { return h.ID == id })
		s.pending.mu.Unlock()
		if found {
			return name
		}
	}
	return ""
}

// askApprover asks a person through the request's Approve. asked is false if no person can be asked that way.
func (r *runner) askApprover(ctx context.Context, in *actions.Input, v policy.Verdict) (asked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	line, _ := in.Masked()
	yes, err := r.req.Approve(ctx, "Action requires confirmation: "+v.Action+because(v)+"\nCommand: "+in.Spelled())
	switch {
	case err != nil && ctx.Err() == nil:
		return false, nil
	case yes && err == nil:
		return true, nil
	}
	why := "denied"
	if err != nil {
		why = "no answer"
	}
	r.session.recordRefusal(policy.Confirm, v.Action, why, line)
	denied := fault.New(fault.ConfirmationDenied, "Action denied by the person who was asked").About(v.Action).
		With("action", v.Action).With("rule", v.Rule)
	denied.Err = err
	return true, denied
}

// askAtTerminal asks at the caller's terminal whether a command may run.
func (r *runner) askAtTerminal(ctx context.Context, in *actions.Input, v policy.Verdict) error {
	ctx, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	answer, err := r.req.Ask(ctx,
		"["+in.Program()+"] Action requires confirmation:\n  "+v.Action+because(v)+"\n  Command: "+in.Spelled()+
			"\n  Allow? [y/N]: ", false)
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		if err == nil {
			return nil
		}
	}
	line, _ := in.Masked()
	why := "denied"
	if err != nil {
		why = "no answer"
	}
	r.session.recordRefusal(policy.Confirm, v.Action, why, line)
	denied := fault.New(fault.ConfirmationDenied, "Action denied").About(v.Action).With("action", v.Action).With("rule",
		v.Rule)
	denied.Err = err
	return denied
}
