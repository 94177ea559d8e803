package policy

// Rule is one rule of a session, as it is shown.
type Rule struct {
	Kind Kind   `json:"kind"`
	Text string `json:"rule"`           // "deny evaluate", "upload from /home/me/in"
	From string `json:"from,omitempty"` // the file or flag that it comes from
}
