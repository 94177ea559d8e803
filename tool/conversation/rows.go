package conversation

// Step is a step of a batch, as far as the end of its session is concerned.
type Step struct {
	Closes   bool
	Success  bool
	Launched *bool // whether the session had a browser after it; nil means not known
}

// LeftClosed reports whether the steps of a batch have closed their session and not opened it again. A step after the
// close of which nothing is known counts as one that did.
func LeftClosed(steps []Step) bool {
	closed := false
	for _, s := range steps {
		switch {
		case s.Closes && s.Success:
			closed = true
		case closed && (s.Launched == nil || *s.Launched):
			closed = false
		}
	}
	return closed
}
