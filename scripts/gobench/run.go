package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// operationLimit ends an operation that hangs, so that the report names it.
const operationLimit = 30 * time.Second

// row is a line of the report: what each side measured.
type row struct {
	operation operation
	sides     []stats.Series // in the order of the contenders, in milliseconds
}

// measure runs the operations, the sides in turn within each round, in an order that differs from round to round. It
// returns early, with what it has, when the context ends. What goes wrong on a side ends that operation for that side
// and is kept in its row.
func measure(
	ctx context.Context, chosen []operation, sides []*side, pages *site, rounds int, progress io.Writer,
) []row {
	var rows []row
	n := 0
	for _, op := range chosen {
		began := time.Now()
		fmt.Fprintf(progress, "%-12s", op.name)
		r := row{operation: op, sides: make([]stats.Series, len(sides))}
		// The first round does not count: the first call of a kind finds caches cold.
		for round := range rounds + 1 {
			for _, i := range turns(len(sides), round) {
				into := &r.sides[i]
				if into.Err != nil {
					continue
				}
				n++
				took, err := op.once(ctx, sides[i], pages, n, round == 0)
				if ctx.Err() != nil {
					fmt.Fprintln(progress, "interrupted")
					return rows
				}
				switch {
				case err != nil:
					into.Err = fmt.Errorf("%s: %s: %w", sides[i].name, op.name, err)
				case round > 0:
					into.Values = append(into.Values, float64(took)/float64(time.Millisecond))
				}
			}
		}
		rows = append(rows, r)
		fmt.Fprintf(progress, "%3d rounds %6.1f s\n", rounds, time.Since(began).Seconds())
	}
	return rows
}

// turns returns the order of n sides in a round: in n rounds each has each place once, and for an even n each follows
// each other one once, so that what a browser still does after its turn meets all of them.
func turns(n, round int) []int {
	order := make([]int, n)
	for i := range order {
		place := (i + 1) / 2
		if i%2 == 0 {
			place = n - place
		}
		order[i] = (place + round) % n
	}
	return order
}

// once makes one measurement. The first of an operation opens a new page.
func (op operation) once(ctx context.Context, s *side, pages *site, n int, first bool) (time.Duration, error) {
	ctx, cancel := context.WithTimeout(ctx, operationLimit)
	defer cancel()
	if first || op.fresh {
		s.page = pages.next()
	}
	if first && !op.fresh {
		if err := s.open(ctx, s.page.url); err != nil {
			return 0, err
		}
	}
	m, err := op.begin(ctx, s, n)
	if err != nil {
		return 0, err
	}
	began := time.Now()
	err = m.run(ctx)
	took := time.Since(began)
	if err != nil {
		return 0, err
	}
	return took, m.verify(ctx)
}

// failure returns what went wrong in any row, nil if nothing did.
func failure(rows []row) error {
	var failed error
	for _, r := range rows {
		for _, s := range r.sides {
			failed = errors.Join(failed, s.Err)
		}
	}
	return failed
}
