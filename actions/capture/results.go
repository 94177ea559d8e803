package capture

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/files"
)

// The data of the replies. Keys that agent-browser has are spelled as it spells them.

// ScreenshotResult is the result of `screenshot`. No file is there when nothing changed.
type ScreenshotResult struct {
	Annotations []annotation `json:"annotations,omitzero"` // with --annotate
	*Comparison
	*Pictured
	*files.SavedFile
	// with --full: boxes that scroll by themselves, with how much of their content is not in the picture
	Unseen []InnerBox `json:"unseen,omitempty"`
}

// AddFacts reports where the picture is, if one was written.
func (r ScreenshotResult) AddFacts(f *fact.Facts) {
	if r.SavedFile != nil {
		f.Files.Path, f.Files.Picture = r.Path, true
	}
	f.Files.Unchanged = r.Comparison != nil && !r.Changed
}

// Comparison is the result of --if-changed.
type Comparison struct {
	Changed          bool    `json:"changed"`
	Dropped          int     `json:"dropped,omitempty"` // pictures that had to go to make room
	PixelChangeRatio float64 `json:"pixelChangeRatio"`  // of the pixels that differ, 0 to 1
	Revision         int     `json:"revision"`
	Threshold        float64 `json:"threshold"`
}

// RecordingStartedResult is the result of `record start` and `record restart`.
type RecordingStartedResult struct {
	ContactSheet          bool     `json:"contactSheet"`
	ContactSheetPath      *string  `json:"contactSheetPath"`
	ContactSheetThreshold *float64 `json:"contactSheetThreshold,omitempty"`
	Cursor                bool     `json:"cursor"`
	FPS                   int      `json:"fps"`
	Path                  string   `json:"path"`
	PreviousPath          string   `json:"previousPath,omitempty"` // of the recording that restart ended
	Restarted             bool     `json:"restarted,omitempty"`
	Started               bool     `json:"started,omitempty"`
	Tab                   string   `json:"tab"`
}

// AddFacts reports where the videos and the contact sheet are written.
func (r RecordingStartedResult) AddFacts(f *fact.Facts) {
	f.Files = fact.Files{Path: r.Path, Previous: r.PreviousPath}
}

// RecordingResult is the result of `record stop`.
type RecordingResult struct {
	CapturedFrames        int      `json:"capturedFrames,omitempty"` // the pictures that the video was made of
	ContactSheetFrames    *int     `json:"contactSheetFrames,omitempty"`
	ContactSheetPath      string   `json:"contactSheetPath,omitempty"`
	ContactSheetThreshold *float64 `json:"contactSheetThreshold,omitempty"`
	Dropped               int      `json:"dropped,omitempty"` // pictures that the contact sheet has no room for
	DurationMS            int64    `json:"durationMs"`
	Ended                 string   `json:"ended,omitempty"` // why it ended before it was stopped
	FPS                   int      `json:"fps"`
	Frames                int      `json:"frames"`
	files.SavedFile
}

// AddFacts reports where the video and its contact sheet are.
func (r RecordingResult) AddFacts(f *fact.Facts) {
	f.Files = fact.Files{Path: r.Path, Sheet: r.ContactSheetPath}
}
