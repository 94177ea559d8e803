package routine

// Result is the result of `run`.
type Result struct {
	Value any     `json:"value"` // what the program emitted or returned; null: nothing
	Calls int     `json:"calls"`
	MS    float64 `json:"ms"`
	Saved string  `json:"saved,omitempty"` // the name by which it is kept now
}

// Kept is a program that is kept.
type Kept struct {
	Name     string `json:"name"`
	Bytes    int64  `json:"bytes"`
	Modified int64  `json:"modified"`        // Unix seconds
	About    string `json:"about,omitempty"` // its first line, if that is a comment
}

// ListResult is the result of `run list`.
type ListResult struct {
	Programs []Kept `json:"programs"`
	Folder   string `json:"folder"`
}

// ShownResult is the result of `run show`.
type ShownResult struct {
	Name string `json:"name"`
	Code string `json:"code"`
}

// RemovedResult is the result of `run remove`.
type RemovedResult struct {
	Removed string `json:"removed"`
}
