package parity

import (
	"fmt"
	"io/fs"
	"strings"
)

// Extra is something that skua has and agent-browser has not.
type Extra struct {
	Command string
	What    string
	Page    string // of docs
}

// extras is the file of the scenarios' folder that lists them.
const extras = "more.txt"

// ReadExtras reads the list of what skua has and agent-browser has not.
func ReadExtras(dir fs.FS) ([]Extra, error) {
	text, err := fs.ReadFile(dir, extras)
	if err != nil {
		return nil, err
	}
	var all []Extra
	for n, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		cells := strings.Split(line, " | ")
		if len(cells) != 3 {
			return nil, fmt.Errorf("%s:%d: a line is: command | what it does | page", extras, n+1)
		}
		all = append(all, Extra{cells[0], cells[1], cells[2]})
	}
	return all, nil
}

// extrasHeading begins the section about them, which is the last of the page.
const extrasHeading = "\n## More than agent-browser\n"

// Extras writes the section about what agent-browser has not.
func Extras(all []Extra) string {
	var b strings.Builder
	b.WriteString(extrasHeading + "\n| command | what it does | |\n|---|---|---|\n")
	for _, e := range all {
		name, _, _ := strings.Cut(e.Page, "#")
		fmt.Fprintf(&b, "| `%s` | %s | [%s](%s) |\n", e.Command, e.What, strings.TrimSuffix(name, ".md"), e.Page)
	}
	return b.String()
}

// WithExtras replaces the section in a page, or appends it.
func WithExtras(page string, all []Extra) string {
	page, _, _ = strings.Cut(page, extrasHeading)
	return page + Extras(all)
}
