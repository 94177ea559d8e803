package chrome

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTail(t *testing.T) {
	t.Parallel()
	var short Tail
	_, err := short.Write([]byte("one\ntwo"))
	require.NoError(t, err)
	require.Equal(t, "one\ntwo", short.String())

	var long Tail
	for i := range 4000 {
		_, err := fmt.Fprintf(&long, "line %d\n", i)
		require.NoError(t, err)
	}
	got := long.String()
	require.LessOrEqual(t, len(got), tailSize)
	require.True(t, strings.HasPrefix(got, "line "), "begins with a whole line")
	require.True(t, strings.HasSuffix(got, "line 3998\nline 3999\n"))

	var unbroken Tail
	_, err = unbroken.Write([]byte(strings.Repeat("x", 3*tailSize)))
	require.NoError(t, err)
	require.Len(t, unbroken.String(), tailSize)
}
