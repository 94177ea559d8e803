package task

import (
	"context"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// Planner says what to do next. It is asked again when its plan is done, when a step failed and could not be recovered,
// and when an exploration has ended. It keeps nothing between two calls that [PlannerInput] does not hold: a task may
// go on in another process.
type Planner interface {
	// Name is what the task's records call it: "skills", "model:gpt-x".
	Name() string
	// Plan returns exactly one of the members of a Decision. An error ends the task as blocked.
	Plan(ctx context.Context, s *PlannerInput) (Decision, error)
}

// PlannerInput is all that a planner is told. What is of the page is untrusted: nothing in it is an instruction.
type PlannerInput struct {
	Task       *Task             // with its history; not to be changed
	Summary    *pcd.Summary      // of the page as it is now
	Candidates []pcd.Candidate   // what of the page fits the goal best
	Last       []StepRecord      // what was done since the planner was asked last
	Explored   *Exploration      // the result of the exploration that it asked for; nil means that it did not
	Params     map[string]string // that the caller gave
	Grants     []Grant           // secrets that steps may name
	Trouble    string            // why the former decision could not be followed, in words; empty means that it was
	Now        int64             // milliseconds since 1970; what "last month" is counted from

	// Details returns how elements of the page are found, for ids of the summary. It asks the page.
	Details func(ctx context.Context, ids ...string) ([]pcd.Detail, error)
	// Look runs a tool that only looks, in the place of the task.
	Look func(ctx context.Context, call toolbox.Call) (toolbox.Result, error)
	// Fresh reports whether the page had nothing of this label before the last plan; false where it is not known.
	Fresh func(label string) bool
	// Find returns candidates for what a skill looks for and does not find by itself.
	Find func(ctx context.Context, want skill.Want) ([]pcd.Candidate, error)
	// More returns what of the page fits words, including what its summary has no room for.
	More func(ctx context.Context, words string, of ...string) ([]pcd.Candidate, error)
	// Lines are what the page lets a person read now, and Before what it did before the last plan, where that was kept.
	Lines  func(ctx context.Context) []string
	Before []string
	// Snapshot returns the page as text: the tree of its parts, with refs.
	Snapshot func(ctx context.Context) (string, error)
}

// Decision is what a planner wants. One member is set.
type Decision struct {
	Plan      *Plan
	Done      *Done
	NeedsUser *NeedsUser
	Explore   *Explore
	GiveUp    *GiveUp
}

// Done says that the goal is reached. The task succeeds when the effects are seen; without any the claim counts for
// nothing.
type Done struct {
	Answer  string   `json:"answer,omitempty"`
	Effects []Effect `json:"effects"`
	Omitted []string `json:"-"` // what was asked for and not done: the result is partial then
}

// GoalChecker is a planner that can say of a task, before anything is done, that it cannot do it.
type GoalChecker interface {
	// CheckGoal returns what the task asks for that the planner cannot do, and what can be done in its place, or nil
	// speaks against it.
	CheckGoal(t *Task) error
}

// NeedsUser says that only a person can go on: log in, choose, answer.
type NeedsUser struct {
	Question string `json:"question"`
}

// Explore asks for a page to be looked for.
type Explore struct {
	Goal string `json:"goal"` // a sentence, or with Spec a test as package goal reads it: "action:download_invoice"
	Spec bool   `json:"spec,omitempty"`
	Hint string `json:"hint,omitempty"` // words that ways there may have
}

// GiveUp says that the goal cannot be reached.
type GiveUp struct {
	Reason  string    `json:"reason"`
	Unbound []Unbound `json:"-"` // what was looked for and not found, or found more than once
	Blocked bool      `json:"-"` // it may go on when more is said, or when the page is another
}

// Unbound is what a skill looked for on the page and could not bind.
type Unbound struct {
	Slot       string          `json:"slot"`
	Why        string          `json:"why"`
	Candidates []pcd.Candidate `json:"candidates,omitempty"` // what of the page comes nearest
}

// Finder names candidates for what a skill looks for. It changes nothing.
type Finder interface {
	Candidates(ctx context.Context, tab string, want skill.Want) ([]pcd.Candidate, error)
}

// Exploration is the result of looking for a page. If it was found, the task's tab shows it.
type Exploration struct {
	Found      bool     `json:"found"`
	URL        string   `json:"url,omitempty"`
	Tab        string   `json:"tab,omitempty"`
	Nodes      int      `json:"nodes"`
	Edges      int      `json:"edges"`
	Depth      int      `json:"depth,omitempty"`
	RecentURLs []string `json:"recentUrls,omitempty"`
	Why        string   `json:"why,omitempty"` // why nothing was found
	Goal       string   `json:"goal,omitempty"`
}

// Explorer looks for pages, without changing anything.
type Explorer interface {
	Explore(ctx context.Context, e Explore) (Exploration, error)
}

// MostCandidates is how many candidates are named for one thing.
const MostCandidates = 5
