package daemon

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// An older host may end just when it is asked to close a session. The session counts as closed then.
func TestDemandOfAHostThatIsGone(t *testing.T) {
	t.Parallel()
	require.NoError(t, demand(filepath.Join(t.TempDir(), "old.1"), "default"))
}
