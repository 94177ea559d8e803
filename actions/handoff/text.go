package handoff

import (
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/wording"
)

// result is the reply about a handoff, or nil.
func result(h *actions.Handoff) actions.Result {
	if h == nil {
		return actions.Result{Data: None{"none"}, Text: "The session was not handed to a person"}
	}
	data := Handoff{
		ID:      h.ID,
		Text:    h.Text,
		Mark:    h.Mark,
		Person:  string(h.End),
		Reason:  h.Reason,
		Address: h.Address,
		Visited: h.Visited,
		Fields:  []Field{},
	}
	if h.End == actions.HandoffWaiting {
		data.RemainingMS = max(0, time.Until(h.Until)).Milliseconds()
		data.WaitedMS = time.Since(h.Begun).Milliseconds()
		return actions.Result{Data: data, Text: brief(data)}
	}
	data.WaitedMS = h.Ended.Sub(h.Begun).Milliseconds()
	for _, f := range h.Fields {
		data.Fields = append(data.Fields, Field(f))
	}
	if h.To.Tab != "" { // else the session was closed
		data.URL, data.Title, data.Tab = change(h.From.URL, h.To.URL), change(h.From.Title, h.To.Title), change(h.From.Tab,
			h.To.Tab)
	}
	for _, t := range h.Opened {
		data.Opened = append(data.Opened, Tab{t.Tab, t.URL, t.Title})
	}
	return actions.Result{Data: data, Text: brief(data), Failed: h.End != actions.HandoffDone}
}

// change is how two texts differ; nil means that they do not.
func change(from, to string) *Change {
	if from == to {
		return nil
	}
	return &Change{from, to}
}

// brief is the reply in words.
func brief(h Handoff) string {
	var lines []string
	add := func(line string) { lines = append(lines, line) }
	reason := ""
	if h.Reason != "" {
		reason = ": " + wording.OneLine(h.Reason)
	}
	switch actions.HandoffEnd(h.Person) {
	case actions.HandoffWaiting:
		add("Waiting for a person: " + wording.OneLine(h.Text))
		add("Tell them to open " + h.Address + " within " +
			(time.Duration(h.RemainingMS) * time.Millisecond).Round(time.Second).String() + ". Then run `handoff wait`.")
		return strings.Join(lines, "\n")
	case actions.HandoffDone:
		add("✓ Done by the person")
	case actions.HandoffCannot:
		add("The person cannot do it" + reason)
	case actions.HandoffTimedOut:
		add("No person answered in time")
		if !h.Visited {
			add("The address was not opened")
		}
	case actions.HandoffCanceled:
		add("The handoff was canceled" + reason)
	default:
		return "The session was not handed to a person"
	}
	for i, f := range h.Fields {
		if i == 0 {
			add("Changed by the person:")
		}
		line := "  " + strings.TrimSpace(f.Role+" "+quoted(f.Name))
		if f.Frame != "" {
			line += " in " + f.Frame
		}
		add(line)
	}
	for _, c := range []struct {
		what string
		is   *Change
	}{{"Address", h.URL}, {"Title", h.Title}, {"Active tab", h.Tab}} {
		if c.is != nil {
			add(c.what + ": " + wording.OneLine(c.is.To) + " (was " + wording.OneLine(c.is.From) + ")")
		}
	}
	for _, t := range h.Opened {
		add("Opened: " + t.ID + " " + t.URL)
	}
	return strings.Join(lines, "\n")
}

// next is what may be done after it.
func next(h Handoff) []actions.FollowUp {
	switch actions.HandoffEnd(h.Person) {
	case actions.HandoffWaiting:
		return []actions.FollowUp{{
			ID:     "wait-for-the-person",
			Reason: "Tell the user the address, then wait for what they say.",
			Line:   []string{"handoff", "wait"},
		}}
	case actions.HandoffDone:
		return []actions.FollowUp{{
			ID:     "look-after-the-person",
			Reason: "See what the page shows now.",
			Line:   []string{"snapshot", "-i"},
		}}
	}
	return nil
}
