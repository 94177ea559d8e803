package actions

import (
	"sync"

	"github.com/skua-browser/skua/internal/fault"
)

// States is what families of commands keep with a session or with a tab: one value of each type. The zero value has
// none.
type States struct {
	mu   sync.Mutex
	list []any
}

// StateOf returns the value of a type, which is made when it is first asked for.
func StateOf[T any](s *States) *T {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, one := range s.list {
		if state, ok := one.(*T); ok {
			return state
		}
	}
	state := new(T)
	s.list = append(s.list, state)
	return state
}

// End ends the background work for a reason that a later reply reports, and returns when it has ended.
func (s *States) End(why string) {
	for _, one := range s.all() {
		if ends, ok := one.(interface{ End(why string) }); ok {
			ends.End(why)
		}
	}
}

// Lost are the errors of files that are missing when the session ends, each only once. Call it after End.
func (s *States) Lost() (lost []*fault.Error) {
	for _, one := range s.all() {
		if loses, ok := one.(interface{ Lost() *fault.Error }); ok {
			if e := loses.Lost(); e != nil {
				lost = append(lost, e)
			}
		}
	}
	return lost
}

// LeaveTab ends what goes on in a tab that is about to be closed.
func (s *States) LeaveTab(tab *Tab) {
	for _, one := range s.all() {
		if leaves, ok := one.(interface{ LeaveTab(tab *Tab) }); ok {
			leaves.LeaveTab(tab)
		}
	}
}

// TakeNotes returns what has happened in the background, each only once.
func (s *States) TakeNotes() (notes []string) {
	for _, one := range s.all() {
		if tells, ok := one.(interface{ TakeNote() string }); ok {
			if note := tells.TakeNote(); note != "" {
				notes = append(notes, note)
			}
		}
	}
	return notes
}

func (s *States) all() []any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]any(nil), s.list...)
}
