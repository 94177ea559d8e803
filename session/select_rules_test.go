package session_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// A click that a rule may be about is not done by another command.
func TestSelectUnderRules(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"menu", "bare"} {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-choose-menus.html")
			file := filepath.Join(t.TempDir(), "p.json")
			require.NoError(t, os.WriteFile(file, []byte(`{"default": "allow", "deny": ["click"]}`), 0o600))
			c.Fails(fault.TargetUnsuitable, "--action-policy", file, "select", "#"+id, "Lamps")
			require.Empty(t, c.Log(), "nothing was chosen")
		})
	}
}
