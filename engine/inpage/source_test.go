package inpage

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/pagescript"
)

func TestBundleIsCurrent(t *testing.T) {
	t.Parallel()
	problems, err := pagescript.Stale(".")
	require.NoError(t, err)
	require.Empty(t, problems)
}

// Chromium takes lists in :not() since version 88. What embeds an older one takes none: selectorFor asks the browser.
func TestSelectorsForOldBrowsers(t *testing.T) {
	t.Parallel()
	list := regexp.MustCompile(`:not\((?:[^()]*,|\$\{)`)
	require.NoError(t, filepath.WalkDir("js", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".js" {
			return err
		}
		source, err := os.ReadFile(path)
		for line := range strings.Lines(string(source)) {
			require.False(t, list.MatchString(line) && !strings.Contains(line, "selectorFor("), "%s: %s", path, line)
		}
		return err
	}))
}

func TestLiteral(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, arg, want string
	}{
		{"nothing", "", "{}"},
		{"blanks", " \n", "{}"},
		{"an object", `{"a":[1,"x"]}`, `{"a":[1,"x"]}`},
		{"line separators are JavaScript too", "{\"a\":\"\u2028\u2029\"}", "{\"a\":\"\u2028\u2029\"}"},
		{"a key that would set a prototype", `{"__proto__":1}`, `JSON.parse("{\"__proto__\":1}")`},
		{"the same key in disguise", `{"\u005f_proto__":1}`, `JSON.parse("{\"\\u005f_proto__\":1}")`},
		{"no JSON", `1);alert(1`, `JSON.parse("1);alert(1")`},
		{"a comment", "1//", `JSON.parse("1//")`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, literal([]byte(tt.arg)))
		})
	}
}

func TestCallNamesTheOp(t *testing.T) {
	t.Parallel()
	require.Equal(t, `globalThis.__skua.ops.walk({"interactive":true})`, Call("walk", []byte(`{"interactive":true}`)))
}

func FuzzLiteral(f *testing.F) {
	f.Add([]byte(`{"a":"b"}`))
	f.Add([]byte("\xff"))
	f.Add([]byte(`"</script>"`))
	f.Fuzz(func(t *testing.T, arg []byte) {
		got := literal(arg)
		inner, parsed := strings.CutPrefix(got, "JSON.parse(")
		if !parsed {
			require.True(t, got == "{}" || json.Valid([]byte(got)), "%q became %q", arg, got)
			return
		}
		var text string
		require.NoError(t, json.Unmarshal([]byte(strings.TrimSuffix(inner, ")")), &text))
		require.Equal(t, strings.ToValidUTF8(string(arg), "\ufffd"), text)
	})
}
