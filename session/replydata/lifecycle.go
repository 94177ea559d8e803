package replydata

// Lifecycle says what a command did to the session's browser, in agent-browser's fields.
type Lifecycle struct {
	EffectiveLaunch     EffectiveLaunch `json:"effectiveLaunch"`
	Launched            bool            `json:"launched"`            // this command started the browser
	RelaunchedBrowser   bool            `json:"relaunchedBrowser"`   // as a replacement for another one
	RestartedBackground bool            `json:"restartedBackground"` // always false: no option restarts the host
	RestoreStatus       string          `json:"restoreStatus"`
	Reused              bool            `json:"reused"` // an earlier browser served the command
	SaveStatus          string          `json:"saveStatus"`
}

// EffectiveLaunch says how the browser runs.
type EffectiveLaunch struct {
	BrowserLaunched bool   `json:"browserLaunched"`
	Engine          string `json:"engine"`
	LaunchHash      uint32 `json:"launchHash"`         // of the launch options; equal options have equal numbers
	Provider        string `json:"provider,omitempty"` // the provider of the browser
}
