package planning_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/planning"
)

func TestLine(t *testing.T) {
	t.Parallel()
	ns, none := "n", ""
	tests := map[string]struct {
		args      string
		namespace *string
		session   string
		drop      string
		want      string
	}{
		"3.3 the managed session": {"get title", nil, "piab-x", "", "--json --session piab-x get title"},
		"3.3 in a namespace": {
			"get title", &ns, "piab-x", "",
			"--json --namespace n --session piab-x get title",
		},
		"3.5 a session of the caller's own": {"--session mine get title", nil, "mine", "", "--json --session mine get title"},
		"3.5 its namespace comes first": {
			"--session mine --namespace n get title", &ns, "mine", "",
			"--json --namespace n --session mine get title",
		},
		"3.5 a namespace may be empty":      {"get title", &none, "s", "", "--json --namespace  --session s get title"},
		"2.1.11 --json is not repeated":     {"get title --json", nil, "s", "", "--json --session s get title"},
		"3.7 no session":                    {"skills list --json", nil, "", "", "--json skills list"},
		"3.7 a namespace without a session": {"--namespace n session list", nil, "", "", "--json --namespace n session list"},
		"18.4 flags that do not count":      {"--config f close", nil, "s", "config", "--json --session s close"},
		"3.5 flags in the middle": {
			"open x --session s --headed", nil, "s", "",
			"--json --session s open x --headed",
		},
		"3.5 words that only look so": {
			"fill #x -- --session", nil, "s", "",
			"--json --session s fill #x -- --session",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(tt.args))
			line := planning.Line(&w, tt.namespace, tt.session, func(f *argv.Flag) bool { return f.Name == tt.drop })
			require.Equal(t, tt.want, strings.Join(line, " "))
		})
	}
}
