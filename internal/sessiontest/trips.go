package sessiontest

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
)

// Trips is a proxy between us and a browser that notes what depends on what: a command that is sent behind the reply to
// another one of its session has waited for it, so that the longest row of such commands is what the session's round
// trips come to.
type Trips struct {
	sync.Mutex

	sent     int                 // messages so far
	Sessions map[string]*TripRow // by id; the browser's own is ""
	Targets  map[string]int      // when the creation of a target was asked for
	created  map[int64]int       // the same by the id of the call, until its reply
	attached map[int64]string    // targets that are attached to, by the id of the call
}

// TripRow is what happened in one session.
type TripRow struct {
	Target   string
	depth    map[int64]int // of commands
	replied  int           // the deepest command that was answered
	Most     int
	Shows    string // the address that it was sent to
	At       int    // depth of that command
	LastSent int    // of all messages
	Log      string // the methods, by depth
}

type tripMessage struct {
	ID        int64           `json:"id"`
	Method    string          `json:"method"`
	SessionID string          `json:"sessionId"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
}

func (p *Trips) row(session string) *TripRow {
	if p.Sessions[session] == nil {
		p.Sessions[session] = &TripRow{depth: map[int64]int{}}
	}
	return p.Sessions[session]
}

// Reset begins the count again.
func (p *Trips) Reset() {
	p.Lock()
	defer p.Unlock()
	p.sent, p.Sessions, p.Targets = 0, map[string]*TripRow{}, map[string]int{}
	p.created, p.attached = map[int64]int{}, map[int64]string{}
}

func (p *Trips) command(m tripMessage) {
	p.Lock()
	defer p.Unlock()
	p.sent++
	r := p.row(m.SessionID)
	d := r.replied + 1
	r.depth[m.ID], r.Most, r.LastSent = d, max(r.Most, d), p.sent
	r.Log += fmt.Sprintf(" %d:%s", d, m.Method)
	if strings.Contains(string(m.Params), "nofollow") { // what the links say is asked for beside the reading of the page
		r.depth[m.ID] = 0
	}
	var params struct{ TargetID, URL string }
	_ = json.Unmarshal(m.Params, &params)
	switch m.Method {
	case "Target.createTarget":
		p.created[m.ID] = p.sent
	case "Target.attachToTarget":
		p.attached[m.ID] = params.TargetID
	case "Page.navigate":
		r.Shows, r.At = params.URL, d
	}
}

func (p *Trips) reply(m tripMessage) {
	p.Lock()
	defer p.Unlock()
	if m.ID == 0 {
		return
	}
	r := p.row(m.SessionID)
	r.replied = max(r.replied, r.depth[m.ID])
	var result struct{ TargetID, SessionID string }
	_ = json.Unmarshal(m.Result, &result)
	if at, ok := p.created[m.ID]; ok {
		p.Targets[result.TargetID] = at
	}
	if target, ok := p.attached[m.ID]; ok {
		p.row(result.SessionID).Target = target
	}
}

// Longest is the number of round trips since the last [Trips.Reset], one after another, in the session that had the
// most.
func (p *Trips) Longest() (n int, log string) {
	p.Lock()
	defer p.Unlock()
	for _, r := range p.Sessions {
		if r.Most > n {
			n, log = r.Most, r.Log
		}
	}
	return n, log
}

// Noted opens a way to the browser on which everything is noted, and returns its address.
func (b *Theirs) Noted(t testing.TB) (*Trips, string) {
	t.Helper()
	p := &Trips{}
	p.Reset()
	noted := func(note func(tripMessage)) func([]byte) {
		return func(data []byte) {
			var m tripMessage
			if json.Unmarshal(data, &m) == nil {
				note(m)
			}
		}
	}
	command := noted(p.command)
	return p, b.Relay(t, func(data []byte, _ func([]byte), _ func()) bool { command(data); return true }, noted(p.reply))
}
