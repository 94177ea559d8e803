package main

import (
	"fmt"
	"strings"
)

// render writes the table.
func render(judged []judgement) string {
	var b strings.Builder
	same, better, unlike, later := 0, 0, 0, 0
	for _, j := range judged {
		switch {
		case j.unlike != "":
			unlike++
		case j.better != "":
			better++
		case j.later != "":
			later++
		default:
			same++
		}
	}
	fmt.Fprintf(&b, `# Side by side with agent-browser 0.41.2

<!-- scripts/parity writes this page: it runs each line on both programs and compares exit code, text and JSON data. -->

Each command and flag of agent-browser 0.41.2, run on both programs over the same pages. *Same*: the exit code, the text and every member of
the JSON data; skua's data may have more members, its text says more behind "✓ Done", and its errors go on where the other's end. Paths in
skua's data are absolute. *Better* says how. *Not applicable* says why. *Not yet* is what is still to come.

%d rows: %d same, %d better, %d not applicable, %d not yet.
`, len(judged), same, better, unlike, later)
	section := ""
	for _, j := range judged {
		if j.section != section {
			section = j.section
			fmt.Fprintf(&b, "\n## %s\n\n| command or flag | agent-browser | skua | |\n|---|---|---|---|\n", section)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", strings.ReplaceAll(j.name, "|", "\\|"), cell(j.theirs, j.run), cell(j.ours, j.run), cellText(j.verdict()))
	}
	return b.String()
}

func (j judgement) verdict() string {
	switch {
	case j.unlike != "":
		return "not applicable: " + j.unlike
	case j.better != "":
		return "better: " + j.better
	case j.later != "":
		return "not yet: " + j.later
	}
	return "same"
}

// cell is the first line that a program printed, and its exit code when that is not 0.
func cell(r result, run []string) string {
	if len(run) == 0 {
		return ""
	}
	text := r.text.out
	if text == "" {
		text = r.text.err
	}
	first, _, more := strings.Cut(text, "\n")
	const widest = 70
	if runes := []rune(first); len(runes) > widest {
		first, more = string(runes[:widest]), true
	}
	if more {
		first += " …"
	}
	if first == "" {
		first = "(nothing)"
	}
	if r.text.code != 0 {
		first += fmt.Sprintf(" (exit %d)", r.text.code)
	}
	return cellText(first)
}

func cellText(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(s)
}
