package states

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/session/state"
)

// The data of the replies. Keys that agent-browser has are spelled as it spells them; sizes are in bytes.

// SavedResult is the result of `state save`.
type SavedResult struct {
	Counts    state.Counts      `json:"counts"`
	Encrypted bool              `json:"encrypted"`
	Origins   []string          `json:"origins"`
	Path      string            `json:"path"`
	Saved     bool              `json:"saved"`
	Size      int64             `json:"size"`
	Skipped   []storage.Skipped `json:"skipped"` // what could not be saved
}

// AddFacts reports where the state is.
func (r SavedResult) AddFacts(f *fact.Facts) { f.Files.Path = r.Path }

// LoadedResult is the result of `state load`.
type LoadedResult struct {
	Counts         LoadedCounts      `json:"counts"`
	Dropped        int               `json:"dropped"` // whose time was over
	Loaded         bool              `json:"loaded"`
	Path           string            `json:"path"`
	Skipped        []storage.Skipped `json:"skipped"` // what could not be loaded
	SkippedOrigins []string          `json:"skippedOrigins"`
}

// LoadedCounts are how many of each kind were loaded.
type LoadedCounts struct {
	Caches         int `json:"caches"`
	Cookies        int `json:"cookies"`
	Databases      int `json:"databases"`
	LocalStorage   int `json:"localStorage"`
	Origins        int `json:"origins"`
	Passkeys       int `json:"passkeys"`
	Records        int `json:"records"`
	ServiceWorkers int `json:"serviceWorkers"`
	SessionStorage int `json:"sessionStorage"`
}

// ListResult is the result of `state list`.
type ListResult struct {
	Directory string      `json:"directory"`
	Files     []stateFile `json:"files"`
}

// ShownResult is the result of `state show`.
type ShownResult struct {
	Counts    state.Counts `json:"counts"`
	Encrypted bool         `json:"encrypted"`
	Filename  string       `json:"filename"`
	Modified  int64        `json:"modified"` // in seconds since 1970
	Path      string       `json:"path"`
	Size      int64        `json:"size"`
	State     any          `json:"state"` // with --values the file as it is, else what is in it, without values
	Summary   string       `json:"summary"`
}

// RenamedResult is the result of `state rename`.
type RenamedResult struct {
	From    string `json:"from"`
	Path    string `json:"path"`
	Renamed bool   `json:"renamed"`
	To      string `json:"to"`
}

// ClearedResult is the result of `state clear`.
type ClearedResult struct {
	Deleted int      `json:"deleted"`
	Names   []string `json:"names"`
}

// CleanedResult is the result of `state clean`.
type CleanedResult struct {
	Cleaned   int      `json:"cleaned"`
	Days      int      `json:"days"`
	KeptCount int      `json:"keptCount"`
	Names     []string `json:"names"`
}
