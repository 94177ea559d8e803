package main

import (
	"fmt"
	"os"
	"strings"
)

// The marks in a document between which the table is written.
const (
	tableBegin = "<!-- scripts/bench --go --docs writes what follows -->\n"
	tableEnd   = "<!-- end of what scripts/bench --go --docs writes -->\n"
)

// section is what is written between the marks: how the figures came about, and the table.
func section(rows []row, names []string, m machine, rounds int) string {
	return fmt.Sprintf("One run (`--rounds %d`) on %d processors, %s, with chromedp %s and rod %s:\n\n%s",
		rounds, m.Processors, m.Browser, m.Chromedp, m.Rod, markdown(rows, names))
}

// replaceSection returns the text with another section between its marks.
func replaceSection(text, section string) (string, error) {
	before, rest, found := strings.Cut(text, tableBegin)
	_, after, closed := strings.Cut(rest, tableEnd)
	if !found || !closed {
		return "", fmt.Errorf("the marks are missing; it needs the lines %q and %q", strings.TrimSpace(tableBegin), strings.TrimSpace(tableEnd))
	}
	return before + tableBegin + section + tableEnd + after, nil
}

// updateDocument writes the section into a file.
func updateDocument(path, section string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	updated, err := replaceSection(string(text), section)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, []byte(updated), 0o644)
}
