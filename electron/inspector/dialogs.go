package inspector

import (
	"context"
	_ "embed"
)

//go:embed js/dialogs.js
var dialogsScript string

// The kinds of native dialogs. Errors have one button, and take no answer.
const (
	OpenDialog    = "open"
	SaveDialog    = "save"
	MessageDialog = "message"
	ErrorDialog   = "error"
)

// What happens to a dialog for which no answer is armed.
const (
	ShowNative    = "native" // a person answers it
	CancelDialogs = "cancel" // it is answered as if a person had canceled it
)

// DialogAnswer answers the next native dialog of a kind.
type DialogAnswer struct {
	Kind   string   `json:"kind"` // open, save or message
	Files  []string `json:"files,omitempty"`
	Path   string   `json:"path,omitempty"`
	Button string   `json:"button,omitempty"`
}

// AskedDialog is a native dialog that the app asked for.
type AskedDialog struct {
	Kind        string   `json:"kind"` // open, save, message or error
	At          int64    `json:"at"`   // milliseconds since 1970
	Title       string   `json:"title,omitempty"`
	Message     string   `json:"message,omitempty"`
	Buttons     []string `json:"buttons,omitempty"`
	Filters     []string `json:"filters,omitempty"`
	Properties  []string `json:"properties,omitempty"`
	DefaultPath string   `json:"defaultPath,omitempty"`
	Open        bool     `json:"open"`             // a person has to answer it
	Answer      string   `json:"answer,omitempty"` // what the app got
	Unfit       string   `json:"unfit,omitempty"`  // why the answer that was armed was not given
}

// Dialogs are the native dialogs of an app since they were first asked for.
type Dialogs struct {
	Policy string         `json:"policy"` // native or cancel
	Armed  []DialogAnswer `json:"armed"`
	Asked  []AskedDialog  `json:"asked"` // the newest last
}

// DialogWish says what to change about the native dialogs of an app. The zero value changes nothing.
type DialogWish struct {
	Arm    *DialogAnswer `json:"arm,omitempty"`
	Policy string        `json:"policy,omitempty"`
}

// Dialogs answers native dialogs that the app asks for later as it is wished, and returns those that it has asked for.
// The first call begins to note them.
func (p *Process) Dialogs(ctx context.Context, wish DialogWish) (Dialogs, error) {
	var state Dialogs
	err := p.call(ctx, dialogsScript, wish, &state)
	return state, err
}
