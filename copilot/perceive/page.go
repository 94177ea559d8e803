package perceive

import (
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// Page is all that a page offers, in the order of the page. It is immutable.
type Page struct {
	Summary     *pcd.Summary
	Actions     []Action
	Forms       []Form
	Collections []Collection

	docs []document
	refs *snapshot.Refs
	tab  string
}

// Element is where something that a page offers is, and how it is known.
type Element struct {
	Token     int64  // in its document
	FrameID   string // of the engine
	DocID     string
	DocURL    string
	Role      string // as snapshots have it
	Name      string // the accessible name; a label may be more
	Nth       int    // among those of the same role and name in the document, from 0
	Same      int    // how many of these there are
	Landmark  pcd.Landmark
	FramePath []string
	Near      string // the heading above it
}

// Action is one action with all that is known about it. Those of the items of a collection know which.
type Action struct {
	pcd.Action
	At         Element
	Form       int // index of the form that it submits or is in, or -1
	Collection int // index of the collection in whose item it is, or -1
	Item       int // index of that item
	Covered    bool
	Dialog     bool // it is in a dialog
	Pressed    axtree.State
	Expanded   axtree.State
	template   bool // the summary shows it for those of all items
	shadowed   bool // another one is shown for it
	group      slot
	cluster    string
}

// Form is one form with its fields, of which Elements has those of the same index.
type Form struct {
	pcd.Form
	At         Element
	Elements   []Element
	Collection int // as of an action: a form in each row
	Item       int
	Words      string // what its author calls it
}

// Collection is one collection. Its items are read by [Page.Rows].
type Collection struct {
	pcd.Collection
	At    Element
	Kind  string // table, list, feed or alike
	Words string
	Heads []string // of a table: the texts of its header cells
	Items []Item
}

// Item is one item of a collection: its token, and the indexes of its actions in [Page.Actions].
type Item struct {
	Token   int64
	Actions []int
}

// document is one document of the page while it is put together.
type document struct {
	axtree.Doc
	path   []string
	reply  *opReply
	fold   bool            // the frame's element is above the fold
	unread string          // why it could not be read
	nodes  map[int64]int32 // by token
}

// ID gives an element that has none yet its ref, without the at sign.
func (p *Page) ID(e Element) string {
	return give(p.refs, p.tab, e)
}

// give returns the ref of an element, a new one if it has none, without the at sign.
func give(refs *snapshot.Refs, tab string, e Element) string {
	ref := refs.Give(snapshot.Ref{
		Tab:     tab,
		FrameID: e.FrameID,
		DocID:   e.DocID,
		URL:     e.DocURL,
		Token:   e.Token,
		Role:    e.Role,
		Name:    e.Name,
		Nth:     e.Nth,
	})
	if ref == "" {
		return ""
	}
	return ref[1:]
}
