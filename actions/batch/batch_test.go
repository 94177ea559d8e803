package batch_test

import (
	"testing"
	"time"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

func TestBatchFillsAForm(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-batch-form.html")
	reply, rows := c.Batch([][]string{
		cmd("fill", "#first", "Ada"), cmd("fill", "#last", "Love lace"), cmd("fill", "#email", "ada@example.com"),
		cmd("select", "#room", "Large"),
		cmd("fill", "#nights", "3"), cmd("fill", "#date", "2026-12-24"), cmd("check", "#breakfast"), cmd("check", "#early"),
		cmd("fill", "#remarks", "two\nlines"), cmd("click", "#book"), cmd("get", "text", "#out"),
	})
	require.False(t, reply.Result.Failed)
	require.Equal(t,
		"first=Ada&last=Love lace&email=ada@example.com&room=Large&nights=3&date=2026-12-24&breakfast=on&bed=two&"+
			"remarks=two\nlines",
		normalLines(c.Log()))
	require.Len(t, rows, 11)
	for _, row := range rows {
		require.True(t, *row.Success, "%v: %v", row.Command, row.Error)
		require.Positive(t, *row.MS)
	}
	require.NotNil(t, rows[9].Result["effect"], "a row says what it led to")
}

func TestBatchUsesRefsOfItsSnapshots(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name string
		rows [][]string
		want string
		fail []int // rows that fail with ref-stale
	}{
		{
			"one after the other",
			[][]string{cmd("snapshot", "-i"), cmd("click", "@e5"), cmd("snapshot", "-i"), cmd("click", "@e6")},
			"deleted Ann\ndeleted Zoe", nil,
		},
		{
			"the row that the change took away",
			[][]string{cmd("snapshot", "-i"), cmd("click", "@e2"), cmd("click", "@e4")},
			"cleared",
			[]int{2},
		},
		{
			"the rest goes on",
			[][]string{cmd("snapshot", "-i"), cmd("click", "@e2"), cmd("click", "@e4"), cmd("click", "@e3")},
			"cleared\nsorted",
			[]int{2},
		},
		{"the page once more", [][]string{cmd("snapshot", "-i"), cmd("reload"), cmd("click", "@e3")}, "sorted", nil},
		{
			"another page",
			[][]string{
				cmd("snapshot", "-i"), cmd("open", host.Site.URL("/pages/acting-batch-list.html?other")),
				cmd("click", "@e3"),
			},
			"",
			[]int{2},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, "/pages/acting-batch-list.html")
			rows := make([][]string, len(tt.rows))
			for i, row := range tt.rows {
				rows[i] = append(row, "--timeout", "1000")
			}
			reply, got := c.Batch(rows)
			require.Equal(t, tt.want, c.Log())
			require.Equal(t, len(tt.fail) > 0, reply.Result.Failed)
			require.Len(t, got, len(rows), "all rows ran")
			for i, row := range got {
				if len(tt.fail) > 0 && tt.fail[0] == i {
					require.Equal(t, string(fault.RefStale), row.Code)
					require.Contains(t, reply.Result.ErrText, "failed: "+string(rune('1'+i))+" (click ")
					continue
				}
				require.True(t, *row.Success, "%v: %v", row.Command, row.Error)
			}
		})
	}
}

func TestBatchStops(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-batch-list.html")
	rows := [][]string{
		cmd("click", "#sort"), cmd("click", "#nothing", "--timeout", "1000"), cmd("click", "#clear"),
		cmd("get", "title"),
	}
	reply, got := c.Batch(rows, "--bail")
	require.Equal(t, "sorted", c.Log())
	require.Len(t, got, 2)
	require.Equal(t, string(fault.SelectorNotFound), got[1].Code)
	require.Equal(t, [][]string{rows[2], rows[3]}, [][]string{got[1].NotRun[0].Command, got[1].NotRun[1].Command})
	require.Nil(t, got[1].NotRun[0].Success)
	require.Equal(t,
		"[batch] 1 of 4 commands succeeded; failed: 2 (click #nothing); not run: 3 (click #clear), 4 (get title)",
		lastLine(reply.Result.ErrText))
	require.Equal(t, 1, sessiontest.PrintedReply(reply).Code)

	_, got = c.Batch(rows, "--bail", "--omit-command")
	require.Equal(t, 3, *got[1].NotRun[1].Index)

	reply, got = c.Batch(rows)
	require.Len(t, got, 4)
	require.Equal(t, "sorted\nsorted\nsorted\ncleared", c.Log())
	require.Equal(t, "[batch] 3 of 4 commands succeeded; failed: 2 (click #nothing)", lastLine(reply.Result.ErrText))
}

// What one row is given holds for that row alone.
func TestBatchGlobalsOfARow(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, site.Titled("One"))
	c.Do("tab", "new", site.URL(site.Titled("Two")))
	start := time.Now()
	_, got := c.Batch([][]string{
		cmd("--tab", "t1", "get", "title"), cmd("get", "title"), cmd("--timeout", "1000", "wait", "#never"),
		cmd("--tab", "t9", "get", "title"),
		cmd("--session", "other", "get", "title"),
	})
	require.Less(t, time.Since(start), 15*time.Second)
	require.Equal(t, "One", got[0].Result["title"])
	require.Equal(t, "t1", got[0].Tab)
	require.Equal(t, "Two", got[1].Result["title"])
	require.Empty(t, got[1].Tab)
	require.Equal(t, string(fault.Timeout), got[2].Code)
	require.Equal(t, string(fault.TabNotFound), got[3].Code)
	require.Equal(t, string(fault.Usage), got[4].Code)
}

// A dialog in the middle is told by its row, stops those that need the page, and can be answered by one of them.
func TestBatchWithDialogs(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-dialog-forms.html")
	_, got := c.Batch([][]string{
		cmd("click", "#remove"), cmd("get", "text", "h1"), cmd("dialog", "accept"), cmd("get", "text", "#status"),
		cmd("click", "#rename", "--dialog", "text=Reds"), cmd("get", "text", "#status"),
	})
	require.Contains(t, got[0].Warnings[0], "Remove Ada?")
	require.Equal(t, string(fault.DialogOpen), got[1].Code)
	require.Equal(t, "removed", got[3].Result["text"])
	require.Equal(t, "name Reds", got[5].Result["text"])
	require.Equal(t, "removed\nname Reds", c.Log())
}

// Rows see the tabs that rows before them opened and closed.
func TestBatchWithTabs(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, "/pages/acting-tab-opener.html")
	_, got := c.Batch([][]string{
		cmd("click", "#features"), cmd("--tab", "t2", "wait", "#done"), cmd("--tab", "t2", "click", "#done"),
		cmd("wait", "--fn", "log.length"),
		cmd("tab", "close", "t2"), cmd("--tab", "t2", "click", "#done"), cmd("get", "title"),
	})
	require.Equal(t, "done features", c.Log())
	require.Equal(t, string(fault.TabGone), got[5].Code)
	require.Contains(t, *got[5].Error, "tab_gone: tab t2 is gone")
	require.Equal(t, "Opener", got[6].Result["title"])
}

// Closing a session ends its batch: the remaining rows would run in a browser that no caller asked for.
func TestBatchOfClosedSession(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, site.Titled("One"))
	g := site.Gate(t, "")
	done := make(chan session.Reply, 1)
	go func() {
		done <- c.TryWith(`[["get","title"],["eval","fetch('`+g.Path+`').then(() => 1)"],["open","`+site.URL("/echo")+
			`"],["get","url"]]`, "batch")
	}()
	g.WaitAsked(t)
	c.Do("close")
	reply := <-done
	require.NoError(t, reply.Err)
	require.True(t, reply.Result.Failed)
	rows := sessiontest.Decode[[]sessiontest.RowReply](t, reply.Result.Data)
	require.Len(t, rows, 2)
	require.Equal(t, "the session was closed meanwhile", *rows[1].Error)
	require.Len(t, rows[1].NotRun, 2)
	require.NotContains(t, c.Do("session", "list").Result.Text, c.Session+"\n")

	_, rows = c.Batch([][]string{
		cmd("open", site.URL("/echo?one")), cmd("close"), cmd("open", site.URL("/echo?two")),
		cmd("get", "url"),
	})
	require.Equal(t, site.URL("/echo?two"), rows[3].Result["url"], "a row that closes is followed by a new browser")
}

func normalLines(s string) string {
	out := make([]byte, 0, len(s))
	for i := range len(s) {
		if s[i] != '\r' {
			out = append(out, s[i])
		}
	}
	return string(out)
}

func lastLine(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '\n' {
			return s[i+1:]
		}
	}
	return s
}
