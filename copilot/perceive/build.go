package perceive

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// builder puts a page together.
type builder struct {
	page  *Page
	nodes []axtree.Node
	spots []spot // of the same index as nodes
	forms map[place]int
	items map[place]itemAt
	// unnamed counts the controls that are seen and have no name, also those of which no action is made.
	unnamed int
}

// spot is what a node has from what is around it.
type spot struct {
	landmark pcd.Landmark // also of what is around its frame
	own      pcd.Landmark // in its own document
	dialog   bool
	paging   bool
	cookies  bool
	heading  string // the last one before it
	fold     bool
}

// place names an element of a page.
type place struct {
	doc   int32
	token int64
}

// itemAt is the item in which an element is.
type itemAt struct{ collection, item int }

func build(tab string, tree *axtree.Tree, refs *snapshot.Refs, r *reading) *Page {
	b := &builder{
		page:  &Page{refs: refs, tab: tab},
		nodes: tree.Nodes,
		spots: make([]spot, len(tree.Nodes)),
		forms: map[place]int{},
		items: map[place]itemAt{},
	}
	b.documents(tree, r)
	b.look()
	b.collections()
	b.readForms()
	b.actions()
	b.join()
	b.page.Summary = b.summarize()
	return b.page
}

// documents finds the way to each document, and its nodes by their tokens.
func (b *builder) documents(tree *axtree.Tree, r *reading) {
	b.page.docs = make([]document, len(tree.Docs))
	counts := make([]int, len(tree.Docs))
	for i := range tree.Nodes {
		if tree.Nodes[i].Token > 0 {
			counts[tree.Nodes[i].Doc]++
		}
	}
	for i, d := range tree.Docs {
		b.page.docs[i] = document{Doc: d, reply: &opReply{}, fold: true, nodes: make(map[int64]int32, counts[i])}
		if a, ok := r.answers[d.DocID]; ok && a.reply != nil {
			b.page.docs[i].reply = a.reply
		}
	}
	frames := map[string][]*engine.Frame{} // siblings by frame
	for _, siblings := range r.below {
		for _, f := range siblings {
			frames[f.ID()] = siblings
		}
	}
	var open []int32
	for i := range tree.Nodes {
		n := &tree.Nodes[i]
		open = append(open[:n.Depth], int32(i))
		d := &b.page.docs[n.Doc]
		if n.Token > 0 {
			d.nodes[n.Token] = int32(i)
		}
		if n.Depth == 0 {
			continue
		}
		if up := open[n.Depth-1]; tree.Nodes[up].Doc != n.Doc && d.path == nil {
			iframe := &tree.Nodes[up]
			above := &b.page.docs[iframe.Doc]
			d.path = append(append([]string(nil), above.path...), frameWord(frames[d.FrameID], d.FrameID, iframe))
			d.fold = above.fold && iframe.InView
		}
		if d.DocID == "" {
			where := ""
			if len(d.path) > 0 {
				where = " (" + strings.Join(d.path, " > ") + ")"
			}
			d.unread = n.Name + where
		}
	}
}

// frameWord is how a frame is called within the document of its element: by its name, else by its address, else by the
// ref of its element.
func frameWord(siblings []*engine.Frame, id string, iframe *axtree.Node) string {
	names, urls := map[string]int{}, map[string]int{}
	var name, url string
	for _, f := range siblings {
		n, u := f.Name(), address(f.URL())
		names[n]++
		urls[u]++
		if f.ID() == id {
			name, url = n, u
		}
	}
	switch {
	case name != "" && names[name] == 1:
		return name
	case url != "" && urls[url] == 1 && !contained(url, urls):
		return url
	}
	return "@e" + strconv.FormatUint(uint64(iframe.Ref), 10)
}

// address is an address without what may change from load to load, "" for what is not on a server.
func address(url string) string {
	url, _, _ = strings.Cut(url, "#")
	url, _, _ = strings.Cut(url, "?")
	if !strings.HasPrefix(url, "http://") && !strings.HasPrefix(url, "https://") {
		return ""
	}
	return url
}

func contained(url string, urls map[string]int) bool {
	for other := range urls {
		if other != url && strings.Contains(other, url) {
			return true
		}
	}
	return false
}

var landmarks = map[string]pcd.Landmark{
	"banner": pcd.Header, "navigation": pcd.Nav, "main": pcd.Main, "complementary": pcd.Aside, "contentinfo": pcd.Footer,
}

// look tells each node what is around it.
func (b *builder) look() {
	var open []int32
	headings := make([]string, len(b.page.docs))
	for i := range b.nodes {
		n := &b.nodes[i]
		open = append(open[:n.Depth], int32(i))
		s := &b.spots[i]
		if n.Depth > 0 {
			up := open[n.Depth-1]
			*s = b.spots[up]
			if b.nodes[up].Doc != n.Doc {
				s.own = ""
			}
		}
		switch n.Role {
		case "banner", "navigation", "main", "complementary", "contentinfo":
			s.landmark = landmarks[n.Role]
			s.own = s.landmark
			headings[n.Doc] = ""
		case "dialog", "alertdialog":
			s.dialog = true
			headings[n.Doc] = n.Name
		case "heading":
			headings[n.Doc] = n.Name
		}
		if n.Role == "navigation" || n.Role == "region" || n.Role == "list" {
			s.paging = s.paging || isPaging(n.Name)
		}
		if n.Role == "dialog" || n.Role == "alertdialog" || n.Role == "region" || n.Role == "complementary" {
			s.cookies = s.cookies || isAboutCookies(n.Name)
		}
		if n.Role == "heading" && isAboutCookies(n.Name) && n.Depth > 0 {
			b.spots[open[n.Depth-1]].cookies = true
			s.cookies = true
		}
		s.heading = headings[n.Doc]
		s.fold = n.InView && b.page.docs[n.Doc].fold
	}
}

func isPaging(name string) bool {
	switch pcd.Normal(name) {
	case "pagination", "pages", "paging", "pager", "page navigation", "pagination navigation", "seiten",
		"seitennavigation", "seitenwahl", "paginacion", "paginazione", "paginering", "paginacao":
		return true
	}
	return false
}

func isAboutCookies(name string) bool {
	name = strings.ToLower(name)
	return strings.Contains(name, "cookie") || strings.Contains(name, "consent") || strings.Contains(name, "gdpr")
}

// element is where a node is.
func (b *builder) element(i int32) Element {
	n := &b.nodes[i]
	e := b.elementOf(n.Doc, n.Token)
	e.Role, e.Name, e.Nth = n.Role, n.Name, int(n.Nth)
	e.Landmark, e.Near = b.spots[i].own, b.spots[i].heading
	return e
}

// elementOf is where an element is that has no line of its own.
func (b *builder) elementOf(doc int32, token int64) Element {
	d := &b.page.docs[doc]
	return Element{
		Token:     token,
		FrameID:   d.FrameID,
		DocID:     d.DocID,
		DocURL:    d.URL,
		FramePath: d.path,
	}
}

// node returns the index of the node of an element, or -1.
func (b *builder) node(doc int32, token int64) int32 {
	if i, ok := b.page.docs[doc].nodes[token]; ok {
		return i
	}
	return -1
}

// id spells a node's ref.
func (b *builder) id(i int32) string {
	return "e" + strconv.FormatUint(uint64(b.nodes[i].Ref), 10)
}
