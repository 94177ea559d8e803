package task

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/skua-browser/skua/copilot/pcd"
)

// RecordType is the type of a task's record.
type RecordType string

// The types of records.
const (
	Opened   RecordType = "task"    // the first one: the task as it was created
	Turned   RecordType = "status"  // it came to another state
	Planned  RecordType = "plan"    // the next steps
	Troubled RecordType = "trouble" // why it has to be planned again
	// a step is about to be done; without a record of its end it is not known whether it was
	Begun    RecordType = "begin"
	Stepped  RecordType = "step"     // a step and its result
	Arrived  RecordType = "page"     // a page that the task came to
	Explored RecordType = "explored" // the result of looking for a page
	Waits    RecordType = "awaits"   // what a person is asked
	Answered RecordType = "answered" // what the person said
	Checked  RecordType = "effects"  // what was looked at at the end
	Missed   RecordType = "missed"   // what a skill could not bind
	Said     RecordType = "said"     // what was said for a task to go on: further parameters
)

// Record is a line of a task's log. Lines are only ever added.
type Record struct {
	TS   int64      `json:"ts"`
	Type RecordType `json:"type"`

	Task       *Task         `json:"task,omitempty"`
	Status     Status        `json:"status,omitempty"`
	Reason     string        `json:"reason,omitempty"`
	Progress   float64       `json:"progress,omitempty"`
	Plan       *Plan         `json:"plan,omitempty"`
	Step       *StepRecord   `json:"step,omitempty"`
	Breadcrumb *Breadcrumb   `json:"breadcrumb,omitempty"`
	Explored   *Exploration  `json:"explored,omitempty"`
	Awaiting   *Confirmation `json:"awaiting,omitempty"`
	Said       string        `json:"said,omitempty"` // confirmed, denied, expired
	Answer     string        `json:"answer,omitempty"`
	Effects    []Verified    `json:"effects,omitempty"`
	Omitted    []string      `json:"omitted,omitempty"`
	Unbound    []Unbound     `json:"unbound,omitempty"`
	// What was said for the task to go on: the parameters of its skill, values and secrets besides those that it has, and
	// its limits from then on.
	Input   json.RawMessage   `json:"input,omitempty"`
	Params  map[string]string `json:"params,omitempty"`
	Grants  []Grant           `json:"grants,omitempty"`
	Limits  *Limits           `json:"limits,omitempty"`
	Tab     string            `json:"tab,omitempty"`
	Metrics *Metrics          `json:"metrics,omitempty"` // what was measured since the record before
}

// recentURLs is how many addresses of a site graph a task remembers.
const recentURLs = 12

// apply brings a task to where a record says it is.
func (t *Task) apply(r *Record) {
	t.UpdatedAt = r.TS
	t.Metrics.add(r.Metrics)
	if r.Progress > t.Progress {
		t.Progress = r.Progress
	}
	if r.Tab != "" {
		t.Tab = r.Tab
	}
	switch r.Type {
	case Turned:
		t.Status, t.Reason = r.Status, r.Reason
		if r.Answer != "" {
			t.Answer = r.Answer
		}
		t.omit(r.Omitted)
		switch r.Status {
		case Failed, Claimed:
			t.Progress = 0 // of the goal nothing is known to be reached
		case Partial:
			t.Progress = t.part()
		}
	case Troubled:
		t.Replans++
	case Planned:
		t.plans++
		t.Plan = r.Plan
		t.omit(r.Plan.Omitted)
		if r.Plan.Chosen != "" && !slices.Contains(t.Chosen, r.Plan.Chosen) {
			t.Chosen = append(t.Chosen, r.Plan.Chosen)
		}
		if r.Plan.Subgoal != "" {
			t.Subgoal = r.Plan.Subgoal
		}
		if len(r.Plan.Bindings) > 0 {
			bound := map[string]pcd.Detail{}
			maps.Copy(bound, t.Bindings)
			maps.Copy(bound, r.Plan.Bindings)
			t.Bindings = bound
		}
	case Missed:
		t.Unbound = r.Unbound
	case Said:
		t.said(r)
	case Begun:
		t.begun = r.Step
	case Stepped:
		t.begun = nil
		t.History = append(t.History, *r.Step)
		t.Metrics.step(r.Step)
	case Arrived:
		if n := len(t.Breadcrumbs); n > 0 && t.Breadcrumbs[n-1].URL != r.Breadcrumb.URL {
			t.SiteGraph.Edges++
		}
		known := false
		for _, b := range t.Breadcrumbs {
			known = known || b.URL == r.Breadcrumb.URL
		}
		if !known {
			t.SiteGraph.Nodes++
		}
		t.Breadcrumbs = append(t.Breadcrumbs, *r.Breadcrumb)
		t.recent(r.Breadcrumb.URL)
	case Explored:
		t.Explorations = append(t.Explorations, *r.Explored)
		t.Metrics.explored(r.Explored)
		t.SiteGraph.Nodes += r.Explored.Nodes
		t.SiteGraph.Edges += r.Explored.Edges
		t.recent(r.Explored.RecentURLs...)
	case Waits:
		t.Awaiting = r.Awaiting
	case Answered:
		t.Awaiting = nil
	case Checked:
		t.Effects = r.Effects
	}
}

// said adds what was said for the task to go on. A secret of the same name takes the place of the former one.
func (t *Task) said(r *Record) {
	if r.Input != nil {
		t.Input = r.Input
	}
	params := map[string]string{}
	maps.Copy(params, t.Params)
	maps.Copy(params, r.Params)
	t.Params = params
	for _, g := range r.Grants {
		t.Grants = append(slices.DeleteFunc(slices.Clone(t.Grants), func(o Grant) bool { return o.Name == g.Name }), g)
	}
	if r.Limits != nil {
		t.Limits = *r.Limits
	}
	t.Unbound = nil
}

func (t *Task) omit(list []string) {
	for _, what := range list {
		if !slices.Contains(t.Omitted, what) {
			t.Omitted = append(t.Omitted, what)
		}
	}
}

// part is how much of what was asked for was done: each effect that was seen against each thing that was left out.
func (t *Task) part() float64 {
	done := 0
	for _, e := range t.Effects {
		if e.OK {
			done += max(1, e.Count)
		}
	}
	return float64(done) / float64(done+max(1, len(t.Omitted)))
}

func (t *Task) recent(urls ...string) {
	all := append(t.SiteGraph.RecentURLs, urls...)
	t.SiteGraph.RecentURLs = all[max(0, len(all)-recentURLs):]
}

// PlansMade is how many plans were followed.
func (t *Task) PlansMade() int { return t.plans }
