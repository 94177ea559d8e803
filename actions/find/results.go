package find

// TextResult is the data of `find … text`. Other actions reply as the command of their name does.
type TextResult struct {
	Text string `json:"text"`
}
