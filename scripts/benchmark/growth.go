//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// growthRow is how long one command takes on pages of growing size.
type growthRow struct {
	title  string
	series []stats.Series // one a size
}

// growthSizes are the pages of the two tables: elements below body, and frames.
var (
	growthSizes  = []int{30, 1_000, 10_000, 50_000}
	growthFrames = []int{1, 10, 50}
)

// growing are the commands that are measured, on a page with so many elements, or frames, of which they act in the
// last.
func growing(elements, frames int) []act {
	inner := fmt.Sprintf("{Inside %d}", frames)
	if frames == 0 {
		inner = "{Other}"
	}
	all := []act{
		{name: "click", title: "click @ref", lines: [][]string{{"click", inner}}, changes: "counts.click"},
		{
			name:    "fill",
			title:   "fill @ref",
			lines:   [][]string{{"fill", "{Second}", "one"}, {"fill", "{Second}", "two"}},
			changes: "second.value",
		},
		{name: "wait", title: "wait @ref", lines: [][]string{{"wait", inner}}},
		{name: "snapshot", title: "snapshot -i, all of it", lines: [][]string{wholeSnapshot}, prints: "Far"},
		{
			name: "delta", title: "snapshot -i --delta", before: []string{"fill", "{Second}", "zero"},
			lines: [][]string{{"snapshot", "-i", "--delta"}},
		},
	}
	for i := range all {
		all[i].elements, all[i].frames = elements, frames
	}
	return all
}

// growth measures skua's own commands on pages of growing size.
func (s settings) growth(ctx context.Context, root string, pages *site, stdout, stderr io.Writer) (err error) {
	programs, err := s.programs(ctx, root)
	if err != nil {
		return err
	}
	ours := &side{program: &programs[0], site: pages, root: root}
	defer func() {
		if ours.warm != nil {
			err = errors.Join(err, ours.warm.end(ctx, "default"))
		}
	}()
	s.machine(ctx, root, programs).print(stderr)
	for _, table := range []struct {
		unit  string
		sizes []int
		acts  func(int) []act
	}{
		{"elements", growthSizes, func(n int) []act { return growing(n, 0) }},
		{"frames", growthFrames, func(n int) []act { return growing(30, n) }},
	} {
		var rows []growthRow
		for _, size := range table.sizes {
			for i, a := range table.acts(size) {
				if len(rows) <= i {
					rows = append(rows, growthRow{title: a.title})
				}
				fmt.Fprintf(stderr, "%s, %d %s\n", a.title, size, table.unit)
				rows[i].series = append(rows[i].series, ours.measured(ctx, a.operation(), s.rounds))
			}
		}
		if err := s.show(stdout, growthTable(table.unit, table.sizes, rows)); err != nil {
			return err
		}
		for _, r := range rows {
			for _, one := range r.series {
				err = errors.Join(err, one.Err)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// measured runs the rounds of one operation on one side.
func (s *side) measured(ctx context.Context, op operation, rounds int) stats.Series {
	var got stats.Series
	for round := range rounds {
		values, err := op.round(ctx, s, round)
		if err != nil {
			got.Err = err
			return got
		}
		got.Values = append(got.Values, values...)
	}
	return got
}

// growthTable has medians, and how the largest page compares with the one before.
func growthTable(unit string, sizes []int, rows []growthRow) stats.Table {
	head := []string{"Command"}
	for _, size := range sizes {
		head = append(head, fmt.Sprintf("%d %s", size, unit))
	}
	last := len(sizes) - 1
	table := stats.Table{append(head,
		fmt.Sprintf("last to one before (size: %.0f)", float64(sizes[last])/float64(sizes[last-1])))}
	for _, r := range rows {
		line := []string{r.title}
		for _, one := range r.series {
			line = append(line, one.Cell("ms"))
		}
		table = append(table, append(line, stats.RatioCell(r.series[last].Ratio(r.series[last-1], stats.Median))))
	}
	return table
}
