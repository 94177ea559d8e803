package ledger

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestJournal(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	log := slog.New(slog.DiscardHandler)

	first := New(path, log)
	require.Empty(t, first.Load())
	cart := Tab{ID: "t1", Label: "cart", URL: "http://shop/cart", Title: "Cart", Scroll: Offset{Y: 300}}
	first.Set("shop", &Session{Tabs: []Tab{cart, {ID: "t3", URL: "http://shop/help"}}, Active: "t1", LastTab: 3})
	first.Set("mail", &Session{Tabs: []Tab{}})
	first.Set("theirs", &Session{Tabs: []Tab{{ID: "t1", URL: "http://theirs"}}, External: "ws://127.0.0.1:9222/x"})
	first.Set("gone", &Session{Tabs: []Tab{{ID: "t1", URL: "http://gone"}}})
	first.Set("gone", nil)
	info, err := os.Stat(path)
	require.NoError(t, err)
	require.Zero(t, info.Mode().Perm()&0o077, "others can read where the user was")
	first.Freeze()
	first.Set("shop", nil) // closing at the end of the host

	second := New(path, log)
	lost := second.Load()
	require.Len(t, lost, 3)
	require.Equal(t, []Tab{cart, {ID: "t3", URL: "http://shop/help"}}, lost["shop"].Tabs)
	require.Equal(t, "t1", lost["shop"].Active)
	require.Equal(t, 3, lost["shop"].LastTab)
	require.Equal(t, "ws://127.0.0.1:9222/x", lost["theirs"].External)

	// Who was not asked for when the next host ends, too, is not forgotten.
	second.Set("mail", nil)
	lost = New(path, log).Load()
	require.Len(t, lost, 2)
	second.Set("shop", nil)
	second.Set("theirs", nil)
	require.NoFileExists(t, path)
}

func TestJournalIsBounded(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	log := slog.New(slog.DiscardHandler)
	j := New(path, log)
	old := &Session{}
	j.Set("old", old)
	old.Since = time.Now().Add(-2 * maxAge)
	for i := range maxSessions {
		j.open[fmt.Sprint(i)] = &Session{Since: time.Now()}
	}
	j.Set("one", &Session{Tabs: make([]Tab, maxTabs+1)})
	require.Len(t, j.open, maxSessions)
	require.NotContains(t, j.open, "old", "the oldest goes")
	require.Len(t, j.open["one"].Tabs, maxTabs)
	j.open["1"].Since = time.Now().Add(-2 * maxAge)
	require.NoError(t, j.write())
	require.NotContains(t, New(path, log).Load(), "1", "it was not used for a long time")
}

func TestJournalThatIsDamaged(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "sessions.json")
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o600))
	require.Empty(t, New(path, slog.New(slog.DiscardHandler)).Load())
}
