//go:build linux

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/scripts/benchmark/apps"
	"github.com/skua-browser/skua/scripts/benchmark/replies"
	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// attempt is one run of a workflow by one peer.
type attempt struct {
	cost
	Milliseconds float64 `json:"ms"`
	Failure      string  `json:"failure,omitempty"`

	// What detectors found in the replies, by their name.
	Found map[string][]string `json:"found,omitempty"`

	made []replies.Call
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

// runFlows runs the workflows, the peers in turn within each round, in an order that changes. It returns early, with
// what it has, when the context ends.
func runFlows(
	ctx context.Context, chosen []flow, running map[string]*apps.App, servers []*server, rounds int, dir string,
	progress io.Writer,
) []flowRow {
	var rows []flowRow
	for _, f := range chosen {
		began := time.Now()
		fmt.Fprintf(progress, "%-12s", f.name)
		row := flowRow{flow: f, peers: make([][]attempt, len(servers))}
		for round := range rounds {
			for k := range servers {
				i := (k + round) % len(servers)
				row.peers[i] = append(row.peers[i], f.attempt(ctx, servers[i], running[f.app], dir))
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
func (f flow) attempt(ctx context.Context, s *server, app *apps.App, dir string) attempt {
	s.tokens++
	// of one length, so that addresses cost the same everywhere
	s.token = fmt.Sprintf("%c-%s-%04d", s.program.name[0], f.name, s.tokens)
	a := &agent{server: s, app: app, dir: dir}
	if f.prepare != nil {
		if err := f.prepare(ctx, a); err != nil {
			return attempt{Failure: fmt.Sprintf("preparing %s: %v", f.app, err)}
		}
	}
	began := time.Now()
	err := f.run(ctx, a)
	took := time.Since(began)
	if err == nil {
		if err = f.check(ctx, a); err != nil {
			err = fmt.Errorf("%s: %w", s.program.name, err)
		}
	}
	done := attempt{cost: a.cost, Milliseconds: milliseconds(took)[0], Found: foundIn(a.made), made: a.made}
	if err != nil {
		done.Failure = err.Error()
	}
	return done
}

// foundIn runs the detectors over the calls of an attempt.
func foundIn(calls []replies.Call) map[string][]string {
	found := map[string][]string{}
	for _, d := range replies.Detectors() {
		for _, one := range calls {
			if what := d.Find(one); len(what) > 0 {
				found[d.Name] = append(found[d.Name], what...)
			}
		}
	}
	return found
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
func refused(a attempt) float64   { return float64(a.Failed) }
func spent(a attempt) float64     { return a.Milliseconds }

// flowsTable has a line for each workflow and peer.
func flowsTable(rows []flowRow, names []string, aims aims) stats.Table {
	table := stats.Table{{
		"Work", "by", "done", "calls", "bytes read", "failed calls", "stale refs", "recovered",
		"looked again", "time",
	}}
	sums := make([][4]float64, len(names))
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
				r.flow.title, name, word, whole(r.of(i, calls)), whole(r.of(i, bytesRead)), whole(r.of(i, refused)),
				whole(r.of(i, stale)), whole(r.of(i, recovered)),
				whole(r.of(i, again)), whole(r.of(i, spent)) + " ms",
			})
			for k, figure := range []func(attempt) float64{calls, bytesRead, spent, refused} {
				sums[i][k] += r.of(i, figure)
			}
		}
	}
	for i, name := range names {
		table = append(table, []string{
			"all", name, fmt.Sprintf("%d of %d", done[i], len(rows)), whole(sums[i][0]), whole(sums[i][1]), whole(sums[i][3]),
			"", "", "", whole(sums[i][2]) + " ms",
		})
	}
	return append(table, ratiosOf(sums, aims))
}

// aims are what is wanted of the sums: calls, and shares of the second peer's bytes and time.
type aims struct{ calls, bytes, time string }

// ratiosOf is what the first peer needed of what the second one did, beside the aims.
func ratiosOf(sums [][4]float64, aims aims) []string {
	share := func(k int, aim string) string {
		if len(sums) < 2 || sums[1][k] == 0 {
			return ""
		}
		if aim != "" {
			aim = " (target: " + aim + ")"
		}
		return fmt.Sprintf("%.2f%s", sums[0][k]/sums[1][k], aim)
	}
	return []string{"ratio", "", "", share(0, aims.calls), share(1, aims.bytes), "", "", "", "", share(2, aims.time)}
}

// foundTable has a line for each detector, with how often it found something in all attempts of each peer.
func foundTable(rows []flowRow, names []string) stats.Table {
	table := stats.Table{append([]string{"in all replies"}, names...)}
	line := func(what string, count func(attempt) int) {
		cells := []string{what}
		for i := range names {
			sum := 0
			for _, r := range rows {
				for _, a := range r.peers[i] {
					sum += count(a)
				}
			}
			cells = append(cells, fmt.Sprint(sum))
		}
		table = append(table, cells)
	}
	for _, d := range replies.Detectors() {
		line(d.About, func(a attempt) int { return len(a.Found[d.Name]) })
	}
	line("replies", func(a attempt) int { return a.Calls })
	return table
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
	return s.withServers(ctx, root, pages, stderr,
		func(servers []*server, names []string, listed map[string]int, m machine) (failed error) {
			dir, err := os.MkdirTemp(root, "files")
			if err != nil {
				return err
			}
			if err := warmUp(ctx, servers); err != nil {
				return err
			}
			chosen := chosenOf(allFlows(), s.only, func(f flow) string { return f.name })
			running, err := s.startApps(ctx, appsOf(chosen), dir)
			defer func() {
				for _, app := range running {
					failed = errors.Join(failed, app.End())
				}
			}()
			if err != nil {
				return err
			}
			rows := runFlows(ctx, chosen, running, servers, operation{effort: heavy}.rounds(s.rounds), dir, stderr)
			if s.json {
				return errors.Join(writeFlowsJSON(stdout, rows, names, listed, m), ourFailure(rows))
			}
			fmt.Fprintln(stderr)
			return errors.Join(s.showFlows(stdout, rows, names, listed), ourFailure(rows))
		})
}

// showFlows prints the tables: of the office, of the applications, and of what was found in the replies.
func (s settings) showFlows(w io.Writer, rows []flowRow, names []string, listed map[string]int) error {
	inApps := func(r flowRow) bool { return r.flow.app != "" }
	office := slices.DeleteFunc(slices.Clone(rows), inApps)
	applications := slices.DeleteFunc(slices.Clone(rows), func(r flowRow) bool { return !inApps(r) })
	var failed error
	if s.transcripts != "" {
		failed = keepTranscripts(s.transcripts, rows, names)
	}
	if len(office) > 0 {
		failed = errors.Join(failed, s.show(w, flowsTable(office, names, aims{"50 calls", "0.50", "0.70"})))
	}
	if len(applications) > 0 {
		failed = errors.Join(failed, s.show(w, flowsTable(applications, names, aims{})))
	}
	failed = errors.Join(failed, s.show(w, foundTable(rows, names)))
	fmt.Fprintf(w, "bytes of the list of tools: %v\n", listed)
	return failed
}

// startApps serves the applications, and returns those that run, also when one of them does not start.
func (s settings) startApps(ctx context.Context, names []string, dir string) (running map[string]*apps.App, err error) {
	running = map[string]*apps.App{}
	for _, name := range names {
		folder := s.apps[name]
		if folder == "" {
			return running, fmt.Errorf("--apps has no folder of %s; scripts/bench fills it in", name)
		}
		app, err := apps.Start(ctx, name, folder, dir)
		if err != nil {
			return running, err
		}
		running[name] = app
	}
	return running, nil
}

// keepTranscripts writes the calls of each attempt into a file, with what detectors found in them.
func keepTranscripts(dir string, rows []flowRow, names []string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	var failed error
	for _, r := range rows {
		for i, name := range names {
			for n, a := range r.peers[i] {
				file := filepath.Join(dir, fmt.Sprintf("%s-%s-%d.txt", r.flow.name, name, n+1))
				failed = errors.Join(failed, os.WriteFile(file, []byte(a.transcript()), 0o600))
			}
		}
	}
	return failed
}

func (a *attempt) transcript() string {
	var b strings.Builder
	for _, one := range a.made {
		fmt.Fprintf(&b, "$ %s  (%d ms, %d bytes)\n%s\n", strings.Join(one.Words, " "), one.Took.Milliseconds(),
			len(one.Reply), one.Reply)
		for _, d := range replies.Detectors() {
			for _, what := range d.Find(one) {
				fmt.Fprintf(&b, "! %s: %s\n", d.Name, what)
			}
		}
	}
	if a.Failure != "" {
		fmt.Fprintf(&b, "! failed: %s\n", a.Failure)
	}
	return b.String()
}
