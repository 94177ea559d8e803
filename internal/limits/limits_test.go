package limits

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWords(t *testing.T) {
	t.Parallel()
	files, memory := Limit{Kind: Files, Value: 64}, Limit{Kind: Memory, Value: 500_000 << 10}
	processes := Limit{Kind: Processes, Value: 20, container: true}
	require.Equal(t, "64 open files (ulimit -n)", files.String())
	require.Equal(t, "500000 KB of address space (ulimit -v)", memory.String())
	require.Equal(t, "20 processes and threads (limit of the container)", processes.String())
	require.Empty(t, processes.Option())
	require.Empty(t, Suspect(nil))
	require.Equal(t, "perhaps because only 64 open files (ulimit -n) are allowed", Suspect([]Limit{files}))
	require.Equal(t,
		"perhaps because only 64 open files (ulimit -n), 500000 KB of address space (ulimit -v) and 20 processes and "+
			"threads (limit of the container) are allowed", Suspect([]Limit{files, memory, processes}))
	require.Equal(t, "too many files are open; the limit is 64 open files (ulimit -n)",
		Reached(Files, []Limit{memory, files}))
	require.Equal(t, "too many files are open", Reached(Files, []Limit{memory}))
	for kind := range kinds {
		require.NotEmpty(t, about[kind].option, "of kind %d", kind)
		require.NotZero(t, about[kind].enough, "of kind %d", kind)
	}
}
