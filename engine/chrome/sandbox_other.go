//go:build !linux

package chrome

// sandboxObstacle returns "": outside Linux the sandbox needs nothing that could be missing.
func sandboxObstacle(string, func(string) string) string { return "" }
