package session

import (
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/session/ledger"
)

// A host that finds another one running has a manager for a moment; the other one's journal is not its own.
func TestJournalOfARunningHost(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	ledger.New(path, slog.New(slog.DiscardHandler)).Set("shop",
		&ledger.Session{Tabs: []ledger.Tab{{ID: "t1", URL: "http://shop"}}})
	m, err := New(Options{Registry: catalog.Registry(), Journal: path})
	require.NoError(t, err)
	m.Close(t.Context())
	require.FileExists(t, path)
}
