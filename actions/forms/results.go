package forms

// The data of the replies. Elements are named as the caller spelled them.

// CheckedResult is the result of `check` and `uncheck`.
type CheckedResult struct {
	Already   bool   `json:"already,omitempty"` // it was so before
	Checked   string `json:"checked,omitempty"`
	Unchecked string `json:"unchecked,omitempty"`
}

// ClipboardTextResult is the result of `clipboard read`.
type ClipboardTextResult struct {
	Text string `json:"text"`
}

// ClipboardWrittenResult is the result of `clipboard write`.
type ClipboardWrittenResult struct {
	Written bool `json:"written"`
}

// ClipboardCopiedResult is the result of `clipboard copy`.
type ClipboardCopiedResult struct {
	Characters int  `json:"characters"`
	Copied     bool `json:"copied"`
}

// ClipboardPastedResult is the result of `clipboard paste`.
type ClipboardPastedResult struct {
	Pasted bool           `json:"pasted"`
	To     FocusedElement `json:"to"`
}

// FocusedElement is the element that has the focus.
type FocusedElement struct {
	Name string `json:"name"`
	Role string `json:"role"`
}

// PressedResult is the result of `press`, `keydown` and `keyup`: the key, by what was done with it.
type PressedResult struct {
	KeyDown string `json:"keydown,omitempty"`
	KeyUp   string `json:"keyup,omitempty"`
	Pressed string `json:"pressed,omitempty"`
	// the item of a desktop app's menu bar that the key chose, as "File > New"
	MenuItem string `json:"menuItem,omitempty"`
}

// EnteredResult is the result of `keyboard inserttext` and `keyboard compose`.
type EnteredResult struct {
	Composed bool           `json:"composed,omitempty"`
	Inserted bool           `json:"inserted,omitempty"`
	To       FocusedElement `json:"to"`
}

// SelectedResult is the result of `select`: the values that are chosen now.
type SelectedResult struct {
	Selected []string `json:"selected" shape:"null"` // null: a dialog is open, so that it could not be read
}

// SubmittedResult is the result of `submit`, with what was pressed for it.
type SubmittedResult struct {
	Control   string `json:"control,omitempty"`
	Field     string `json:"field,omitempty"` // in which Enter was pressed
	Submitted string `json:"submitted"`
}

// FilledResult is the result of `fill`.
type FilledResult struct {
	Filled string `json:"filled"`
}

// FocusedResult is the result of `focus`.
type FocusedResult struct {
	Focused string `json:"focused"`
}

// TypedResult is the result of `type`: the text, or a stand-in for a secret one.
type TypedResult struct {
	Typed string `json:"typed"`
}

// UploadedResult is the result of `upload`: how many files.
type UploadedResult struct {
	Selector string `json:"selector"`
	Uploaded int    `json:"uploaded"`
}

// KeyboardTypedResult is the result of `keyboard type`.
type KeyboardTypedResult struct {
	To    FocusedElement `json:"to"`
	Typed string         `json:"typed"`
}
