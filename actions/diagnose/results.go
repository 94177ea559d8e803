package diagnose

import (
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/files"
)

// The data of the replies, with agent-browser's keys where it has them.

// Cleared reports what was cleared or undone.
type Cleared struct {
	Cleared bool `json:"cleared"`
}

// Console is the console log of pages.
type Console struct {
	Dropped  int       `json:"dropped"` // older ones, which had to go
	Messages []Message `json:"messages"`
}

// Message is one message of the console.
type Message struct {
	Args      any     `json:"args"` // as the protocol tells them
	Column    int     `json:"column,omitempty"`
	Line      int     `json:"line,omitempty"`
	Stack     string  `json:"stack,omitempty"`
	Tab       string  `json:"tab,omitempty"`
	Text      string  `json:"text"`
	Timestamp float64 `json:"timestamp"`
	Truncated bool    `json:"truncated,omitempty"`
	Type      string  `json:"type"`
	URL       string  `json:"url,omitempty"`
	Worker    string  `json:"worker,omitempty"`
}

// Errors are the errors that pages had.
type Errors struct {
	Dropped int     `json:"dropped"`
	Errors  []Error `json:"errors"`
}

// Error is an error of a script. Unknown parts of its position are null.
type Error struct {
	Column    *int    `json:"column"`
	Line      *int    `json:"line"`
	Source    string  `json:"source"`
	Stack     string  `json:"stack,omitempty"`
	Tab       string  `json:"tab,omitempty"`
	Text      string  `json:"text"`
	Timestamp float64 `json:"timestamp"`
	Truncated bool    `json:"truncated,omitempty"`
	URL       *string `json:"url"`
	Worker    string  `json:"worker,omitempty"`
}

// TextDiff is how the text of a snapshot differs from one of before.
type TextDiff struct {
	Additions int     `json:"additions"`
	Baseline  *string `json:"baseline"` // the file, or "last"; null: there was nothing to compare with
	Changed   bool    `json:"changed"`
	Diff      string  `json:"diff"`
	Removals  int     `json:"removals"`
	Unchanged int     `json:"unchanged"`
}

// PictureDiff is how two pictures differ. The file is that of the picture of the differences.
type PictureDiff struct {
	DiffPath           *string       `json:"diffPath"`
	DifferentPixels    int           `json:"differentPixels"`
	DimensionMismatch  *SizeMismatch `json:"dimensionMismatch"`
	Match              bool          `json:"match"`
	MismatchPercentage float64       `json:"mismatchPercentage"`
	*files.SavedFile
	TotalPixels int `json:"totalPixels"`
}

// AddFacts reports where the picture of the differences is, if one was written.
func (d PictureDiff) AddFacts(f *fact.Facts) {
	if d.DiffPath != nil {
		f.Files.Path = *d.DiffPath
	}
	f.Files.Unchanged = d.Match
}

// SizeMismatch are the sizes of two pictures that are not of one size.
type SizeMismatch struct {
	Actual   PictureSize `json:"actual"`
	Expected PictureSize `json:"expected"`
}

// PictureSize is a size in pixels.
type PictureSize struct {
	Height int `json:"height"`
	Width  int `json:"width"`
}

// AddressDiff is how the pages of two addresses differ.
type AddressDiff struct {
	Diff       AddressTextDiff `json:"diff"`
	Screenshot *PictureDiff    `json:"screenshot,omitempty"`
	Snapshot1  string          `json:"snapshot1"`
	Snapshot2  string          `json:"snapshot2"`
	URL1       string          `json:"url1"`
	URL2       string          `json:"url2"`
}

// AddFacts reports where the picture of the differences is, if one was written.
func (d AddressDiff) AddFacts(f *fact.Facts) {
	if d.Screenshot != nil {
		d.Screenshot.AddFacts(f)
	}
}

// AddressTextDiff is how their snapshots differ.
type AddressTextDiff struct {
	Additions int    `json:"additions"`
	Changed   bool   `json:"changed"`
	Deletions int    `json:"deletions"` // the removals by another name
	Diff      string `json:"diff"`
	Identical bool   `json:"identical"`
	Removals  int    `json:"removals"`
	Unchanged int    `json:"unchanged"`
}

// InitScripts are the scripts that documents get before their own.
type InitScripts struct {
	InitScripts []fact.InitScript `json:"initScripts"`
}

// RemovedInitScript names a script that new documents no longer get.
type RemovedInitScript struct {
	Name    string `json:"name"`
	Removed string `json:"removed"` // its id
}

// Inspected is the address at which DevTools find a page.
type Inspected struct {
	Frontend string `json:"devtoolsFrontendUrl"`
	Opened   bool   `json:"opened"`
	URL      string `json:"url"`
	Socket   string `json:"webSocketDebuggerUrl"`
	Window   bool   `json:"window"` // DevTools were opened in the browser's own window, too
}

// CDPURL is the address of the browser's protocol.
type CDPURL struct {
	URL string `json:"cdpUrl"`
}

// Highlighted is the selector of what is outlined.
type Highlighted struct {
	Selector string `json:"highlighted"`
}

// Audit is what axe-core reports about a page.
type Audit struct {
	AxeVersion    string         `json:"axeVersion"`
	Counts        map[string]int `json:"counts"`
	Incomplete    []auditRule    `json:"incomplete"`
	SkippedFrames int            `json:"skippedFrames,omitempty"`
	URL           string         `json:"url"`
	Violations    []auditRule    `json:"violations"`
}

// AddFacts reports which page was looked at.
func (a Audit) AddFacts(f *fact.Facts) { f.Page.URL = a.URL }

// SavedRecording is the file of a trace or a profile.
type SavedRecording struct {
	EventCount *int `json:"eventCount,omitempty"`
	Incomplete bool `json:"incomplete,omitempty"` // the browser kept no more entries
	files.SavedFile
}

// RecordingStarted says in which tab a trace or a profile is recorded.
type RecordingStarted struct {
	Started bool   `json:"started"`
	Tab     string `json:"tab"`
}

// ReactTree is the tree of components as text.
type ReactTree struct {
	Tree string `json:"tree"`
}

// ReactComponent is a component as text, and where it was written.
type ReactComponent struct {
	Source any    `json:"source"`
	Text   string `json:"text"`
}

// ReactRecording reports that renders are counted from now on.
type ReactRecording struct {
	Message   string `json:"message"`
	Recording bool   `json:"recording"`
}

// ReactRenders are the recorded renders.
type ReactRenders struct {
	Components []renderedComponent `json:"components"`
	Dropped    int                 `json:"dropped"`
	Report     string              `json:"report"`
}

// ReactSuspense are the Suspense boundaries of a page.
type ReactSuspense struct {
	Boundaries []SuspenseBoundary `json:"boundaries"`
	Report     string             `json:"report"`
}

// SuspenseBoundary is a Suspense boundary of the React tree.
type SuspenseBoundary struct {
	ID        int    `json:"id"`
	Name      string `json:"name"`
	Owner     string `json:"owner"`
	Source    []any  `json:"source" shape:"null"` // null: React does not say where it is from
	Suspended bool   `json:"suspended"`
}
