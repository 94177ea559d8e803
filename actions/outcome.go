package actions

import (
	"slices"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Outcome says whether a command that changes something did so, and with that whether to send it again.
type Outcome string

// The outcomes.
const (
	OutcomeNone    Outcome = "none"    // nothing was changed: it may be sent again
	OutcomeDone    Outcome = "done"    // it was done: sending it again does it twice
	OutcomeUnknown Outcome = "unknown" // it may have been done, whole or in part: look before it is sent again
)

// Changes reports whether the command is to change something by what it was given: a page, the browser, a session, or
// what is kept.
func (in *Input) Changes() bool {
	if c := in.cmd; c == nil || c.Alters == nil {
		return c != nil && (c.Effect&(Mutates|Navigates|Closes) != 0 || c.Is(trait.Once|trait.Sets))
	}
	return in.cmd.Alters(in)
}

// OutcomeOf decides about a command that ran, or was refused before: by whether it succeeded, and else by what was sent
// for it before it failed. It is empty for a command that changes nothing.
func OutcomeOf(in *Input, res *Result, err error, sent *cdp.Sent) Outcome {
	switch {
	case !in.Changes():
		return ""
	case err == nil && res.Held:
		return OutcomeNone
	case err == nil, fault.Has(err, FactDone), fault.Has(err, FactClosed):
		return OutcomeDone
	case sent.Changes(), sent.Attempts() && !slices.Contains(verdicts, fault.CodeOf(err)):
		return OutcomeUnknown
	}
	return OutcomeNone
}

// FactDone is the fact of an error that says that the command did what it does to the page or the session, and
// something else that was asked for with it failed, such as the file of a download.
const FactDone = "done"

// verdicts are the failures by which a script in the page says that it has done nothing, and why.
var verdicts = []fault.Code{
	fault.Usage, fault.RefUnknown, fault.RefStale, fault.ShotStale, fault.SelectorInvalid, fault.SelectorNotFound,
	fault.SelectorAmbiguous,
	fault.TargetHidden, fault.TargetDisabled, fault.TargetReadonly, fault.TargetCovered, fault.TargetOutside,
	fault.TargetUnstable,
	fault.TargetUnsuitable, fault.OptionNotFound, fault.PolicyBlocked,
}
