package contract

// RefDetails say which refs a session's last snapshot handed out.
type RefDetails struct {
	RefSnapshot             *RefSnapshot             `json:"refSnapshot,omitempty"`
	RefSnapshotInvalidation *RefSnapshotInvalidation `json:"refSnapshotInvalidation,omitempty"`
}

// RefSnapshot is the set of refs of a snapshot, and the page that it was taken of.
type RefSnapshot struct {
	RefIDs []string       `json:"refIds"`
	Refs   map[string]Ref `json:"refs,omitempty"` // by id
	Target *PageTarget    `json:"target,omitempty"`
}

// Ref is what a snapshot says of an element.
type Ref struct {
	Role string `json:"role,omitempty"`
	Name string `json:"name,omitempty"`
}

// RefSnapshotInvalidation says why the refs of the last snapshot do not count any longer.
type RefSnapshotInvalidation struct {
	Reason  string `json:"reason"` // no-active-page or page-transition
	Summary string `json:"summary"`
}
