package pointer_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// A reply waits for no effect: what shows later is told by the next reply of the session, once.
func TestLateEffects(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		page    string
		command []string
		done    string // an expression that holds when it has happened
		says    string
	}{
		{"in a task", "later", []string{"click", "#task"}, `list.innerText === 'task'`, `appeared: listitem "task"`},
		{"in a frame", "later", []string{"click", "#frame"}, `list.innerText === 'frame'`, `appeared: listitem "frame"`},
		{
			"after two frames", "later",
			[]string{"click", "#frames"},
			`list.innerText === 'frames'`,
			`appeared: listitem "frames"`,
		},
		{
			"by a message", "later",
			[]string{"click", "#message"},
			`list.innerText === 'message'`,
			`appeared: listitem "message"`,
		},
		{
			"after half a second", "later",
			[]string{"click", "#slow"},
			`list.innerText === 'slow'`,
			`appeared: listitem "slow"`,
		},
		{
			"of a pointer that comes", "later",
			[]string{"hover", "#over"},
			`list.innerText === 'over'`,
			`appeared: listitem "over"`,
		},
		{"of a key", "later", []string{"press", "x"}, `list.innerText === 'key'`, `appeared: listitem "key"`},
		{"a scroll by a key", "article", []string{"press", "End"}, `scrollY > 500`, "scrolled"},
		{"another page", "later", []string{"click", "#leave"}, `location.hash === '#left'`, "the page is now "},
		{
			"around a frame", "frames",
			[]string{"click", "#notify"},
			`parent.document.getElementById('state').textContent === 'Told'`, `appeared: text "Told"`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-effect-"+tt.page+".html")
			if tt.page == "frames" {
				c.Do("frame", "iframe")
			}
			reply := c.Do(tt.command...)
			said := strings.Contains(reply.Result.Text, tt.says) // on a busy machine the page may be faster than the reply
			if !said {
				require.Contains(t, reply.Result.Text, "no effect seen yet")
			}
			notes := c.Do("wait", "--fn", tt.done).Result.Notes
			since := func() int {
				return len(slices.DeleteFunc(slices.Clone(notes), func(note string) bool {
					return !strings.HasPrefix(note, "since `"+tt.command[0]) || !strings.Contains(note, tt.says)
				}))
			}
			for end := time.Now().Add(sessiontest.CommandLimit); !said && since() == 0 && time.Now().Before(end); {
				// what the page says of it may be under way
				notes = append(notes, c.Do("get", "title").Result.Notes...)
			}
			if said {
				require.Zero(t, since(), "%q was told already: %q", reply.Result.Text, notes)
				return
			}
			notes = append(notes, c.Do("get", "title").Result.Notes...)
			require.Equal(t, 1, since(), notes)
		})
	}
}

// Those that ask for it get it with the reply.
func TestSettle(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-effect-later.html")
	for _, id := range []string{"task", "frames", "message", "asks"} {
		reply := c.Do("click", "#"+id, "--settle")
		require.Contains(t, reply.Result.Text, `appeared: listitem "`+id+`"`)
	}
	reply := c.Do("click", "#nothing", "--settle")
	require.Equal(t, "✓ Done · no effect seen", reply.Result.Text)
}

const heldPage = "/pages/acting-wait-held.html"

// holding has a server that answers nothing but "unread", and that without an end.
func holding() (page string) {
	api := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "unread") {
			_, _ = w.Write([]byte("begun"))
			_ = http.NewResponseController(w).Flush()
		}
		select {
		case <-r.Context().Done():
		case <-site.Ended():
		}
	})
	return heldPage + "?api=" + api
}

// What no document waits for keeps neither an action nor a wait, and is named by neither.
func TestSettleWithoutTraffic(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"worker", "module", "prefetch", "beacon", "stream", "unread"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, holding())
			for range 2 { // one more with each
				require.Empty(t, c.Do("click", "#"+id, "--settle").Result.Notes)
			}
			require.Equal(t, "✓ Done", c.Do("wait", "--stable", "--timeout", "8000").Result.Text)
			require.Empty(t, c.Do("snapshot", "-i").Result.Notes)
			require.Equal(t, id+" "+id+" ", c.Page("state.textContent"))
		})
	}
}

// A page that has not changed for a second has settled, whatever it still waits for. What it waited for before the
// action is not of the action.
func TestSettleWithRequests(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, holding())
	notes := c.Do("click", "#poll", "--settle").Result.Notes
	require.Len(t, notes, 1)
	require.Regexp(t, `^the page has settled, with 1 request pending: GET http://\S+/poll$`, notes[0])
	require.Empty(t, c.Do("click", "#save", "--settle").Result.Notes)
}
