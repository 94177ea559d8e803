package main

import "github.com/skua-browser/skua/internal/limits"

// withLimits adds to a failure the limits of this process that may be its reason, which a host and its browsers would
// have, too.
func withLimits(sentence string) string {
	why := limits.Suspicion()
	if why == "" {
		return sentence
	}
	return sentence + " That is " + why + ". " + limits.Hint
}
