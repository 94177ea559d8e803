package task

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTransitions holds every pair of states against a drawing of what is allowed.
func TestTransitions(t *testing.T) {
	t.Parallel()
	// The columns are in the order of the rows.
	drawing := map[Status]string{
		Created:      ".p...b.fc",
		Planning:     "..xea" + "bsfc",
		Exploring:    ".p...b.fc",
		Executing:    ".px.absfc",
		AwaitingUser: ".p.e.b.fc",
		Blocked:      ".p.e...fc",
		Succeeded:    ".........",
		Failed:       ".........",
		Cancelled:    ".........",
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
		require.Equal(t, from.Final(), drawing[from] == ".........", from)
	}
}
