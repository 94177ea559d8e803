package stats_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

var errSample = errors.New("sample failed")

func TestMedian(t *testing.T) {
	t.Parallel()
	require.Zero(t, stats.Median(nil))
	require.InDelta(t, 3, stats.Median([]float64{9, 1, 3}), 0)
	require.InDelta(t, 2.5, stats.Median([]float64{4, 1, 2, 3}), 0)
	values := []float64{3, 1, 2}
	stats.Median(values)
	require.Equal(t, []float64{3, 1, 2}, values, "the samples keep their order")
}

func TestRatios(t *testing.T) {
	t.Parallel()
	some := func(values ...float64) stats.Series { return stats.Series{Values: values} }
	failed := stats.Series{Values: []float64{1}, Err: errSample}
	tests := []struct {
		name         string
		ours, theirs stats.Series
		median, best string
		paired       string
	}{
		{name: "each its own", ours: some(1, 2, 6), theirs: some(4, 4, 4), median: "0.50", best: "0.25", paired: "0.50"},
		{name: "a slow round", ours: some(2, 20, 2), theirs: some(4, 40, 8), median: "0.25", best: "0.50", paired: "0.50"},
		{name: "other rounds", ours: some(1, 2), theirs: some(4), median: "0.38", best: "0.25"},
		{name: "we failed", ours: failed, theirs: some(4)},
		{name: "the other failed", ours: some(4), theirs: failed},
		{name: "nothing measured", ours: some(), theirs: some(4)},
		{name: "no time at all", ours: some(4), theirs: some(0)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.median, stats.RatioCell(test.ours.Ratio(test.theirs, stats.Median)))
			require.Equal(t, test.best, stats.RatioCell(test.ours.Ratio(test.theirs, stats.Best)))
			require.Equal(t, test.paired, stats.RatioCell(test.ours.PairedRatio(test.theirs)))
		})
	}
}

func TestSeriesInReports(t *testing.T) {
	t.Parallel()
	s := stats.Series{Values: []float64{6, 1, 2}}
	require.Equal(t, "2.0 ms", s.Cell("ms"))
	require.Equal(t, stats.Samples{Median: 2, Samples: []float64{6, 1, 2}}, s.Samples())
	require.Empty(t, stats.Series{}.Cell("ms"))
	failed := stats.Series{Err: errSample}
	require.Equal(t, "failed", failed.Cell("ms"))
	require.Equal(t, stats.Samples{Error: "sample failed"}, failed.Samples())
}
