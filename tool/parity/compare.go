package parity

import (
	"fmt"
	"slices"
	"strings"
)

// parts are in what two outcomes can differ.
var parts = []string{"exit", "text", "error", "data", "files"}

// result is what a backend made of a scenario: each command line as text, and each as data.
type result struct {
	text, data []outcome
	files      []string // what those hold that it was to leave
	unprepared []string // which lines before it failed, and how
}

// differences reports in what ours is not what theirs is: which parts, and where. More than theirs is not a difference:
// members of the data, an effect behind "Done", an error that goes on.
func differences(theirs, ours result, ignore []string) (in []string, where []string) {
	say := func(part, place string) {
		if !slices.Contains(in, part) {
			in = append(in, part)
		}
		where = append(where, place)
	}
	for i := range theirs.text {
		a, b := theirs.text[i], ours.text[i]
		if lostRace(a) && b.Exit == 0 {
			break
		}
		if a.Exit != b.Exit {
			say("exit", fmt.Sprintf("exit code %d, not %d", b.Exit, a.Exit))
		}
		if !sameText(a.Text, b.Text) {
			say("text", "text")
		}
		if a.Exit != 0 && !sameError(a.Error, b.Error) {
			say("error", "error text")
		}
	}
	for i := range theirs.data {
		a, b := theirs.data[i], ours.data[i]
		if lostRace(a) && b.Success {
			break
		}
		switch path := missing(a.Data, b.Data, "data", ignore); {
		case a.Success != b.Success:
			say("exit", "success")
		case !a.Success && !sameError(a.Error, b.Error):
			say("error", "error of the data")
		case path != "":
			say("data", path)
		case a.Code != "" && a.Code != "usage" && a.Code != b.Code:
			say("error", "code")
		}
	}
	for i := range theirs.files {
		if theirs.files[i] != ours.files[i] {
			say("files", fmt.Sprintf("file %d", i+1))
		}
	}
	slices.SortFunc(in, func(a, b string) int { return slices.Index(parts, a) - slices.Index(parts, b) })
	return in, where
}

// lostRace reports whether agent-browser asked a document that was just left. It does not wait for that, so now and
// then back, forward and reload fail in it, and only in it: such a row and those behind it, which look at a document
// that is still coming, compare nothing, as long as ours succeeds.
func lostRace(theirs outcome) bool {
	return theirs.Exit != 0 && strings.Contains(theirs.Error, "Inspected target navigated or closed")
}

// raced are the rows, by their command lines, that compare nothing because agent-browser lost a race in them.
func (j *Judgement) raced() []string {
	var lines []string
	for _, form := range [][]outcome{j.theirs.text, j.theirs.data} {
		for i, o := range form {
			if lostRace(o) {
				lines = append(lines, strings.Join(j.Run[i], " "))
			}
		}
	}
	return lines
}

// sameText: of ours, what follows the dot on the first line and whole further lines do not count.
func sameText(theirs, ours string) bool {
	ours, _, _ = strings.Cut(ours, " · ")
	return theirs == ours || theirs != "" && strings.HasPrefix(ours, theirs+"\n")
}

// sameError: the first line counts, and ours may go on where theirs ends. What follows is usage, which reports more
// flags.
func sameError(theirs, ours string) bool {
	first := func(s string) string {
		s, _, _ = strings.Cut(s, "\n")
		return strings.TrimSuffix(s, ".")
	}
	return strings.HasPrefix(first(ours), first(theirs))
}

// missing returns the path of the first member of theirs that ours has not, or has with another value; "" when there is
// none. What is null or empty may be left out.
func missing(theirs, ours any, path string, ignore []string) string {
	switch a := theirs.(type) {
	case nil:
		if ours == nil || path == "data" {
			return ""
		}
	case map[string]any:
		b, ok := ours.(map[string]any)
		if !ok && len(a) > 0 {
			return path
		}
		for key, value := range a {
			if slices.Contains(ignore, key) {
				continue
			}
			got, there := b[key]
			if message, ok := value.(string); ok && key == "error" {
				if said, _ := got.(string); !sameError(message, said) {
					return path + ".error"
				}
				continue
			}
			if !there && value != nil {
				return path + "." + key
			}
			if p := missing(value, got, path+"."+key, ignore); p != "" {
				return p
			}
		}
		return ""
	case []any:
		b, ok := ours.([]any)
		if !ok || len(a) != len(b) {
			return path
		}
		for i := range a {
			if p := missing(a[i], b[i], fmt.Sprintf("%s[%d]", path, i), ignore); p != "" {
				return p
			}
		}
		return ""
	}
	if theirs != ours {
		return path
	}
	return ""
}
