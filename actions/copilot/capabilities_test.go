package copilot_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/internal/fault"
)

func TestCapabilities(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<title>Lamps "1"</title><main><h1>Lamps</h1><form method=post onsubmit="document.title = 'sent ' + this.q.value; return false">
<label>Search <input name=q></label><button>Find</button></form><button onclick="this.remove()">Close</button></main>`)
	s, ok := c.Do("capabilities").Result.Data.(*pcd.Summary)
	require.True(t, ok)
	ts := strconv.FormatInt(s.TS, 10)
	require.Equal(t, object{"unchanged": true, "ts": float64(s.TS)}, c.Data("capabilities", "--since", ts))
	require.Equal(t, "unchanged since "+ts, c.Do("capabilities", "--since", ts).Result.Text)
	require.Equal(t, "Lamps \"1\"", s.Title)

	f := s.Forms[0]
	text := c.Do("capabilities", "--fresh").Result.Text
	require.Contains(t, text, `"Lamps \"1\""`)
	require.Contains(t, text, "[ts="+ts+", login=unknown]")
	require.Contains(t, text, "- @"+f.Fields[0].ID+` text "Search" name="q"`)
	require.Contains(t, text, "submit: @"+f.SubmitID+` "Find"`)

	// Ids are refs.
	c.Do("fill", "@"+f.Fields[0].ID, "lamp")
	c.Do("click", "@"+f.SubmitID)
	require.Equal(t, "sent lamp", c.Do("get", "title").Result.Text)
	for _, a := range s.Actions {
		if a.Kind == pcd.KindClose {
			c.Do("click", "@"+a.ID)
		}
	}
	later, ok := c.Do("capabilities", "--since", ts).Result.Data.(*pcd.Summary)
	require.True(t, ok, "it is another version")
	require.Greater(t, later.TS, s.TS)
	require.Len(t, later.Actions, len(s.Actions)-1)
	require.Equal(t, f.ID, later.Forms[0].ID, "what is still there keeps its id")
	c.Fails(fault.Usage, "capabilities", "--since", "yesterday")
}
