//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

// row is a line of the report: what both sides measured for one result.
type row struct {
	operation string
	result
	ours, theirs series
}

// series is what one side measured, or why it could not.
type series struct {
	values []float64
	err    error
}

// measure runs the operations, the sides in turn within each round, and returns one row for each result. It returns early, with
// what it has, when the context ends. What goes wrong on a side ends that operation for that side and stands in its row.
func measure(ctx context.Context, operations []operation, sides [2]*side, rounds int, progress io.Writer) []row {
	var rows []row
	for _, op := range operations {
		began := time.Now()
		fmt.Fprintf(progress, "%-16s", op.name)
		var got [2][]series
		for i := range sides {
			got[i] = make([]series, len(op.results))
		}
		n := op.rounds(rounds)
		for round := range n {
			for i, s := range sides {
				if got[i][0].err != nil {
					continue
				}
				values, err := op.round(ctx, s, round)
				for k := range got[i] {
					if err != nil {
						got[i][k].err = err
						continue
					}
					got[i][k].values = append(got[i][k].values, values[k])
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
			if err := got[i][0].err; err != nil {
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

// round makes one measurement on one side. The first is preceded by preparation and, for what is quick, by one that does not count:
// the first call of a kind finds caches cold.
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
		failed = errors.Join(failed, r.ours.err, r.theirs.err)
	}
	return failed
}
