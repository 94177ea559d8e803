package run

import (
	"sync"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/traffic"
)

// RequestCapture is the record of a tab's requests since its last action. It outlives the action for a while, so that a
// wait which follows finds what was answered before it began.
type RequestCapture struct {
	Traffic  *traffic.Recording
	Reported map[string]bool // ids of the responses that a wait has reported
}

// captureSlot is the capture that a tab continues between two commands.
type captureSlot struct {
	mu    sync.Mutex
	heard *RequestCapture
	end   *time.Timer
}

// captureTime is how long requests are recorded after an action, which costs little, but not nothing.
const captureTime = 15 * time.Second

// CaptureRequests takes over the record of what the tab asked for since its last action, or begins one. It is the
// caller's to end or to keep.
func CaptureRequests(t *actions.Tab) *RequestCapture {
	slot := actions.StateOf[captureSlot](&t.States)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	if capture := slot.heard; capture != nil {
		slot.end.Stop()
		slot.heard = nil
		return capture
	}
	return &RequestCapture{Traffic: t.Page.Traffic().Record(), Reported: map[string]bool{}}
}

// KeepCapture keeps a record for the next command that wants it. An older one ends.
func KeepCapture(t *actions.Tab, capture *RequestCapture) {
	slot := actions.StateOf[captureSlot](&t.States)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	if slot.heard != nil {
		slot.end.Stop()
		slot.heard.Traffic.Close()
	}
	slot.heard = capture
	slot.end = time.AfterFunc(captureTime, func() {
		slot.mu.Lock()
		defer slot.mu.Unlock()
		if slot.heard == capture {
			slot.heard = nil
			capture.Traffic.Close()
		}
	})
}

// LastTraffic returns the record of the tab's last action, if it is still kept, or nil. It stays kept.
func LastTraffic(t *actions.Tab) *traffic.Recording {
	slot := actions.StateOf[captureSlot](&t.States)
	slot.mu.Lock()
	defer slot.mu.Unlock()
	if slot.heard == nil {
		return nil
	}
	return slot.heard.Traffic
}

// KeepTraffic keeps the record of an action that is over.
func KeepTraffic(t *actions.Tab, recording *traffic.Recording) {
	KeepCapture(t, &RequestCapture{Traffic: recording, Reported: map[string]bool{}})
}
