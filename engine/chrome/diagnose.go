package chrome

import (
	"github.com/skua-browser/skua/engine/fault"
)

// startFault explains why the operating system did not start path.
func startFault(path string, err error) error {
	return fault.New(fault.BrowserLaunch, "the browser %q could not be started: %w", path, err).About(path)
}

// endFault explains the end of a browser that nobody asked for, from how it ended and what it said before.
func endFault(path, exit, said string, answered bool) error {
	code := fault.BrowserLaunch
	if answered {
		code = fault.BrowserGone
	}
	return fault.New(code, "the browser %q ended (%s): %s", path, exit, said).About(path)
}
