package markdown

import (
	"slices"
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// maxSpanned is how many cells the spans of a page may cover. The converter makes each of them, so that without a bound
// a number in one attribute takes all memory.
const maxSpanned = 10_000

// boundSpans makes cells plain whose spans cover more than what is left of maxSpanned.
func boundSpans(doc *html.Node) {
	left := maxSpanned
	walk(doc, func(n *html.Node) {
		if n.DataAtom != atom.Td && n.DataAtom != atom.Th || !has(n, "colspan") && !has(n, "rowspan") {
			return
		}
		columns, rows := span(n, "colspan"), span(n, "rowspan")
		if columns > left || rows > left || columns*rows > left {
			n.Attr = slices.DeleteFunc(n.Attr, func(a html.Attribute) bool { return a.Key == "colspan" || a.Key == "rowspan" })
			return
		}
		left -= columns * rows
	})
}

// span is a number of columns or rows; one that does not fit into an int is above each bound, too.
func span(n *html.Node, name string) int {
	if !has(n, name) {
		return 1
	}
	number, err := strconv.Atoi(attr(n, name))
	if err != nil {
		return maxSpanned + 1
	}
	return max(1, number)
}
