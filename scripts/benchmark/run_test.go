//go:build linux

package main

import (
	"context"
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMeasureTakesTurnsAndKeepsFailuresApart(t *testing.T) {
	t.Parallel()
	sides := [2]*side{{program: &program{name: "a"}}, {program: &program{name: "b"}}}
	var calls []string
	op := operation{
		name: "x", results: duration("x", 0.5),
		ready: func(_ context.Context, s *side) error { calls = append(calls, "ready "+s.program.name); return nil },
		measure: func(_ context.Context, s *side) ([]float64, error) {
			calls = append(calls, s.program.name)
			if s.program.name == "b" && len(calls) > 6 {
				return nil, errNotSeen
			}
			return []float64{float64(len(calls))}, nil
		},
	}
	rows := measure(t.Context(), []operation{op}, sides, 3, io.Discard)
	// The call after ready is the one that does not count. b fails in its second round and is not asked again.
	require.Equal(t, []string{"ready a", "a", "a", "ready b", "b", "b", "a", "b", "a"}, calls)
	require.Len(t, rows, 1)
	require.Equal(t, []float64{3, 7, 9}, rows[0].ours.Values)
	require.ErrorIs(t, rows[0].theirs.Err, errNotSeen)
}

func TestRoundsByEffort(t *testing.T) {
	t.Parallel()
	require.Equal(t, 15, operation{effort: light}.rounds(15))
	require.Equal(t, 5, operation{effort: heavy}.rounds(15))
	require.Equal(t, 1, operation{effort: heavy}.rounds(1))
	require.Equal(t, 1, operation{effort: once}.rounds(15))
}
