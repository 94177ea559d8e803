package toolbox

// Risk is how bad a step is that goes wrong.
type Risk string

// The risks. What cannot be taken back is high, and is confirmed by a person before it is done.
const (
	Low    Risk = "low"    // it looks, or goes to a page
	Medium Risk = "medium" // it changes what the page holds
	High   Risk = "high"   // it pays, sends, deletes, or uses a secret
)

// StepKind is what a planned step is.
type StepKind string

// The kinds of steps.
const (
	ToolStep    StepKind = "tool"
	ConfirmStep StepKind = "confirm"
	BranchStep  StepKind = "branch"
)

// Step is one step of a plan.
type Step struct {
	Kind        StepKind `json:"kind"`
	Call        *Call    `json:"call,omitempty"` // of a tool
	Description string   `json:"description,omitempty"`
	Risk        Risk     `json:"risk,omitempty"`
	Message     string   `json:"message,omitempty"` // of a confirm: what a person is asked
	Options     []Option `json:"options,omitempty"` // of a branch: tried in order, until one succeeds
	// AltSelectors are tried in order where the call's own selector finds nothing.
	AltSelectors []string `json:"altSelectors,omitempty"`
	// Secret names the grant whose value takes the place of the call's text when it is sent; no plan contains the value
	// itself.
	Secret string `json:"secret,omitempty"`
}

// Option is one way out of a branch.
type Option struct {
	Label string `json:"label"`
	Call  Call   `json:"call"`
}
