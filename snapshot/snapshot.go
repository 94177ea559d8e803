package snapshot

import (
	"context"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// Options says what a snapshot shows.
type Options struct {
	Source      axtree.Source
	Interactive bool // only elements that have a ref
	// with Interactive: texts that matter, a line for each row or card, and what is left out counted where it was
	Digest    bool
	Compact   bool     // leave out lines that say nothing
	URLs      bool     // show where links lead
	Depth     int      // deepest level that is shown, 0 being the top; negative for no limit
	Boxes     bool     // where elements are
	Search    Search   // only what has a text, and what that belongs to
	Role      string   // only nodes of this role
	Viewport  bool     // only what is on the screen
	Seen      bool     // leave out text that a person who looks at the page does not see
	MaxTokens int      // about how many tokens the text may have; 0 for any number
	Whole     bool     // the JSON form has the whole text and all refs, whatever MaxTokens says
	Until     int64    // with Scope: all from there to the end of the element with this token, see [Refs.Folded]
	Afresh    bool     // with Delta: the whole page, as a new beginning
	Aside     bool     // it is shown beside something else, so that no delta compares with it
	Delta     bool     // only what changed since the last snapshot of the tab
	Header    *Header  // which page this is, in a line before the tree; nil for none
	Notes     []string // sentences for the end of the text
	Upstream  bool     // refs as agent-browser writes them: [ref=e1] in place of @e1
	doc, url  string   // the root's document and its address
	known     []knownPart
	JSONForm
	Scope []byte // JSON of the in-page target to whose subtree the snapshot is limited; empty for the whole page
}

// JSONForm says what the JSON form of a snapshot has.
type JSONForm struct {
	Tree    bool // the nested nodes, too
	Printed bool // also the text as it is printed, and the states of the elements that have refs
	Short   bool // with Printed: not the longer forms of the text
}

// Search is what a snapshot looks for. The zero value searches nothing.
type Search struct {
	Text   string // or a pattern, see [axtree.NewMatcher]
	Around int    // also so many lines before and after each that was found
}

// Snapshot is a page at one moment, as an agent sees it. It is not changed after it was taken.
type Snapshot struct {
	URL     string       // address of the root's document
	Tree    *axtree.Tree // everything that was read, also what Depth and Compact left out of the text
	Removed []uint32     // refs of the previous snapshot of the same page that are gone, ascending
	Delta   *Delta       // with [Options.Delta]
	header  *Header
	view    *view
	text    string // without the header
}

// Take reads the page below root, which usually is the page's main frame, and gives new elements their refs. tab names
// the tab of the session in refs. It ends with ctx; a child frame that does not answer in time, or cannot be read, gets
// a line that says so.
func Take(ctx context.Context, tab string, root axtree.Frame, refs *Refs, o Options) (*Snapshot, error) {
	tree, err := axtree.Read(ctx, root, o.walkArg())
	if err != nil {
		return nil, err
	}
	removed := refs.number(tab, tree, o.Source, len(o.Scope) > 0)
	s := &Snapshot{URL: tree.Docs[0].URL, Tree: tree, Removed: removed, header: o.Header}
	last, revision := refs.remember(tab, tree, o)
	if o.Delta {
		s.Delta = compare(last, tree, o, revision)
		if s.Delta.Kind == deltaUnchanged {
			refs.settle(tab, o, s.Delta.Revision)
		}
		if s.Delta.Kind != deltaFull {
			s.view, s.text = s.Delta.now, string(s.Delta.appendText(nil, o.MaxTokens))
			return s, nil
		}
	}
	o.doc, o.url, o.known = tree.Docs[0].DocID, s.URL, refs.knownOf(tab)
	s.view = newView(tree.Nodes, o)
	s.view.hear(last, tree)
	refs.know(tab, o.doc, s.URL, s.view.shownParts())
	refs.fold(tab, tree, s.view.folds, len(o.Scope) > 0)
	refs.refer(tab, tree, s.view)
	s.view.tellPopups()
	s.view.tellUnheard()
	if s.Delta != nil && s.Delta.why != "" {
		s.view.note("this is the whole page: %s", s.Delta.why)
	}
	s.text = s.view.text()
	return s, nil
}

// isDigest reports whether the text is one that chooses what it shows. The nodes as data, and those of a role, are to
// be all there are.
func (o *Options) isDigest() bool {
	return o.Digest && o.Interactive && !o.Tree && o.Role == "" && o.Source == axtree.Page
}

// manyLines is from how many lines on a walk says what is in view for a text that has a budget: fewer lines fit.
const manyLines = 100

func (o *Options) walkArg() axtree.WalkArg {
	arg := axtree.WalkArg{
		Source:      o.Source,
		Interactive: o.Interactive,
		Scope:       o.Scope,
		Until:       o.Until,
		Boxes:       o.Boxes,
		About:       o.Header != nil,
		Words:       o.isDigest(),
		Search:      o.Search.Text,
	}
	arg.URLs = o.URLs || o.Tree || o.Search.Text != ""
	switch {
	case o.Viewport:
		arg.ViewFrom = 1
	case o.MaxTokens > 0:
		arg.ViewFrom = manyLines
	}
	return arg
}

// Text returns the lines of the snapshot, without a final newline.
func (s *Snapshot) Text() string {
	if s.header == nil || s.header.Hidden {
		return s.text
	}
	return string(append(s.appendHeader(make([]byte, 0, len(s.text)+200)), s.text...))
}
