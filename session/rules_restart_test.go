package session_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// A host that was killed leaves its journal, and nothing else. What comes back of its sessions is under the rules that
// they were under.
func TestRulesOutliveTheHost(t *testing.T) {
	t.Parallel()
	b := newBattlefield(t)
	dir := t.TempDir()
	policy := filepath.Join(dir, "policy.json")
	require.NoError(t, os.WriteFile(policy, []byte(`{"deny":["eval"]}`), 0o600))
	start := func(journal string) *session.Manager {
		m, err := session.New(session.Options{Registry: catalog.Registry(), Journal: journal})
		require.NoError(t, err)
		t.Cleanup(func() { m.Close(context.Background()) })
		return m
	}
	in := func(m *session.Manager, name string) *sessiontest.Client {
		return &sessiontest.Client{T: t, Manager: m, Session: name, Dir: dir, Env: map[string]string{"HOME": dir}}
	}

	first := start(filepath.Join(dir, "first.json"))
	in(first, "shop").Do("--allowed-domains", onlyGood, "--action-policy", policy, "--confirm-actions", "click", "open",
		b.goodOrigin()+"/")
	in(first, "bare").Fails(fault.PolicyBlocked, "--action-policy", policy, "eval", "1")
	in(first, "broken").Fails(fault.PolicyBlocked, "--action-policy", filepath.Join(dir, "none.json"), "get", "title")
	left, err := os.ReadFile(filepath.Join(dir, "first.json"))
	require.NoError(t, err)
	require.NoError(t, os.Remove(policy), "its rules apply without it")

	journal := filepath.Join(dir, "second.json")
	require.NoError(t, os.WriteFile(journal, left, 0o600))
	second := start(journal)
	shop := in(second, "shop")
	shop.Fails(fault.PolicyBlocked, "eval", "1")
	require.Contains(t, shop.Do("get", "url").Result.Text, b.goodOrigin(), "the tab came back")
	shop.Fails(fault.PolicyBlocked, "open", "http://"+b.host("after"))
	require.Contains(t, shop.Do("click", "body").Result.Text, "onfirm")
	shown := shop.Do("policy").Result.Text
	for _, rule := range []string{onlyGood, "eval", "click"} {
		require.Contains(t, shown, rule)
	}
	in(second, "bare").Fails(fault.PolicyBlocked, "eval", "1")
	in(second, "broken").Fails(fault.PolicyBlocked, "get", "title")
	require.Empty(t, b.names())

	shop.Do("close")
	in(second, "broken").Do("close")
	require.Equal(t, "2", shop.Do("eval", "1+1").Result.Text, "close ends the rules")

	// Rules that cannot be read any more are not left out.
	journal = filepath.Join(dir, "third.json")
	require.NoError(t,
		os.WriteFile(journal,
			[]byte(`{"shop":{"tabs":[{"id":"t1","url":"`+b.goodOrigin()+
				`/"}],"rules":{"gates":{"allowed-domains":"<"}},"since":"2999-01-01T00:00:00Z"}}`), 0o600))
	shop = in(start(journal), "shop")
	require.Error(t, shop.Try("get", "url").Err)
	require.Error(t, shop.Try("open", b.goodOrigin()+"/").Err)
	shop.Do("close")
	require.Contains(t, shop.Do("get", "url").Result.Text, "about:blank", "the tab did not come back")
}
