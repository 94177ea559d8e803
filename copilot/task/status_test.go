package task

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTransitions holds every pair of states against a drawing of what is allowed.
func TestTransitions(t *testing.T) {
	t.Parallel()
	// The columns are in the order of the rows.
	const ending = "..........."
	drawing := map[Status]string{
		Created:      ".p...b" + "...fc",
		Planning:     "..xeab" + "spmfc",
		Exploring:    ".p...b" + "...fc",
		Executing:    ".px.ab" + "spmfc",
		AwaitingUser: ".p.e.b" + "...fc",
		Blocked:      ".p.e.." + "...fc",
		Succeeded:    ending,
		Partial:      ending,
		Claimed:      ending,
		Failed:       ending,
		Cancelled:    ending,
	}
	require.Len(t, drawing, len(Statuses()))
	for _, from := range Statuses() {
		for i, to := range Statuses() {
			err := from.To(to)
			if allowed := drawing[from][i] != '.'; allowed {
				require.NoError(t, err, "%s to %s", from, to)
			} else {
				require.ErrorContains(t, err, string(to), "%s to %s", from, to)
			}
		}
		require.Equal(t, from.Final(), drawing[from] == ending, from)
	}
}
