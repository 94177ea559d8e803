package task

import (
	"encoding/json"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// Task is a goal, and how far it is. Times are milliseconds since 1970.
type Task struct {
	ID      string `json:"id"`
	UserID  string `json:"userId"` // the user of the task, as the caller names it
	Goal    string `json:"goal"`
	Subgoal string `json:"subgoal,omitempty"`
	Status  Status `json:"status"`
	// from 0 to 1: 1 only when the effects were seen, 0 of one that has failed or that is only claimed
	Progress  float64 `json:"progress"`
	CreatedAt int64   `json:"createdAt"`
	UpdatedAt int64   `json:"updatedAt"`

	Breadcrumbs []Breadcrumb          `json:"breadcrumbs"`
	SiteGraph   Graph                 `json:"siteGraph"`
	Plan        *Plan                 `json:"plan,omitempty"`
	History     []StepRecord          `json:"history"`
	Bindings    map[string]pcd.Detail `json:"bindings"` // by the slot of a skill

	Outcome
	Order
	Place

	Explorations []Exploration `json:"explorations,omitempty"` // the results of looking for pages
	Limits       Limits        `json:"limits"`
	Thumbnails   bool          `json:"thumbnails,omitempty"` // its steps have hashes of pictures
	Metrics      Metrics       `json:"metrics"`
	Replans      int           `json:"replans,omitempty"` // how often it was planned again because something did not work
	// Continue is how the task goes on, in a reply; the records do not have it.
	Continue []Continuation `json:"continue,omitempty"`

	begun *StepRecord // a step of which only the beginning is in the records
	plans int         // how many there were
}

// Outcome is the result of a task so far.
type Outcome struct {
	Reason   string        `json:"reason,omitempty"`  // why it is blocked, has failed, or waits
	Answer   string        `json:"answer,omitempty"`  // what the planner says was found out
	Omitted  []string      `json:"omitted,omitempty"` // what was asked for and not done
	Chosen   []string      `json:"chosen,omitempty"`  // which of several forms were used
	Effects  []Verified    `json:"effects,omitempty"` // what was looked at to say that it succeeded
	Awaiting *Confirmation `json:"awaiting,omitempty"`
	Unbound  []Unbound     `json:"unbound,omitempty"` // what a skill found nothing for, or more than one thing
}

// Order is what a task was given beside its goal, and who plans its steps.
type Order struct {
	Skill   string            `json:"skill,omitempty"` // a task that is one skill: its name
	Input   json.RawMessage   `json:"input,omitempty"` // and its parameters; secrets are names of grants
	Planner string            `json:"planner"`
	Params  map[string]string `json:"params,omitempty"`
	Grants  []Grant           `json:"grants,omitempty"` // what they are of; never a value
}

// Place is where a task works, and where it saves files.
type Place struct {
	Session   string `json:"session,omitempty"`
	Tab       string `json:"tab,omitempty"`
	Start     string `json:"start,omitempty"`     // the address that it began at
	Downloads string `json:"downloads,omitempty"` // the folder for what is saved; empty means one beside the records
}

// Continuation is a command line that a task goes on with, without the program's name.
type Continuation struct {
	ID   string   `json:"id"` // confirm, deny, resume
	Args []string `json:"args"`
	Why  string   `json:"why"`
}

// Breadcrumb is a page that a task came to.
type Breadcrumb struct {
	URL       string `json:"url"`
	Title     string `json:"title"`
	LabelFrom string `json:"labelFrom,omitempty"` // what was used to come there
	TS        int64  `json:"ts"`
}

// Graph is what a task has seen of a site.
type Graph struct {
	Nodes      int      `json:"nodes"`
	Edges      int      `json:"edges"`
	RecentURLs []string `json:"recentUrls"`
}

// Plan is the next two to five steps.
type Plan struct {
	ID        string         `json:"id"`
	Steps     []toolbox.Step `json:"steps"`
	Rationale string         `json:"rationale,omitempty"`
	CreatedAt int64          `json:"createdAt"`

	URL      string                `json:"url,omitempty"`   // of the page that it was made on
	TS       int64                 `json:"pcdTs,omitempty"` // and the version of its summary
	Subgoal  string                `json:"subgoal,omitempty"`
	Bindings map[string]pcd.Detail `json:"bindings,omitempty"`
	// Effects are what has to be seen when all steps are done; the task has succeeded then. A plan that is a part of the
	// way has none.
	Effects []Effect `json:"effects,omitempty"`
	// Omitted is what was asked for and the plan does not do. A task that it is a part of can only be partial.
	Omitted []string `json:"omitted,omitempty"`
	// Chosen says which of several forms is used.
	Chosen string `json:"chosen,omitempty"`
	// Saves says that each click of the plan downloads a file that is asked for.
	Saves bool `json:"saves,omitempty"`
}

// StepStatus says how a step went.
type StepStatus string

// The states of steps.
const (
	StepOK      StepStatus = "ok"
	StepError   StepStatus = "error"
	StepSkipped StepStatus = "skipped"
)

// StepRecord is one step that was done, or tried.
type StepRecord struct {
	Step        toolbox.Step     `json:"step"`
	Result      *toolbox.Result  `json:"result"`
	Observation *pcd.Observation `json:"observation,omitempty"`
	TS          int64            `json:"ts"`
	Status      StepStatus       `json:"status"`

	N        int     `json:"n"` // from 1
	PlanID   string  `json:"planId,omitempty"`
	Selector string  `json:"selector,omitempty"` // the one that found the element
	Tried    int     `json:"tried,omitempty"`    // how many selectors were tried in all
	MS       float64 `json:"ms"`
	PCDTS    int64   `json:"pcdTs,omitempty"` // of the summary that the step was planned on
	// Unknown says that it is not known whether it was done: its connection or its time ended. It is not done again by
	// itself.
	Unknown bool   `json:"unknown,omitempty"`
	Label   string `json:"label,omitempty"` // what was acted on, as the page calls it
	// Thumbnail is the hash of the page's picture after the step, see [Thumbnail]; empty means that none was taken.
	Thumbnail string `json:"thumbnail,omitempty"`
	From      string `json:"from,omitempty"` // the address of the page that it was done on
}

// Limits bound a task. Zero means unlimited.
type Limits struct {
	Steps   int   `json:"steps"`
	Replans int   `json:"replans"`
	TimeMS  int64 `json:"timeMs"`
}

// DefaultLimits returns the limits of a task that sets none.
func DefaultLimits() Limits { return Limits{Steps: 40, Replans: 8, TimeMS: 10 * 60 * 1000} }

// Grant lets a task use one secret, on one origin, in steps that name it.
type Grant struct {
	Name   string `json:"name"`
	Source string `json:"source"` // "env:PASSWORD", "vault:shop.password"
	Origin string `json:"origin"` // the only one whose pages get the value
}

func createdAt(t *Task) time.Time { return time.UnixMilli(t.CreatedAt) }
