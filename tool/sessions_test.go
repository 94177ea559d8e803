package tool_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

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
		require.Contains(t, asJSON(list.Details.Data).(map[string]any)["sessions"], two)
		require.NotContains(t, asJSON(list.Details.Data).(map[string]any)["sessions"], one)
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
		require.Equal(t, "created", outcomeOf(t, c.do("open", site.Show(`<title>x</title>`))).Status,
			"the slot of the session is still free")
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
		moved := ok(object{"result": object{
			"scrolled": true, "from": object{"x": 0.0, "y": 0.0},
			"to": object{"x": 0.0, "y": 50.0},
		}})
		c, s := newScripted(t, answers(map[string]backend.Answer{"eval": moved}))
		r := c.do("scroll", "#list", "up", "25%")
		require.Equal(t, map[string]any{"selector": "#list", "direction": "up", "percent": "25"},
			asJSON(r.Details.ScrollContainer.Request))
		require.Equal(t, true, asJSON(r.Details.Data).(map[string]any)["scrolled"])
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
		require.ElementsMatch(t, []any{managed, "mine"}, asJSON(r.Details.Data).(map[string]any)["sessions"])
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
		require.NotEqual(t, contract.StaleRef, c.try("--session", "mine", "click", "@e9").Details.FailureCategory,
			"nothing is known of its refs any more")
	})
}
