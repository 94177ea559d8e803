package crash

import (
	"errors"
	"fmt"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/limits"
)

// launchFailed is Chromium's word for a page whose process could not be started. On Linux the processes of pages are
// forked by one that is there for that alone, the zygote: when it is gone, or may start none, no page of the browser
// gets a process any longer, whatever it shows.
const launchFailed = "failed to launch"

// crashed is Chromium's usual word for how a page crashed.
const crashed = "crashed"

// noProcess is the reason in the facts of a page that crashed in that way.
const noProcess = "no-process"

// ProcessGone is what Chromium says in place of a crash when the process ended and nothing is known to be wrong with
// that: it does not know how the process ended, since the zygote that would is gone, or it has ended the process
// itself, for a tab that it closes.
const ProcessGone = "Render process gone."

// Of returns the error for a page that crashed. Status is the browser's word for the kind of crash, empty if unknown;
// exitCode is that of the page's process.
func Of(status string, exitCode int) *fault.Error {
	if status == launchFailed {
		return fault.New(fault.PageCrashed, "the page has no process: the browser could not start one").With("reason",
			noProcess).
			WithHint("Use `reload`, or `open <url>`.")
	}
	message := "the page crashed"
	if status != "" && (status != crashed || exitCode != 0) {
		message += fmt.Sprintf(" (%s, exit code %d)", status, exitCode)
	}
	if why := limits.Suspicion(); why != "" {
		message += ", " + why
	}
	return fault.New(fault.PageCrashed, "%s", message).WithHint("Use `reload`, or `open <url>`.").
		With("status", status).With("exitCode", exitCode)
}

// OfFrame is the error of a frame that crashed.
func OfFrame() *fault.Error {
	return fault.New(fault.PageCrashed, "a frame of the page crashed").WithHint("Use `reload`.")
}

// HasNoProcess reports whether an error says that the browser could not start a process for a page. It is then the
// browser that is broken, and not the page: no other one of it will have a process, either.
func HasNoProcess(err error) bool {
	f, ok := errors.AsType[*fault.Error](err)
	return ok && f.Code == fault.PageCrashed && f.Facts["reason"] == noProcess
}
