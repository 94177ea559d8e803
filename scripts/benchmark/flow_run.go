//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// attempt is one run of a workflow by one peer.
type attempt struct {
	cost
	Milliseconds float64 `json:"ms"`
	Failure      string  `json:"failure,omitempty"`
}

// flowRow is a line of the report: the attempts of each peer.
type flowRow struct {
	flow  flow
	peers [][]attempt
}

// warmUp has each peer's browser show a page, so that no workflow has the start of a browser in it.
func warmUp(ctx context.Context, servers []*server) error {
	for _, s := range servers {
		if err := s.visit(ctx, "warm", "<p>Warm</p>"); err != nil {
			return err
		}
	}
	return nil
}

// runFlows runs the workflows, the peers in turn within each round, in an order that changes. It returns early, with what it has, when the
// context ends.
func runFlows(ctx context.Context, chosen []flow, servers []*server, rounds int, dir string, progress io.Writer) []flowRow {
	var rows []flowRow
	for _, f := range chosen {
		began := time.Now()
		fmt.Fprintf(progress, "%-12s", f.name)
		row := flowRow{flow: f, peers: make([][]attempt, len(servers))}
		for round := range rounds {
			for k := range servers {
				i := (k + round) % len(servers)
				row.peers[i] = append(row.peers[i], f.attempt(ctx, servers[i], dir))
			}
			if ctx.Err() != nil {
				fmt.Fprintln(progress, "interrupted")
				return rows
			}
		}
		rows = append(rows, row)
		fmt.Fprintf(progress, "%3d rounds %6.1f s\n", rounds, time.Since(began).Seconds())
		for i, s := range servers {
			if failure := row.failure(i); failure != "" {
				fmt.Fprintf(progress, "  %s: %s\n", s.program.name, failure)
			}
		}
	}
	return rows
}

// attempt runs the workflow once and checks the result.
func (f flow) attempt(ctx context.Context, s *server, dir string) attempt {
	s.tokens++
	s.token = fmt.Sprintf("%c-%s-%04d", s.program.name[0], f.name, s.tokens) // of one length, so that addresses cost the same everywhere
	a := &agent{server: s, dir: dir}
	began := time.Now()
	err := f.run(ctx, a)
	took := time.Since(began)
	if err == nil {
		if err = f.check(ctx, a); err != nil {
			err = fmt.Errorf("%s: %w", s.program.name, err)
		}
	}
	done := attempt{cost: a.cost, Milliseconds: milliseconds(took)[0]}
	if err != nil {
		done.Failure = err.Error()
	}
	return done
}

// failure is the first failure of a peer; empty if it did the work each time.
func (r flowRow) failure(peer int) string {
	for _, a := range r.peers[peer] {
		if a.Failure != "" {
			return a.Failure
		}
	}
	return ""
}

// of is the median of a figure over the attempts of a peer.
func (r flowRow) of(peer int, figure func(attempt) float64) float64 {
	var values []float64
	for _, a := range r.peers[peer] {
		values = append(values, figure(a))
	}
	return stats.Median(values)
}

// The figures of the report.
func calls(a attempt) float64     { return float64(a.Calls) }
func bytesRead(a attempt) float64 { return float64(a.Bytes) }
func stale(a attempt) float64     { return float64(a.Stale) }
func recovered(a attempt) float64 { return float64(a.Recovered) }
func again(a attempt) float64     { return float64(a.Again) }
func spent(a attempt) float64     { return a.Milliseconds }

// flowsTable has a line for each workflow and peer.
func flowsTable(rows []flowRow, names []string) stats.Table {
	table := stats.Table{{"Work", "by", "done", "calls", "bytes read", "stale refs", "recovered", "looked again", "time"}}
	sums := make([][3]float64, len(names))
	done := make([]int, len(names))
	whole := func(figure float64) string { return fmt.Sprintf("%.0f", figure) }
	for _, r := range rows {
		for i, name := range names {
			word := "yes"
			if r.failure(i) != "" {
				word = "no"
			} else {
				done[i]++
			}
			table = append(table, []string{
				r.flow.title, name, word, whole(r.of(i, calls)), whole(r.of(i, bytesRead)), whole(r.of(i, stale)), whole(r.of(i, recovered)),
				whole(r.of(i, again)), whole(r.of(i, spent)) + " ms",
			})
			for k, figure := range []func(attempt) float64{calls, bytesRead, spent} {
				sums[i][k] += r.of(i, figure)
			}
		}
	}
	for i, name := range names {
		table = append(table, []string{
			"all", name, fmt.Sprintf("%d of %d", done[i], len(rows)), whole(sums[i][0]), whole(sums[i][1]), "", "", "", whole(sums[i][2]) + " ms",
		})
	}
	return append(table, ratiosOf(sums))
}

// ratiosOf is what the first peer needed of what the second one did, beside the aims.
func ratiosOf(sums [][3]float64) []string {
	share := func(k int, aim string) string {
		if len(sums) < 2 || sums[1][k] == 0 {
			return ""
		}
		return fmt.Sprintf("%.2f%s", sums[0][k]/sums[1][k], aim)
	}
	return []string{"ratio", "", "", share(0, " (target: 50 calls)"), share(1, " (target: 0.50)"), "", "", "", share(2, " (target: 0.70)")}
}

// The JSON form of a report.
type (
	jsonFlows struct {
		Machine machine        `json:"machine"`
		Listed  map[string]int `json:"toolListBytes"`
		Flows   []jsonFlow     `json:"workflows"`
	}
	jsonFlow struct {
		Name     string               `json:"name"`
		Title    string               `json:"title"`
		Attempts map[string][]attempt `json:"attempts"`
	}
)

func writeFlowsJSON(w io.Writer, rows []flowRow, names []string, listed map[string]int, m machine) error {
	report := jsonFlows{Machine: m, Listed: listed}
	for _, r := range rows {
		line := jsonFlow{Name: r.flow.name, Title: r.flow.title, Attempts: map[string][]attempt{}}
		for i, name := range names {
			line.Attempts[name] = r.peers[i]
		}
		report.Flows = append(report.Flows, line)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

// ourFailure is what skua did not do. What another peer does not do is a finding, not a failure of the run.
func ourFailure(rows []flowRow) error {
	var failed error
	for _, r := range rows {
		if text := r.failure(0); text != "" {
			failed = errors.Join(failed, fmt.Errorf("%s: %s", r.flow.name, text))
		}
	}
	return failed
}

// compareWorkflows runs the workflows through skua's MCP server and agent-browser's.
func (s settings) compareWorkflows(ctx context.Context, root string, pages *site, stdout, stderr io.Writer) error {
	return s.withServers(ctx, root, pages, stderr, func(servers []*server, names []string, listed map[string]int, m machine) error {
		dir, err := os.MkdirTemp(root, "files")
		if err != nil {
			return err
		}
		if err := warmUp(ctx, servers); err != nil {
			return err
		}
		chosen := chosenOf(flows(), s.only, func(f flow) string { return f.name })
		rows := runFlows(ctx, chosen, servers, operation{effort: heavy}.rounds(s.rounds), dir, stderr)
		if s.json {
			return errors.Join(writeFlowsJSON(stdout, rows, names, listed, m), ourFailure(rows))
		}
		fmt.Fprintln(stderr)
		err = s.show(stdout, flowsTable(rows, names))
		fmt.Fprintf(stdout, "bytes of the list of tools: %v\n", listed)
		return errors.Join(err, ourFailure(rows))
	})
}
