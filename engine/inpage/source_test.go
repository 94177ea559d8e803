package inpage

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEveryFileIsInTheScript(t *testing.T) {
	t.Parallel()
	found, err := filepath.Glob("js/*.js")
	require.NoError(t, err)
	var names []string
	for _, file := range found {
		names = append(names, strings.TrimSuffix(filepath.Base(file), ".js"))
	}
	slices.Sort(names)
	listed := slices.Sorted(slices.Values(order))
	require.Equal(t, names, listed)
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

// All files are one function: a name that two of them declare ends the script, and of two functions the last one wins unseen.
func TestNamesAreDeclaredOnce(t *testing.T) {
	t.Parallel()
	declared := regexp.MustCompile(`(?m)^(?:const|let|class|(?:async )?function)[ *]+([\w$]+)`)
	in := map[string]string{}
	paths, err := filepath.Glob("js/*.js")
	require.NoError(t, err)
	for _, path := range paths {
		src, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range declared.FindAllStringSubmatch(string(src), -1) {
			require.Empty(t, in[m[1]], "%s declares %s, too", path, m[1])
			in[m[1]] = path
		}
	}
}
