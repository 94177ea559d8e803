package contract

import "encoding/json"

// Details is the part of a result for programs. Each embedded struct is one concern.
type Details struct {
	CallDetails
	CompiledDetails
	SessionDetails
	OutcomeDetails
	RefDetails
	DiagnosticDetails
	ArtifactDetails
	PresentationDetails
	ScriptDetails
	ElectronDetails
}

// CallDetails say what was run and what came back.
type CallDetails struct {
	Args          []string `json:"args,omitempty"`          // as the caller gave them, redacted
	EffectiveArgs []string `json:"effectiveArgs,omitempty"` // as they were run, redacted
	Command       string   `json:"command,omitempty"`
	Subcommand    string   `json:"subcommand,omitempty"`
	ExitCode      *int     `json:"exitCode,omitempty"` // absent when nothing was run
	Data          any      `json:"data,omitempty"`     // of a type of the command's own, see ReadData
	Summary       string   `json:"summary,omitempty"`
	Inspection    bool     `json:"inspection,omitempty"`
	Stdout        string   `json:"stdout,omitempty"`
	Stderr        string   `json:"stderr,omitempty"`
	Error         string   `json:"error,omitempty"`
	ParseError    string   `json:"parseError,omitempty"`
	SpawnError    string   `json:"spawnError,omitempty"`
	Started       *bool    `json:"agentBrowserStarted,omitempty"` // false when the backend never ran
	TimedOut      bool     `json:"timedOut,omitempty"`
	TimeoutMs     int64    `json:"timeoutMs,omitempty"`

	// The program of the subprocess backend is of another version than the tool is written for.
	VersionValidation *VersionValidation `json:"versionValidation,omitempty"`
	ExpectedVersion   string             `json:"expectedVersion,omitempty"`
	ObservedVersion   string             `json:"observedVersion,omitempty"`

	// What the native backend knows and a subprocess has to guess.
	Code     string         `json:"code,omitempty"`
	Facts    map[string]any `json:"facts,omitempty"`
	Outcome  string         `json:"outcome,omitempty"` // none, done or unknown: whether the command may be sent again
	Warnings []string       `json:"warnings,omitempty"`
}

// ReadData decodes the data of the command into a value, by its JSON, which is what the command prints with --json.
// Without data it changes nothing.
func (d *CallDetails) ReadData(into any) error {
	if d.Data == nil {
		return nil
	}
	raw, err := json.Marshal(d.Data)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// VersionValidation is the version that a program should have and the one that it has.
type VersionValidation struct {
	Expected string `json:"expected"`
	Observed string `json:"observed,omitempty"` // empty means that it told none
}

// OutcomeDetails say how it ended and what to do next.
type OutcomeDetails struct {
	ResultCategory  ResultCategory  `json:"resultCategory"`
	SuccessCategory SuccessCategory `json:"successCategory,omitempty"`
	FailureCategory FailureCategory `json:"failureCategory,omitempty"`
	// Retryable says of a failure that the same may work in a moment, or with a selector from a new look at the page.
	Retryable         bool               `json:"retryable,omitempty"`
	ValidationError   string             `json:"validationError,omitempty"`
	NextActions       []NextAction       `json:"nextActions,omitempty"`
	PageChangeSummary *PageChangeSummary `json:"pageChangeSummary,omitempty"`
	Observation       *Observation       `json:"observation,omitempty"` // of a call that asks for it
	BatchSteps        []BatchStep        `json:"batchSteps,omitempty"`
	BatchFailure      *BatchFailure      `json:"batchFailure,omitempty"`
}

// PageChangeSummary is the short form of what a command did to its page.
type PageChangeSummary struct {
	ChangeType    string   `json:"changeType"` // navigation, mutation, artifact or confirmation
	Command       string   `json:"command"`
	Summary       string   `json:"summary"`
	Title         string   `json:"title,omitempty"`
	URL           string   `json:"url,omitempty"`
	ArtifactCount int      `json:"artifactCount,omitempty"`
	SavedFilePath string   `json:"savedFilePath,omitempty"`
	NextActionIDs []string `json:"nextActionIds,omitempty"`
}

// BatchStep is one command of a batch. Its lists are those that the command would have had by itself.
type BatchStep struct {
	Index                int                   `json:"index"`
	Command              []string              `json:"command"` // redacted
	Success              bool                  `json:"success"`
	Text                 string                `json:"text,omitempty"`
	Summary              string                `json:"summary,omitempty"`
	Data                 any                   `json:"data,omitempty"`
	Error                string                `json:"error,omitempty"`
	Code                 string                `json:"code,omitempty"`
	ResultCategory       ResultCategory        `json:"resultCategory"`
	SuccessCategory      SuccessCategory       `json:"successCategory,omitempty"`
	FailureCategory      FailureCategory       `json:"failureCategory,omitempty"`
	Retryable            bool                  `json:"retryable,omitempty"`
	NextActions          []NextAction          `json:"nextActions,omitempty"`
	PageChangeSummary    *PageChangeSummary    `json:"pageChangeSummary,omitempty"`
	Artifacts            []Artifact            `json:"artifacts,omitempty"`
	ArtifactVerification *ArtifactVerification `json:"artifactVerification,omitempty"`
	FullOutputPath       string                `json:"fullOutputPath,omitempty"`
	Lifecycle            any                   `json:"lifecycle,omitempty"`
}

// BatchFailure repeats the first step that failed.
type BatchFailure struct {
	FailedStep   BatchStep `json:"failedStep"`
	SuccessCount int       `json:"successCount"`
	FailureCount int       `json:"failureCount"`
	TotalCount   int       `json:"totalCount"`
	NotRunCount  int       `json:"notRunCount,omitempty"` // rows that were left out since this one failed
}
