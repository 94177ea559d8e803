package trait

// Refs is what a command does to the refs of the last snapshot, and with refs that it is given.
type Refs struct {
	Unchecked bool // refs that it is given may belong to another page
	// refs stay right, although it may change the page: what it sets shows in the same element, or is not part of the page
	Kept bool

	Stale func(words int) bool // whether it shows another page when it has so many words; nil means its effect says so
	// with Stale, in agent-browser, where refs of that page do not count: what happened, as a sentence
	Why string

	// Settles are the roles of elements of which it changes nothing but the state, so that the refs around it still mean
	// what they meant.
	Settles []string
}

// Always is the Stale of a command that shows another page whatever it is given.
func Always(int) bool { return true }

// MoreThan is the Stale of a command that shows another page when it has more than n words.
func MoreThan(n int) func(words int) bool { return func(words int) bool { return words > n } }
