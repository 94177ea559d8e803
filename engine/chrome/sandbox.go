package chrome

// noSandbox is the switch that makes Chromium run without its sandbox.
const noSandbox = "--no-sandbox"

// Sandbox reports whether the browser at path, launched with args, runs in its sandbox, and if not, why. needsSwitch is
// true when Chromium would refuse to start unless it is told so.
func Sandbox(path string, args []string, getenv func(string) string) (sandboxed, needsSwitch bool, reason string) {
	if hasSwitch(args, noSandbox) {
		return false, false, "the caller's arguments have " + noSandbox
	}
	if reason := sandboxObstacle(packaged(path), getenv); reason != "" {
		return false, true, reason
	}
	return true, false, ""
}
