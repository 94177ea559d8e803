//go:build linux

package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// costRow is one size of page: how long both take, as means of milliseconds.
type costRow struct {
	elements   int
	ours, tree float64
}

// costAims are the shares of getFullAXTree that `snapshot -i` may take.
var costAims = map[int]float64{30: 0.9, 1_000: 0.2, 10_000: 0.12, 50_000: 0.15}

// measureCost runs the benchmark of session that takes snapshots in process, in turns with getFullAXTree.
func (m *measurement) measureCost(ctx context.Context) error {
	cmd := exec.CommandContext(ctx, "go", "test", "./actions/look", "-run", "^$", "-bench", "^BenchmarkPerception$",
		"-benchtime", m.rounds)
	cmd.Stderr = os.Stderr
	m.say("go test ./actions/look -bench BenchmarkPerception -benchtime %s\n", m.rounds)
	out, err := cmd.Output()
	if err != nil {
		return fmt.Errorf("the benchmark of session: %w: %s", err, out)
	}
	if m.costs, err = readCosts(string(out)); err != nil {
		return err
	}
	return nil
}

var (
	costLine = regexp.MustCompile(`^BenchmarkPerception/(\d+)(?:-\d+)?\s`)
	treeMean = regexp.MustCompile(`([\d.]+) getFullAXTree-ms`)
	ourMean  = regexp.MustCompile(`([\d.]+) interactive-ms`)
)

// readCosts reads what go test prints.
func readCosts(out string) (rows []costRow, err error) {
	for l := range strings.Lines(out) {
		size := costLine.FindStringSubmatch(l)
		ours, tree := ourMean.FindStringSubmatch(l), treeMean.FindStringSubmatch(l)
		if size == nil || ours == nil || tree == nil {
			continue
		}
		var r costRow
		if r.elements, err = strconv.Atoi(size[1]); err == nil {
			if r.ours, err = strconv.ParseFloat(ours[1], 64); err == nil {
				r.tree, err = strconv.ParseFloat(tree[1], 64)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("the benchmark of session says %q: %w", l, err)
		}
		rows = append(rows, r)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("the benchmark of session has not printed the means: %s", out)
	}
	return rows, nil
}

func costTable(rows []costRow) stats.Table {
	table := stats.Table{{"elements", "snapshot -i", "getFullAXTree", "ratio", "aim", "met"}}
	for _, r := range rows {
		met, ratio := "no", r.ours/r.tree
		if ratio <= costAims[r.elements] {
			met = "yes"
		}
		table = append(table, []string{
			fmt.Sprint(r.elements), fmt.Sprintf("%.1f ms", r.ours), fmt.Sprintf("%.1f ms", r.tree), fmt.Sprintf("%.2f", ratio),
			fmt.Sprintf("<= %.2f", costAims[r.elements]), met,
		})
	}
	return table
}
