package argv_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
)

func TestLaunchScoped(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line string
		want []string
	}{
		"3.8 before the command": {"--profile Default open x", []string{"--profile"}},
		"3.8 after it":           {"open x --headed", []string{"--headed"}},
		"3.8 short":              {"-p ios open x", []string{"-p"}},
		"3.8 with equals":        {"open x --user-agent=me", []string{"--user-agent"}},
		"3.8 several":            {"--cdp 9222 --namespace n open x", []string{"--cdp", "--namespace"}},
		"3.8 all of the restore family": {
			"--restore --restore-save auto --restore-check-url u --restore-check-text t --restore-check-fn f open x",
			[]string{"--restore", "--restore-save", "--restore-check-url", "--restore-check-text", "--restore-check-fn"},
		},
		"3.8 pin-tab does not count":                 {"--pin-tab open x", nil},
		"3.8 neither are flags of all commands":      {"--json --session s --timeout 5 open x", nil},
		"3.8 a command's own --state does not count": {"wait #x --state hidden", nil},
		"3.8 text does not count":                    {"fill #x -- --profile", nil},
		"3.10 off":                                   {"--headed false open x", nil},
		"3.10 the last one wins, off":                {"--headed --headed false open x", nil},
		"3.10 the last one wins, on":                 {"--headed false --headed open x", []string{"--headed"}},
		"3.10 another spelling of false":             {"--headed False open x", []string{"--headed"}},
		"3.10 equals false does not turn it off":     {"--auto-connect=false open x", []string{"--auto-connect"}},
		"3.10 the word false turns it off":           {"--auto-connect false open x", nil},
		"3.10 it is only for optional booleans":      {"--profile false open x", []string{"--profile"}},
		"3.10 true is the same as the flag itself":   {"--webgpu true open x", []string{"--webgpu"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(tt.line))
			require.Equal(t, tt.want, w.LaunchScoped())
		})
	}
	for name := range strings.FieldsSeq(
		"auto-connect allowed-domains namespace cdp enable executable-path webgpu init-script idle-timeout args user-agent " +
			"headed device profile provider session-name restore restore-save restore-check-url restore-check-text " +
			"restore-check-fn state") {
		w := argv.Read([]string{"--" + name, "v", "open", "x"})
		require.Equal(t, []string{"--" + name}, w.LaunchScoped(), "3.8 --%s", name)
	}
}
