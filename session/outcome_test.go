package session_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// recordPage tells the server what happens to it, at once and before anything else can happen.
const recordPage = `<!doctype html><title>Record</title><button id=b>Go</button><input id=i><input type=checkbox id=c><select id=s><option>one<option>two</select><script>
const id = new URLSearchParams(location.search).get("id")
const tell = (what) => { const x = new XMLHttpRequest(); x.open("POST", "/record?id=" + id + "&what=" + what, false); x.send() }
b.onclick = () => tell("click")
i.oninput = () => tell("input")
c.onchange = () => tell("change")
s.onchange = () => tell("select")
</script>`

// recorder is a server with the page, and what pages told it by their ids.
type recorder struct {
	server *httptest.Server
	mu     sync.Mutex
	told   map[string][]string
}

func newRecorder(t *testing.T) *recorder {
	t.Helper()
	r := &recorder{told: map[string][]string{}}
	r.server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		id := q.URL.Query().Get("id")
		if what := q.URL.Query().Get("what"); what != "" {
			r.mu.Lock()
			r.told[id] = append(r.told[id], what)
			r.mu.Unlock()
			return
		}
		if q.URL.Path == "/next" {
			r.mu.Lock()
			r.told[id] = append(r.told[id], "next")
			r.mu.Unlock()
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(recordPage))
	}))
	t.Cleanup(r.server.Close)
	return r
}

func (r *recorder) of(id string) []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.told[id]
}

// strike is what happens at one message to the browser.
type strike struct {
	name      string
	pageLives bool
	// at does it, and reports whether the message still goes out.
	at func(cut func(), closePage func()) (goesOut bool)
}

func strikes() []strike {
	return []strike{
		{"the connection ends before it", true, func(cut, _ func()) bool { cut(); return false }},
		{"the connection ends after it", true, func(cut, _ func()) bool {
			time.AfterFunc(20*time.Millisecond, cut)
			return true
		}},
		{"the page is closed before it", false, func(_, closePage func()) bool { closePage(); return true }},
	}
}

// struckWay is a way to a browser on which something happens at the n-th message after arm.
type struckWay struct {
	armed atomic.Bool
	sent  atomic.Int64
	on    int64
	what  strike
}

// struckTo opens the way. The n-th message is counted from when it is armed; 0: nothing happens.
func struckTo(t *testing.T, b *sessiontest.Theirs, on int64, what strike) (*struckWay, string) {
	t.Helper()
	s := &struckWay{on: on, what: what}
	return s, b.Relay(t, func(data []byte, send func([]byte), cut func()) bool {
		if !s.armed.Load() || s.sent.Add(1) != s.on {
			return true
		}
		return s.what.at(cut, func() {
			var m struct{ SessionID string }
			_ = json.Unmarshal(data, &m)
			text := fmt.Appendf(nil, `{"id":1073741824,"method":"Page.close","sessionId":%q}`, m.SessionID)
			send(text)
		})
	}, func([]byte) {})
}

// changing are commands that the page, or the server, sees the effect of.
func changing(next string) [][]string {
	return [][]string{
		{"click", "#b"},
		{"fill", "#i", "Ada"},
		{"type", "#i", "Ada"},
		{"check", "#c"},
		{"select", "#s", "two"},
		{"find", "role", "button", "click"},
		{"eval", "b.click()"},
		{"open", next},
	}
}

// Whatever ends at whichever exchange: a command that says that it may be sent again has done nothing, and one that
// says that it was done was.
func TestOutcomeAtEachExchange(t *testing.T) {
	t.Parallel()
	commands, kinds := len(changing("")), strikes()
	if testing.Short() {
		commands, kinds = 2, kinds[:2] // the deep tier has the others
	}
	record := newRecorder(t)
	trials := atomic.Int64{}
	for n := range commands {
		t.Run(changing("")[n][0], func(t *testing.T) {
			t.Parallel()
			seen := map[actions.Outcome]int{}
			b := sessiontest.StartTheirs(t, t.TempDir()) // sessions that connect to one browser share its tabs
			for _, kind := range kinds {
				for k := int64(1); ; k++ {
					id := fmt.Sprint(trials.Add(1))
					way, address := struckTo(t, b, k, kind)
					c := host.NewClient(t)
					c.Do("connect", address)
					c.Do("open", record.server.URL+"/?id="+id)
					way.armed.Store(true)
					reply := c.Try(changing(record.server.URL + "/next?id=" + id)[n]...)
					reached := way.sent.Load() >= k
					way.armed.Store(false)
					outcome := reply.Result.Outcome
					seen[outcome]++
					said := fmt.Sprintf("message %d, %s: %s, %v", k, kind.name, outcome, reply.Err)
					if outcome == actions.OutcomeNone {
						time.Sleep(50 * time.Millisecond) // what was on its way
					}
					requireTrueOutcome(t, reply, record.of(id), kind.pageLives, said)
					require.NoError(t, c.Try("close").Err)
					if !reached {
						break
					}
				}
			}
			if changing("")[n][0] == "click" { // it looks for its element first; the first message of others may act
				require.NotZero(t, seen[actions.OutcomeNone], "struck before it acted: %v", seen)
			}
			require.NotZero(t, seen[actions.OutcomeUnknown], "struck while it acted: %v", seen)
			require.NotZero(t, seen[actions.OutcomeDone], "not struck: %v", seen)
			t.Log(seen)
		})
	}
}

// requireTrueOutcome compares the outcome in a reply with what the page told. A page that is being closed cannot tell
// everything.
func requireTrueOutcome(t *testing.T, reply session.Reply, told []string, pageLives bool, said string) {
	t.Helper()
	outcome := reply.Result.Outcome
	if reply.Err == nil {
		require.Equal(t, actions.OutcomeDone, outcome, said)
	} else {
		require.Contains(t, []actions.Outcome{actions.OutcomeNone, actions.OutcomeUnknown}, outcome, said)
	}
	switch outcome {
	case actions.OutcomeNone:
		require.Empty(t, told, said)
	case actions.OutcomeDone:
		if pageLives {
			require.NotEmpty(t, told, said)
		}
	}
}

// What was refused, or found nothing to act on, has changed nothing; what was held waits. A command that only reads has
// no outcome.
func TestOutcomeOfWhatWasNotDone(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t,
		`<!doctype html><button id=b onclick="document.title='pressed'">Go</button><input id=i><input id=d disabled><select id=s><option>one</select>`)
	outcome := func(args ...string) actions.Outcome { return c.Try(args...).Result.Outcome }
	for _, line := range [][]string{
		{"click", "#nothing"}, {"click", "@e999"}, {"fill", "#nothing", "x"}, {"fill", "#d", "x"}, {"select", "#s", "three"},
	} {
		reply := c.Try(line...)
		require.Equal(t, actions.OutcomeNone, reply.Result.Outcome, "%q: %v", line, reply.Err)
	}
	require.Equal(t, actions.OutcomeDone, outcome("fill", "#i", "x"))
	require.Equal(t, actions.OutcomeUnknown, outcome("eval", "document.title = 'half'; throw new Error('no')"),
		"the page's script came as far as it came")
	for _, line := range []string{
		"storage local set k v", "set viewport 800 600", "network route **/never --abort",
		"frame main", "clipboard write x", "tab switch t1", "dialog policy dismiss",
	} {
		reply := c.Try(strings.Fields(line)...)
		require.Equal(t, actions.OutcomeDone, reply.Result.Outcome, "%s: it changes the session or what is kept: %v", line,
			reply.Err)
	}
	for _, line := range []string{"network har stop", "record stop", "tab switch t99", "task cancel task-99"} {
		reply := c.Try(strings.Fields(line)...)
		require.Error(t, reply.Err)
		require.Equal(t, actions.OutcomeNone, reply.Result.Outcome, line)
	}
	require.Empty(t, outcome("storage", "local", "get", "k"))
	require.Empty(t, outcome("network", "requests"))
	require.Empty(t, outcome("get", "title"))
	require.Empty(t, outcome("snapshot"))
	require.Empty(t, outcome("get", "text", "#nothing"))
	for line, want := range map[string]actions.Outcome{
		"tab": "", "tab t1": actions.OutcomeDone, "tab t99": actions.OutcomeNone,
		"dialog policy": "", "dialog policy keep": actions.OutcomeDone,
		"set device list": "", "set device iPhone 15": actions.OutcomeDone,
		"cookies set k v --url http://127.0.0.1": actions.OutcomeDone, "cookies clear": actions.OutcomeDone,
		"cookies get": "",
		"console":     "", "console --clear": actions.OutcomeDone, "console --clear=false": "",
		"network requests --clear": actions.OutcomeDone,
		"find first #b text":       "", "find text Missing count": "", "find first #b hover": actions.OutcomeDone,
		"vitals --no-reload": "", "journal replay --dry-run": "",
	} {
		reply := c.Try(strings.Fields(line)...)
		require.Equal(t, want, reply.Result.Outcome, "%s: %v", line, reply.Err)
	}

	held := c.Do("--confirm-actions", "click", "click", "#b")
	require.Equal(t, actions.OutcomeNone, held.Result.Outcome)
	require.Equal(t, "half", c.Page("document.title"))
	require.Contains(t, sessiontest.PrintedReply(c.Try("--json", "click", "#nothing")).Out, `"outcome":"none"`)
	require.Contains(t, sessiontest.PrintedReply(c.Try("--json", "fill", "#i", "y")).Out, `"outcome":"done"`)
	require.Equal(t, actions.OutcomeUnknown,
		outcome("run", "--code", `await page.fill("#i", "z"); await page.click("#nothing")`))
	require.Equal(t, actions.OutcomeNone, outcome("run", "--code", `await page.getTitle(); await page.click("#nothing")`))

	rows := sessiontest.PrintedReply(c.Try("--json", "batch", "fill #i 1", "click #nothing", "get title")).Out
	require.Contains(t, rows, `"outcome":"done"`)
	require.Contains(t, rows, `"outcome":"none"`)
	require.Equal(t, 2, strings.Count(rows, `"outcome"`))

	c.WriteFile("p.json", `{"deny":["click"]}`)
	require.Equal(t, fault.PolicyBlocked, fault.CodeOf(c.Try("--action-policy", "p.json", "click", "#b").Err))
	require.Equal(t, actions.OutcomeNone, outcome("click", "#b"))
}
