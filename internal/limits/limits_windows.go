package limits

// Of returns the limit of a kind, or false.
func Of(kind Kind) (Limit, bool) { return Limit{Kind: kind}, false }
