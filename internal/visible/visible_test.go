package visible

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"plain", "a\tb\nü 日本 🙂\r\n", "a\tb\nü 日本 🙂\r\n"},
		{"clipboard", "x\x1b]52;c;aGk=\x07y", `x\x1b]52;c;aGk=\x07y`},
		{"C1", "a\u009b2Jb\u0080\u009f", `a\u009b2Jb\u0080\u009f`},
		{"a C1 byte that is not UTF-8", "a\x9b2J", `a\x9b2J`},
		{"a character that was cut", "a\xe2\x82", `a\xe2\x82`},
		{"replacement character of the page", "a\ufffdb", "a\ufffdb"},
		{"delete and backspace", "rm\x7f\x08\x00", `rm\u007f\x08\x00`},
		{"a line printed over", "good\rbad\r\r\n", `good\x0dbad\x0d` + "\r\n"},
		{"bidi", "\u202egpj.exe\u2066a\u2069\u200f", `\u202egpj.exe\u2066a\u2069\u200f`},
		{"first and last", "\x1b", `\x1b`},
		{"joiners of emoji and of scripts", "👩\u200d💻 می\u200cخواهم", "👩\u200d💻 می\u200cخواهم"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, Text(tc.text))
		})
	}
}

func TestJSONKeepsItsValue(t *testing.T) {
	t.Parallel()
	for r := range rune(0x3000) {
		text := fmt.Sprintf("a%cb\\%c", r, r)
		before, err := json.Marshal(text)
		require.NoError(t, err)
		var after string
		require.NoError(t, json.Unmarshal([]byte(Text(string(before))), &after))
		require.Equal(t, text, after)
	}
}

func TestStream(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	n, err := io.WriteString(Stream(&b, true), "a\x1bb")
	require.NoError(t, err)
	require.Equal(t, 3, n)
	require.Equal(t, `a\x1bb`, b.String())
	require.Equal(t, io.Writer(&b), Stream(&b, false))
	reader, closed := io.Pipe()
	require.NoError(t, reader.Close())
	_, err = io.WriteString(Stream(closed, true), "a")
	require.ErrorIs(t, err, io.ErrClosedPipe)
}
