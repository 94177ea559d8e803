package dialogs

import "github.com/skua-browser/skua/internal/fault"

// Dialog is a JavaScript dialog: alert, confirm, prompt or beforeunload.
type Dialog struct {
	Type          string // "alert", "confirm", "prompt", "beforeunload"
	Message       string
	DefaultPrompt string
	URL           string // of the frame that opened it
	Endless       bool   // so many opened one after another that the page may never stop

	// Of a dialog that the policy answered.
	Answered bool
	Accepted bool
	Text     string // what a prompt was answered with
}

// Err returns the error of what cannot be done while the dialog is open.
func (d *Dialog) Err() *fault.Error {
	return fault.New(fault.DialogOpen, "A JavaScript %s dialog is blocking the page: %q.", d.Type, d.Message).
		WithHint("Resolve it with `dialog accept` or `dialog dismiss`, then try again.").
		With("type", d.Type).With("message", d.Message)
}

// ErrBeside is the error of a page that does not answer while another one, which runs in its process and has the target
// id shownBy, shows the dialog.
func (d *Dialog) ErrBeside(shownBy string) *fault.Error {
	return fault.New(fault.DialogOpen, "The page does not answer while a JavaScript %s dialog is open in another tab: %q.",
		d.Type, d.Message).
		WithHint("Resolve it with `dialog accept` or `dialog dismiss` in that tab, then try again.").
		With("type", d.Type).With("message", d.Message).With("targetId", shownBy)
}
