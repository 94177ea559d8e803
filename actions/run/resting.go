package run

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
)

// restLimit bounds how long a command waits for what an earlier one scrolled. The script in the page gives up sooner,
// unless the page is busy.
const restLimit = 2 * time.Second

// Rested is what happened after the reply to what a command scrolled.
type Rested struct {
	Moved     bool    `json:"moved"` // a box did not stay where the reply has it
	X         float64 `json:"x"`     // where it is now
	Y         float64 `json:"y"`
	TakenBack bool    `json:"takenBack"` // which is where it was before the scroll
	Outside   bool    `json:"outside"`   // the element that was brought into view is not in view any longer

	Effects *SeenEffects `json:"effects"` // of the action, meanwhile
}

var opRest = inpage.Define[lateArg, Rested]("rest")

// Unrest is what a command scrolled in a frame and did not see come to rest.
type Unrest struct {
	Frame *engine.Frame
	Say   func(Rested) string // what the next reply says where it did not stay
}

// resting is what the last command scrolled in a tab and did not see come to rest.
type resting struct {
	mu   sync.Mutex
	over <-chan struct{}
}

// RestsLater reports whether a command that scrolls may reply before the page has come to rest.
func RestsLater(c *actions.Call) bool { return !c.Bool("settle") && !c.Bool("observe") }

// leaveUnrest makes the next command in the tab wait until what this one scrolled has come to rest. The next reply
// reports what appeared by then.
func leaveUnrest(c *actions.Call) {
	a := Of(c)
	if a.Unrest == nil {
		return
	}
	u, w, action, quiet := a.Unrest, watchLate(c, a.Unrest.Frame), 0, c.Brief || a.blocked
	if a.Seen != nil && u.Frame == a.Frame {
		action = a.Seen.Action
	}
	over, err := u.Frame.Await(opRest.Name(), lateArg{action}, func(value []byte, doc string) {
		var r Rested
		if opRest.Read(value, &r) != nil || quiet {
			return
		}
		if r.Moved || r.Outside {
			w.late.add(lateEffect{of: w.of, text: u.Say(r)})
		}
		switch {
		case r.Effects != nil && r.Effects.Any:
			w.came(r.Effects, doc)
		case r.Effects != nil:
			w.await(action)
		}
	})
	if err != nil {
		return
	}
	r := actions.StateOf[resting](&a.Tab.States)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.over = over
}

// awaitRest waits for what the command before scrolled in the tab.
func awaitRest(ctx context.Context, tab *actions.Tab) {
	r := actions.StateOf[resting](&tab.States)
	r.mu.Lock()
	over := r.over
	r.over = nil
	r.mu.Unlock()
	if over == nil {
		return
	}
	limited, stop := context.WithTimeout(ctx, restLimit)
	defer stop()
	select {
	case <-over:
	case <-limited.Done(): // the page is busy; what works on it next says so
	}
}
