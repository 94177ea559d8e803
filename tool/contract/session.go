package contract

// SessionDetails say which session a call used, and the state of the managed one.
type SessionDetails struct {
	SessionMode      SessionMode `json:"sessionMode,omitempty"`
	SessionName      string      `json:"sessionName,omitempty"`
	SessionNamespace *string     `json:"sessionNamespace,omitempty"`
	// absent when no session was needed
	UsedImplicitSession   *bool                  `json:"usedImplicitSession,omitempty"`
	ManagedSessionOutcome *ManagedSessionOutcome `json:"managedSessionOutcome,omitempty"`
	SessionRecoveryHint   *SessionRecoveryHint   `json:"sessionRecoveryHint,omitempty"`
	SessionTabTarget      *PageTarget            `json:"sessionTabTarget,omitempty"`
	SessionTabCorrection  *TabCorrection         `json:"sessionTabCorrection,omitempty"`
	// the session's browser was not started for it
	AttachedSession bool         `json:"attachedBrowserSession,omitempty"`
	PromptGuard     *PromptGuard `json:"promptGuard,omitempty"`
	// all sessions of the namespace were closed
	CloseAllApplied bool `json:"closeAllApplied,omitempty"`
}

// PageTarget is the page that a session shows.
type PageTarget struct {
	TabID string `json:"tabId,omitempty"`
	Title string `json:"title,omitempty"`
	URL   string `json:"url,omitempty"`
}

// PromptGuard says why a close was refused by what the user asked for.
type PromptGuard struct {
	Reason  string            `json:"reason"` // requested-artifacts-missing-before-close
	Missing []PromptRequested `json:"missing"`
}

// PromptRequested is a file that the user asked for.
type PromptRequested struct {
	Path string `json:"path"`
	Kind string `json:"kind"` // screenshot or recording
}

// TabCorrection says that another tab was active than the one that was opened, and has been chosen again.
type TabCorrection struct {
	SelectedTab   string `json:"selectedTab"`
	SelectionKind string `json:"selectionKind"` // index, label or tabId
	TargetTitle   string `json:"targetTitle,omitempty"`
	TargetURL     string `json:"targetUrl"`
}

// ManagedSessionOutcome says what a call did to the session that the tool keeps for its caller.
type ManagedSessionOutcome struct {
	Status                  string      `json:"status"` // created, replaced, unchanged, closed, preserved or abandoned
	SessionMode             SessionMode `json:"sessionMode"`
	AttemptedSessionName    string      `json:"attemptedSessionName,omitempty"`
	PreviousSessionName     string      `json:"previousSessionName,omitempty"`
	CurrentSessionName      string      `json:"currentSessionName,omitempty"`
	CurrentSessionNamespace *string     `json:"currentSessionNamespace,omitempty"`
	ReplacedSessionName     string      `json:"replacedSessionName,omitempty"`
	ReplacedSessionClosed   *bool       `json:"replacedSessionClosed,omitempty"`
	ActiveBefore            bool        `json:"activeBefore"`
	ActiveAfter             bool        `json:"activeAfter"`
	Succeeded               bool        `json:"succeeded"`
	Summary                 string      `json:"summary"`
}

// SessionRecoveryHint says how to repeat a call that the running session prevents.
type SessionRecoveryHint struct {
	Reason                 string      `json:"reason"`
	RecommendedSessionMode SessionMode `json:"recommendedSessionMode"`
	ExampleArgs            []string    `json:"exampleArgs"`
	ExampleParams          NextParams  `json:"exampleParams"`
}
