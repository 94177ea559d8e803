package admin

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/identity"
)

// maxLock bounds how long a session may be held: who forgets a lock must not keep others out for ever.
const maxLock = 24 * time.Hour

func lockCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "session lock",
				Group:   actions.GroupSessions,
				Summary: "Lock the session, so that other callers cannot use it for a while",
				Help: "The reply has a token. Commands with this token, in SKUA_LOCK or --lock, run; others fail with " +
					"session-locked, or wait with --wait-lock. You can also set a token of your own before the call. The lock ends " +
					"when its time is over, with `session unlock`, or when its holder closes the session. Its holder renews it with " +
					"`session lock`. A person can take over a locked session.",
				Flags: []actions.Flag{
					{
						Name:    "for",
						Kind:    actions.Duration,
						Value:   "time",
						Default: "5m",
						Help:    "How long it lasts: ms, 30s, 5m, 1h; at most a day",
					},
					{Name: "as", Value: "name", Help: "The name of the holder that others see; the caller's folder when not given"},
				},
				Examples: []actions.Example{{Line: "session lock --for 10m --as reviewer"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutSession | trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{Locked{}}},
			Run:      runLock,
		},
		{
			Spec: actions.Spec{
				Name: "session unlock", Group: actions.GroupSessions, Summary: "Unlock the session",
				Flags: []actions.Flag{{Name: "force", Kind: actions.Bool, Help: "Also end another caller's lock"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.AboutSession | trait.NotInScripts | trait.Sets},
			Bindings: actions.Bindings{Data: []any{Unlocked{}}},
			Run:      runUnlock,
		},
	}
}

func runLock(ctx context.Context, c *actions.Call) (actions.Result, error) {
	last := c.Duration("for")
	if last <= 0 || last > maxLock {
		return actions.Result{}, c.Invalid(fmt.Sprintf("--for must be more than 0 and at most %s", maxLock))
	}
	name := cmp.Or(c.String("as"), folderName(c))
	token, err := c.Lock.Take(ctx, c.Input, name, last)
	if err != nil {
		return actions.Result{}, err
	}
	data := Locked{
		Holder:      name,
		Locked:      true,
		RemainingMS: last.Milliseconds(),
		Session:     c.Session.Name(),
		Until:       time.Now().Add(last).UnixMilli(),
	}
	text := fmt.Sprintf("✓ Session %s is locked for %s by %s", c.Session.Name(), last, name)
	if token != c.String("lock") { // one that the caller gave is his to know
		data.Token = token
		text += "\n  SKUA_LOCK=" + token
	}
	return actions.Result{Data: data, Text: text}, nil
}

// folderName is the name under which others see a caller who gives none.
func folderName(c *actions.Call) string {
	if root, ok := identity.Worktree(c.Cwd); ok {
		return filepath.Base(root)
	}
	if c.Cwd == "" {
		return "another caller"
	}
	return filepath.Base(c.Cwd)
}

func runUnlock(_ context.Context, c *actions.Call) (actions.Result, error) {
	was, err := c.Lock.Release(c.String("lock"), c.Bool("force"))
	if err != nil {
		return actions.Result{}, err
	}
	text := "✓ Session " + c.Session.Name() + " is unlocked"
	if was == nil {
		text = "Session " + c.Session.Name() + " was not locked"
	}
	return actions.Result{Data: Unlocked{c.Session.Name(), was != nil, was}, Text: text}, nil
}
