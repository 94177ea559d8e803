package catalog_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
)

func TestMasked(t *testing.T) {
	t.Parallel()
	registry := catalog.Registry()
	tests := []struct {
		name string
		argv []string
		want string
	}{
		{"a target", []string{"click", "@e2", "--count", "2", "--force"}, "click @e2 --force --count 2"},
		{"a choice", []string{"click", "#a", "--button", "right"}, "click #a --button right"},
		{"a text", []string{"fill", "@e2", "hunter2"}, "fill @e2 •••"},
		{"several words", []string{"type", "@e2", "hunter2", "and", "more"}, "type @e2 •••"},
		{"keys", []string{"press", "a"}, "press •••"},
		{"a script", []string{"eval", "localStorage.token"}, "eval •••"},
		{"what only looks", []string{"get", "attr", "#a b", "href"}, "get attr '#a b' href"},
		{"an address", []string{"open", "https://a.example/?q=1"}, "open https://a.example/?q=1"},
		{"an address with a password", []string{"open", "https://ann:hunter2@a.example/x"}, "open https://•••@a.example/x"},
		{"the same without a scheme", []string{"open", "ann:hunter2@a.example"}, "open •••@a.example"},
		{"globals", []string{"--session", "s", "--proxy", "http://u:hunter2@p", "get", "title"}, "get title"},
		{"rows", []string{"batch", "fill @e2 hunter2"}, "batch •••"},
		{
			"a login",
			[]string{
				"auth", "save", "app", "--url", "https://a.example/", "--username", "ann", "--password", "hunter2",
				"--totp", "GEZDGNBV",
			},
			"auth save ••• --url ••• --username ••• --password ••• --totp •••",
		},
		{"an answer", []string{"dialog", "accept", "hunter2"}, "dialog accept •••"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			in, err := registry.Parse(test.argv, actions.ParseOptions{})
			require.NoError(t, err)
			line, mask := in.Masked()
			require.Equal(t, test.want, line)
			if test.name == "a text" {
				require.Equal(t, "it has •••", mask("it has hunter2"))
			}
		})
	}
}
