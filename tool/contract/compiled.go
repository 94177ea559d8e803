package contract

// CompiledDetails show what the input modes were turned into, and what became of those that judge their outcome.
type CompiledDetails struct {
	CompiledSemanticAction *CompiledSemanticAction `json:"compiledSemanticAction,omitempty"`
	CompiledJob            *CompiledJob            `json:"compiledJob,omitempty"`
}

// CompiledSemanticAction is the command line that an intent stands for.
type CompiledSemanticAction struct {
	Action   string   `json:"action"`
	Locator  string   `json:"locator,omitempty"`
	Selector string   `json:"selector,omitempty"`
	Values   []string `json:"values,omitempty"`
	Args     []string `json:"args"` // redacted
}

// CompiledJob is the batch that a job stands for.
type CompiledJob struct {
	Args     []string  `json:"args"`
	FailFast bool      `json:"failFast"`
	Stdin    string    `json:"stdin"`
	Steps    []JobStep `json:"steps"`
}

// JobStep is one row of the batch of a job.
type JobStep struct {
	Action        string   `json:"action"`
	Args          []string `json:"args"`
	GeneratedFrom string   `json:"generatedFrom,omitempty"` // the field that a row was added for
}
