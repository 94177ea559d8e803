package judging

import (
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// Act makes a follow-up of a command line.
func Act(id, reason string, args ...string) contract.NextAction {
	return contract.NextAction{Tool: contract.ToolName, ID: id, Reason: reason, Params: map[string]any{"args": args}}
}

// inBatch makes a follow-up of a batch whose rows come by standard input.
func inBatch(id, reason, stdin string) contract.NextAction {
	return contract.NextAction{Tool: contract.ToolName, ID: id, Reason: reason, Params: map[string]any{"args": []string{"batch"}, "stdin": stdin}}
}

// fresh makes a follow-up run in a new managed session.
func fresh(a contract.NextAction) contract.NextAction {
	a.Params["sessionMode"] = string(contract.Fresh)
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
	args, ok := a.Params["args"].([]string)
	if !ok || len(args) == 0 || args[0] != snapshot {
		return a
	}
	a.Params = maps.Clone(a.Params)
	a.Params["args"] = append([]string{"--tab", tab}, args...)
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

// Merge adds what diagnostics have to offer. A general look at the page gives way to an action of theirs that makes the same call.
func Merge(list, more []contract.NextAction) []contract.NextAction {
	list = slices.DeleteFunc(slices.Clone(list), func(a contract.NextAction) bool {
		return a.ID == inspectAfterTimeout && slices.ContainsFunc(more, func(b contract.NextAction) bool { return reflect.DeepEqual(a.Params, b.Params) })
	})
	return AppendUnique(list, more...)
}

// In returns the actions bound to a session: their command lines begin with its namespace and name. Actions that ask for a fresh session or
// are about a desktop app stay as they are, and so does what is bound already.
func In(s Session, list []contract.NextAction) []contract.NextAction {
	out := make([]contract.NextAction, len(list))
	for i, a := range list {
		out[i] = s.bind(a)
	}
	return out
}

func (s Session) bind(a contract.NextAction) contract.NextAction {
	if a.Params == nil || a.Params["sessionMode"] == string(contract.Fresh) || a.Params["electron"] != nil {
		return a
	}
	params := make(map[string]any, len(a.Params)+1)
	maps.Copy(params, a.Params)
	if args, ok := params["args"].([]string); ok {
		params["args"] = s.Prefix(args)
	}
	if lookup, ok := params["networkSourceLookup"].(map[string]any); ok && s.Namespace != nil {
		bound := make(map[string]any, len(lookup)+1)
		maps.Copy(bound, lookup)
		if _, has := bound["namespace"]; !has {
			bound["namespace"] = *s.Namespace
		}
		params["networkSourceLookup"] = bound
	}
	a.Params = params
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
