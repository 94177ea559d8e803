package markdown

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// depthLimit is how deep elements may lie in each other in a document that the parser refuses for its depth (512
// elements). A nested table takes four elements, all of which the parser counts.
const depthLimit = 100

// shallow takes the elements that lie too deep out of a document, and leaves what is in them.
func shallow(source string) string {
	var b strings.Builder
	b.Grow(len(source))
	type opened struct {
		name    string
		dropped bool
	}
	var open []opened
	z := html.NewTokenizer(strings.NewReader(source))
	for {
		kind := z.Next()
		raw := z.Raw()
		switch kind {
		case html.ErrorToken:
			return b.String()
		case html.StartTagToken:
			name, _ := z.TagName()
			if closesItself(atom.Lookup(name)) {
				break
			}
			dropped := len(open) >= depthLimit
			open = append(open, opened{string(name), dropped})
			if dropped {
				raw = []byte("\n")
			}
		case html.EndTagToken:
			name, _ := z.TagName()
			at := len(open) - 1
			for at >= 0 && open[at].name != string(name) {
				at--
			}
			if at < 0 {
				break
			}
			if open[at].dropped {
				raw = []byte("\n")
			}
			open = slices.Delete(open, at, at+1)
		}
		b.Write(raw)
	}
}

// closesItself reports whether an element ends without an end tag, by what follows it or at once, and so cannot get
// deep by itself.
func closesItself(tag atom.Atom) bool {
	switch tag {
	case atom.Area, atom.Base, atom.Br, atom.Col, atom.Embed, atom.Hr, atom.Img, atom.Input, atom.Link, atom.Meta,
		atom.Param, atom.Source,
		atom.Track, atom.Wbr, atom.Html, atom.Head, atom.Body, atom.P, atom.Li, atom.Dt, atom.Dd, atom.Option, atom.Optgroup,
		atom.Thead,
		atom.Tbody, atom.Tfoot, atom.Tr, atom.Td, atom.Th, atom.Colgroup, atom.Rp, atom.Rt,
		atom.A, atom.Button, atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return true
	}
	return false
}
