package engine

import "sync"

// State is what a package on top of this one keeps with each page or context, by a variable of its own:
//
//	var casting = engine.NewState(func(p *engine.Page) *pictures { … })
//
//	casting.Of(page).subscribe(…)
//
// It is made when it is first asked for, and goes with the page or the context. State of a context that implements
// [Resumable] goes on in another context, see [Context.Resume].
type State[Owner stateOwner, T any] struct {
	begin func(Owner) *T
}

// NewState returns the variable. The function makes the state of one page or context; it must not ask for other state
// of the same.
func NewState[Owner stateOwner, T any](begin func(Owner) *T) *State[Owner, T] {
	return &State[Owner, T]{begin}
}

// Of returns the state of a page or context.
func (s *State[Owner, T]) Of(owner Owner) *T {
	all := owner.states()
	all.mu.Lock()
	defer all.mu.Unlock()
	for _, e := range all.list {
		if e.key == s {
			if state, ok := e.state.(*T); ok {
				return state
			}
		}
	}
	state := s.begin(owner)
	all.list = append(all.list, stateEntry{s, state})
	return state
}

// Resumable is state of a context that has something to say when the context ends with its browser and another one
// takes its place.
type Resumable interface {
	// Resumed returns what the other context is to have in its place, of the same type, or nil, and what ended, in words,
	// or "".
	Resumed() (next any, ended string)
}

// stateOwner is what state is kept with.
type stateOwner interface {
	*Page | *Context
	states() *stateList
}

// stateList has few entries: one for each area that was used.
type stateList struct {
	mu   sync.Mutex
	list []stateEntry
}

type stateEntry struct{ key, state any }

func (p *Page) states() *stateList    { return &p.areas }
func (c *Context) states() *stateList { return &c.areas }

// resume takes over what goes on of another list, and returns what ended.
func (l *stateList) resume(from *stateList) (ended []string) {
	from.mu.Lock()
	entries := from.list
	from.mu.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, e := range entries {
		r, ok := e.state.(Resumable)
		if !ok {
			continue
		}
		next, what := r.Resumed()
		if next != nil {
			l.list = append(l.list, stateEntry{e.key, next})
		}
		if what != "" {
			ended = append(ended, what)
		}
	}
	return ended
}
