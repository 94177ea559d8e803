package copilot_test

import (
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// A search of width 4 and depth 3 over a site of 200 pages takes 20 round trips, beside the time that the pages take:
// the pages of a level load at one time, the tabs of the next one are made meanwhile, and nothing waits for tabs to
// close.
func TestExploreRoundTrips(t *testing.T) {
	t.Parallel()
	s := largeSite()
	require.Equal(t, 200, len(s.pages))
	noted, address := sessiontest.StartTheirs(t, t.TempDir()).Noted(t)
	c := host.NewClient(t)
	c.Do("connect", address)
	c.Do("open", s.url("/"))
	for range 2 { // as exploration has read the page and its listeners before
		c.Do("capabilities")
	}
	noted.Reset()
	reply := c.Do("explore", "section", "--title", "no such page")
	noted.Lock()
	defer noted.Unlock()

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
	for id, r := range noted.Sessions {
		switch {
		case id == "":
		case r.Shows == "":
			most[0] = max(most[0], r.Most)
			t.Logf("level 0:%s", r.Log)
		default:
			level := depths[r.Shows]
			require.Positive(t, level, r.Shows)
			opened[level]++
			trips := r.Most - r.At + 1
			if level == 1 {
				trips = r.Most + root
			}
			most[level] = max(most[level], trips)
			lastOf[level] = max(lastOf[level], r.LastSent)
			t.Logf("level %d:%s", level, r.Log)
		}
	}
	require.Equal(t, map[int]int{1: 4, 2: 4, 3: 4}, opened)
	for _, r := range noted.Sessions {
		if level := depths[r.Shows]; r.Shows != "" && level > 1 {
			require.Less(t, noted.Targets[r.Target], lastOf[level-1], "tabs of level %d are made while level %d loads", level,
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
