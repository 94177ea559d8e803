package main

import (
	"encoding/json"
	"io"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// tableOf has the medians of all sides, then what each of ours takes of each other one.
func tableOf(rows []row, names []string) stats.Table {
	head := append([]string{"Operation"}, names...)
	for _, our := range names[:ours] {
		for _, other := range names[ours:] {
			head = append(head, our+" to "+other)
		}
	}
	cells := stats.Table{head}
	for _, r := range rows {
		line := []string{r.operation.title}
		for _, s := range r.sides {
			line = append(line, s.Cell("ms"))
		}
		for _, our := range r.sides[:ours] {
			for _, other := range r.sides[ours:] {
				line = append(line, stats.RatioCell(our.PairedRatio(other)))
			}
		}
		cells = append(cells, line)
	}
	return cells
}

// The JSON form of a report.
type (
	jsonReport struct {
		Machine machine   `json:"machine"`
		Rows    []jsonRow `json:"rows"`
	}
	jsonRow struct {
		Operation string                   `json:"operation"`
		Title     string                   `json:"title"`
		Sides     map[string]stats.Samples `json:"sides"` // in milliseconds
	}
)

// writeJSON prints the rows, every sample included, for programs.
func writeJSON(w io.Writer, rows []row, names []string, m machine) error {
	report := jsonReport{Machine: m}
	for _, r := range rows {
		line := jsonRow{Operation: r.operation.name, Title: r.operation.title, Sides: map[string]stats.Samples{}}
		for i, s := range r.sides {
			line.Sides[names[i]] = s.Samples()
		}
		report.Rows = append(report.Rows, line)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
