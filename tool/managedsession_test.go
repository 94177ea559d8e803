package tool_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// running asks the host which sessions have a browser, past the tool.
func running(t testing.TB) []string {
	t.Helper()
	reply := host().Do(context.Background(), session.Request{Args: []string{"session", "list"}})
	require.NoError(t, reply.Err)
	return reply.Result.Data.(tabs.SessionsResult).Sessions
}

// fresh runs a command line in a fresh session.
func (c *caller) fresh(args ...string) *contract.Result {
	c.t.Helper()
	return c.call(contract.Params{Args: args, SessionMode: contract.Fresh})
}

func outcomeOf(t testing.TB, r *contract.Result) *contract.ManagedSessionOutcome {
	t.Helper()
	require.NotNil(t, r.Details.ManagedSessionOutcome, textOf(r))
	return r.Details.ManagedSessionOutcome
}

func TestManagedSession(t *testing.T) {
	t.Parallel()
	t.Run("3.1 3.3 3.14 3.15 the first call makes it, further ones go on in it", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.do("open", site.Show(`<title>One</title>`))
		name := r.Details.SessionName
		require.Regexp(t, `^piab-[a-z0-9-]+-[0-9a-f]{12}-[0-9a-f]{8}$`, name)
		require.True(t, *r.Details.UsedImplicitSession)
		require.Equal(t, []string{"--json", "--session", name, "open"}, r.Details.EffectiveArgs[:4])
		o := outcomeOf(t, r)
		require.Equal(t, "created", o.Status)
		require.False(t, o.ActiveBefore)
		require.True(t, o.ActiveAfter)
		r = c.do("get", "title")
		require.Equal(t, "One", textOf(r))
		require.Equal(t, name, r.Details.SessionName)
		require.Equal(t, "unchanged", outcomeOf(t, r).Status)
		require.Contains(t, running(t), name)
	})
	t.Run("3.2 3.4 fresh takes the place of the session before, which is closed", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		old := c.do("open", site.Show(`<title>Old</title>`)).Details.SessionName
		r := c.fresh("open", site.Show(`<title>New</title>`))
		require.False(t, r.IsError, textOf(r))
		name := r.Details.SessionName
		require.Regexp(t, `^`+old+`-fresh-[0-9a-f]{10}$`, name)
		require.False(t, *r.Details.UsedImplicitSession)
		o := outcomeOf(t, r)
		require.Equal(t, "replaced", o.Status)
		require.Equal(t, old, o.ReplacedSessionName)
		require.True(t, *o.ReplacedSessionClosed)
		require.NotContains(t, textOf(r), "Managed session outcome")
		require.NotContains(t, running(t), old)
		r = c.do("get", "title")
		require.Equal(t, "New", textOf(r))
		require.Equal(t, name, r.Details.SessionName)
		require.True(t, *r.Details.UsedImplicitSession)
	})
	t.Run("3.15 3.16 a fresh call that fails leaves the session before as it was", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		old := c.do("open", site.Show(`<title>Old</title>`)).Details.SessionName
		r := c.fresh("open", "http://127.0.0.1:1/")
		require.True(t, r.IsError)
		require.Equal(t, "preserved", outcomeOf(t, r).Status)
		require.Contains(t, textOf(r),
			"Managed session outcome: Fresh launch failed; your previous browser session is still active.")
		require.Contains(t, textOf(r), "Recovery:")
		after, _, _ := strings.Cut(textOf(r)[strings.Index(textOf(r), "Managed session outcome"):], "Next actions")
		require.NotContains(t, after, "piab-")
		r = c.do("get", "title")
		require.Equal(t, "Old", textOf(r))
		require.Equal(t, old, r.Details.SessionName)
	})
	t.Run("3.16 3.17 a first call that fails makes nothing current, and what it left is closed at the end",
		func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			r := c.try("open", "http://127.0.0.1:1/")
			require.True(t, r.IsError)
			require.Equal(t, "abandoned", outcomeOf(t, r).Status)
			require.NotContains(t, textOf(r), "Managed session outcome", "auto calls have it in the details alone")
			first := r.Details.SessionName
			r = c.fresh("open", "http://127.0.0.1:1/")
			require.Equal(t, "abandoned", outcomeOf(t, r).Status)
			require.Contains(t, textOf(r), "no managed browser session is current.")
			r2 := c.try("--user-agent", "Agent 7", "open", site.Show(`<title>x</title>`))
			require.False(t, r2.IsError, "launch-scoped flags are for a session that is not active yet: %s", textOf(r2))
			require.NoError(t, c.tool.Close(context.Background()))
			require.NotContains(t, running(t), first)
			require.NotContains(t, running(t), r.Details.SessionName)
		})
	t.Run("3.16 a fresh call that fails after the launch is current", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", site.Show(`<title>Old</title>`))
		stdin := `[["open","` + site.Show(`<title>New</title>`) + `"],["click","#nothing"]]`
		r := c.call(contract.Params{Args: []string{"batch", "--bail"}, Stdin: &stdin, SessionMode: contract.Fresh})
		require.True(t, r.IsError)
		require.Equal(t, "replaced", outcomeOf(t, r).Status)
		require.Contains(t, textOf(r),
			"Managed session outcome: Fresh launch became current, but this tool call failed after launch.")
		require.Equal(t, "New", textOf(c.do("get", "title")))
	})
	t.Run("3.18 after a close the next call gets another name", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		first := c.do("open", site.Show(`<title>x</title>`)).Details.SessionName
		r := c.do("close")
		require.Equal(t, "closed", outcomeOf(t, r).Status)
		require.NotContains(t, running(t), first)
		second := c.do("open", site.Show(`<title>y</title>`)).Details.SessionName
		require.Regexp(t, `^`+first+`-fresh-`, second)
		require.Equal(t, "y", textOf(c.do("get", "title")))
	})
	t.Run("17.3 17.4 a close at the end of a batch counts, one in its middle does not", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		url := site.Show(`<title>x</title>`)
		first := c.do("open", url).Details.SessionName
		stdin := `[["close"],["open","` + url + `"]]`
		r := c.call(contract.Params{Args: []string{"batch"}, Stdin: &stdin})
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, "unchanged", outcomeOf(t, r).Status)
		require.Equal(t, first, c.do("get", "url").Details.SessionName)
		stdin = `[["get","title"],["close"]]`
		r = c.call(contract.Params{Args: []string{"batch"}, Stdin: &stdin})
		require.Equal(t, "closed", outcomeOf(t, r).Status)
		require.NotEqual(t, first, c.do("open", url).Details.SessionName)
	})
	t.Run("3.12 a session that is not used is closed", func(t *testing.T) {
		t.Parallel()
		c := newCallerWith(t, tool.Options{Env: map[string]string{"SKUA_TOOL_IMPLICIT_SESSION_IDLE_TIMEOUT_MS": "300"}})
		name := c.do("open", site.Show(`<title>x</title>`)).Details.SessionName
		require.Eventually(t, func() bool {
			return !slices.Contains(running(t), name)
		}, callLimit, pollEvery)
		require.Equal(t, "created", outcomeOf(t, c.do("open", site.Show(`<title>y</title>`))).Status)
	})
}

func TestLaunchFlags(t *testing.T) {
	t.Parallel()
	t.Run("3.9 a session that runs cannot take them", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		name := c.do("open", site.Show(`<title>x</title>`)).Details.SessionName
		url := site.Show(`<script>document.title = navigator.userAgent</script>`)
		for _, args := range [][]string{
			{"--user-agent", "Agent 7", "open", url},
			{"--session", name, "--user-agent", "Agent 7", "open", url},
		} {
			r := c.try(args...)
			require.True(t, r.IsError)
			require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
			require.Contains(t, textOf(r), "launch-scoped flags")
			require.Nil(t, r.Details.ExitCode, "nothing was run")
			hint := r.Details.SessionRecoveryHint
			require.Equal(t, contract.Fresh, hint.RecommendedSessionMode)
			require.Equal(t, []string{"--user-agent", "Agent 7", "open", url}, hint.ExampleArgs)
		}
		require.Equal(t, "x", textOf(c.do("get", "title")), "the page is the one before")
		hint := c.try("--user-agent", "Agent 7", "open", url).Details.SessionRecoveryHint
		r := c.call(contract.Params{Args: hint.ExampleParams.Args, SessionMode: hint.ExampleParams.SessionMode})
		require.False(t, r.IsError, "what the hint says works: %s", textOf(r))
		require.Equal(t, "Agent 7", textOf(c.do("get", "title")))
	})
	t.Run("3.8 3.10 flags that are off or can be changed do not matter", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>x</title>`)
		c.do("--headed", "false", "get", "title")
		c.do("--pin-tab", "get", "title")
	})
	t.Run("3.11 --idle-timeout has to be that of the tool", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.try("--idle-timeout", "1000", "open", site.Show(`<title>x</title>`))
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "conflicts with this tool's managed-session idle timeout")
		c.do("--idle-timeout", "900000", "open", site.Show(`<title>x</title>`))
	})
}
