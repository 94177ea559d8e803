package policy

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLogCountsAndBounds(t *testing.T) {
	t.Parallel()
	var l Log
	l.Add(Action, "evaluate", "deny", "eval")
	var all sync.WaitGroup
	for worker := range 8 {
		all.Go(func() {
			for i := range 10_000 {
				if i%8 == worker {
					l.Add(Domain, fmt.Sprintf("h%d.example", i), "not allowed", "")
				}
			}
		})
	}
	all.Wait()
	for range 5 {
		l.Add(Domain, "same.example", "not allowed", "")
	}
	entries, dropped := l.Entries()
	require.Len(t, entries, logEntries+1, "a flood of one kind drives out only its own")
	require.Equal(t, map[Kind]int{Domain: 10_000 - (logEntries - 1)}, dropped)
	last := entries[len(entries)-1]
	require.Equal(t, "same.example", last.Subject)
	require.Equal(t, 5, last.Count)
	kinds := map[Kind]int{}
	for _, e := range entries {
		kinds[e.Kind]++
	}
	require.Equal(t, map[Kind]int{Action: 1, Domain: logEntries}, kinds)

	l.Clear()
	entries, dropped = l.Entries()
	require.Empty(t, entries)
	require.Empty(t, dropped)
}

func TestLogCutsText(t *testing.T) {
	t.Parallel()
	var l Log
	l.Add(File, strings.Repeat("ü", logText), "\xff", "")
	entries, _ := l.Entries()
	require.Equal(t, strings.Repeat("ü", logText/2)+"…", entries[0].Subject)
	require.Equal(t, "\uFFFD", entries[0].Rule)
}
