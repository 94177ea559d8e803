package actions

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/ring"
)

// Limits reads how much may be kept from the variables NAME_ENTRIES and NAME_BYTES.
func (c *Call) Limits(name string, entries, bytes int) (ring.Limits, error) {
	read := func(suffix string, def int) (int, error) {
		text, from := grammar.FromEnv(name+suffix, c.Getenv)
		if text == "" {
			return def, nil
		}
		var n int
		if _, err := fmt.Sscanf(text+"\n", "%d\n", &n); err != nil || n < 1 {
			return 0, c.Invalid(from + " must be a whole number of 1 or more, got '" + text + "'")
		}
		return n, nil
	}
	count, err := read("_ENTRIES", entries)
	if err != nil {
		return ring.Limits{}, err
	}
	size, err := read("_BYTES", bytes)
	return ring.Limits{Count: count, Bytes: int64(size)}, err
}

// Limit is a bound that the caller's environment may set.
func (c *Call) Limit(variable string, otherwise int) int {
	value, _ := grammar.FromEnv(variable, c.Getenv)
	if n, err := strconv.Atoi(value); err == nil && n >= 0 {
		return n
	}
	return otherwise
}

// TimeLeft returns how long a wait may still take.
func (c *Call) TimeLeft() time.Duration { return max(0, time.Until(c.Deadline)) }

// WithDeadline returns ctx with the time limit of a wait. The command's own context lasts a little longer, so that a
// page which was asked to wait can still report what it shows.
func (c *Call) WithDeadline(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithDeadline(ctx, c.Deadline)
}

// WaitTimedOut begins the error of every wait whose time is over, as agent-browser's does.
const WaitTimedOut = "Wait timed out"

// TimedOut is the error of a wait whose time is over.
func (c *Call) TimedOut(what string) *fault.Error {
	return fault.New(fault.Timeout, WaitTimedOut+" after %dms: %s.", c.Waited().Milliseconds(), what)
}

// quote writes a text of the page's in double quotes, on one line, cut to a length that fits a sentence.
// waited is how long a command has had that ran out of time: its timeout, or less when who called it gave it less.
func (c *Call) Waited() time.Duration {
	limit := c.Duration("timeout")
	if left := time.Until(c.Deadline); !c.Deadline.IsZero() && left > 200*time.Millisecond {
		return (limit - left).Round(10 * time.Millisecond)
	}
	return limit
}

// defaultPatience is how long a command waits for its target to exist and to be ready. Upstream looks once and fails,
// which makes scripts wait by hand before every step; waiting for the whole deadline would turn each typing error into
// a long silence.
const defaultPatience = 2 * time.Second

// Patience returns for how long to retry: what --timeout says when it is given, else the default, never past the
// deadline.
func (c *Call) Patience() time.Duration {
	left := c.TimeLeft()
	if c.Flagged("timeout") {
		return left - min(left/10, answerTime) // a page that gives up has to say what it saw, and the deadline holds
	}
	return min(defaultPatience, left)
}

// answerTime is what is left of the time that a caller gave for the answer of a page that is busy.
const answerTime = 100 * time.Millisecond

// FactClosed is the fact of an error of `close` that says that the session is closed all the same.
const FactClosed = "closed"

// IsSessionClosed reports whether a row ended because the session was closed. The rows after it would start another
// browser.
func IsSessionClosed(err error) bool { return fault.Has(err, "sessionClosed") }
