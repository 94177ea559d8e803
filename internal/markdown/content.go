package markdown

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// declaredMain returns the one element that the document itself calls its main content, if most of the text is in it;
// nil means that there is none.
func declaredMain(doc *html.Node) *html.Node {
	found := all(doc, func(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" })
	if len(found) == 0 {
		return nil
	}
	for _, other := range found[1:] {
		if !isWithin(other, found[0]) {
			return nil
		}
	}
	if length := textLength(found[0]); length == 0 || length*100 < textLength(doc)*mainPercent {
		return nil
	}
	return found[0]
}

// removeNavigation takes the menus out of a document, and the links that skip them. It reports whether there were any.
func removeNavigation(doc *html.Node) bool {
	found := all(doc, func(n *html.Node) bool {
		return n.DataAtom == atom.Nav || slices.Contains([]string{"navigation", "menubar"}, attr(n, "role")) || isSkipLink(n)
	})
	for _, n := range found {
		if n.Parent != nil {
			n.Parent.RemoveChild(n)
		}
	}
	return len(found) > 0
}

// isSkipLink reports whether an element is a link within the page that begins like "Skip to content".
func isSkipLink(n *html.Node) bool {
	if n.DataAtom != atom.A {
		return false
	}
	_, fragment, within := strings.Cut(attr(n, "href"), "#")
	class := strings.ToLower(attr(n, "class"))
	named := strings.Contains(class, "skip") &&
		(strings.Contains(class, "link") || strings.Contains(class, "nav") || strings.Contains(class, "content") ||
			strings.Contains(class, "main"))
	text := strings.ToLower(strings.TrimSpace(textOf(n)))
	return within && fragment != "" &&
		(named || strings.HasPrefix(text, "skip to ") || strings.HasPrefix(text, "skip navigation") ||
			strings.HasPrefix(text, "jump to ") || strings.HasPrefix(text, "zum inhalt"))
}

// all returns the elements below a node of which something holds, in document order.
func all(n *html.Node, holds func(*html.Node) bool) (found []*html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode && holds(c) {
			found = append(found, c)
		}
		found = append(found, all(c, holds)...)
	}
	return found
}

func isWithin(n, around *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if n == around {
			return true
		}
	}
	return false
}
