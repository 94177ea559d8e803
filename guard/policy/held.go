package policy

import "time"

// Held is a command that waits for confirmation.
type Held struct {
	ID      string    `json:"confirmation_id"`
	Action  string    `json:"action"`
	Command string    `json:"command"`
	Expires time.Time `json:"expires"`
}
