package catalog_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/guard/policy"
)

// The policy that the documentation gives for an agent that reads and does not act refuses every command that changes
// something, however it is given.
func TestReadOnlyPolicy(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/policy.md")
	require.NoError(t, err)
	_, rest, found := strings.Cut(string(page), "changes nothing in\nthem:")
	require.True(t, found)
	text := regexp.MustCompile("(?s)```json\n(.*?)```").FindStringSubmatch(rest)
	require.NotNil(t, text)
	r := catalog.Registry()
	rules, err := policy.Parse([]byte(text[1]), "policy.json", r.ActionWords())
	require.NoError(t, err)
	owner, err := policy.NewOwner(policy.OwnerRules{Actions: []*policy.Actions{rules}})
	require.NoError(t, err)
	verdict := func(in *actions.Input) policy.Effect { return owner.Judge(r.ActionRequests(in, true)).Effect }

	free := map[string]string{ // why a command that may change something runs
		"open": "a request", "back": "a request", "forward": "a request", "reload": "a request", "tab list": "switches tabs",
		"close":   "ends the session",
		"confirm": "nothing is held, and an agent cannot confirm", "deny": "nothing is held",
	}
	changing := 0
	for _, c := range r.Commands() {
		parsed := false
		for n := range 6 {
			in, err := r.Parse(append(strings.Fields(c.Name), slices.Repeat([]string{"1"}, n)...), actions.ParseOptions{})
			if err != nil || in.Command().Name != c.Name {
				continue
			}
			parsed = true
			if !in.Changes() || free[c.Name] != "" || c.Safety.Reach != policy.Always {
				// each line that such a command runs is judged
				continue
			}
			changing++
			require.Equal(t, policy.Forbid, verdict(in), "%s with %d arguments", c.Name, n)
		}
		if !parsed && c.Effect.Has(actions.Mutates) && c.Safety.Reach == policy.Always {
			for _, e := range c.Examples {
				in, err := r.Parse(strings.Fields(strings.NewReplacer("'", "", `"`, "").Replace(e.Line)), actions.ParseOptions{})
				if err == nil && in.Command().Name == c.Name {
					parsed = true
					require.Equal(t, policy.Forbid, verdict(in), e.Line)
				}
			}
			require.True(t, parsed, "%s was not tried", c.Name)
		}
	}
	require.Greater(t, changing, 50)

	for _, line := range []string{
		"wait --fn 1", "open javascript:1", "open http://a --init-script x.js", "open http://a --extension x", "get cdp-url",
		"connect 9222",
		"open http://a --executable-path x", "find role button click", "wait --download x", "open http://a --proxy b",
	} {
		in, err := r.Parse(strings.Fields(line), actions.ParseOptions{})
		require.NoError(t, err, line)
		require.Equal(t, policy.Forbid, verdict(in), line)
	}
	for _, line := range []string{
		"open http://a", "snapshot -i", "get text h1", "is visible h1", "read", "wait --text x",
		"tab list", "back",
	} {
		in, err := r.Parse(strings.Fields(line), actions.ParseOptions{})
		require.NoError(t, err, line)
		require.Equal(t, policy.Permit, verdict(in), line)
	}
}
