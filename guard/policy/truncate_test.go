package policy

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestCutText(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, text string
		most       int
		want       string
	}{
		{"it fits", "äöü", 3, "äöü"},
		{"one line", "äöüß", 3, "äöü\n[truncated: showing 3 of 4 chars. Use --max-output to adjust]"},
		{"whole lines", "ab\ncd\nef", 6, "ab\ncd\n[truncated: showing 5 of 8 chars. Use --max-output to adjust]"},
		{"at the end of a line", "ab\ncd\nef", 5, "ab\ncd\n[truncated: showing 5 of 8 chars. Use --max-output to adjust]"},
		{"nothing", "ab", 0, "\n[truncated: showing 0 of 2 chars. Use --max-output to adjust]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tc.want, TruncateText(tc.text, tc.most))
		})
	}
}

func TestCutJSON(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name, data string
		most       int
		want       string
	}{
		{"it fits", `{"a":1}`, 7, `{"a":1}`},
		{"a text", `{"text":"abcdefghij"}`, 16, `{"text":"abcd"}`},
		{
			"small ones stay", `{"n":12345678901234567890,"ok":true,"text":"` + strings.Repeat("x", 90) + `"}`, 60,
			`{"n":12345678901234567890,"ok":true,"text":"xxxxxxxxxxxxx"}`,
		},
		{"a list", `{"rows":["abc","def","ghi","jkl"]}`, 24, `{"rows":["abc","def"]}`},
		{"numbers stay", `{"n":12345678901234567890}`, 5, `{"n":12345678901234567890}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			got, err := TruncateJSON([]byte(tc.data), tc.most)
			require.NoError(t, err)
			require.JSONEq(t, tc.want, string(got.Data))
		})
	}
}

// Whatever is cut is JSON, has the keys that it had, and never grows.
func FuzzCutJSON(f *testing.F) {
	f.Add(`{"a":["x",{"b":"ä\n\u0000"}],"c":null}`, 10)
	f.Fuzz(func(t *testing.T, data string, most int) {
		var before any
		if json.Unmarshal([]byte(data), &before) != nil || most < 0 {
			return
		}
		cut, err := TruncateJSON([]byte(data), most)
		require.NoError(t, err)
		var after any
		require.NoError(t, json.Unmarshal(cut.Data, &after))
		require.Equal(t, utf8.RuneCount(cut.Data), cut.Shown)
		if cut.Of > 0 {
			require.Less(t, cut.Shown, cut.Of)
		}
		if m, ok := before.(map[string]any); ok {
			require.Len(t, after, len(m))
		}
	})
}
