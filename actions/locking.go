package actions

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/skua-browser/skua/identity"
	"github.com/skua-browser/skua/policy"
)

// maxLock bounds how long a session may be held: who forgets a lock must not keep others out for ever.
const maxLock = 24 * time.Hour

func lockCommands() []Command {
	return []Command{
		{
			Name: "session lock", Group: GroupSessions, Summary: "Keep the session for oneself for a while, among callers who share it by name",
			Help: "The reply has a token. Commands that carry it, in SKUA_LOCK or with --lock, work in the session; those of others fail with " +
				"session-locked, or wait with --wait-lock. A token of one's own may be given beforehand in the same way. The lock ends with its time, with " +
				"`session unlock`, and when its holder closes the session; `session lock` by the holder renews it. A person may take over a locked session.",
			Flags: []Flag{
				{Name: "for", Kind: Duration, Value: "time", Default: "5m", Help: "How long it lasts: ms, 30s, 5m, 1h; at most a day"},
				{Name: "as", Value: "name", Help: "What others are told of the holder; the folder of the caller when not given"},
			},
			Effect: Control | NoBrowser, Run: runLock,
			Examples: []Example{{Line: "session lock --for 10m --as reviewer"}},
			Policy:   Policy{Families: policy.Does()},
		},
		{
			Name: "session unlock", Group: GroupSessions, Summary: "End one's lock of the session",
			Flags:  []Flag{{Name: "force", Kind: Bool, Help: "End the lock of somebody else, too"}},
			Effect: Control | NoBrowser, Run: runUnlock,
			Policy: Policy{Families: policy.Does()},
		},
	}
}

func runLock(ctx context.Context, c *Call) (Result, error) {
	last := c.Duration("for")
	if last <= 0 || last > maxLock {
		return Result{}, c.Invalid(fmt.Sprintf("--for must be more than 0 and at most %s", maxLock))
	}
	name := cmp.Or(c.String("as"), c.folderName())
	token, err := c.Session.Lock(ctx, c.Input, name, last)
	if err != nil {
		return Result{}, err
	}
	data := map[string]any{
		"locked": true, "session": c.Session.Name(), "holder": name, "until": time.Now().Add(last).UnixMilli(), "remainingMs": last.Milliseconds(),
	}
	text := fmt.Sprintf("✓ Session %s is locked for %s by %s", c.Session.Name(), last, name)
	if token != c.String("lock") { // one that the caller gave is his to know
		data["token"] = token
		text += "\n  SKUA_LOCK=" + token
	}
	return Result{Data: data, Text: text}, nil
}

// folderName is what others are told of a caller who gives no name.
func (c *Call) folderName() string {
	if root, ok := identity.Worktree(c.Cwd); ok {
		return filepath.Base(root)
	}
	if c.Cwd == "" {
		return "another caller"
	}
	return filepath.Base(c.Cwd)
}

func runUnlock(_ context.Context, c *Call) (Result, error) {
	was, err := c.Session.Unlock(c.String("lock"), c.Bool("force"))
	if err != nil {
		return Result{}, err
	}
	text := "✓ Session " + c.Session.Name() + " is unlocked"
	if was == nil {
		text = "Session " + c.Session.Name() + " was not locked"
	}
	return Result{Data: map[string]any{"unlocked": was != nil, "session": c.Session.Name(), "was": was}, Text: text}, nil
}
