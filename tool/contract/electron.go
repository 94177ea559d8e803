package contract

// ElectronDetails are the account of work with desktop apps.
type ElectronDetails struct {
	Electron *Electron `json:"electron,omitempty"`
}

// Electron is what became of an action on desktop apps.
type Electron struct {
	Action string `json:"action"`
	Status string `json:"status"` // succeeded or failed

	// Of list.
	Platform          string `json:"platform,omitempty"` // darwin, linux, windows or unsupported
	Apps              any    `json:"apps,omitempty"`     // what package electron says of each
	Query             string `json:"query,omitempty"`
	MaxResults        int    `json:"maxResults,omitempty"`
	SkippedCount      int    `json:"skippedCount"`
	OmittedCount      int    `json:"omittedCount,omitempty"`
	SensitiveAppCount int    `json:"sensitiveAppCount,omitempty"`

	ProfileIsolation *ProfileIsolation `json:"profileIsolation,omitempty"`
}

// ProfileIsolation says what a launched app sees of the user's own data: nothing.
type ProfileIsolation struct {
	IsolatedLaunch                bool   `json:"isolatedLaunch"`
	ReusesExistingSignedInProfile bool   `json:"reusesExistingSignedInProfile"`
	AttachesToAlreadyRunningApp   bool   `json:"attachesToAlreadyRunningApp"`
	HostDebugLaunchExample        string `json:"hostDebugLaunchExample"` // how to attach to the app as the user has it
}
