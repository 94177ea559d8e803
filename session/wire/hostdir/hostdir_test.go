package hostdir

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNamespace(t *testing.T) {
	t.Parallel()
	require.Empty(t, Namespace([]string{"HOME=/x"}))
	require.Equal(t, "b", Namespace([]string{"AGENT_BROWSER_NAMESPACE=b"}))
	require.Equal(t, "a", Namespace([]string{"AGENT_BROWSER_NAMESPACE=b", "SKUA_NAMESPACE=a"}))
	require.Equal(t, "b", Namespace([]string{"SKUA_NAMESPACE=", "AGENT_BROWSER_NAMESPACE=b"}))
}

func TestValidNamespace(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"a", "A-b_9", "größe", strings.Repeat("x", 64)} {
		require.True(t, ValidNamespace(s), s)
	}
	for _, s := range []string{"", ".", "..", "a/b", `a\b`, "a b", "a.b", "a\x00", strings.Repeat("x", 65)} {
		require.False(t, ValidNamespace(s), s)
	}
}

func TestJoin(t *testing.T) {
	t.Parallel()
	s := string(rune(separator))
	require.Equal(t, "a"+s+"b", Join("a", "b"))
	require.Equal(t, s+"b", Join(s, "b"))
	require.Equal(t, "a"+s+"namespaces"+s+"n", string(AppendNamespace([]byte("a"), "n")))
	require.Equal(t, "a", string(AppendNamespace([]byte("a"), "")))
}
