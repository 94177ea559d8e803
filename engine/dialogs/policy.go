package dialogs

import (
	"slices"
	"sync"
	"sync/atomic"
)

// Answer is what a policy does with a dialog.
type Answer string

// The answers. The empty one accepts alert and beforeunload, which ask nothing that the page's own people would have to
// decide, and leaves confirm and prompt to the caller.
const (
	Default Answer = ""
	Accept  Answer = "accept"
	Dismiss Answer = "dismiss"
	Keep    Answer = "keep" // every dialog stays open
)

// Policy says which dialogs are answered as soon as they open.
type Policy struct {
	Answer Answer
	Text   *string // what prompts are answered with; nil means what they propose
}

// apply answers the dialog, or leaves it as it is.
func (policy Policy) apply(d *Dialog) {
	switch policy.Answer {
	case Accept:
		d.Answered, d.Accepted = true, true
	case Dismiss:
		d.Answered = true
	case Default:
		d.Answered = d.Type == "alert" || d.Type == "beforeunload"
		d.Accepted = d.Answered
	}
	if d.Accepted && d.Type == "prompt" {
		d.Text = d.DefaultPrompt
		if policy.Text != nil {
			d.Text = *policy.Text
		}
	}
}

// Policies are how the pages of a context treat their dialogs. The zero value is ready.
type Policies struct {
	shown atomic.Int32 // pages that show a dialog

	mu        sync.Mutex
	policy    Policy
	overrides []*Override
}

// Override is a policy for a page, and the pages that it opens, while a command acts on it.
type Override struct {
	page   string
	policy Policy
}

// Set sets how dialogs that open from now on are treated.
func (s *Policies) Set(policy Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.policy = policy
}

// Get returns the policy for pages without an override.
func (s *Policies) Get() Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.policy
}

// Shown reports whether any page shows a dialog.
func (s *Policies) Shown() bool { return s.shown.Load() > 0 }

// Cause returns the override under which a page with this opener was created, or nil. A page without an opener may
// belong to any command.
func (s *Policies) Cause(opener string) *Override {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range slices.Backward(s.overrides) {
		if opener == "" || o.page == opener {
			return o
		}
	}
	return nil
}

// override has a policy hold for a page until end is called.
func (s *Policies) override(page string, policy Policy) (end func()) {
	o := &Override{page: page, policy: policy}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.overrides = append(s.overrides, o)
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.overrides = slices.DeleteFunc(s.overrides, func(other *Override) bool { return other == o })
	}
}

// of returns the policy for a page: the newest override that concerns it, else the context's.
func (s *Policies) of(page string, cause *Override) Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, o := range slices.Backward(s.overrides) {
		if o.page == page || cause == o {
			return o.policy
		}
	}
	return s.policy
}
