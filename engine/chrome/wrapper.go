package chrome

// unwrap returns the browser behind a wrapper script.
func unwrap(path string) string { return path }
