package task

import "time"

// Metrics say what a task cost. Times are in milliseconds. They are sums over the whole task, also when it went on
// after a person was asked.
type Metrics struct {
	Summaries int     `json:"summaries"` // how often the page was summarized
	SummaryMS float64 `json:"summaryMs"`
	Searches  int     `json:"searches"` // how often what the page offers was scored for a text
	SearchMS  float64 `json:"searchMs"`
	Plans     int     `json:"plans"` // how often the planner was asked
	PlanMS    float64 `json:"planMs"`

	Steps     int     `json:"steps"` // that were done, tried or skipped
	Succeeded int     `json:"succeeded"`
	Retries   int     `json:"retries"` // selectors that were tried after the first one of a step
	StepMS    float64 `json:"stepMs"`

	Pictures int `json:"pictures"` // screenshots that the task took

	Explorations int `json:"explorations"`
	Pages        int `json:"pages"` // that explorations looked at: their breadth
	Depth        int `json:"depth"` // of the deepest exploration
}

// add adds what was measured since the last record.
func (m *Metrics) add(more *Metrics) {
	if more == nil {
		return
	}
	m.Summaries += more.Summaries
	m.SummaryMS += more.SummaryMS
	m.Searches += more.Searches
	m.SearchMS += more.SearchMS
	m.Plans += more.Plans
	m.PlanMS += more.PlanMS
	m.Pictures += more.Pictures
}

// step counts a step.
func (m *Metrics) step(s *StepRecord) {
	m.Steps++
	m.StepMS += s.MS
	m.Retries += max(0, s.Tried-1)
	if s.Status == StepOK {
		m.Succeeded++
	}
}

// explored counts an exploration.
func (m *Metrics) explored(e *Exploration) {
	m.Explorations++
	m.Pages += e.Nodes
	m.Depth = max(m.Depth, e.Depth)
}

// Measure notes what was measured; the next record has it. Fn gets what is not in a record yet.
func (l *Log) Measure(fn func(m *Metrics)) {
	if l.measured == nil {
		l.measured = &Metrics{}
	}
	fn(l.measured)
}

// MillisSince is how long something took.
func MillisSince(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }
