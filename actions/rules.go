package actions

import (
	"context"

	"github.com/skua-browser/skua/policy"
)

// Rules is what the owner of a session forbids.
type Rules interface {
	// Standing returns the rules that stand.
	Standing() []policy.Rule
	// Refused returns what was refused since the session began, the latest at the end, and how many refusals of each kind are not among it.
	Refused() (entries []policy.Refusal, dropped map[policy.Kind]int)
	// File returns the path by which a file of the caller's is to be opened, with links resolved when the owner has named roots. The error has
	// the code [fault.PolicyBlocked], and is in the log of refusals.
	File(in *Input, use policy.Use, path string) (string, error)
	// Folder returns where files that a caller gave no path for go; empty: where they always do.
	Folder(use policy.Use) string
	// Pending returns the commands that wait to be confirmed, the oldest first.
	Pending() []policy.Held
	// Confirm runs the command that waits with this id as it was asked for, and returns what it said. Held is the zero value when none waits.
	Confirm(ctx context.Context, id string) (policy.Held, Result, error)
	// Deny forgets the command that waits with this id.
	Deny(id string) (policy.Held, error)
}
