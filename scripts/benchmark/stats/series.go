package stats

import (
	"fmt"
	"slices"
)

// Series is what one side measured, in the order of the rounds, or why it could not.
type Series struct {
	Values []float64
	Err    error
}

// Median returns the middle value, the mean of the middle two of an even number; 0 of none.
func Median(values []float64) float64 {
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

// Best returns the smallest value, which other work on the machine disturbs least; there must be one.
func Best(values []float64) float64 { return slices.Min(values) }

// measured reports whether the series has something to compare.
func (s Series) measured() bool { return s.Err == nil && len(s.Values) > 0 }

// Ratio returns this series as a share of another one, each reduced to one value; false when one of them measured
// nothing.
func (s Series) Ratio(other Series, reduce func([]float64) float64) (float64, bool) {
	if !s.measured() || !other.measured() {
		return 0, false
	}
	value := reduce(other.Values)
	return reduce(s.Values) / value, value > 0
}

// PairedRatio returns the median of the ratios of each round, which leaves out what slowed a whole round down; false
// when the two did not measure the same rounds.
func (s Series) PairedRatio(other Series) (float64, bool) {
	if !s.measured() || !other.measured() || len(s.Values) != len(other.Values) {
		return 0, false
	}
	ratios := make([]float64, len(s.Values))
	for i, value := range s.Values {
		if other.Values[i] <= 0 {
			return 0, false
		}
		ratios[i] = value / other.Values[i]
	}
	return Median(ratios), true
}

// Cell is the series' entry in a table: its median.
func (s Series) Cell(unit string) string {
	switch {
	case s.Err != nil:
		return "failed"
	case len(s.Values) == 0:
		return ""
	}
	return fmt.Sprintf("%.1f %s", Median(s.Values), unit)
}

// RatioCell is the entry of a ratio in a table, with two digits after the point; empty when there is none.
func RatioCell(ratio float64, ok bool) string {
	if !ok {
		return ""
	}
	return fmt.Sprintf("%.2f", ratio)
}

// Samples is the JSON form of a series.
type Samples struct {
	Median  float64   `json:"median"`
	Samples []float64 `json:"samples"`
	Error   string    `json:"error,omitempty"`
}

// Samples returns the series for a JSON report.
func (s Series) Samples() Samples {
	samples := Samples{Median: Median(s.Values), Samples: s.Values}
	if s.Err != nil {
		samples.Error = s.Err.Error()
	}
	return samples
}
