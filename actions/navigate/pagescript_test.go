package navigate

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/pagescript"
)

func TestPageScriptBundlesAreCurrent(t *testing.T) {
	t.Parallel()
	problems, err := pagescript.Stale(".")
	require.NoError(t, err)
	require.Empty(t, problems)
}
