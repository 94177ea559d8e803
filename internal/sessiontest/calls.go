package sessiontest

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/journal"
)

// RowReply is a row of the JSON reply of a batch.
type RowReply struct {
	Command  []string
	Index    *int
	Error    *string
	Code     string
	Facts    map[string]any
	Result   map[string]any
	Success  *bool
	Tab      string
	MS       *float64
	Warnings []string
	NotRun   []RowReply
}

// Batch runs rows and returns the reply of each.
func (c *Client) Batch(rows [][]string, flags ...string) (session.Reply, []RowReply) {
	c.T.Helper()
	stdin, err := json.Marshal(rows)
	require.NoError(c.T, err)
	reply := c.DoWith(string(stdin), append([]string{"batch"}, flags...)...)
	return reply, Decode[[]RowReply](c.T, reply.Result.Data)
}

// RunAs runs a command as a caller does that calls the program by a name: a shell, or the tool.
func (c *Client) RunAs(program string, tool bool, args ...string) actions.Result {
	c.T.Helper()
	reply := c.Manager.Do(context.Background(), session.Request{
		Program: program,
		Agent:   tool,
		Args: append([]string{"--session", c.Session},
			args...),
		Cwd:    c.Dir,
		Getenv: func(name string) string { return c.Env[name] },
	})
	require.NoError(c.T, reply.Err)
	return reply.Result
}

// Journaled returns the session's journal.
func (c *Client) Journaled() []journal.Entry {
	return Decode[struct{ Entries []journal.Entry }](c.T, c.Do("journal", "--limit", "0").Result.Data).Entries
}

// Tabs returns what `tab list` reports about each tab, without the browser's own ids.
func (c *Client) Tabs() []string {
	c.T.Helper()
	data := Decode[struct {
		Tabs []struct {
			TabID, TargetID, Title, URL, Type string
			Label                             *string
			Active                            bool
		}
	}](c.T, c.Do("tab", "list").Result.Data)
	var lines []string
	for _, tab := range data.Tabs {
		require.NotEmpty(c.T, tab.TargetID)
		require.Equal(c.T, "page", tab.Type)
		line := tab.TabID
		if tab.Label != nil {
			line += " " + *tab.Label
		}
		line += " " + tab.Title
		if tab.Active {
			line += " active"
		}
		lines = append(lines, line)
	}
	return lines
}

// Attendance is what a caller at a terminal got.
type Attendance struct {
	session.Reply
	Out, ErrOut string
	Asked       []string // the questions
}

// Attended runs a command as a caller at a terminal does. Each question gets the next of lines as its answer.
func (c *Client) Attended(lines []string, args ...string) Attendance {
	c.T.Helper()
	var mu sync.Mutex
	var o, e bytes.Buffer
	var asked []string
	req := c.Request("", args)
	req.Out, req.ErrOut, req.Attended = &o, &e, true
	req.Ask = func(_ context.Context, prompt string, _ bool) (string, error) {
		mu.Lock()
		defer mu.Unlock()
		asked = append(asked, prompt)
		if len(asked) > len(lines) {
			return "", actions.ErrNoTerminal
		}
		return lines[len(asked)-1], nil
	}
	reply := c.Manager.Do(context.Background(), req)
	reply.Write(&o, &e)
	return Attendance{reply, o.String(), e.String(), asked}
}

// FirstLine is the first line of a snapshot.
func (c *Client) FirstLine(args ...string) string {
	c.T.Helper()
	line, _, _ := strings.Cut(c.Do(append([]string{"snapshot"}, args...)...).Result.Text, "\n")
	return line
}

// Requests lists what is recorded, with these flags.
func (c *Client) Requests(flags ...string) []map[string]any {
	c.T.Helper()
	data := Decode[struct {
		Requests []object
	}](c.T, c.Do(append([]string{"network", "requests"}, flags...)...).Result.Data)
	return data.Requests
}

// RequestTo waits until a request whose address ends so is over, and returns its row. Of several the last.
func (c *Client) RequestTo(suffix string) map[string]any {
	c.T.Helper()
	var found object
	require.Eventually(c.T, func() bool {
		for _, r := range c.Requests() {
			if strings.HasSuffix(r["url"].(string), suffix) && r["pending"] == nil {
				found = r
			}
		}
		return found != nil
	}, CommandLimit, 20*time.Millisecond, suffix)
	return found
}

// ClickToDownload clicks, and waits until the session has told that a download began.
func (c *Client) ClickToDownload(target string) {
	c.T.Helper()
	text := Told(c.Do("click", target))
	for end := time.Now().Add(CommandLimit); !strings.Contains(text, "download started"); text = Told(c.Do("get", "url")) {
		require.True(c.T, time.Now().Before(end), "no download was reported")
	}
}
