package contract

// Observation is the page behind a call, in the few words that plans compare pages by.
type Observation struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	TS    int64  `json:"ts"` // when it was seen, in milliseconds since 1970

	// by the call; absent where the page before it is not known
	URLChanged *bool `json:"urlChanged,omitempty"`
	// absent where the call did not see what has the focus
	FocusedRole       string            `json:"focusedRole,omitempty"`
	CollectionSummary []CollectionCount `json:"collectionSummary,omitempty"` // of the collections that the call saw
}

// CollectionCount is how many items a collection has.
type CollectionCount struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
}
