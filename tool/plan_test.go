package tool_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
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
		require.Contains(t, textOf(r), "Managed session outcome: Fresh launch failed; your previous browser session is still active.")
		require.Contains(t, textOf(r), "Recovery:")
		after, _, _ := strings.Cut(textOf(r)[strings.Index(textOf(r), "Managed session outcome"):], "Next actions")
		require.NotContains(t, after, "piab-")
		r = c.do("get", "title")
		require.Equal(t, "Old", textOf(r))
		require.Equal(t, old, r.Details.SessionName)
	})
	t.Run("3.16 3.17 a first call that fails makes nothing current, and what it left is closed at the end", func(t *testing.T) {
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
		require.Contains(t, textOf(r), "Managed session outcome: Fresh launch became current, but this tool call failed after launch.")
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
		for _, args := range [][]string{{"--user-agent", "Agent 7", "open", url}, {"--session", name, "--user-agent", "Agent 7", "open", url}} {
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
		r := c.call(contract.Params{Args: hint.ExampleParams["args"].([]string), SessionMode: hint.ExampleParams["sessionMode"].(contract.SessionMode)})
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

func TestOtherSessions(t *testing.T) {
	t.Parallel()
	t.Run("3.5 17.6 a session that the caller names is used as given, and stays", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		const name = "of-the-caller"
		t.Cleanup(func() {
			host().Do(context.Background(), session.Request{Args: []string{"--session", name, "close"}})
		})
		r := c.do("--session", name, "open", site.Show(`<title>Mine</title>`))
		require.Equal(t, name, r.Details.SessionName)
		require.False(t, *r.Details.UsedImplicitSession)
		require.Nil(t, r.Details.ManagedSessionOutcome)
		managed := c.do("open", site.Show(`<title>Managed</title>`)).Details.SessionName
		require.Equal(t, "Mine", textOf(c.do("--session", name, "get", "title")))
		require.Equal(t, "Managed", textOf(c.do("get", "title")))
		require.NoError(t, c.tool.Close(context.Background()))
		require.Contains(t, running(t), name)
		require.NotContains(t, running(t), managed)
	})
	t.Run("3.1 3.21 two tools never share a session, nor see each other's", func(t *testing.T) {
		t.Parallel()
		a, b := newCallerWith(t, tool.Options{}), newCallerWith(t, tool.Options{})
		one := a.do("open", site.Show(`<title>A</title>`)).Details.SessionName
		two := b.do("open", site.Show(`<title>B</title>`)).Details.SessionName
		require.NotEqual(t, one, two)
		require.Equal(t, "A", textOf(a.do("get", "title")))
		for _, name := range []string{one, strings.ToUpper(one), "piab-other"} {
			r := b.try("--session", name, "get", "title")
			require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
			require.Contains(t, textOf(r), "is reserved for a browser managed by this tool instance")
		}
		list := b.do("session", "list")
		require.Contains(t, list.Details.Data.(map[string]any)["sessions"], two)
		require.NotContains(t, list.Details.Data.(map[string]any)["sessions"], one)
		require.Contains(t, textOf(list), two)
		require.NotContains(t, textOf(list), one)
		for _, args := range [][]string{{"--session", "none", "session", "list"}, {"batch", "session list"}} {
			r := b.do(args...)
			shown, err := json.Marshal(r)
			require.NoError(t, err)
			require.Contains(t, string(shown), two, "%v", args)
			require.NotContains(t, string(shown), one, "%v", args)
		}
		require.NoError(t, b.tool.Close(context.Background()))
		require.Equal(t, "A", textOf(a.do("get", "title")), "a tool closes only what it made")
	})
	t.Run("3.6 help and the version need no session", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		for _, args := range [][]string{{"--version"}, {"click", "--help"}, {"-h"}, {"open", "-V"}} {
			r := c.do(args...)
			require.True(t, r.Details.Inspection)
			require.Equal(t, contract.Inspection, r.Details.SuccessCategory)
			require.Equal(t, args, r.Details.EffectiveArgs)
			require.Empty(t, r.Details.SessionName)
			require.Nil(t, r.Details.UsedImplicitSession)
			require.NotEmpty(t, r.Details.Stdout)
		}
		require.Equal(t, "created", outcomeOf(t, c.do("open", site.Show(`<title>x</title>`))).Status, "the slot of the session is still free")
	})
	t.Run("3.7 commands about the machine need none either", func(t *testing.T) {
		t.Parallel()
		r := newCaller(t).do("skills", "list")
		require.Equal(t, []string{"--json", "skills", "list"}, r.Details.EffectiveArgs)
		require.Empty(t, r.Details.SessionName)
		require.Nil(t, r.Details.UsedImplicitSession)
	})
	t.Run("11.6 a share of an element is scrolled by a script where there is no word for it", func(t *testing.T) {
		t.Parallel()
		moved := ok(object{"result": object{"scrolled": true, "from": object{"x": 0.0, "y": 0.0}, "to": object{"x": 0.0, "y": 50.0}}})
		c, s := newScripted(t, answers(map[string]backend.Answer{"eval": moved}))
		r := c.do("scroll", "#list", "up", "25%")
		require.Equal(t, map[string]any{"selector": "#list", "direction": "up", "percent": "25"}, r.Details.ScrollContainer.Request)
		require.Equal(t, true, r.Details.Data.(map[string]any)["scrolled"])
		ran := s.ran()
		require.Contains(t, ran[0], `const sel = "#list"`)
		require.Contains(t, ran[0], "top: -0.25 * d.clientHeight")
		c.do("scroll")
		requireRan(t, s, "scroll")
	})
	t.Run("3.7 so do those on all saved states", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(nil))
		for _, line := range []string{"state clear --all", "state clear -a", "state clean --older-than 30"} {
			r := c.do(strings.Fields(line)...)
			require.Empty(t, r.Details.SessionName)
			require.Nil(t, r.Details.UsedImplicitSession)
			requireRan(t, s, line)
		}
		require.NotEmpty(t, c.do("state", "clean").Details.SessionName)
	})
	t.Run("3.5 a namespace is a host of its own", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("--session", "same", "open", site.Show(`<title>Ordinary</title>`))
		t.Cleanup(func() {
			host().Do(context.Background(), session.Request{Args: []string{"--session", "same", "close"}})
		})
		r := c.do("--session", "same", "--namespace", "other", "open", site.Show(`<title>Other</title>`))
		require.Equal(t, []string{"--json", "--namespace", "other", "--session", "same", "open"}, r.Details.EffectiveArgs[:6])
		require.Equal(t, "other", *r.Details.SessionNamespace)
		require.Equal(t, "Ordinary", textOf(c.do("--session", "same", "get", "title")))
		require.Equal(t, "Other", textOf(c.do("--namespace", "other", "--session", "same", "get", "title")))
		r = c.do("--namespace", "other", "open", site.Show(`<title>Managed</title>`))
		require.Equal(t, "other", *outcomeOf(t, r).CurrentSessionNamespace)
		require.Contains(t, c.do("get", "title").Details.EffectiveArgs, "other", "the managed session stays in its namespace")
		r = c.do("--namespace", "other", "close", "--all")
		require.True(t, r.Details.CloseAllApplied)
		require.Equal(t, "closed", outcomeOf(t, r).Status)
		require.Equal(t, "Ordinary", textOf(c.do("--session", "same", "get", "title")), "close --all ends its own namespace")
	})
}

func TestCloseAll(t *testing.T) {
	t.Parallel()
	t.Run("3.19 3.21 it ends what the caller sees, and not the sessions of another tool", func(t *testing.T) {
		t.Parallel()
		native, err := backend.NewNative(nil, nil)
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, native.Close(context.Background())) })
		a, b := newCallerWith(t, tool.Options{Backend: native}), newCallerWith(t, tool.Options{Backend: native})
		a.do("open", site.Show(`<title>A</title>`))
		managed := b.do("open", site.Show(`<title>B</title>`)).Details.SessionName
		b.do("--session", "mine", "open", site.Show(`<title>Mine</title>`))
		r := b.do("close", "--all")
		require.True(t, r.Details.CloseAllApplied)
		require.Equal(t, "closed", outcomeOf(t, r).Status)
		require.ElementsMatch(t, []any{managed, "mine"}, r.Details.Data.(map[string]any)["sessions"])
		require.Equal(t, "A", textOf(a.do("get", "title")))
		require.NotEqual(t, managed, b.do("open", "about:blank").Details.SessionName, "3.18")
		require.Equal(t, "about:blank", textOf(b.do("--session", "mine", "get", "url")))
	})
	t.Run("3.19 of agent-browser, it is its own command, and all that is known of the namespace goes", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(page("http://a.test/")))
		c.do("open", "http://a.test/")
		c.do("snapshot", "-i")
		c.do("--session", "mine", "open", "http://a.test/")
		c.do("--session", "mine", "snapshot", "-i")
		s.ran()
		r := c.do("close", "--all")
		require.True(t, r.Details.CloseAllApplied)
		requireRan(t, s, "close --all")
		require.NotEqual(t, contract.StaleRef, c.try("--session", "mine", "click", "@e9").Details.FailureCategory, "nothing is known of its refs any more")
	})
}

func TestTurns(t *testing.T) {
	t.Parallel()
	t.Run("3.19 fresh calls at once have names of their own, and one session is left", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		url := site.Show(`<title>x</title>`)
		results := make([]*contract.Result, 4)
		var wg sync.WaitGroup
		for i := range results {
			wg.Go(func() { results[i] = c.fresh("open", url) })
		}
		wg.Wait()
		seen := map[string]bool{}
		for _, r := range results {
			require.False(t, r.IsError, textOf(r))
			require.False(t, seen[r.Details.SessionName])
			seen[r.Details.SessionName] = true
		}
		left := 0
		for _, name := range running(t) {
			if seen[name] {
				left++
			}
		}
		require.Equal(t, 1, left)
	})
	t.Run("3.19 sessions of the caller go side by side, calls of one after another", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		var wg sync.WaitGroup
		for _, name := range []string{"side-a", "side-b"} {
			t.Cleanup(func() {
				host().Do(context.Background(), session.Request{Args: []string{"--session", name, "close"}})
			})
			c.do("--session", name, "open", site.Show(`<title>`+name+`</title><script>window.n = 0</script>`))
			for range 5 {
				wg.Go(func() { c.do("--session", name, "eval", "window.n++") })
			}
		}
		wg.Wait()
		require.Equal(t, "5", textOf(c.do("--session", "side-a", "eval", "window.n")))
		require.Equal(t, "5", textOf(c.do("--session", "side-b", "eval", "window.n")))
	})
	t.Run("16.6 opens of one session at once: what is remembered is the page that is there", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", "about:blank")
		results := make([]*contract.Result, 4)
		var wg sync.WaitGroup
		for i := range results {
			url := site.Show(`<title>` + strings.Repeat("x", i+1) + `</title>`)
			wg.Go(func() { results[i] = c.do("open", url) })
		}
		wg.Wait()
		for _, r := range results {
			require.Equal(t, r.Details.Data.(map[string]any)["url"], r.Details.SessionTabTarget.URL)
		}
		r := c.do("get", "url")
		require.Equal(t, textOf(r), r.Details.SessionTabTarget.URL)
	})
	t.Run("3.19 a call that is given up while it waits has not run", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>x</title>`)
		name := c.do("get", "title").Details.SessionName
		started := make(chan struct{})
		done := make(chan struct{})
		go func() {
			defer close(done)
			c.tool.Call(context.Background(), tool.Request{
				Params: contract.Params{Args: []string{"wait", "--fn", "window.go"}}, Progress: onceTold(started),
			})
		}()
		<-started
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		r := c.tool.Call(ctx, tool.Request{Params: contract.Params{Args: []string{"eval", "document.title = 'y'"}}})
		require.Equal(t, contract.Aborted, r.Details.FailureCategory)
		host().Do(context.Background(), session.Request{Args: []string{"--session", name, "eval", "window.go = 1"}})
		<-done
		require.Equal(t, "x", textOf(c.do("get", "title")))
	})
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	t.Run("3.20 domains that are allowed are remembered and checked", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		url := site.Show(`<title>x</title><a href="` + strings.Replace(site.URL(), "127.0.0.1", "localhost", 1) + `/page-1">away</a>`)
		c.do("--allowed-domains", "127.0.0.1", "open", url)
		require.False(t, c.try("get", "title").IsError)
		r := c.try("open", strings.Replace(url, "127.0.0.1", "localhost", 1))
		require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "--allowed-domains 127.0.0.1 does not allow localhost")
		require.Equal(t, url, textOf(c.do("get", "url")), "it was not opened")
		r = c.do("click", "a")
		require.Contains(t, textOf(r), "refused: Domain 'localhost' is not in the allowed domains list")
		require.Equal(t, url, textOf(c.do("get", "url")), "the page could not leave")
	})
	t.Run("3.20 what pages load keeps to the domains, too", func(t *testing.T) {
		t.Parallel()
		var reached atomic.Int32
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
		t.Cleanup(other.Close)
		away := strings.Replace(other.URL, "127.0.0.1", "localhost", 1)
		page := site.Show(`<title>x</title><script>onload = () => fetch("` + away + `", {mode: "no-cors"}).then(() => document.title = "reached", () => document.title = "refused")</script>`)
		free := newCaller(t)
		free.do("open", page)
		free.do("wait", "--fn", "document.title !== 'x'")
		require.Equal(t, "reached", textOf(free.do("get", "title")))
		require.Equal(t, int32(1), reached.Load())
		kept := newCaller(t)
		kept.do("--allowed-domains", "http://127.0.0.1/", "open", page)
		kept.do("wait", "--fn", "document.title !== 'x'")
		require.Equal(t, "refused", textOf(kept.do("get", "title")))
		require.Equal(t, int32(1), reached.Load())
	})
	t.Run("18.6 what sessions keep on the disk is out of reach", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		store := filepath.Join(c.dir, ".agent-browser")
		require.NoError(t, os.Mkdir(store, 0o700))
		c.do("open", site.Show(`<title>x</title>`))
		stdin := `[["get","title"],["screenshot","` + store + `/a.png"]]`
		path := ".agent-browser/out.json"
		for name, p := range map[string]contract.Params{
			"an address":       {Args: []string{"open", "file://" + store + "/a.html"}},
			"a path":           {Args: []string{"pdf", ".agent-browser/a.pdf"}},
			"a row of a batch": {Args: []string{"batch"}, Stdin: &stdin},
			"a raw row":        {Args: []string{"batch", "pdf " + store + "/a.pdf"}},
			"outputPath":       {Args: []string{"get", "title"}, OutputPath: &path},
		} {
			r := c.call(p)
			require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory, name)
			require.Contains(t, textOf(r), "Browser access to local .agent-browser storage is blocked", name)
		}
		files, err := os.ReadDir(store)
		require.NoError(t, err)
		require.Empty(t, files)
	})
	t.Run("18.7 local files are opened in browsers of ours", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		file := filepath.Join(c.dir, "a.html")
		require.NoError(t, os.WriteFile(file, []byte(`<title>Local</title>`), 0o600))
		require.Equal(t, "Local", c.do("open", "file://"+file).Details.Data.(map[string]any)["title"])
		r := c.try("--session", "attached", "--cdp", "9", "open", "file://"+file)
		require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "is a local file")
	})
	t.Run("18.9 a batch in a batch, and another browser in its middle", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		for _, row := range []string{"connect 9222", "batch back"} {
			r := c.try("batch", row)
			require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
			require.Contains(t, textOf(r), "A batch cannot hold `"+strings.Fields(row)[0]+"`")
		}
	})
}

// onceTold closes a channel when a call tells that it has begun.
func onceTold(began chan struct{}) func(string) {
	tell := sync.OnceFunc(func() { close(began) })
	return func(string) { tell() }
}

// pollEvery is how often a test looks at what it waits for.
const pollEvery = 20 * time.Millisecond
