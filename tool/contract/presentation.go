package contract

// PresentationDetails say where the whole of something is that was shown in part.
type PresentationDetails struct {
	FullOutputPath        string   `json:"fullOutputPath,omitempty"`
	FullOutputPaths       []string `json:"fullOutputPaths,omitempty"`
	FullOutputUnavailable string   `json:"fullOutputUnavailable,omitempty"`
	EvictedOutputPaths    []string `json:"evictedOutputPaths,omitempty"` // older ones that had to go for these

	NavigationSummary         *NavigationSummary         `json:"navigationSummary,omitempty"`
	SnapshotFilter            *SnapshotFilter            `json:"snapshotFilter,omitempty"`
	SnapshotViewport          *Viewport                  `json:"snapshotViewport,omitempty"`
	SnapshotDiff              *SnapshotDiff              `json:"snapshotDiff,omitempty"`
	NetworkRequestsPageFilter *NetworkRequestsPageFilter `json:"networkRequestsPageFilter,omitempty"`
	ScrollPage                *ScrollResult              `json:"scrollPage,omitempty"`
	ScrollContainer           *ScrollResult              `json:"scrollContainer,omitempty"`
}

// NavigationSummary is the page after a command that may lead to another one.
type NavigationSummary struct {
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// SnapshotFilter says what part of a snapshot is shown. RefSnapshot has all of it.
type SnapshotFilter struct {
	CleanArgs    []string `json:"cleanArgs"`
	Search       string   `json:"search,omitempty"`
	Role         string   `json:"role,omitempty"`
	MatchedRefs  int      `json:"matchedRefs"`
	TotalRefs    int      `json:"totalRefs"`
	VisibleLines int      `json:"visibleLines"`
	TotalLines   int      `json:"totalLines"`
}

// SnapshotDiff compares the refs of a snapshot with those of the one before.
type SnapshotDiff struct {
	AddedRefs     []string `json:"addedRefs"`
	RemovedRefs   []string `json:"removedRefs"`
	ChangedRefs   []string `json:"changedRefs"`
	UnchangedRefs int      `json:"unchangedRefs"`
	Summary       string   `json:"summary"`
}

// NetworkRequestsPageFilter says which rows of a network log belong to the page that is shown.
type NetworkRequestsPageFilter struct {
	CleanArgs   []string `json:"cleanArgs"`
	CurrentURL  string   `json:"currentUrl"`
	Mode        string   `json:"mode"` // current-page, current-origin or current-url
	MatchedRows int      `json:"matchedRows"`
	TotalRows   int      `json:"totalRows"`
}

// ScrollRequest is where to scroll: to an edge, or in a direction. Distances are as the caller wrote them.
type ScrollRequest struct {
	To        string `json:"to,omitempty"`
	Selector  string `json:"selector,omitempty"`
	Direction string `json:"direction,omitempty"`
	Pixels    string `json:"pixels,omitempty"`
	Percent   string `json:"percent,omitempty"`
}

// Viewport is what of a page is on the screen, in CSS pixels.
type Viewport struct {
	InnerWidth     float64 `json:"innerWidth"`
	InnerHeight    float64 `json:"innerHeight"`
	ScrollX        float64 `json:"scrollX"`
	ScrollY        float64 `json:"scrollY"`
	DocumentWidth  float64 `json:"documentWidth"`
	DocumentHeight float64 `json:"documentHeight"`
}

// ScrollResult says what a scroll to an edge, or of an element, was to do and what it did.
type ScrollResult struct {
	Request ScrollRequest `json:"request"`
	Result  any           `json:"result"`
}
