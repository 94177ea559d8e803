package conversation

import "github.com/skua-browser/skua/tool/contract"

// Managed is the session that a tool keeps for its caller.
type Managed struct {
	Name      string
	Namespace *string // nil means the ordinary one
	Active    bool    // it has a browser
}

// Attempt is a call in a managed session.
type Attempt struct {
	Mode      contract.SessionMode
	Name      string // of the session it ran in
	Before    Managed
	After     Managed
	Closes    bool // it was to close the session
	Closed    bool // it did, also if it failed to save the session's state first
	Succeeded bool
}

// The statuses of an outcome.
const (
	Created   = "created"
	Replaced  = "replaced"
	Unchanged = "unchanged"
	Closed    = "closed"
	Preserved = "preserved"
	Abandoned = "abandoned"
)

// Outcome says what a call did to the managed session. Whether a replaced session could be closed is not known yet.
func Outcome(a Attempt) *contract.ManagedSessionOutcome {
	o := &contract.ManagedSessionOutcome{
		SessionMode:          a.Mode,
		AttemptedSessionName: a.Name,
		PreviousSessionName:  a.Before.Name,
		ActiveBefore:         a.Before.Active,
		ActiveAfter:          a.After.Active,
		Succeeded:            a.Succeeded,
	}
	if a.After.Active {
		o.CurrentSessionName, o.CurrentSessionNamespace = a.After.Name, a.After.Namespace
	}
	switch {
	case a.Closes && a.Succeeded:
		o.Status, o.Summary = Closed,
			"The managed session was closed; the next call without a session of its own gets a new one."
	case a.Closes && a.Closed:
		o.Status = Closed
		o.Summary = "The managed session was closed without saving its state; the next call without a session of its own " +
			"gets a new one."
	case a.Succeeded && a.Before.Active && a.Name != a.Before.Name:
		o.Status, o.ReplacedSessionName = Replaced, a.Before.Name
		o.Summary = "The fresh session replaced the previous one."
	case a.Succeeded && !a.Before.Active && !a.After.Active:
		o.Status, o.Summary = Unchanged, "The call needed no browser, and there is none."
	case a.Succeeded && !a.Before.Active:
		o.Status, o.Summary = Created, "The managed session was created."
	case a.Succeeded:
		o.Status, o.Summary = Unchanged, "The managed session continues."
	case a.Closes && a.Before.Active:
		o.Status, o.Summary = Preserved, "Closing failed; the managed session is still active."
	case a.Closes:
		o.Status, o.Summary = Abandoned, "There was no managed session to close."
	case a.Before.Active && a.Mode == contract.Fresh:
		o.Status, o.Summary = Preserved, "Fresh launch failed; your previous browser session is still active."
	case a.Before.Active:
		o.Status, o.Summary = Preserved, "The call failed; your browser session is still active."
	case a.Mode == contract.Fresh:
		o.Status, o.Summary = Abandoned, "Fresh launch failed; no managed browser session is current."
	default:
		o.Status, o.Summary = Abandoned, "The call failed; no managed browser session is current."
	}
	return o
}

// OutcomeText is what the model is shown of an outcome, empty when there is nothing that it has to know: a fresh call
// that failed, or one that could not close the session before it. No names of sessions are in it, since they are of no
// use to the model.
func OutcomeText(o *contract.ManagedSessionOutcome, failed bool) string {
	if o == nil {
		return ""
	}
	left := o.ReplacedSessionClosed != nil && !*o.ReplacedSessionClosed
	const prefix = "Managed session outcome: "
	switch {
	case left:
		text := prefix + o.Summary + " The previous one could not be closed and may still run."
		if failed {
			text = prefix + became + " The previous session could not be closed and may still run."
		}
		return text + "\nRecovery: continue in the new session; the tool tries to close the old one again when it ends."
	case !failed || o.SessionMode != contract.Fresh:
		return ""
	case o.Succeeded:
		return prefix + became +
			"\nRecovery: continue without sessionMode; another fresh call would start yet another browser."
	case o.Status == Preserved:
		return prefix + o.Summary +
			"\nRecovery: continue without sessionMode in the previous session, or repeat the call with sessionMode \"fresh\"."
	}
	return prefix + o.Summary + "\nRecovery: repeat the call with sessionMode \"fresh\", or open a page without it."
}

const became = "Fresh launch became current, but this tool call failed after launch."
