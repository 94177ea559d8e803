package download

import "github.com/skua-browser/skua/actions/fact"

// DownloadResult is the data of `download` and `wait --download`.
type DownloadResult struct {
	Name string `json:"name"` // that the page gave it
	Path string `json:"path"` // where it was saved
	Size int64  `json:"size"` // in bytes
	URL  string `json:"url"`

	Older bool `json:"older,omitempty"` // it began before the last action
}

// AddFacts reports where the file is.
func (r DownloadResult) AddFacts(f *fact.Facts) { f.Files.Path = r.Path }
