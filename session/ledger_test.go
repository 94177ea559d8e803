package session

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
)

func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	log := slog.New(slog.DiscardHandler)

	first := newLedger(path, log)
	require.Empty(t, first.load())
	cart := keptTab{ID: "t1", Label: "cart", URL: "http://shop/cart", Title: "Cart", Scroll: engine.Offset{Y: 300}}
	first.set("shop", &lostSession{Tabs: []keptTab{cart, {ID: "t3", URL: "http://shop/help"}}, Active: "t1", LastTab: 3})
	first.set("mail", &lostSession{Tabs: []keptTab{}})
	first.set("theirs", &lostSession{Tabs: []keptTab{{ID: "t1", URL: "http://theirs"}}, Other: "ws://127.0.0.1:9222/x"})
	first.set("gone", &lostSession{Tabs: []keptTab{{ID: "t1", URL: "http://gone"}}})
	first.set("gone", nil)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "others can read where the user was")
	first.freeze()
	first.set("shop", nil) // closing at the end of the host

	second := newLedger(path, log)
	lost := second.load()
	require.Len(t, lost, 3)
	require.Equal(t, []keptTab{cart, {ID: "t3", URL: "http://shop/help"}}, lost["shop"].Tabs)
	require.Equal(t, "t1", lost["shop"].Active)
	require.Equal(t, 3, lost["shop"].LastTab)
	require.Equal(t, "ws://127.0.0.1:9222/x", lost["theirs"].Other)

	// Who was not asked for when the next host ends, too, is not forgotten.
	second.set("mail", nil)
	lost = newLedger(path, log).load()
	require.Len(t, lost, 2)
	second.set("shop", nil)
	second.set("theirs", nil)
	require.NoFileExists(t, path)
}

func TestJournalIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	log := slog.New(slog.DiscardHandler)
	j := newLedger(path, log)
	old := &lostSession{}
	j.set("old", old)
	old.Since = time.Now().Add(-2 * journalAge)
	for i := range journalSize {
		j.open[fmt.Sprint(i)] = &lostSession{Since: time.Now()}
	}
	j.set("one", &lostSession{Tabs: make([]keptTab, journalTabs+1)})
	require.Len(t, j.open, journalSize)
	require.NotContains(t, j.open, "old", "the oldest goes")
	require.Len(t, j.open["one"].Tabs, journalTabs)
	j.open["1"].Since = time.Now().Add(-2 * journalAge)
	require.NoError(t, j.write())
	require.NotContains(t, newLedger(path, log).load(), "1", "nobody asked for it in a long time")
}

// A host that finds another one running has a manager for a moment; the other one's journal is not its own.
func TestJournalOfARunningHost(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	newLedger(path, slog.New(slog.DiscardHandler)).set("shop", &lostSession{Tabs: []keptTab{{ID: "t1", URL: "http://shop"}}})
	m, err := New(Options{Journal: path})
	require.NoError(t, err)
	m.Close(t.Context())
	require.FileExists(t, path)
}

func TestJournalThatIsDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	require.Empty(t, newLedger(path, slog.New(slog.DiscardHandler)).load())
}
