package tool_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// record is what a host keeps of a conversation: the details of its results, as JSON.
type record struct {
	t    testing.TB
	rows [][]byte
}

func (r *record) keep(results ...*contract.Result) {
	for _, result := range results {
		b, err := json.Marshal(result.Details)
		require.NoError(r.t, err)
		r.rows = append(r.rows, b)
	}
}

func (r *record) details() []*contract.Details {
	rows := make([]*contract.Details, len(r.rows))
	for i, b := range r.rows {
		require.NoError(r.t, json.Unmarshal(b, &rows[i]))
	}
	return rows
}

func TestRestore(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	// again opens a tool for the conversation of another one, in the same folder, and restores it.
	again := func(t testing.TB, c *caller, kept *record) *caller {
		t.Helper()
		next := newCallerWith(t, tool.Options{SessionID: "conversation-of-" + t.Name(), Cwd: c.dir})
		require.NoError(t, next.tool.Restore(ctx, kept.details()))
		return next
	}
	begin := func(t testing.TB) *caller {
		t.Helper()
		return newCallerWith(t, tool.Options{SessionID: "conversation-of-" + t.Name()})
	}
	t.Run("17.1 17.6 17.7 a tool that starts again goes on in the session, with its refs", func(t *testing.T) {
		t.Parallel()
		c, kept := begin(t), &record{t: t}
		kept.keep(c.do("open", site.Show(twoButtons)), c.do("snapshot", "-i"))
		name := c.do("get", "title").Details.SessionName
		require.NoError(t, c.tool.Leave(ctx))
		require.Contains(t, running(t), name)
		next := again(t, c, kept)
		r := next.do("click", "@e2")
		require.Equal(t, name, r.Details.SessionName)
		require.Equal(t, "two", textOf(next.do("get", "title")))
		require.Contains(t, textOf(next.try("--user-agent", "x", "get", "title")), "launch-scoped flags", "17.7")
		require.NoError(t, next.tool.Close(ctx))
		require.NotContains(t, running(t), name, "17.6 the one that went on closes it")
	})
	t.Run("17.1 refs of a browser that has ended are refused until there is a new snapshot", func(t *testing.T) {
		t.Parallel()
		c, kept := begin(t), &record{t: t}
		url := site.Show(twoButtons)
		kept.keep(c.do("open", url), c.do("snapshot", "-i"))
		require.NoError(t, c.tool.Close(ctx))
		next := again(t, c, kept)
		r := next.try("click", "@e2")
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "cannot be used yet.")
		require.Nil(t, r.Details.ExitCode)
		require.Equal(t, "created", outcomeOf(t, next.do("open", url)).Status, "the session is not active any more")
		next.do("snapshot", "-i")
		next.do("click", "@e2")
		require.Equal(t, "two", textOf(next.do("get", "title")))
	})
	t.Run("17.1 17.2 17.5 fresh sessions count, names do not come again, older results do not win", func(t *testing.T) {
		t.Parallel()
		c, kept := begin(t), &record{t: t}
		url := site.Show(`<title>x</title>`)
		first := c.do("open", url)
		late := c.do("get", "title") // is recorded after what came later
		second := c.fresh("open", url)
		kept.keep(first, second, late, c.do("--version"))
		require.NoError(t, c.tool.Leave(ctx))
		next := again(t, c, kept)
		require.Equal(t, second.Details.SessionName, next.do("get", "title").Details.SessionName)
		third := next.fresh("open", url)
		require.NotEqual(t, second.Details.SessionName, third.Details.SessionName)
		require.NotEqual(t, first.Details.SessionName, third.Details.SessionName)
	})
	t.Run("17.2 sessions of other folders are not taken over", func(t *testing.T) {
		t.Parallel()
		c, kept := begin(t), &record{t: t}
		r := c.do("open", site.Show(`<title>x</title>`))
		kept.keep(r)
		elsewhere := newCallerWith(t, tool.Options{SessionID: "conversation-of-" + t.Name()})
		require.NoError(t, elsewhere.tool.Restore(ctx, kept.details()))
		require.NotEqual(t, r.Details.SessionName, elsewhere.do("open", site.Show(`<title>y</title>`)).Details.SessionName)
		require.NoError(t, elsewhere.tool.Close(ctx))
		require.Contains(t, running(t), r.Details.SessionName)
	})
	t.Run("17.3 a session that was closed stays closed, however it was", func(t *testing.T) {
		t.Parallel()
		for _, args := range [][]string{{"close"}, {"quit"}, {"batch", "get title", "exit"}, {"--session", "", "close"}} {
			c, kept := begin(t), &record{t: t}
			first := c.do("open", site.Show(`<title>x</title>`))
			if args[0] == "--session" {
				args[1] = first.Details.SessionName
			}
			kept.keep(first, c.do(args...))
			next := again(t, c, kept)
			r := next.do("open", site.Show(`<title>y</title>`))
			require.NotEqual(t, first.Details.SessionName, r.Details.SessionName, "%v", args)
			require.Equal(t, "created", outcomeOf(t, r).Status)
			require.NoError(t, next.tool.Close(ctx))
		}
	})
	t.Run("17.6 sessions of the caller are never closed", func(t *testing.T) {
		t.Parallel()
		c, kept := begin(t), &record{t: t}
		name := "restored-of-the-caller"
		t.Cleanup(func() { host().Do(ctx, session.Request{Args: []string{"--session", name, "close"}}) })
		kept.keep(c.do("--session", name, "open", site.Show(twoButtons)), c.do("--session", name, "snapshot", "-i"))
		require.NoError(t, c.tool.Leave(ctx))
		next := again(t, c, kept)
		next.do("--session", name, "click", "@e1")
		require.NoError(t, next.tool.Close(ctx))
		require.Contains(t, running(t), name)
	})
	t.Run("17.1 another branch of the conversation has the session of its own rows", func(t *testing.T) {
		t.Parallel()
		c, kept := begin(t), &record{t: t}
		first := c.do("open", site.Show(`<title>Branch</title>`))
		kept.keep(first)
		c.do("--session", "branch-other", "open", "about:blank")
		t.Cleanup(func() { host().Do(ctx, session.Request{Args: []string{"--session", "branch-other", "close"}}) })
		require.NoError(t, c.tool.Restore(ctx, nil))
		require.NoError(t, c.tool.Restore(ctx, kept.details()))
		r := c.do("get", "title")
		require.Equal(t, "Branch", textOf(r))
		require.Equal(t, "unchanged", outcomeOf(t, r).Status)
	})
	t.Run("17.8 an attached browser stays one until it is closed", func(t *testing.T) {
		t.Parallel()
		yes := true
		row := &contract.Details{}
		row.Args, row.SessionName, row.AttachedSession, row.ResultCategory, row.UsedImplicitSession = []string{
			"connect",
			"9222",
		}, "attached-17-8", true, contract.Success, &yes
		c := newCaller(t)
		require.NoError(t, c.tool.Restore(ctx, []*contract.Details{row}))
		r := c.try("--session", "attached-17-8", "open", "file:///etc/hostname")
		require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory)
		closed := &contract.Details{}
		closed.Args, closed.SessionName, closed.ResultCategory = []string{"close"}, "attached-17-8", contract.Success
		require.NoError(t, c.tool.Restore(ctx, []*contract.Details{row, closed}))
		r = c.try("--session", "attached-17-8", "open", "file:///etc/hostname")
		require.False(t, r.IsError, textOf(r))
		host().Do(ctx, session.Request{Args: []string{"--session", "attached-17-8", "close"}})
	})
}
