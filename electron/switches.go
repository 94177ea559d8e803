package electron

import (
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// ownedSwitches are the switches by which a launch is kept apart from the user's own app and is reached: only a launch
// sets them.
var ownedSwitches = []string{
	"user-data-dir", "remote-debugging-port", "remote-debugging-address",
	"remote-debugging-pipe",
}

// OwnedSwitch returns the switch of a launch that an argument would set, "" when it sets none. Chromium trims an
// argument, takes a switch with one dash for one with two, and on Windows with a slash and in any case.
func OwnedSwitch(arg string) string {
	arg = strings.TrimSpace(arg)
	if arg == "--" { // all that follows would be no switch, those of the launch included
		return arg
	}
	name, dashed := strings.CutPrefix(arg, "-")
	if !dashed {
		if name, dashed = strings.CutPrefix(arg, "/"); !dashed {
			return ""
		}
	}
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "-"), "=")
	name = strings.TrimSpace(name)
	for _, owned := range ownedSwitches {
		if strings.EqualFold(name, owned) {
			return "--" + owned
		}
	}
	return ""
}

// CheckArgs reports the first argument for an app that is the launch's own to set. Its error is Usage.
func CheckArgs(args []string) error {
	for _, arg := range args {
		if owned := OwnedSwitch(arg); owned != "" {
			return fault.New(fault.Usage, "electron.appArgs must not include wrapper-owned launch flag %s.", owned).About(arg).
				WithHint("A launch has a profile and a debugging port of its own; leave the argument out.")
		}
	}
	return nil
}

// withoutOwned drops the switches of a launch from the arguments that a desktop file gives.
func withoutOwned(args []string) (kept []string) {
	for _, arg := range args {
		if OwnedSwitch(arg) == "" {
			kept = append(kept, arg)
		}
	}
	return kept
}
