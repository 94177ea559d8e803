package actions

// Call is one run of a command: what was asked.
type Call struct{ *Input }
