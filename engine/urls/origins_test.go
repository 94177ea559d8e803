package urls

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestOrigins(t *testing.T) {
	t.Parallel()
	var o Origins
	o.Know("")
	require.Empty(t, o.List())
	o.Know("http://a.test")
	o.Know("http://b.test")
	a := o.Last("http://a.test")
	require.Positive(t, a)
	require.Equal(t, []string{"http://b.test", "http://a.test"}, o.List())
	o.Know("http://a.test")
	require.Greater(t, o.Last("http://a.test"), a, "another document has come")
	require.Equal(t, []string{"http://b.test", "http://a.test"}, o.List())
	again := o.Last("http://a.test")
	for i := range mostOrigins {
		o.Know("http://" + strconv.Itoa(i) + ".test")
	}
	require.Zero(t, o.Last("http://a.test"), "it is the oldest")
	require.Len(t, o.List(), mostOrigins)
	o.Know("http://a.test")
	require.Greater(t, o.Last("http://a.test"), again, "a number does not come back with an origin that was forgotten")
}
