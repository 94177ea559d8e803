//go:build linux

package main

import (
	"fmt"
	"os"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"
)

func TestMemoryOfThisProcess(t *testing.T) {
	t.Parallel()
	resident, ok := kilobytes(fmt.Sprintf("/proc/%d/status", os.Getpid()), "VmRSS:")
	require.True(t, ok)
	require.Greater(t, resident, int64(megabyte))
	_, ok = kilobytes("/proc/self/status", "NoSuchLine:")
	require.False(t, ok)
}

func TestSettledStopsWhenNothingMoves(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		values := []int64{1000, 1500, 1505}
		n := 0
		got, err := settled(t.Context(), func() (int64, error) { n++; return values[n-1], nil })
		require.NoError(t, err)
		require.EqualValues(t, 1505, got)
		require.Equal(t, 3, n)
	})
}
