package judging

import (
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// Act makes a follow-up of a command line.
func Act(id, reason string, args ...string) contract.NextAction {
	return contract.NextAction{Tool: contract.ToolName, ID: id, Reason: reason, Params: contract.NextParams{Args: args}}
}

// inBatch makes a follow-up of a batch whose rows come by standard input.
func inBatch(id, reason, stdin string) contract.NextAction {
	return contract.NextAction{
		Tool:   contract.ToolName,
		ID:     id,
		Reason: reason,
		Params: contract.NextParams{Args: []string{"batch"}, Stdin: stdin},
	}
}

// fresh makes a follow-up run in a new managed session.
func fresh(a contract.NextAction) contract.NextAction {
	a.Params.SessionMode = contract.Fresh
	return a
}

// caution adds what the caller has to mind.
func caution(a contract.NextAction, safety string) contract.NextAction {
	a.Safety = safety
	return a
}

const (
	oldRefs  = "Refs from before may stand for other elements; use those of the new snapshot."
	mayHave  = "The step may have happened; look at the page before you repeat it."
	snapshot = "snapshot"
)

func look(id, reason string) contract.NextAction { return Act(id, reason, snapshot, "-i") }

// inTab makes a look at the page one at the page of a tab which the session does not show.
func inTab(tab string, a contract.NextAction) contract.NextAction {
	if len(a.Params.Args) == 0 || a.Params.Args[0] != snapshot {
		return a
	}
	a.Params.Args = append([]string{"--tab", tab}, a.Params.Args...)
	return a
}

// AppendUnique adds actions that are not among the list yet. An id counts once, and the first one stays.
func AppendUnique(list []contract.NextAction, more ...contract.NextAction) []contract.NextAction {
	for _, a := range more {
		if !slices.ContainsFunc(list, func(b contract.NextAction) bool { return a.ID == b.ID }) {
			list = append(list, a)
		}
	}
	return list
}

// Merge adds what diagnostics have to offer. A general look at the page gives way to an action of theirs that makes the
// same call.
func Merge(list, more []contract.NextAction) []contract.NextAction {
	list = slices.DeleteFunc(slices.Clone(list), func(a contract.NextAction) bool {
		return a.ID == inspectAfterTimeout && slices.ContainsFunc(more, func(b contract.NextAction) bool {
			return reflect.DeepEqual(a.Params, b.Params)
		})
	})
	return AppendUnique(list, more...)
}

// In returns the actions bound to a session: their command lines begin with its namespace and name. Actions that ask
// for a fresh session or are about a desktop app stay as they are, and so does what is bound already.
func In(s Session, list []contract.NextAction) []contract.NextAction {
	out := make([]contract.NextAction, len(list))
	for i, a := range list {
		out[i] = s.bind(a)
	}
	return out
}

func (s Session) bind(a contract.NextAction) contract.NextAction {
	if a.Params.SessionMode == contract.Fresh || a.Params.Electron != nil {
		return a
	}
	if a.Params.Args != nil {
		a.Params.Args = s.Prefix(a.Params.Args)
	}
	if lookup := a.Params.NetworkSourceLookup; lookup != nil && lookup.Namespace == nil {
		bound := *lookup
		bound.Namespace = s.Namespace
		a.Params.NetworkSourceLookup = &bound
	}
	return a
}

// Prefix returns the command line with the session in front of it.
func (s Session) Prefix(args []string) []string {
	session, namespace := leads(args)
	var front []string
	if s.Namespace != nil && !namespace {
		front = append(front, "--namespace", *s.Namespace)
	}
	if s.Name != "" && !session {
		if namespace { // the namespace stays in front
			return slices.Concat(args[:2], []string{"--session", s.Name}, args[2:])
		}
		front = append(front, "--session", s.Name)
	}
	if len(front) == 0 {
		return args
	}
	return slices.Concat(front, args)
}

// leads reports which of the two stand before the command.
func leads(args []string) (session, namespace bool) {
	for i := 0; i+1 < len(args) && strings.HasPrefix(args[i], "--"); i += 2 {
		switch args[i] {
		case "--session":
			session = true
		case "--namespace":
			namespace = true
		default:
			return session, namespace
		}
	}
	return session, namespace
}
