package phrase

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// FuzzQuote reads back what Quoted wrote with encoding/json.
func FuzzQuote(f *testing.F) {
	f.Add("plain")
	f.Add("\"quoted\" \\ back \n\t\r\b\f\x00\x1f\x7f \u2028 é 🙂")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\uFFFD")
		var back string
		require.NoError(t, json.Unmarshal(Quoted(nil, s), &back))
		require.Equal(t, s, back)
	})
}

func TestPlain(t *testing.T) {
	t.Parallel()
	require.Equal(t, `a\nb\tc "d" \e\u007f`, string(Plain(nil, "a\nb\tc \"d\" \\e\x7f")))
}
