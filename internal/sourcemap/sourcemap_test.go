package sourcemap

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMap(t *testing.T) {
	t.Parallel()
	// Generated "x=1;\ny=x;" of a.ts, whose lines are 1 and 3.
	m, err := Parse([]byte(`)]}'` + `{"version":3,"sourceRoot":"src","sources":["a.ts"],"names":["total"],"mappings":"AACAA;AAEA,EAAIA"}`))
	require.NoError(t, err)
	source, s, ok := m.Original(0, 3)
	require.True(t, ok)
	require.Equal(t, "src/a.ts", source)
	require.Equal(t, 1, s.OriginalLine)
	_, _, ok = m.Original(7, 0)
	require.False(t, ok)
	_, s, ok = m.Generated("a.ts", 2)
	require.True(t, ok, "the next line that has code")
	require.Equal(t, []int{1, 0, 3}, []int{s.Line, s.Column, s.OriginalLine})
	near, ok := m.Named("total", s)
	require.True(t, ok)
	require.Equal(t, 2, near.Column)
	require.True(t, m.Has("src/a.ts"))
	require.False(t, m.Has("b.ts"))
	require.False(t, EndsWith("/x/data.ts", "a.ts"))
	require.True(t, EndsWith("http://h/js/app.js?v=1", "app.js"))
	for _, bad := range []string{
		`{}`, `{"version":3,"sections":[{}]}`, `{"version":3,"sources":[],"mappings":"AAAA"}`,
		`{"version":3,"sources":["a"],"mappings":"AA"}`, `{"version":3,"sources":["a"],"mappings":"!"}`, `x`,
	} {
		_, err := Parse([]byte(bad))
		require.Error(t, err, bad)
	}
}
