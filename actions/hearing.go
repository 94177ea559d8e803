package actions

import (
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
)

// hearing is the record of a tab's requests since its last action. It outlives the action for a while, so that a wait which follows finds
// what was answered before it began.
type hearing struct {
	traffic *engine.Traffic
	told    map[string]bool // ids of the responses that a wait has reported
}

// hearingSlot is the hearing that a tab goes on with between two commands.
type hearingSlot struct {
	mu    sync.Mutex
	heard *hearing
	end   *time.Timer
}

// hearingFor is how long requests are recorded after an action, which costs little, but not nothing.
const hearingFor = 15 * time.Second

// hear takes over the record of what the tab asked for since its last action, or begins one. It is the caller's to end or to keep.
func (t *Tab) hear() *hearing {
	t.requests.mu.Lock()
	defer t.requests.mu.Unlock()
	if heard := t.requests.heard; heard != nil {
		t.requests.end.Stop()
		t.requests.heard = nil
		return heard
	}
	return &hearing{traffic: t.Page.WatchTraffic(), told: map[string]bool{}}
}

// keepHearing keeps a record for the next command that wants it. An older one ends.
func (t *Tab) keepHearing(heard *hearing) {
	t.requests.mu.Lock()
	defer t.requests.mu.Unlock()
	if t.requests.heard != nil {
		t.requests.end.Stop()
		t.requests.heard.traffic.Close()
	}
	t.requests.heard = heard
	t.requests.end = time.AfterFunc(hearingFor, func() {
		t.requests.mu.Lock()
		defer t.requests.mu.Unlock()
		if t.requests.heard == heard {
			t.requests.heard = nil
			heard.traffic.Close()
		}
	})
}

// keepTraffic keeps the record of an action that is over.
func (t *Tab) keepTraffic(traffic *engine.Traffic) {
	t.keepHearing(&hearing{traffic: traffic, told: map[string]bool{}})
}
