package parity

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// counts are how many scenarios there are of each kind.
type counts struct{ same, better, unlike, later int }

func (c *counts) add(s *Scenario) {
	switch {
	case s.Unlike != "":
		c.unlike++
	case s.Better != "":
		c.better++
	case s.Later != "":
		c.later++
	default:
		c.same++
	}
}

func (c counts) all() int { return c.same + c.better + c.unlike + c.later }

// Table writes the page that shows all scenarios.
func Table(judged []Judgement) string {
	families, of, total := tally(judged)
	var b strings.Builder
	fmt.Fprintf(&b, `# Comparison with agent-browser 0.41.2

<!-- scripts/parity writes this page: it runs the scenarios of testdata/parity on both backends and compares exit code, text and data. -->

This page compares each command and flag of agent-browser 0.41.2 with skua. Both run over the same pages, as text and as JSON.

- *Same*: the exit code, the text and every member of the data are equal. skua's data may have more members, its text may
  continue after "✓ Done", and its errors may continue after agent-browser's. Paths in skua's data are absolute.
- *Better*: skua differs, and the table says how.
- *Not applicable*: the table says why.
- *Not yet*: skua lacks it.

[Electron apps](electron-comparison.md) are compared on a page of their own.

%d scenarios: %d same, %d better, %d not applicable, %d not yet.

| | scenarios | same | better | not applicable | not yet |
|---|--:|--:|--:|--:|--:|
`, total.all(), total.same, total.better, total.unlike, total.later)
	for _, family := range families {
		c := of[family]
		fmt.Fprintf(&b, "| %s | %d | %d | %d | %d | %d |\n", family, c.all(), c.same, c.better, c.unlike, c.later)
	}
	b.WriteString("\n## Differences\n")
	section(&b, judged, func(s *Scenario) bool { return s.reason() != "" })
	b.WriteString("\n## The same\n")
	section(&b, judged, func(s *Scenario) bool { return s.reason() == "" })
	return b.String()
}

func tally(judged []Judgement) (families []string, of map[string]*counts, total counts) {
	of = map[string]*counts{}
	for i := range judged {
		s := &judged[i].Scenario
		if of[s.Family] == nil {
			of[s.Family] = &counts{}
			families = append(families, s.Family)
		}
		of[s.Family].add(s)
		total.add(s)
	}
	return families, of, total
}

// section writes a table for each family that has scenarios of a kind.
func section(b *strings.Builder, judged []Judgement, of func(*Scenario) bool) {
	family := ""
	for i := range judged {
		j := &judged[i]
		if !of(&j.Scenario) {
			continue
		}
		differ := j.reason() != ""
		if j.Family != family {
			family = j.Family
			fmt.Fprintf(b, "\n### %s\n\n", family)
			if differ {
				b.WriteString("| command or flag | agent-browser | skua | |\n|---|---|---|---|\n")
			} else {
				b.WriteString("| command or flag | both |\n|---|---|\n")
			}
		}
		name := strings.ReplaceAll(j.Name, "|", "\\|")
		if differ {
			fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, cell(j.theirs), cell(j.ours), cellText(j.verdict()))
		} else {
			fmt.Fprintf(b, "| `%s` | %s |\n", name, cell(j.theirs))
		}
	}
}

func (j *Judgement) verdict() string {
	switch {
	case j.Unlike != "":
		return "not applicable: " + j.Unlike
	case j.Better != "":
		return "better: " + j.Better
	}
	return "not yet: " + j.Later
}

// whole cuts a text behind its last whole word, so that a report has no halves of words.
func whole(text string) string {
	if end := strings.LastIndexByte(text, ' '); end > 0 {
		return strings.TrimRight(text[:end], " ,;:")
	}
	return text
}

// cell is the first line that the last command line printed, and its exit code when that is not 0.
func cell(r result) string {
	all := append(slices.Clone(r.data), r.text...) // as text, when it ran as text
	if len(all) == 0 {
		return ""
	}
	o := all[len(all)-1]
	text := o.Text
	if text == "" {
		text = o.Error
	}
	if text == "" && o.Data != nil {
		if data, err := json.Marshal(o.Data); err == nil {
			text = string(data)
		}
	}
	first, _, more := strings.Cut(text, "\n")
	const widest = 70
	if runes := []rune(first); len(runes) > widest {
		first, more = whole(string(runes[:widest])), true
	}
	if more {
		first += " …"
	}
	if first == "" {
		first = "(nothing)"
	}
	if o.Exit != 0 {
		first += fmt.Sprintf(" (exit %d)", o.Exit)
	}
	return cellText(first)
}

func cellText(s string) string {
	return strings.NewReplacer("|", `\|`, "<", "&lt;", "\n", " ").Replace(s)
}
