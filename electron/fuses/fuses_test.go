package fuses

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	t.Parallel()
	wire := func(fuses string) string { return sentinel + "\x01" + string(rune(len(fuses))) + fuses }
	for _, tc := range []struct {
		name, file string
		want       Fuses
		inspect    bool
	}{
		{name: "older than fuses", file: strings.Repeat("x", 3<<20), inspect: true},
		{name: "all on", file: "head" + wire("1011") + "tail", want: "1011", inspect: true},
		{name: "inspect off", file: strings.Repeat("x", 2<<20) + wire("10100001") + "tail", want: "10100001"},
		{
			name: "across two blocks", file: strings.Repeat("x", 1<<20-10) + wire("1010") + strings.Repeat("y", 1<<20),
			want: "1010",
		},
		{name: "inspect removed", file: wire("101r"), want: "101r", inspect: true},
		{name: "fewer fuses than the one asked for", file: wire("10"), want: "10", inspect: true},
		{name: "another version", file: sentinel + "\x02\x041010", inspect: true},
		{name: "cut behind the sentinel", file: sentinel, inspect: true},
		{name: "count beyond the end", file: sentinel + "\x01\x201010", want: "1010"},
		{name: "empty", inspect: true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "app")
			require.NoError(t, os.WriteFile(path, []byte(tc.file), 0o600))
			got, err := Read(path)
			require.NoError(t, err)
			require.Equal(t, tc.want, got)
			require.Equal(t, tc.inspect, got.TakesInspect())
		})
	}
	_, err := Read(filepath.Join(t.TempDir(), "none"))
	require.ErrorIs(t, err, os.ErrNotExist)
}

func BenchmarkRead(b *testing.B) {
	path := os.Getenv("SKUA_ELECTRON")
	if path == "" {
		b.Skip("SKUA_ELECTRON names no executable")
	}
	for b.Loop() {
		if _, err := Read(path); err != nil {
			b.Fatal(err)
		}
	}
}
