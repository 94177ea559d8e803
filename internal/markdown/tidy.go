package markdown

import (
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Check boxes become these noncharacters until the Markdown is written: no text contains them, so that neither the
// search for the main content nor escaping changes them.
const (
	checkedMark   = "\ufdd0"
	uncheckedMark = "\ufdd1"
)

// The in-page script puts these behind a text that a person does not see, or does not see yet; see serialize.js.
const (
	unseenMark = "\ufdd2"
	scrollMark = "\ufdd3"
	pressMark  = "\ufdd4"
	laterMark  = "\ufdd5"
)

// marksInWords writes the marks as a reader of the Markdown gets them.
var marksInWords = strings.NewReplacer(
	checkedMark, "[x]", uncheckedMark, "[ ]",
	unseenMark, "[unseen]", scrollMark, "[appears on scroll]", pressMark, "[appears on press]", laterMark,
	"[appears later]",
)

var withoutMarks = strings.NewReplacer(checkedMark, "", uncheckedMark, "")

// tidier prepares a document for conversion: fields become the text that they show, addresses become absolute, hidden
// elements are removed.
type tidier struct{ base *url.URL }

func tidy(doc *html.Node, address *url.URL) {
	boundSpans(doc)
	t := tidier{base: address}
	if b := find(doc, atom.Base); b != nil {
		if href, err := address.Parse(attr(b, "href")); err == nil {
			t.base = href
		}
	}
	t.children(doc)
}

func (t tidier) children(n *html.Node) {
	for c := n.FirstChild; c != nil; {
		next := c.NextSibling
		t.node(c)
		c = next
	}
}

func (t tidier) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		n.Data = withoutMarks.Replace(n.Data)
		return
	case html.CommentNode:
		n.Parent.RemoveChild(n)
		return
	case html.ElementNode:
	default:
		t.children(n)
		return
	}
	if isHidden(n) {
		n.Parent.RemoveChild(n)
		return
	}
	switch n.DataAtom {
	case atom.Noscript, atom.Template, atom.Style, atom.Canvas, atom.Datalist:
		n.Parent.RemoveChild(n)
		return
	case atom.Input:
		replace(n, text(inputText(n)))
		return
	case atom.Textarea:
		replace(n, text(textOf(n)))
		return
	case atom.Select:
		replace(n, text(chosen(n)))
		return
	case atom.Img:
		t.image(n)
		return
	case atom.Iframe:
		t.frame(n)
		return
	}
	t.children(n)
	switch n.DataAtom {
	case atom.A:
		t.link(n)
	case atom.Button:
		n.Parent.InsertBefore(text(" "), n)
		n.Parent.InsertBefore(text(" "), n.NextSibling)
	case atom.Q:
		n.InsertBefore(text("“"), n.FirstChild)
		n.AppendChild(text("”"))
	case atom.Dt:
		strong := element(atom.Strong)
		moveChildren(n, strong)
		n.AppendChild(strong)
		rename(n, atom.P)
	case atom.Dd, atom.Summary:
		rename(n, atom.P)
	case atom.Dl:
		rename(n, atom.Div)
	case atom.Table:
		if isLayout(n) {
			unfold(n)
		}
	}
}

func isHidden(n *html.Node) bool {
	for _, a := range n.Attr {
		switch a.Key {
		case "hidden":
			return true
		case "style":
			style := strings.ToLower(strings.Join(strings.Fields(a.Val), ""))
			if strings.Contains(style, "display:none") || strings.Contains(style, "visibility:hidden") {
				return true
			}
		}
	}
	return false
}

func inputText(n *html.Node) string {
	switch strings.ToLower(attr(n, "type")) {
	case "checkbox", "radio":
		if has(n, "checked") {
			return checkedMark + " "
		}
		return uncheckedMark + " "
	case "hidden", "password", "file":
		return ""
	case "image":
		return " " + attr(n, "alt") + " "
	}
	return " " + withoutMarks.Replace(attr(n, "value")) + " "
}

// chosen joins what is selected; of a list that opens, the first option is when no other is.
func chosen(list *html.Node) string {
	var options, selected []string
	walk(list, func(n *html.Node) {
		if n.DataAtom != atom.Option {
			return
		}
		label := attr(n, "label")
		if label == "" {
			label = strings.Join(strings.Fields(textOf(n)), " ")
		}
		options = append(options, label)
		if has(n, "selected") {
			selected = append(selected, label)
		}
	})
	if len(selected) == 0 && len(options) > 0 && !has(list, "multiple") {
		selected = options[:1]
	}
	return " " + strings.Join(selected, ", ") + " "
}

// image keeps pictures that mean something: alt="" says that one does not, and data is nothing to read.
func (t tidier) image(n *html.Node) {
	src, alt := attr(n, "src"), strings.TrimSpace(attr(n, "alt"))
	switch {
	case has(n, "alt") && alt == "":
		n.Parent.RemoveChild(n)
	case src == "" || strings.HasPrefix(src, "data:") || strings.HasPrefix(src, "blob:"):
		replace(n, text(" "+alt+" "))
	default:
		set(n, "src", t.absolute(src))
	}
}

// frame replaces a frame that was not read by a link.
func (t tidier) frame(n *html.Node) {
	src := attr(n, "src")
	if src == "" || strings.HasPrefix(src, "about:") || strings.HasPrefix(src, "javascript:") {
		n.Parent.RemoveChild(n)
		return
	}
	label := attr(n, "title")
	if label == "" {
		label = t.absolute(src)
	}
	link := element(atom.A)
	link.AppendChild(text(label))
	set(link, "href", t.absolute(src))
	p := element(atom.P)
	p.AppendChild(link)
	replace(n, p)
}

// link makes the address absolute. What runs a script leads nowhere.
func (t tidier) link(n *html.Node) {
	href := strings.TrimSpace(attr(n, "href"))
	if href == "" || strings.HasPrefix(strings.ToLower(href), "javascript:") {
		rename(n, atom.Span)
		return
	}
	set(n, "href", t.absolute(href))
}

func (t tidier) absolute(address string) string {
	if u, err := t.base.Parse(strings.TrimSpace(address)); err == nil {
		return u.String()
	}
	return address
}

// isLayout reports whether a table is a way to arrange things: Markdown's tables hold lines of text only.
func isLayout(table *html.Node) bool {
	if role := attr(table, "role"); role == "presentation" || role == "none" {
		return true
	}
	found := false
	walk(table, func(n *html.Node) {
		switch n.DataAtom {
		case atom.Table, atom.Ul, atom.Ol, atom.Pre, atom.Blockquote, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
			found = found || n != table
		}
	})
	return found
}

// unfold turns a table and its rows and cells into blocks. Tables in it stay as they are.
func unfold(n *html.Node) {
	switch n.DataAtom {
	case atom.Table, atom.Thead, atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Caption:
		rename(n, atom.Div)
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.DataAtom != atom.Table {
			unfold(c)
		}
	}
}
