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
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
)

// waiting are the commands of a session that have to be confirmed.
type waiting struct {
	mu   sync.Mutex
	held []*held // the oldest first
}

// any reports whether a command waits.
func (k *waiting) any() bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.held) > 0
}

// forget ends the wait of all with the session.
func (k *waiting) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, h := range k.held {
		h.timer.Stop()
	}
	k.held = nil
}

// held is a command that waits to be confirmed.
type held struct {
	policy.Held
	req   Request
	in    *actions.Input
	tab   string // the active one when it was asked for
	url   string // of its page
	line  string // as the log of refusals has it
	rule  string
	timer *time.Timer
}

const (
	// confirmTime is how long a command waits. After that it is denied.
	confirmTime = time.Minute
	// maxHeld is how many commands of a session may wait.
	maxHeld = 16
)

// hold keeps a command until it is confirmed or denied, and returns the reply that says so.
func (r *runner) hold(in *actions.Input, v policy.Verdict) (*actions.Result, error) {
	s := r.session
	line, _ := in.Masked()
	h := &held{req: r.req, in: in, line: line, rule: v.Rule}
	h.Action, h.Command, h.Expires = v.Action, in.Spelled(), time.Now().Add(confirmTime)
	h.req.Ask, h.req.Out, h.req.ErrOut, h.req.Approve = nil, nil, nil, nil
	if tab := s.Active(); tab != nil {
		h.tab, h.url = tab.ID, tab.Page.URL()
	}
	k := &s.waiting
	k.mu.Lock()
	defer k.mu.Unlock()
	if len(k.held) == maxHeld {
		return nil, fault.New(fault.PolicyBlocked, "Action '%s' has to be confirmed, and %d others wait for that already.", v.Action, maxHeld).
			About(v.Action).WithHint("`%s policy` lists them; confirm or deny some.", in.Program())
	}
	var err error
	if h.ID, err = k.freeIDLocked(); err != nil {
		return nil, err
	}
	h.timer = time.AfterFunc(confirmTime, func() {
		if k.take(h.ID) != nil {
			s.refuse(policy.Confirm, h.Action, "nobody confirmed it in time", h.line)
			s.changed()
		}
	})
	k.held = append(k.held, h)
	s.changed() // for who looks at the dashboard
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
		Held: true, Data: data,
		Text: "Confirmation required:\n  " + h.Action + "\n  Command: " + h.Command + run + "\n  Or:  " + in.Program() + " deny " + h.ID,
	}, nil
}

// freeIDLocked makes an id as agent-browser's are.
func (k *waiting) freeIDLocked() (string, error) {
	for {
		n, err := rand.Int(rand.Reader, big.NewInt(1_000_000))
		if err != nil {
			return "", err
		}
		id := fmt.Sprintf("r%06d", n)
		if !slices.ContainsFunc(k.held, func(h *held) bool { return h.ID == id }) {
			return id, nil
		}
	}
}

// take removes the command with the id; nil: none waits.
func (k *waiting) take(id string) *held {
	k.mu.Lock()
	defer k.mu.Unlock()
	for i, h := range k.held {
		if h.ID == id {
			k.held = slices.Delete(k.held, i, i+1)
			h.timer.Stop()
			return h
		}
	}
	return nil
}

// Pending returns the commands that wait.
func (r sessionRules) Pending() []policy.Held {
	k := &r.s.waiting
	k.mu.Lock()
	defer k.mu.Unlock()
	pending := []policy.Held{}
	for _, h := range k.held {
		pending = append(pending, h.Held)
	}
	return pending
}

// Confirm runs a command that waits, as it was asked for. An agent cannot have that done, unless the owner lets it.
func (r sessionRules) Confirm(ctx context.Context, id string) (policy.Held, actions.Result, error) {
	if r.s.agent && !r.s.manager.owner.SelfConfirm() {
		return policy.Held{}, actions.Result{}, fault.New(fault.PolicyBlocked, "confirm %s: the agent that asks for a command cannot confirm it.", id).About(id).
			With("rule", "no self-confirmation").WithHint("A person can, at the dashboard; tell the user what waits. Do not try to have it done in another way.")
	}
	h := r.s.waiting.take(id)
	if h == nil {
		return policy.Held{}, actions.Result{}, r.noneWaits(id)
	}
	h.req.Ask = r.s.ask
	note := h.changed(r.s)
	_, owner := r.s.manager.whose(h.in, h.req)
	reply := r.s.manager.perform(ctx, r.s.Session, owner, h.req, h.in, h.in)
	res := reply.Result
	if note != "" {
		res.Notes = append([]string{note}, res.Notes...)
	}
	if f, ok := errors.AsType[*fault.Error](reply.Err); ok {
		told := *f
		told.Facts = maps.Clone(f.Facts)
		return h.Held, res, told.With("action", h.Action).With("confirmed", true)
	}
	return h.Held, res, reply.Err
}

// answer confirms or denies a command that waits, for the person at the dashboard. What came of it is told to the session's next caller.
func (s *Session) answer(ctx context.Context, id string, yes bool) error {
	person := sessionRules{&inCall{Session: s, getenv: func(string) string { return "" }, ask: nobody}}
	if !yes {
		h, err := person.Deny(id)
		if err == nil {
			s.tell("a person denied `" + h.Command + "`, which was held")
			s.changed()
		}
		return err
	}
	h, _, err := person.Confirm(ctx, id)
	switch {
	case fault.Is(err, fault.ConfirmationUnknown) && h.ID == "":
		return err
	case err != nil:
		s.tell("a person confirmed `" + h.Command + "`, which was held; it failed: " + err.Error())
	default:
		s.tell("a person confirmed `" + h.Command + "`, which was held; it was done")
	}
	s.changed()
	return err
}

func nobody(context.Context, string, bool) (string, error) { return "", actions.ErrNoTerminal }

// changed says what is not as it was when the command was held; nothing for one that needs no page.
func (h *held) changed(s *inCall) string {
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
		return "the active tab is now " + tab.ID + " (" + tab.Page.URL() + "); when the command was held it was " + h.tab + " (" + h.url + ")"
	}
	return "the page is now " + tab.Page.URL() + "; when the command was held it was " + h.url
}

// Deny forgets a command that waits.
func (r sessionRules) Deny(id string) (policy.Held, error) {
	h := r.s.waiting.take(id)
	if h == nil {
		return policy.Held{}, r.noneWaits(id)
	}
	r.s.refuse(policy.Confirm, h.Action, "denied", h.line)
	return h.Held, nil
}

func (r sessionRules) noneWaits(id string) error {
	err := fault.New(fault.ConfirmationUnknown, "No pending confirmation").About(id)
	if other := r.s.manager.holding(id); other != "" {
		return err.WithHint("It waits in session %s: add --session %s.", other, other)
	}
	return err
}

// holding returns the session in which a command waits, "" when it waits in none.
func (m *Manager) holding(id string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	for name, s := range m.sessions {
		s.waiting.mu.Lock()
		found := slices.ContainsFunc(s.waiting.held, func(h *held) bool { return h.ID == id })
		s.waiting.mu.Unlock()
		if found {
			return name
		}
	}
	return ""
}

// askElsewhere asks a person by the way that the request has for it. asked is false when nobody can be asked there.
func (r *runner) askElsewhere(ctx context.Context, in *actions.Input, v policy.Verdict) (asked bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	line, _ := in.Masked()
	yes, err := r.req.Approve(ctx, "Action requires confirmation: "+v.Action+"\nCommand: "+in.Spelled())
	switch {
	case err != nil && ctx.Err() == nil:
		return false, nil
	case yes && err == nil:
		return true, nil
	}
	why := "denied"
	if err != nil {
		why = "nobody answered"
	}
	r.session.refuse(policy.Confirm, v.Action, why, line)
	denied := fault.New(fault.ConfirmationDenied, "Action denied by the person who was asked").About(v.Action).With("action", v.Action).With("rule", v.Rule)
	denied.Err = err
	return true, denied
}

// askPerson asks at the caller's terminal whether a command may run.
func (r *runner) askPerson(ctx context.Context, in *actions.Input, v policy.Verdict) error {
	ctx, cancel := context.WithTimeout(ctx, confirmTime)
	defer cancel()
	answer, err := r.req.Ask(ctx, "["+in.Program()+"] Action requires confirmation:\n  "+v.Action+"\n  Command: "+in.Spelled()+"\n  Allow? [y/N]: ", false)
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		if err == nil {
			return nil
		}
	}
	line, _ := in.Masked()
	why := "denied"
	if err != nil {
		why = "nobody answered"
	}
	r.session.refuse(policy.Confirm, v.Action, why, line)
	denied := fault.New(fault.ConfirmationDenied, "Action denied").About(v.Action).With("action", v.Action).With("rule", v.Rule)
	denied.Err = err
	return denied
}
