package contract

// ScriptDetails are the account of a script's run.
type ScriptDetails struct {
	ScriptRun     *ScriptRun     `json:"scriptRun,omitempty"`
	ScriptSteps   []ScriptStep   `json:"scriptSteps,omitempty"`
	ScriptSession *ScriptSession `json:"scriptSession,omitempty"` // absent when no call was accepted
}

// ScriptRun counts what a script did.
type ScriptRun struct {
	CallCount           int `json:"callCount"`
	SuccessfulCallCount int `json:"successfulCallCount"`
	FailedCallCount     int `json:"failedCallCount"`
	// calls that are not allowed in a script; they are failed ones too
	PreDispatchRejectedCallCount int   `json:"preDispatchRejectedCallCount"`
	EmitCount                    int   `json:"emitCount"`
	DurationMs                   int64 `json:"durationMs"`
	TimeoutMs                    int64 `json:"timeoutMs"`
}

// ScriptStep is one call of a script.
type ScriptStep struct {
	Index           int             `json:"index"`
	Args            []string        `json:"args"` // redacted
	ResultCategory  ResultCategory  `json:"resultCategory"`
	SuccessCategory SuccessCategory `json:"successCategory,omitempty"`
	FailureCategory FailureCategory `json:"failureCategory,omitempty"`
	Summary         string          `json:"summary,omitempty"`
	Error           string          `json:"error,omitempty"`
	DurationMs      int64           `json:"durationMs"`
}

// ScriptSession is the session of a script, which ends with it.
type ScriptSession struct {
	SessionName      string   `json:"sessionName"`
	Cleanup          string   `json:"cleanup"` // closed or failed
	CloseCommandArgs []string `json:"closeCommandArgs"`
	LaunchAttempted  bool     `json:"launchAttempted"`
}
