//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/skua-browser/skua/scripts/benchmark/stats"
)

// ratio returns our median as a share of theirs; false when one of them measured nothing.
func (r row) ratio() (float64, bool) { return r.ours.Ratio(r.theirs, stats.Median) }

// bestRatio compares the best measurements, which other work on the machine disturbs least.
func (r row) bestRatio() (float64, bool) { return r.ours.Ratio(r.theirs, stats.Best) }

// reached says whether the row's target was met: "yes", "no", or "" where there is no target or nothing to compare.
func (r row) reached() string {
	met := false
	switch ratio, ok := r.ratio(); {
	case r.result.limit > 0 && r.ours.Err == nil && len(r.ours.Values) > 0:
		met = stats.Median(r.ours.Values) <= r.limit
	case r.result.ratio > 0 && ok:
		met = ratio <= r.result.ratio
	default:
		return ""
	}
	if met {
		return "yes"
	}
	return "no"
}

func (r row) target() string {
	switch {
	case r.limit > 0:
		return fmt.Sprintf("<= %g %s", r.limit, r.unit)
	case r.result.ratio > 0:
		return fmt.Sprintf("<= %.2f", r.result.ratio)
	}
	return ""
}

// tableOf has a line for each row.
func tableOf(rows []row, names [2]string) stats.Table {
	table := stats.Table{{"Operation", names[0], names[1], "ratio", "best ratio", "target", "met"}}
	for _, r := range rows {
		table = append(table, []string{
			r.title, r.ours.Cell(r.unit), r.theirs.Cell(r.unit), stats.RatioCell(r.ratio()), stats.RatioCell(r.bestRatio()),
			r.target(), r.reached(),
		})
	}
	return table
}

// The JSON form of a report.
type (
	jsonReport struct {
		Machine machine   `json:"machine"`
		Rows    []jsonRow `json:"rows"`
	}
	jsonRow struct {
		Operation string        `json:"operation"`
		Title     string        `json:"title"`
		Unit      string        `json:"unit"`
		Ours      stats.Samples `json:"skua"`
		Theirs    stats.Samples `json:"agentBrowser"`
		Ratio     float64       `json:"ratio,omitempty"`
		Target    float64       `json:"targetRatio,omitempty"`
		Limit     float64       `json:"limit,omitempty"`
		Reached   string        `json:"reached,omitempty"`
	}
)

// writeJSON prints the rows, every sample included, for programs.
func writeJSON(w io.Writer, rows []row, m machine) error {
	report := jsonReport{Machine: m}
	for _, r := range rows {
		ratio, _ := r.ratio()
		report.Rows = append(report.Rows, jsonRow{
			Operation: r.operation,
			Title:     r.title,
			Unit:      r.unit,
			Ours:      r.ours.Samples(),
			Theirs:    r.theirs.Samples(),
			Ratio:     ratio,
			Target:    r.result.ratio,
			Limit:     r.limit,
			Reached:   r.reached(),
		})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}
