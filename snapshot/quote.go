package snapshot

import "github.com/skua-browser/skua/snapshot/phrase"

// What lines are made of, by the names that they have here.
var (
	appendQuoted = phrase.Quoted
	appendPlain  = phrase.Plain
	counted      = phrase.Counted
	thousands    = phrase.Thousands
)
