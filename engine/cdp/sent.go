package cdp

import (
	"context"
	"strings"
	"sync/atomic"
)

// Sent reports what was sent for a caller that may have changed something in the browser. It counts when a message is
// on its way, so that a caller whose connection ends then knows what the browser may have received.
type Sent struct {
	parent   *Sent
	changes  atomic.Int64
	attempts atomic.Int64
}

// Changes reports whether something was sent that changes the browser or a page for certain, if it arrived.
func (s *Sent) Changes() bool { return s.changes.Load() > 0 }

// Attempts reports whether a script was sent that changes a page unless it finds a reason not to, which it then
// answers.
func (s *Sent) Attempts() bool { return s.attempts.Load() > 0 }

type sentKey struct{}

// Track returns a context by which the calls of a caller are counted. They count for the callers around it, too.
func Track(ctx context.Context) (context.Context, *Sent) {
	s := &Sent{}
	s.parent, _ = ctx.Value(sentKey{}).(*Sent)
	return context.WithValue(ctx, sentKey{}, s), s
}

// Untracked returns a context whose calls do not count: those that give a caller its browser, and do nothing of what it
// asked for.
func Untracked(ctx context.Context) context.Context {
	return context.WithValue(ctx, sentKey{}, (*Sent)(nil))
}

// Changing counts something that was sent, or is about to be.
func Changing(ctx context.Context) {
	for s, _ := ctx.Value(sentKey{}).(*Sent); s != nil; s = s.parent {
		s.changes.Add(1)
	}
}

// Attempting counts a script that was sent, or is about to be.
func Attempting(ctx context.Context) {
	for s, _ := ctx.Value(sentKey{}).(*Sent); s != nil; s = s.parent {
		s.attempts.Add(1)
	}
}

// observing are how the names of methods begin that change nothing which a caller asks for: they read, switch events
// on, or prepare to do either.
var observing = []string{
	"get", "enable", "disable", "describe", "resolve", "request", "query", "capture", "print", "collect", "release",
	"take", "read", "close", "perform",
	"evaluate", "callFunctionOn", "createIsolatedWorld", "attach", "detach", "setAutoAttach", "setDiscover",
	"setLifecycle", "runIfWaiting", "addScript",
	"removeScript", "activate", "bringToFront", "pushNodes", "setSkipAllPauses", "configure", "start", "stop", "load",
	"snapshot",
}

// changes reports whether a method changes the browser or a page. Scripts are counted by who sends them.
func changes(method string) bool {
	domain, name, _ := strings.Cut(method, ".")
	if name == "close" || name == "closeTarget" {
		return domain == "Page" || domain == "Target" || domain == "Browser"
	}
	for _, beginning := range observing {
		if strings.HasPrefix(name, beginning) {
			return false
		}
	}
	return true
}
