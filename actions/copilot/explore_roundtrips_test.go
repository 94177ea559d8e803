package copilot_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// trips is a proxy between us and a browser that notes what depends on what: a command that is sent behind the reply to
// another one of its session has waited for it, so that the longest row of such commands is what the session's round
// trips come to.
type trips struct {
	mu       sync.Mutex
	sent     int                 // messages so far
	sessions map[string]*tripRow // by id; the browser's own is ""
	targets  map[string]int      // when the creation of a target was asked for
	created  map[int64]int       // the same by the id of the call, until its reply
	attached map[int64]string    // targets that are attached to, by the id of the call
}

// tripRow is what happened in one session.
type tripRow struct {
	target   string
	depth    map[int64]int // of commands
	replied  int           // the deepest command that was answered
	most     int
	shows    string // the address that it was sent to
	at       int    // depth of that command
	lastSent int    // of all messages
	log      string // the methods, by depth
}

type tripMessage struct {
	ID        int64           `json:"id"`
	Method    string          `json:"method"`
	SessionID string          `json:"sessionId"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
}

func (p *trips) row(session string) *tripRow {
	if p.sessions[session] == nil {
		p.sessions[session] = &tripRow{depth: map[int64]int{}}
	}
	return p.sessions[session]
}

func (p *trips) reset() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent, p.sessions, p.targets = 0, map[string]*tripRow{}, map[string]int{}
	p.created, p.attached = map[int64]int{}, map[int64]string{}
}

func (p *trips) command(m tripMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sent++
	r := p.row(m.SessionID)
	d := r.replied + 1
	r.depth[m.ID], r.most, r.lastSent = d, max(r.most, d), p.sent
	r.log += fmt.Sprintf(" %d:%s", d, m.Method)
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
		r.shows, r.at = params.URL, d
	}
}

func (p *trips) reply(m tripMessage) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if m.ID == 0 {
		return
	}
	r := p.row(m.SessionID)
	r.replied = max(r.replied, r.depth[m.ID])
	var result struct{ TargetID, SessionID string }
	_ = json.Unmarshal(m.Result, &result)
	if at, ok := p.created[m.ID]; ok {
		p.targets[result.TargetID] = at
	}
	if target, ok := p.attached[m.ID]; ok {
		p.row(result.SessionID).target = target
	}
}

// tripsTo opens a way to a browser on which everything is noted, and returns its address.
func tripsTo(t *testing.T, b *sessiontest.Theirs) (*trips, string) {
	t.Helper()
	p := &trips{}
	p.reset()
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

// A search of width 4 and depth 3 over a site of 200 pages takes 20 round trips, beside the time that the pages take:
// the pages of a level load at one time, the tabs of the next one are made meanwhile, and nothing waits for tabs to
// close.
func TestExploreRoundTrips(t *testing.T) {
	t.Parallel()
	s := largeSite()
	require.Equal(t, 200, len(s.pages))
	noted, address := tripsTo(t, sessiontest.StartTheirs(t, t.TempDir()))
	c := host.NewClient(t)
	c.Do("connect", address)
	c.Do("open", s.url("/"))
	for range 2 { // as exploration has read the page and its listeners before
		c.Do("capabilities")
	}
	noted.reset()
	reply := c.Do("explore", "section", "--title", "no such page")
	noted.mu.Lock()
	defer noted.mu.Unlock()

	data := sessiontest.Decode[struct {
		Pages int
		Depth int
		Graph struct {
			Nodes []struct {
				URL   string
				Depth int
			}
		}
	}](t, reply.Result.Data)
	require.Equal(t, 12, data.Pages)
	require.Equal(t, 3, data.Depth)
	depths := map[string]int{}
	for _, n := range data.Graph.Nodes {
		depths[n.URL] = n.Depth
	}
	const root = 2 // a tab is created, and attached to
	most := map[int]int{}
	opened := map[int]int{}
	lastOf := map[int]int{} // the last message of a level
	for id, r := range noted.sessions {
		switch {
		case id == "":
		case r.shows == "":
			most[0] = max(most[0], r.most)
			t.Logf("level 0:%s", r.log)
		default:
			level := depths[r.shows]
			require.Positive(t, level, r.shows)
			opened[level]++
			trips := r.most - r.at + 1
			if level == 1 {
				trips = r.most + root
			}
			most[level] = max(most[level], trips)
			lastOf[level] = max(lastOf[level], r.lastSent)
			t.Logf("level %d:%s", level, r.log)
		}
	}
	require.Equal(t, map[int]int{1: 4, 2: 4, 3: 4}, opened)
	for _, r := range noted.sessions {
		if level := depths[r.shows]; r.shows != "" && level > 1 {
			require.Less(t, noted.targets[r.target], lastOf[level-1], "tabs of level %d are made while level %d loads", level,
				level-1)
		}
	}
	const closing = 1 // of the last level, at the end
	total := closing
	for _, n := range most {
		total += n
	}
	t.Logf("round trips by level: %v, in all %d", most, total)
	// On a busy machine a call that goes beside others is sent only when one of them was answered, which cannot be told
	// from one that waits for it: one in each level.
	const staggered = 3
	require.LessOrEqual(t, total, 20+staggered, "by level: %v", most)
}
