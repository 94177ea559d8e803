//go:build linux

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

func TestReached(t *testing.T) {
	t.Parallel()
	failed := stats.Series{Err: errNotSeen}
	tests := []struct {
		name string
		row  row
		want string
	}{
		{name: "under the ratio", row: row{result: result{ratio: 0.5}, ours: some(4), theirs: some(10)}, want: "yes"},
		{name: "at the ratio", row: row{result: result{ratio: 0.5}, ours: some(5), theirs: some(10)}, want: "yes"},
		{name: "over the ratio", row: row{result: result{ratio: 0.5}, ours: some(6), theirs: some(10)}, want: "no"},
		{name: "no target", row: row{ours: some(6), theirs: some(10)}},
		{name: "other side failed", row: row{result: result{ratio: 0.5}, ours: some(1), theirs: failed}},
		{name: "our side failed", row: row{result: result{ratio: 0.5}, ours: failed, theirs: some(10)}},
		{
			name: "under the limit, other side failed", row: row{result: result{limit: 60}, ours: some(59), theirs: failed},
			want: "yes",
		},
		{name: "over the limit", row: row{result: result{limit: 60}, ours: some(61), theirs: some(100)}, want: "no"},
		{name: "failed under a limit", row: row{result: result{limit: 60}, ours: failed}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, test.row.reached())
		})
	}
}

func some(values ...float64) stats.Series { return stats.Series{Values: values} }

func TestReports(t *testing.T) {
	t.Parallel()
	rows := []row{
		{
			operation: "title", result: result{title: "get title", unit: "ms", ratio: 0.45}, ours: some(1, 2, 6),
			theirs: some(4, 5),
		},
		{
			operation: "click", result: result{title: "click @ref", unit: "ms"}, ours: stats.Series{Err: errNotSeen},
			theirs: some(9),
		},
	}
	var table strings.Builder
	require.NoError(t, tableOf(rows, [2]string{"skua", "agent-browser"}).WriteText(&table))
	want := []string{
		"Operation   skua    agent-browser  ratio  best ratio  target   met",
		"get title   2.0 ms  4.5 ms         0.44   0.25        <= 0.45  yes",
		"click @ref  failed  9.0 ms",
	}
	var got []string
	for line := range strings.Lines(table.String()) {
		got = append(got, strings.TrimRight(line, " \n"))
	}
	require.Empty(t, cmp.Diff(want, got))

	var text strings.Builder
	require.NoError(t, writeJSON(&text, rows, machine{Processors: 2}))
	var report jsonReport
	require.NoError(t, json.Unmarshal([]byte(text.String()), &report))
	require.Equal(t, errNotSeen.Error(), report.Rows[1].Ours.Error)
	require.Equal(t, []float64{1, 2, 6}, report.Rows[0].Ours.Samples)
	require.ErrorIs(t, failure(rows), errNotSeen)
	require.NoError(t, failure(rows[:1]))
}
