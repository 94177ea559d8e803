package electron

import "runtime"

// DebugStart is how a person starts an app by hand on this system so that it can be attached to, with the profile that
// it usually has.
func DebugStart() string {
	switch runtime.GOOS {
	case "darwin":
		return "open -a <App Name> --args --remote-debugging-port=9222"
	case "windows":
		return `"<app>.exe" --remote-debugging-port=9222`
	}
	return "<app> --remote-debugging-port=9222"
}
