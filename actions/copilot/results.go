package copilot

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
)

// The data of the replies.

// CandidatesResult is the result of `capture-candidates`: the picture, and where on it the candidates are.
type CandidatesResult struct {
	Boxes []pcd.Box `json:"boxes"`
	files.SavedFile
	Unseen []string `json:"unseen,omitempty"` // the ids of candidates that the picture does not show
}

// AddFacts reports where the picture is.
func (r CandidatesResult) AddFacts(f *fact.Facts) { f.Files.Path, f.Files.Picture = r.Path, true }

// DetailsResult is the result of `capabilities details`.
type DetailsResult struct {
	Details []pcd.Detail `json:"details"`
}

// QueryResult is the result of `capabilities query`: the best first.
type QueryResult struct {
	Candidates []pcd.Candidate `json:"candidates"`
}

// TasksResult is the result of `task list`.
type TasksResult struct {
	Tasks []TaskEntry `json:"tasks"`
}

// TaskEntry is a task of the list. Times are in milliseconds since 1970.
type TaskEntry struct {
	ID        string      `json:"id"`
	Goal      string      `json:"goal"`
	Status    task.Status `json:"status"`
	Progress  float64     `json:"progress"`
	Reason    string      `json:"reason,omitempty"`
	Omitted   []string    `json:"omitted,omitempty"`
	Steps     int         `json:"steps"`
	CreatedAt int64       `json:"createdAt"`
	UpdatedAt int64       `json:"updatedAt"`
}
