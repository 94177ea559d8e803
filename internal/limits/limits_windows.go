package limits

// Of returns the limit of a kind; false: there is none.
func Of(kind Kind) (Limit, bool) { return Limit{Kind: kind}, false }
