package artifacts

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// Text reports a file in a line: what it is, where it is, how large. What is not as it should be has lines of its own;
// details.artifacts has the rest.
func Text(a *contract.Artifact) string {
	var b strings.Builder
	label := a.Label
	if label == "" {
		label = "File"
	}
	b.WriteString(label + ": " + a.Path)
	var facts []string
	if a.SizeBytes != nil {
		facts = append(facts, Size(*a.SizeBytes))
	}
	if a.MediaType != "" && a.Status != Pending {
		facts = append(facts, a.MediaType)
	}
	if len(facts) > 0 {
		b.WriteString(" (" + strings.Join(facts, ", ") + ")")
	}
	line := func(name, value string) {
		if value != "" {
			b.WriteString("\n" + name + ": " + value)
		}
	}
	if a.AbsolutePath != a.Path {
		line("Absolute path", a.AbsolutePath)
	}
	switch {
	case a.Status == Pending:
		line("Exists", "pending until record stop")
	case a.Exists != nil && !*a.Exists:
		line("Exists", "no")
	}
	if a.Status != Saved && a.Status != Pending {
		line("Status", a.Status)
	}
	line("Temp path", a.TempPath)
	return b.String()
}

// Lines is the text of several files.
func Lines(list []contract.Artifact) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = Text(&list[i])
	}
	return strings.Join(texts, "\n")
}

// Size is a number of bytes for people.
func Size(n int64) string {
	switch {
	case n < 1<<10:
		return strconv.FormatInt(n, 10) + " B"
	case n < 1<<20:
		return strconv.FormatFloat(float64(n)/(1<<10), 'f', 1, 64) + " KiB"
	}
	return strconv.FormatFloat(float64(n)/(1<<20), 'f', 1, 64) + " MiB"
}
