package session

import (
	"os"
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/ring"
	"github.com/skua-browser/skua/session/dashboard"
)

// commandLog is what was run in a session lately, for people who look at it. It holds no text that was typed.
type commandLog struct {
	mu      sync.Mutex
	entries *ring.Buffer[*dashboard.Command]
	last    int64
}

// Bounds of a log, which the host's environment may change: SKUA_JOURNAL_ENTRIES, SKUA_JOURNAL_BYTES.
var journalLimits = sync.OnceValue(func() ring.Limits {
	limits := ring.Limits{Count: 200, Bytes: 128 << 10}
	if n, err := strconv.Atoi(os.Getenv("SKUA_JOURNAL_ENTRIES")); err == nil && n > 0 {
		limits.Count = n
	}
	if n, err := strconv.ParseInt(os.Getenv("SKUA_JOURNAL_BYTES"), 10, 64); err == nil && n > 0 {
		limits.Bytes = n
	}
	return limits
})

// begin notes a command, and end how it went.
func (l *commandLog) begin(in *actions.Input) (end func(error)) {
	line, mask := in.Masked()
	e := &dashboard.Command{Line: line, Begun: time.Now().UnixMilli(), State: dashboard.Running}
	begun := time.Now()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.entries == nil {
		l.entries = ring.New[*dashboard.Command](journalLimits())
	}
	l.last++
	e.ID = l.last
	l.entries.Add(e, int64(len(line))+64)
	return func(err error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		e.MS = float64(time.Since(begun).Microseconds()) / 1000
		e.State = dashboard.Done
		if err != nil {
			const most = 300
			e.State, e.Code, e.Error = dashboard.Failed, string(fault.CodeOf(err)), mask(err.Error())
			if runes := []rune(e.Error); len(runes) > most {
				e.Error = string(runes[:most]) + "…"
			}
			l.entries.Grow(func(o *dashboard.Command) bool { return o == e }, int64(len(e.Error)))
		}
	}
}

// recent returns copies of the newest entries, the oldest first, and how many are not among them.
func (l *commandLog) recent(most int) (list []dashboard.Command, dropped int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	list = []dashboard.Command{}
	if l.entries == nil {
		return list, 0
	}
	all := l.entries.All()
	skip := max(0, len(all)-most)
	for _, e := range all[skip:] {
		list = append(list, *e)
	}
	return list, l.entries.Dropped() + skip
}
