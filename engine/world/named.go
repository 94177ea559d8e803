package world

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Named returns the execution context of a frame's world that another program made and gave a name, as an extension or
// an app does. The session is for this question alone: it gets an event for each context. Its error is
// SelectorNotFound, with the names that there are, if none has the name.
func Named(ctx context.Context, sess *cdp.Session, frame, name string) (int64, error) {
	found := map[string]int64{} // of the connection's reader, until the reply comes, which is behind the events
	sess.Tap(func(ev cdp.Event) {
		var e struct {
			Context struct {
				ID   int64  `json:"id"`
				Name string `json:"name"`
				Aux  struct {
					Frame string `json:"frameId"`
				} `json:"auxData"`
			} `json:"context"`
		}
		if ev.Method == "Runtime.executionContextCreated" && cdp.Unmarshal(ev.Params, &e) == nil &&
			e.Context.Aux.Frame == frame && e.Context.Name != "" {
			found[e.Context.Name] = e.Context.ID
		}
	})
	err := sess.Call(ctx, "Runtime.enable", nil, nil)
	sess.Tap(nil)
	if err != nil {
		return 0, err
	}
	if id, ok := found[name]; ok {
		return id, nil
	}
	names := []string{}
	for other := range found {
		names = append(names, other)
	}
	slices.Sort(names)
	return 0, fault.New(fault.SelectorNotFound, "the page has no world %q", name).With("worlds", names)
}
