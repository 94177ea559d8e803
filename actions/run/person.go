package run

import (
	"time"

	"github.com/skua-browser/skua/actions"
)

// personTime is how long a command waits for a person when --timeout is not given.
const personTime = 5 * time.Minute

// PersonTime is how long a command may wait for a person: --timeout, or five minutes.
func PersonTime(in *actions.Input) time.Duration {
	if in.Flagged("timeout") {
		return in.Duration("timeout")
	}
	return personTime
}
