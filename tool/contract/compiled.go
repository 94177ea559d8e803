package contract

import "github.com/skua-browser/skua/electron/appfiles"

// CompiledDetails show what the input modes were compiled to, and the outcome of the modes that judge it.
type CompiledDetails struct {
	CompiledSemanticAction      *CompiledSemanticAction      `json:"compiledSemanticAction,omitempty"`
	CompiledJob                 *CompiledJob                 `json:"compiledJob,omitempty"`
	CompiledQAPreset            *CompiledQAPreset            `json:"compiledQaPreset,omitempty"`
	CompiledSourceLookup        *CompiledSourceLookup        `json:"compiledSourceLookup,omitempty"`
	CompiledNetworkSourceLookup *CompiledNetworkSourceLookup `json:"compiledNetworkSourceLookup,omitempty"`
	CompiledElectron            *CompiledElectron            `json:"compiledElectron,omitempty"`
	InvalidValueFlag            *InvalidValueFlag            `json:"invalidValueFlag,omitempty"`

	QAPreset            *QAPreset            `json:"qaPreset,omitempty"`
	SourceLookup        *SourceLookup        `json:"sourceLookup,omitempty"`
	NetworkSourceLookup *NetworkSourceLookup `json:"networkSourceLookup,omitempty"`
}

// CompiledSemanticAction is the command line that an intent stands for.
type CompiledSemanticAction struct {
	Action   string   `json:"action"`
	Locator  string   `json:"locator,omitempty"`
	Selector string   `json:"selector,omitempty"`
	Values   []string `json:"values,omitempty"`
	Args     []string `json:"args"` // redacted
}

// CompiledJob is the batch that a job stands for.
type CompiledJob struct {
	Args     []string  `json:"args"`
	FailFast bool      `json:"failFast"`
	Stdin    string    `json:"stdin"`
	Steps    []JobStep `json:"steps"`
}

// JobStep is one row of the batch of a job.
type JobStep struct {
	Action        string   `json:"action"`
	Args          []string `json:"args"`
	GeneratedFrom string   `json:"generatedFrom,omitempty"` // the field that a row was added for
}

// CompiledQAPreset is the batch of a check of a page, and what it checks.
type CompiledQAPreset struct {
	CompiledJob
	Checks QAChecks `json:"checks"`
}

// QAChecks are what a check of a page looks at.
type QAChecks struct {
	Attached                bool     `json:"attached"`
	CheckConsole            bool     `json:"checkConsole"`
	CheckErrors             bool     `json:"checkErrors"`
	CheckNetwork            bool     `json:"checkNetwork"`
	DiagnosticsResetAtStart bool     `json:"diagnosticsResetAtStart"`
	ExpectedSelector        string   `json:"expectedSelector,omitempty"`
	ExpectedText            []string `json:"expectedText"`
	LoadState               string   `json:"loadState"`
	ScreenshotPath          string   `json:"screenshotPath,omitempty"`
	URL                     string   `json:"url,omitempty"`
}

// QAPreset is the verdict of a check of a page.
type QAPreset struct {
	Passed       bool     `json:"passed"`
	FailedChecks []string `json:"failedChecks"`
	Warnings     []string `json:"warnings"`
	Summary      string   `json:"summary"`
}

// CompiledLookup is the batch of a lookup.
type CompiledLookup struct {
	Args              []string  `json:"args"`
	Stdin             string    `json:"stdin"`
	Steps             []JobStep `json:"steps"`
	MaxWorkspaceFiles int       `json:"maxWorkspaceFiles"`
}

// CompiledSourceLookup is the batch of a search for the source of an element.
type CompiledSourceLookup struct {
	CompiledLookup
	Selector        string `json:"selector,omitempty"`
	ReactFiberID    string `json:"reactFiberId,omitempty"`
	ComponentName   string `json:"componentName,omitempty"`
	IncludeDOMHints bool   `json:"includeDomHints"`
}

// CompiledNetworkSourceLookup is the batch of a search for the source of a failed request. Its texts are redacted.
type CompiledNetworkSourceLookup struct {
	CompiledLookup
	RequestID string  `json:"requestId,omitempty"`
	Filter    string  `json:"filter,omitempty"`
	URL       string  `json:"url,omitempty"`
	Session   string  `json:"session,omitempty"`
	Namespace *string `json:"namespace,omitempty"`
}

// SourceCandidate is a place in a source that something may come from. It is a hint and no proof.
type SourceCandidate struct {
	Source        string   `json:"source"`     // react-inspect, dom-attribute, workspace-search or initiator
	Confidence    string   `json:"confidence"` // high, medium or low
	Evidence      []string `json:"evidence"`
	File          string   `json:"file,omitempty"`
	Line          int      `json:"line,omitempty"`
	Column        int      `json:"column,omitempty"`
	ComponentName string   `json:"componentName,omitempty"`
	RequestURL    string   `json:"requestUrl,omitempty"` // of a request, redacted
}

// SourceLookup is what was found of the source of an element.
type SourceLookup struct {
	Status          string            `json:"status"` // candidates-found, no-candidates or unsupported
	Candidates      []SourceCandidate `json:"candidates"`
	Limitations     []string          `json:"limitations"`
	Summary         string            `json:"summary"`
	WorkspaceRoot   string            `json:"workspaceRoot,omitempty"`
	ElectronContext *ElectronContext  `json:"electronContext,omitempty"`
}

// ElectronContext says which desktop app a lookup looked at.
type ElectronContext struct {
	LaunchID       string         `json:"launchId,omitempty"`
	AppName        string         `json:"appName,omitempty"`
	AppPath        string         `json:"appPath,omitempty"`
	ExecutablePath string         `json:"executablePath,omitempty"`
	SessionName    string         `json:"sessionName,omitempty"`
	URL            string         `json:"url,omitempty"`
	Code           *appfiles.Code `json:"code,omitempty"` // the app's own code
}

// NetworkSourceLookup is what was found of failed requests and of what made them.
type NetworkSourceLookup struct {
	Status         string            `json:"status"` // failed-requests-found, no-failed-requests or no-candidates
	FailedRequests []FailedRequest   `json:"failedRequests"`
	Candidates     []SourceCandidate `json:"candidates"`
	Limitations    []string          `json:"limitations"`
	Summary        string            `json:"summary"`
}

// FailedRequest is a request that failed. Its URL is redacted.
type FailedRequest struct {
	RequestID string `json:"requestId,omitempty"`
	URL       string `json:"url"`
	Status    int    `json:"status,omitempty"`
	Method    string `json:"method,omitempty"`
	Error     string `json:"error,omitempty"`
}

// CompiledElectron is a wish for a desktop app, checked and with its defaults.
type CompiledElectron struct {
	Action         string   `json:"action"` // list, launch, status, cleanup or probe
	Query          string   `json:"query,omitempty"`
	MaxResults     int      `json:"maxResults,omitempty"`
	LaunchID       string   `json:"launchId,omitempty"`
	All            bool     `json:"all,omitempty"`
	AppPath        string   `json:"appPath,omitempty"`
	AppName        string   `json:"appName,omitempty"`
	BundleID       string   `json:"bundleId,omitempty"`
	ExecutablePath string   `json:"executablePath,omitempty"`
	AppArgs        []string `json:"appArgs,omitempty"`
	Handoff        string   `json:"handoff,omitempty"`    // connect, tabs or snapshot
	TargetType     string   `json:"targetType,omitempty"` // page, webview or any
	TimeoutMs      int64    `json:"timeoutMs,omitempty"`  // 0 means the action's own
	Allow          []string `json:"allow,omitempty"`
	Deny           []string `json:"deny,omitempty"`
}

// InvalidValueFlag says which flag of a command line lacks its value.
type InvalidValueFlag struct {
	Flag          string `json:"flag"`
	Index         int    `json:"index"`
	Reason        string `json:"reason"` // missing-value or unexpected-flag
	ReceivedToken string `json:"receivedToken,omitempty"`
}
