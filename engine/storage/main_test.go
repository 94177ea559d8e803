package storage_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/pagescript"
	"github.com/skua-browser/skua/internal/testengine"
)

func TestMain(m *testing.M) { os.Exit(testengine.Main(m)) }

func TestPageScriptBundlesAreCurrent(t *testing.T) {
	t.Parallel()
	problems, err := pagescript.Stale(".")
	require.NoError(t, err)
	require.Empty(t, problems)
}
