//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// row is a line of the report: what both sides measured for one result.
type row struct {
	operation string
	result
	ours, theirs stats.Series
}

// measure runs the operations, the sides in turn within each round, and returns one row for each result. It returns
// early, with what it has, when the context ends. What goes wrong on a side ends that operation for that side and is
// shown in its row.
func measure(ctx context.Context, operations []operation, sides [2]*side, rounds int, progress io.Writer) []row {
	var rows []row
	for _, op := range operations {
		began := time.Now()
		fmt.Fprintf(progress, "%-16s", op.name)
		var got [2][]stats.Series
		for i := range sides {
			got[i] = make([]stats.Series, len(op.results))
		}
		n := op.rounds(rounds)
		for round := range n {
			for i, s := range sides {
				if got[i][0].Err != nil {
					continue
				}
				values, err := op.round(ctx, s, round)
				for k := range got[i] {
					if err != nil {
						got[i][k].Err = err
						continue
					}
					got[i][k].Values = append(got[i][k].Values, values[k])
				}
			}
			if ctx.Err() != nil {
				fmt.Fprintln(progress, "interrupted")
				return rows
			}
		}
		for k, r := range op.results {
			rows = append(rows, row{operation: op.name, result: r, ours: got[0][k], theirs: got[1][k]})
		}
		fmt.Fprintf(progress, "%3d rounds %6.1f s\n", n, time.Since(began).Seconds())
		for i, s := range sides {
			if err := got[i][0].Err; err != nil {
				fmt.Fprintf(progress, "  %s: %v\n", s.program.name, err)
			}
		}
	}
	return rows
}

// rounds returns how many of n rounds an operation gets.
func (op operation) rounds(n int) int {
	switch op.effort {
	case once:
		return 1
	case heavy:
		return (n + 2) / 3
	}
	return n
}

// round makes one measurement on one side. The first is preceded by preparation and, for what is quick, by one that
// does not count: the first call of a kind finds caches cold.
func (op operation) round(ctx context.Context, s *side, round int) ([]float64, error) {
	if round == 0 {
		if op.ready != nil {
			if err := op.ready(ctx, s); err != nil {
				return nil, err
			}
		}
		if op.effort == light {
			if _, err := op.measure(ctx, s); err != nil {
				return nil, err
			}
		}
	}
	return op.measure(ctx, s)
}

// failure returns what went wrong in any row, nil if nothing did.
func failure(rows []row) error {
	var failed error
	for _, r := range rows {
		failed = errors.Join(failed, r.ours.Err, r.theirs.Err)
	}
	return failed
}
