//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
)

// median returns the middle value, the mean of the middle two of an even number; 0 of none.
func median(values []float64) float64 {
	n := len(values)
	if n == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	if n%2 == 1 {
		return sorted[n/2]
	}
	return (sorted[n/2-1] + sorted[n/2]) / 2
}

// ratio returns our median as a share of theirs; false when one of them measured nothing.
func (r row) ratio() (float64, bool) { return r.share(median) }

// bestRatio compares the best measurements, which other work on the machine disturbs least.
func (r row) bestRatio() (float64, bool) { return r.share(slices.Min[[]float64]) }

func (r row) share(of func([]float64) float64) (float64, bool) {
	if r.ours.err != nil || r.theirs.err != nil || len(r.ours.values) == 0 || len(r.theirs.values) == 0 {
		return 0, false
	}
	theirs := of(r.theirs.values)
	return of(r.ours.values) / theirs, theirs > 0
}

// reached says whether the row's target was met: "yes", "no", or "" where there is no target or nothing to compare.
func (r row) reached() string {
	met := false
	switch ratio, ok := r.ratio(); {
	case r.result.limit > 0 && r.ours.err == nil && len(r.ours.values) > 0:
		met = median(r.ours.values) <= r.limit
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

// cell is a side's entry in the table.
func (s series) cell(unit string) string {
	switch {
	case s.err != nil:
		return "failed"
	case len(s.values) == 0:
		return ""
	}
	return fmt.Sprintf("%.1f %s", median(s.values), unit)
}

// writeTable prints the rows for people.
func writeTable(w io.Writer, rows []row, names [2]string) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "median of\t%s\t%s\tratio\tof the best\ttarget\treached\n", names[0], names[1])
	for _, r := range rows {
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%s\t%s\t%s\n", r.title, r.ours.cell(r.unit), r.theirs.cell(r.unit),
			share(r.ratio()), share(r.bestRatio()), r.target(), r.reached())
	}
	return table.Flush()
}

func share(ratio float64, ok bool) string {
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.2f", ratio)
}

// The JSON form of a report.
type (
	jsonReport struct {
		Machine machine   `json:"machine"`
		Rows    []jsonRow `json:"rows"`
	}
	jsonRow struct {
		Operation string   `json:"operation"`
		Title     string   `json:"title"`
		Unit      string   `json:"unit"`
		Ours      jsonSide `json:"skua"`
		Theirs    jsonSide `json:"agentBrowser"`
		Ratio     float64  `json:"ratio,omitempty"`
		Target    float64  `json:"targetRatio,omitempty"`
		Limit     float64  `json:"limit,omitempty"`
		Reached   string   `json:"reached,omitempty"`
	}
	jsonSide struct {
		Median  float64   `json:"median"`
		Samples []float64 `json:"samples"`
		Error   string    `json:"error,omitempty"`
	}
)

// writeJSON prints the rows, every sample included, for programs.
func writeJSON(w io.Writer, rows []row, m machine) error {
	report := jsonReport{Machine: m}
	for _, r := range rows {
		ratio, _ := r.ratio()
		report.Rows = append(report.Rows, jsonRow{
			Operation: r.operation, Title: r.title, Unit: r.unit, Ours: r.ours.json(), Theirs: r.theirs.json(),
			Ratio: ratio, Target: r.result.ratio, Limit: r.limit, Reached: r.reached(),
		})
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(report)
}

func (s series) json() jsonSide {
	side := jsonSide{Median: median(s.values), Samples: s.values}
	if s.err != nil {
		side.Error = s.err.Error()
	}
	return side
}
