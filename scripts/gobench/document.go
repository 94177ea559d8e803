package main

import "fmt"

// docsCommand writes the table in a document.
const docsCommand = "scripts/bench --go --docs"

// section is what it writes: how the figures came about, and the table.
func section(rows []row, names []string, m machine, rounds int) string {
	return fmt.Sprintf("One run (`--rounds %d`) on %d processors, %s, with chromedp %s and rod %s:\n\n%s",
		rounds, m.Processors, m.Browser, m.Chromedp, m.Rod, tableOf(rows, names).Markdown())
}
