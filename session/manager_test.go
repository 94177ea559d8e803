package session

import (
	"context"
	"log/slog"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/ledger"
)

// A page that goes away since its session is closed is told as that, whichever of the two the command hears of first.
func TestGoneWith(t *testing.T) {
	t.Parallel()
	lasting := context.Background()
	closed, end := context.WithCancelCause(lasting)
	end(sessionClosed())
	gone, other := fault.New(fault.PageGone, "the tab was closed"), fault.New(fault.RefStale, "@e1 is gone")

	require.Equal(t, sessionClosed(), closedError(closed, gone))
	require.Equal(t, gone, closedError(lasting, gone))
	require.Equal(t, other, closedError(closed, other))
	require.NoError(t, closedError(closed, nil))
}

// A host that finds another one running has a manager for a moment; the other one's journal is not its own.
func TestJournalOfARunningHost(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	ledger.New(path, slog.New(slog.DiscardHandler)).Set("shop", &ledger.Session{Tabs: []ledger.Tab{{ID: "t1", URL: "http://shop"}}})
	m, err := New(Options{Registry: catalog.Registry(), Journal: path})
	require.NoError(t, err)
	m.Close(t.Context())
	require.FileExists(t, path)
}
