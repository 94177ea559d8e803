package planning_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/planning"
)

func TestSessionless(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]bool{
		"skills list": true, "skills get core": true, "skills path": true, "skills path core": true,
		"auth save me --username u": true, "auth list": true, "auth show me": true, "auth delete me": true,
		"auth remove me": true,
		"plugin":         true, "plugin add x": true, "plugin list": true, "plugin show x": true, "plugin run x y": true,
		"mcp --help": true, "profiles": true,
		"dashboard": true, "dashboard start": true, "dashboard start --port 4000": true, "dashboard stop": true,
		"device list": true, "doctor": true, "doctor --offline --quick": true, "install": true, "install --with-deps": true,
		"upgrade":      true,
		"session list": true, "session info": true, "session id": true,
		"state list": true, "state show x": true, "state rename a b": true, "state clear x": true, "state clear --all": true,
		"state clear -a":             true,
		"state clean --older-than 3": true,

		"session": false, "state save x.json": false, "state load x.json": false, "state clear": false,
		"state clear x --all": false,
		"state clean":         false, "auth login me": false, "dashboard start --frob": false, "dashboard frob": false,
		"plugin frob": false, "device frob": false, "skills": false, "mcp": false, "open x": false, "close": false,
		"record stop":   false,
		"stream status": false, "snapshot": false,
	} {
		t.Run("3.7 "+line, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(line))
			require.Equal(t, want, planning.Sessionless(&w))
		})
	}
}
