package task

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// Status is where a task is.
type Status string

// The states of a task. The last five are final.
const (
	Created      Status = "created"
	Planning     Status = "planning"
	Exploring    Status = "exploring"
	Executing    Status = "executing"
	AwaitingUser Status = "awaiting_user" // a person has to confirm a step, or to answer
	Blocked      Status = "blocked"       // it cannot go on as things are; why is in [Task.Reason]
	Succeeded    Status = "succeeded"     // the goal is reached: that was seen
	// what was done was seen, and something that was asked for was left out; see [Task.Omitted]
	Partial Status = "partial"
	// it was done as far as the planner, or the server's answer, says, and nothing on the page proves it
	Claimed   Status = "claimed"
	Failed    Status = "failed"
	Cancelled Status = "cancelled"
)

// follows says which states may come behind which.
var follows = map[Status][]Status{
	Created:      {Planning, Cancelled, Blocked, Failed},
	Planning:     {Executing, Exploring, AwaitingUser, Blocked, Succeeded, Partial, Claimed, Failed, Cancelled},
	Exploring:    {Planning, Blocked, Failed, Cancelled},
	Executing:    {Planning, Exploring, AwaitingUser, Blocked, Succeeded, Partial, Claimed, Failed, Cancelled},
	AwaitingUser: {Executing, Planning, Blocked, Cancelled, Failed},
	Blocked:      {Planning, Executing, Cancelled, Failed},
}

// Statuses returns all states, in the order in which a task may come to them.
func Statuses() []Status {
	return []Status{
		Created, Planning, Exploring, Executing, AwaitingUser, Blocked, Succeeded, Partial, Claimed, Failed,
		Cancelled,
	}
}

// Final reports whether nothing comes behind the state.
func (s Status) Final() bool {
	return s == Succeeded || s == Partial || s == Claimed || s == Failed || s == Cancelled
}

// Active reports whether a task in this state is being worked on.
func (s Status) Active() bool {
	return s == Planning || s == Exploring || s == Executing || s == Created
}

// To fails when a task may not go from one state to the other.
func (s Status) To(next Status) error {
	if slices.Contains(follows[s], next) {
		return nil
	}
	hint := "It can become one of these: " + joined(follows[s]) + "."
	if s.Final() {
		hint = "It has ended; begin another one with `task run`."
	}
	return fault.New(fault.Usage, "A task that is %s cannot become %s.", s, next).About(string(s)).WithHint("%s", hint)
}

func joined(list []Status) string {
	names := make([]string, len(list))
	for i, s := range list {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}
