package mcp_test

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/mcp"
)

// The token of a lock is a secret that its caller asked for.
func TestLock(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, mcp.Options{})
	c := connect(t, s, nil)
	for name, line := range map[string][]string{
		"alone":      {"session", "lock", "--for", "1m"},
		"in a batch": {"batch", "session lock --for 1m", "get url"},
	} {
		t.Run(name, func(t *testing.T) {
			locked := c.try(line...)
			found := regexp.MustCompile(`SKUA_LOCK=([\w-]{16,})`).FindStringSubmatch(textOf(locked))
			require.Len(t, found, 2, textOf(locked))
			token := found[1]
			require.Contains(t, jsonOf(locked.StructuredContent), `"token":"`+token+`"`)
			require.Contains(t, textOf(c.try("get", "url")), "is locked", "for those without the token")
			later := c.try("session", "unlock", "--lock", token)
			require.NotContains(t, textOf(later)+jsonOf(later.StructuredContent), token,
				"where it is an argument it is a secret")
		})
	}
}
