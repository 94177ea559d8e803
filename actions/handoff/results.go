package handoff

// The data of the replies.

// Handoff is a request to a person, and how it ended.
type Handoff struct {
	ID     string `json:"id"`
	Text   string `json:"text"`
	Mark   string `json:"mark,omitempty"` // the element that is meant, by role and name
	Person string `json:"person"`         // waiting, done, cannot, timed-out or canceled
	Reason string `json:"reason,omitempty"`

	// of one that waits: where the person works, with the secret that lets in
	Address     string `json:"address,omitempty"`
	RemainingMS int64  `json:"remainingMs,omitempty"`
	WaitedMS    int64  `json:"waitedMs"`
	Visited     bool   `json:"visited"` // the page at the address was opened

	Fields []Field `json:"fields"`          // that were changed, never with their values
	URL    *Change `json:"url,omitempty"`   // of the active tab; absent: it did not change
	Title  *Change `json:"title,omitempty"` // the same
	Tab    *Change `json:"tab,omitempty"`   // which is active; the same
	Opened []Tab   `json:"opened,omitempty"`
}

// Field is a field that a person changed.
type Field struct {
	Role  string `json:"role"`
	Name  string `json:"name"`
	Frame string `json:"frame,omitempty"` // the address of its frame; absent: the main frame
}

// Change is what something was and is.
type Change struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// Tab is a tab that was opened.
type Tab struct {
	ID    string `json:"tabId"`
	URL   string `json:"url"`
	Title string `json:"title"`
}

// None says that the session was not handed to a person.
type None struct {
	Person string `json:"person"` // none
}
