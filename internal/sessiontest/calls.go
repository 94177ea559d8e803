package sessiontest

import (
	"context"
	"encoding/json"

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

// Batch runs rows and returns what is said of each.
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
		Program: program, Agent: tool, Args: append([]string{"--session", c.Session}, args...), Cwd: c.Dir, Getenv: func(name string) string { return c.Env[name] },
	})
	require.NoError(c.T, reply.Err)
	return reply.Result
}

// Journaled returns the session's journal.
func (c *Client) Journaled() []journal.Entry {
	return Decode[struct{ Entries []journal.Entry }](c.T, c.Do("journal", "--limit", "0").Result.Data).Entries
}

// Tabs is what `tab list` tells of each tab, without the browser's own ids.
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
