//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// mcpRow is a line of the report: what each peer measured.
type mcpRow struct {
	operation mcpOperation
	peers     []stats.Series // in the order of the servers
}

// measureServers runs the operations, the peers in turn within each round. It returns early, with what it has, when the
// context ends.
func measureServers(
	ctx context.Context, operations []mcpOperation, servers []*server, rounds int, progress io.Writer,
) []mcpRow {
	var rows []mcpRow
	for _, op := range operations {
		began := time.Now()
		fmt.Fprintf(progress, "%-22s", op.name)
		row := mcpRow{operation: op, peers: make([]stats.Series, len(servers))}
		n := operation{effort: op.effort}.rounds(rounds)
		for round := range n {
			for i, s := range servers {
				into := &row.peers[i]
				if into.Err != nil {
					continue
				}
				took, err := op.round(ctx, s, round)
				if err != nil {
					into.Err = err
					continue
				}
				into.Values = append(into.Values, milliseconds(took)...)
			}
			if ctx.Err() != nil {
				fmt.Fprintln(progress, "interrupted")
				return rows
			}
		}
		rows = append(rows, row)
		fmt.Fprintf(progress, "%3d rounds %6.1f s\n", n, time.Since(began).Seconds())
		for i, s := range servers {
			if err := row.peers[i].Err; err != nil {
				fmt.Fprintf(progress, "  %s: %v\n", s.program.name, err)
			}
		}
	}
	return rows
}

// round makes one measurement. The first is preceded by preparation and by one that does not count: the first call of a
// kind finds caches cold.
func (op mcpOperation) round(ctx context.Context, s *server, round int) (time.Duration, error) {
	if round == 0 {
		if op.ready != nil {
			if err := op.ready(ctx, s); err != nil {
				return 0, err
			}
		}
		if _, err := op.measure(ctx, s); err != nil {
			return 0, err
		}
	}
	return op.measure(ctx, s)
}

// ratio returns our median as a share of that of another peer; false when one of them measured nothing.
func (r mcpRow) ratio(other int) (float64, bool) {
	if other >= len(r.peers) {
		return 0, false
	}
	return row{ours: r.peers[0], theirs: r.peers[other]}.ratio()
}

// reached says whether the target was met: "yes", "no", or "" where there is none or nothing to compare.
func (r mcpRow) reached() string {
	return row{result: result{ratio: r.operation.ratio}, ours: r.peers[0], theirs: r.peers[1]}.reached()
}

// ahead says whether we are faster than every other peer that could do it.
func (r mcpRow) ahead() string {
	word := ""
	for i := 1; i < len(r.peers); i++ {
		share, ok := r.ratio(i)
		switch {
		case ok && share >= 1:
			return "no"
		case ok:
			word = "yes"
		}
	}
	return word
}

// toolCell is a peer's entry; a peer that cannot do it says so.
func toolCell(s stats.Series) string {
	if errors.Is(s.Err, errNoTool) {
		return "cannot"
	}
	return s.Cell("ms")
}

func serversTable(rows []mcpRow, names []string) stats.Table {
	table := stats.Table{slices.Concat([]string{"Call"}, names,
		[]string{"ratio to " + names[1], "target", "met", "ahead of all"})}
	for _, r := range rows {
		line := []string{r.operation.title}
		for _, s := range r.peers {
			line = append(line, toolCell(s))
		}
		target := row{result: result{ratio: r.operation.ratio}}.target()
		table = append(table, append(line, share3(r.ratio(1)), target, r.reached(), r.ahead()))
	}
	return table
}

// share3 is stats.RatioCell with a third digit, for ratios about a tenth.
func share3(ratio float64, ok bool) string {
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.3f", ratio)
}

// The JSON form of a report.
type (
	jsonServers struct {
		Machine machine         `json:"machine"`
		Listed  map[string]int  `json:"toolListBytes"`
		Rows    []jsonServerRow `json:"rows"`
	}
	jsonServerRow struct {
		Operation string                   `json:"operation"`
		Title     string                   `json:"title"`
		Peers     map[string]stats.Samples `json:"peers"`
		Ratio     float64                  `json:"ratio,omitempty"`
		Target    float64                  `json:"targetRatio,omitempty"`
		Reached   string                   `json:"reached,omitempty"`
		Ahead     string                   `json:"ahead,omitempty"`
	}
)

func writeServersJSON(w io.Writer, rows []mcpRow, names []string, listed map[string]int, m machine) error {
	report := jsonServers{Machine: m, Listed: listed}
	for _, r := range rows {
		share, _ := r.ratio(1)
		line := jsonServerRow{
			Operation: r.operation.name,
			Title:     r.operation.title,
			Peers:     map[string]stats.Samples{},
			Ratio:     share,
			Target:    r.operation.ratio,
			Reached:   r.reached(),
			Ahead:     r.ahead(),
		}
		for i, s := range r.peers {
			line.Peers[names[i]] = s.Samples()
		}
		report.Rows = append(report.Rows, line)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

// serversFailure returns what went wrong in any row but what a peer has no tool for.
func serversFailure(rows []mcpRow) error {
	var failed error
	for _, r := range rows {
		for _, s := range r.peers {
			if !errors.Is(s.Err, errNoTool) {
				failed = errors.Join(failed, s.Err)
			}
		}
	}
	return failed
}

// compareServers measures MCP servers.
func (s settings) compareServers(ctx context.Context, root string, pages *site, stdout, stderr io.Writer) error {
	return s.withServers(ctx, root, pages, stderr,
		func(servers []*server, names []string, listed map[string]int, m machine) error {
			rows := measureServers(ctx, chosenOf(mcpOperations(), s.only, func(op mcpOperation) string {
				return op.name
			}), servers, s.rounds, stderr)
			if s.json {
				return errors.Join(writeServersJSON(stdout, rows, names, listed, m), serversFailure(rows))
			}
			fmt.Fprintln(stderr)
			err := s.show(stdout, serversTable(rows, names))
			fmt.Fprintf(stdout, "bytes of the list of tools: %v\n", listed)
			return errors.Join(err, serversFailure(rows))
		})
}

// withServers starts the servers of all peers, has compare work with them, and ends them.
func (s settings) withServers(
	ctx context.Context, root string, pages *site, stderr io.Writer,
	compare func(servers []*server, names []string, listed map[string]int, m machine) error,
) (err error) {
	peers, err := s.peers(ctx, root)
	if err != nil {
		return err
	}
	servers, end, err := startServers(ctx, peers, pages, root)
	defer func() { err = errors.Join(err, end(ctx)) }()
	if err != nil {
		return err
	}
	m := s.machine(ctx, root, [2]program{peers[0].program, peers[1].program})
	m.print(stderr)
	names, listed := listedBy(servers)
	return compare(servers, names, listed, m)
}

// startServers starts the peers' servers. end ends those that were started, and works in every case.
func startServers(
	ctx context.Context, peers []*peer, pages *site, root string,
) (servers []*server, end func(context.Context) error, err error) {
	end = func(ctx context.Context) error {
		var failed error
		for _, s := range servers {
			failed = errors.Join(failed, s.end(ctx))
		}
		return failed
	}
	for _, p := range peers {
		s, err := startServer(ctx, p, pages, root)
		if err != nil {
			return servers, end, err
		}
		servers = append(servers, s)
	}
	return servers, end, nil
}

// listedBy returns the servers' names, and how long the list of tools of each is.
func listedBy(servers []*server) (names []string, listed map[string]int) {
	listed = map[string]int{}
	for _, s := range servers {
		names = append(names, s.program.name)
		listed[s.program.name] = s.listed
	}
	return names, listed
}
