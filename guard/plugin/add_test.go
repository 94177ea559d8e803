package plugin

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "skua", "config.json")
	p := Plugin{
		Name: "vault", Command: "npx", Args: []string{"-y", "x"}, Capabilities: []string{CredentialRead},
		Source: "npm:x",
	}
	replaced, err := Write(file, p)
	require.NoError(t, err)
	require.False(t, replaced)

	text := `{"zebra":{"b":1,"a":[1,2]},"plugins":[{"name":"other","command":"o","capabilities":[],"mine":true},{"name":"vault","command":"old"}],"headed":true}`
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	replaced, err = Write(file, p)
	require.NoError(t, err)
	require.True(t, replaced)
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	require.JSONEq(t, `{"zebra":{"b":1,"a":[1,2]},"plugins":[{"name":"other","command":"o","capabilities":[],"mine":true},
		{"name":"vault","command":"npx","args":["-y","x"],"capabilities":["credential.read"],"source":"npm:x"}],"headed":true}`, string(got))
	require.Regexp(t, `(?s)zebra.*plugins.*headed`, string(got), "the order stays")

	for _, bad := range []string{"{", "[]", `{"plugins":{}}`, `{"a":1}{`} {
		require.NoError(t, os.WriteFile(file, []byte(bad), 0o600))
		_, err := Write(file, p)
		require.True(t, fault.Is(err, fault.ConfigInvalid), bad)
		same, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Equal(t, bad, string(same))
	}
}

func TestNameOf(t *testing.T) {
	t.Parallel()
	for reference, want := range map[string]string{
		"agent-browser-plugin-captcha": "captcha", "@company/agent-browser-plugin-vault": "vault",
		"org/agent-browser-plugin-cloud": "cloud",
		"./my-vault":                     "my-vault", "thing@1.2.3": "thing",
		"agent-browser-plugin-": "agent-browser-plugin-",
	} {
		require.Equal(t, want, NameOf(reference), reference)
	}
}

func TestParse(t *testing.T) {
	t.Parallel()
	plugins, problems := Parse(
		[]byte(`[{"name":"a","command":"x","capabilities":["command.run"]},{"name":"b c","command":"x"},{"name":"d"},7]`))
	require.Len(t, plugins, 1)
	require.Len(t, problems, 3)
	_, problems = Parse([]byte("hunter2"))
	require.Len(t, problems, 1)
	require.NotContains(t, problems[0], "hunter2")
	require.Equal(t, []string{"a2", "b"},
		commands(Set(plugins).With([]Plugin{{Name: "a", Command: "a2"}, {Name: "b", Command: "b"}})))
}

func commands(s Set) (all []string) {
	for _, p := range s {
		all = append(all, p.Command)
	}
	return all
}
