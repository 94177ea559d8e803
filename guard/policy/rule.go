package policy

// Rule is a rule for display.
type Rule struct {
	Kind Kind   `json:"kind"`
	Text string `json:"rule"`           // "deny evaluate", "upload from /home/me/in"
	From string `json:"from,omitempty"` // the file or flag that contains it
}
