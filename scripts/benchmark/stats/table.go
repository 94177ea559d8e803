package stats

import (
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
)

// Table is a report: lines of cells, the head first.
type Table [][]string

// WriteText prints the table for a terminal.
func (t Table) WriteText(w io.Writer) error {
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, line := range t {
		fmt.Fprintln(table, strings.Join(line, "\t"))
	}
	return table.Flush()
}

// Markdown is the table for a document.
func (t Table) Markdown() string {
	var text strings.Builder
	for i, line := range t {
		fmt.Fprintf(&text, "| %s |\n", strings.Join(line, " | "))
		if i == 0 {
			text.WriteString(strings.Repeat("|---", len(line)) + "|\n")
		}
	}
	return text.String()
}

// marks are the lines of a document between which the command writes.
func marks(command string) (begin, end string) {
	return fmt.Sprintf("<!-- %s writes what follows -->\n", command), fmt.Sprintf("<!-- end of what %s writes -->\n",
		command)
}

// UpdateDocument writes a section into a file, between the marks of the command that makes it.
func UpdateDocument(path, command, section string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	begin, end := marks(command)
	before, rest, found := strings.Cut(string(text), begin)
	_, after, closed := strings.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s: the marks are missing; it needs the lines %q and %q", path, strings.TrimSpace(begin),
			strings.TrimSpace(end))
	}
	return os.WriteFile(path, []byte(before+begin+section+end+after), 0o644)
}
