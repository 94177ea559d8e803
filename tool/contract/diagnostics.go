package contract

// DiagnosticDetails are what the tool found out beyond what the command said.
type DiagnosticDetails struct {
	ClickDispatch             *ClickDispatch           `json:"clickDispatch,omitempty"`
	OverlayBlockers           *OverlayBlockers         `json:"overlayBlockers,omitempty"`
	VisibleRefFallback        *VisibleRefFallback      `json:"visibleRefFallback,omitempty"`
	RichInputRecovery         *RichInputRecovery       `json:"richInputRecovery,omitempty"`
	SelectorTextVisibility    *SelectorTextVisibility  `json:"selectorTextVisibility,omitempty"`
	SelectorTextVisibilityAll []SelectorTextVisibility `json:"selectorTextVisibilityAll,omitempty"`
	ScrollNoop                *ScrollNoop              `json:"scrollNoop,omitempty"`
	ComboboxFocus             *ComboboxFocus           `json:"comboboxFocus,omitempty"`
	FillVerification          *FillVerification        `json:"fillVerification,omitempty"`
	EvalStdinHint             *Hint                    `json:"evalStdinHint,omitempty"`
	EvalResultWarning         *Hint                    `json:"evalResultWarning,omitempty"`
	NetworkRouteDiagnostics   []NetworkRouteDiagnostic `json:"networkRouteDiagnostics,omitempty"`
	TimeoutPartialProgress    *TimeoutProgress         `json:"timeoutPartialProgress,omitempty"`
	DialogTimeout             *Hint                    `json:"dialogTimeout,omitempty"`
	// the session shows a page that was not seen yet
	SessionTabTargetUnknown bool `json:"sessionTabTargetUnknown,omitempty"`
}

// ClickDispatch reports a click that did not reach its target.
type ClickDispatch struct {
	Status           string        `json:"status"`
	Reason           string        `json:"reason"`
	NativeEventCount int           `json:"nativeEventCount"`
	Target           ClickTarget   `json:"target"`
	CoveredBy        *ShownElement `json:"coveredBy,omitempty"` // what got the click or lies over the target
}

// ClickTarget is what a click was for, as far as it is known.
type ClickTarget struct {
	Kind           string `json:"kind"` // selector, xpath or accessible
	Selector       string `json:"selector,omitempty"`
	RefID          string `json:"refId,omitempty"`
	Role           string `json:"role,omitempty"`
	Name           string `json:"name,omitempty"`
	Tag            string `json:"tag,omitempty"`
	DuplicateIndex int    `json:"duplicateIndex,omitempty"` // among elements of that role and name
}

// ShownElement is an element of a page.
type ShownElement struct {
	Element string `json:"element,omitempty"` // its tag
	Role    string `json:"role,omitempty"`
	Name    string `json:"name,omitempty"`
	Ref     string `json:"ref,omitempty"`
}

// OverlayBlockers are controls that may close what lies over the page.
type OverlayBlockers struct {
	Candidates []OverlayCandidate `json:"candidates"`
	Summary    string             `json:"summary"`
	Snapshot   *RefSnapshot       `json:"snapshot,omitempty"`
}

// OverlayCandidate is one such control.
type OverlayCandidate struct {
	Ref    string   `json:"ref"`
	Role   string   `json:"role,omitempty"`
	Name   string   `json:"name,omitempty"`
	Args   []string `json:"args"`
	Reason string   `json:"reason"`
}

// RequestedTarget is what a command looked for and did not find. The text of a fill is not part of it.
type RequestedTarget struct {
	Action  string `json:"action"`
	Locator string `json:"locator"`
	Value   string `json:"value"`
	Name    string `json:"name,omitempty"`
}

// VisibleRefFallback are refs of the page that have exactly the role and name which was looked for.
type VisibleRefFallback struct {
	Candidates []RefCandidate  `json:"candidates"`
	Snapshot   *RefSnapshot    `json:"snapshot,omitempty"`
	Summary    string          `json:"summary"`
	Target     RequestedTarget `json:"target"`
}

// RefCandidate is a ref that the caller may have meant.
type RefCandidate struct {
	Ref    string   `json:"ref"`
	Role   string   `json:"role"`
	Name   string   `json:"name"`
	Args   []string `json:"args,omitempty"` // not for fill, whose text is not repeated
	Reason string   `json:"reason"`
}

// RichInputRecovery are fields that may be meant by a fill, and how to get at them.
type RichInputRecovery struct {
	Candidates      []EditableCandidate `json:"candidates"`
	InputMethodHint string              `json:"inputMethodHint"`
	NextActionIDs   []string            `json:"nextActionIds"`
	Summary         string              `json:"summary"`
	Target          RequestedTarget     `json:"target"`
}

// EditableCandidate is a field that the caller may have meant.
type EditableCandidate struct {
	Ref       string   `json:"ref"`
	Role      string   `json:"role"`
	Name      string   `json:"name"`
	FocusArgs []string `json:"focusArgs"`
	ClickArgs []string `json:"clickArgs"`
	Reason    string   `json:"reason"`
}

// SelectorTextVisibility warns that a text was read of one of several elements, or of a hidden one.
type SelectorTextVisibility struct {
	Selector                string             `json:"selector"`
	MatchCount              int                `json:"matchCount"`
	VisibleCount            int                `json:"visibleCount"`
	FirstMatchVisible       bool               `json:"firstMatchVisible"`
	FirstVisibleTextPreview string             `json:"firstVisibleTextPreview,omitempty"`
	VisibleCandidates       []VisibleCandidate `json:"visibleCandidates,omitempty"`
	Summary                 string             `json:"summary"`
}

// VisibleCandidate is a visible element among several matches.
type VisibleCandidate struct {
	Index       int    `json:"index"`
	TagName     string `json:"tagName"`
	Role        string `json:"role,omitempty"`
	TextPreview string `json:"textPreview,omitempty"`
}

// ScrollNoop says that a scroll moved nothing.
type ScrollNoop struct {
	Reason          string   `json:"reason"`
	Message         string   `json:"message"`
	Before          any      `json:"before"`
	After           any      `json:"after"`
	Recommendations []string `json:"recommendations"`
}

// ComboboxFocus says that a combobox has the focus and shows no options.
type ComboboxFocus struct {
	Reason              string         `json:"reason"`
	Message             string         `json:"message"`
	ActiveElement       FocusedElement `json:"activeElement"`
	VisibleListboxCount int            `json:"visibleListboxCount"`
	VisibleOptionCount  int            `json:"visibleOptionCount"`
	Recommendations     []string       `json:"recommendations"`
}

// FocusedElement is an element that has the focus.
type FocusedElement struct {
	TagName  string `json:"tagName"`
	Role     string `json:"role"`
	Expanded string `json:"expanded"`
	HasPopup string `json:"hasPopup"`
	Name     string `json:"name"`
}

// FillVerification says what a field holds after it was filled.
type FillVerification struct {
	Status   string `json:"status"` // mismatch
	Selector string `json:"selector"`
	Actual   string `json:"actual,omitempty"` // bounded, and redacted when shown
	Summary  string `json:"summary"`
}

// Hint is advice on how a command was used.
type Hint struct {
	Reason     string `json:"reason"`
	Suggestion string `json:"suggestion"`
}

// NetworkRouteDiagnostic is a request that a route of the session seems to have caught without an answer that the page
// could use.
type NetworkRouteDiagnostic struct {
	Reason       string `json:"reason"` // pending-routed-request, cors-likely-routed-request or unfulfilled-routed-request
	RoutePattern string `json:"routePattern"`
	Mode         string `json:"mode"` // abort, body, handler or unknown
	RequestID    string `json:"requestId,omitempty"`
	RequestURL   string `json:"requestUrl,omitempty"`
	Summary      string `json:"summary"`
}

// TimeoutProgress is how far a call came before it timed out.
type TimeoutProgress struct {
	Summary                  string            `json:"summary"`
	Steps                    []ProgressStep    `json:"steps"`
	RetryStep                *ProgressStep     `json:"retryStep,omitempty"`
	CurrentPage              *PageTarget       `json:"currentPage,omitempty"`
	LiveURLRecovered         bool              `json:"liveUrlRecovered"`
	OpenedButPostOpenTimeout bool              `json:"openedButPostOpenTimedOut,omitempty"`
	Artifacts                []PlannedArtifact `json:"artifacts"`
}

// ProgressStep is one planned step.
type ProgressStep struct {
	Index         int        `json:"index"` // from 1
	Args          []string   `json:"args"`
	Status        string     `json:"status"` // completed, failed, pending or unknown
	Reason        string     `json:"reason,omitempty"`
	GeneratedFrom string     `json:"generatedFrom,omitempty"`
	Retry         NextParams `json:"retry,omitzero"` // params that repeat it, when that can do no harm
}

// PlannedArtifact is a file that a step was to write.
type PlannedArtifact struct {
	Path         string `json:"path"`
	AbsolutePath string `json:"absolutePath"`
	Exists       bool   `json:"exists"`
	State        string `json:"state"` // present or missing
	SizeBytes    *int64 `json:"sizeBytes,omitempty"`
	StepIndex    int    `json:"stepIndex"`
}
