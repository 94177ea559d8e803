package pcd

// Observation is what a page is like behind a step.
type Observation struct {
	URL               string  `json:"url"`
	Title             string  `json:"title"`
	TS                int64   `json:"ts"`
	URLChanged        bool    `json:"urlChanged,omitempty"`
	CollectionSummary []Count `json:"collectionSummary,omitempty"`
	FocusedRole       string  `json:"focusedRole,omitempty"`
	// What else the step was seen to lead to, as replies of commands say it: a download, a dialog, a tab.
	Effects []string `json:"effects,omitempty"`
}

// Count is how many items a collection has.
type Count struct {
	ID    string `json:"id"`
	Count int    `json:"count"`
}

// Observe compares the page behind a step with the one before it, which may be nil.
func Observe(before, now *Summary) Observation {
	o := Observation{URL: now.URL, Title: now.Title, TS: now.TS, FocusedRole: now.FocusedRole}
	o.URLChanged = before != nil && before.URL != now.URL
	for _, c := range now.Collections {
		o.CollectionSummary = append(o.CollectionSummary, Count{ID: c.ID, Count: c.ApproxCount})
	}
	return o
}
