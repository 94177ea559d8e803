package session

import (
	"log/slog"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	log := slog.New(slog.DiscardHandler)

	first := newJournal(path, log)
	require.Empty(t, first.load())
	first.set("shop", []string{"http://shop/cart", "http://shop/help"}, "")
	first.set("mail", []string{}, "")
	first.set("theirs", []string{"http://theirs"}, "ws://127.0.0.1:9222/x")
	first.set("gone", []string{"http://gone"}, "")
	first.set("gone", nil, "")
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "others can read where the user was")
	first.freeze()
	first.set("shop", nil, "") // closing at the end of the host

	lost := newJournal(path, log).load()
	require.Len(t, lost, 3)
	require.Contains(t, lost["shop"].note(), "lost: http://shop/cart, http://shop/help")
	require.Contains(t, lost["mail"].note(), "restarted")
	require.Contains(t, lost["theirs"].note(), "attached to the browser at ws://127.0.0.1:9222/x, which was left running")
	require.NoFileExists(t, path, "told once")
}

// A host that finds another one running has a manager for a moment; the other one's journal is not its own.
func TestJournalOfARunningHost(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	newJournal(path, slog.New(slog.DiscardHandler)).set("shop", []string{"http://shop"}, "")
	m, err := New(Options{Journal: path})
	require.NoError(t, err)
	m.Close(t.Context())
	require.FileExists(t, path)
}

func TestJournalThatIsDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	require.Empty(t, newJournal(path, slog.New(slog.DiscardHandler)).load())
}
