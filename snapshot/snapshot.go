package snapshot

import (
	"context"
)

// Options says what a snapshot shows.
type Options struct {
	Source      Source
	Interactive bool   // only elements that have a ref
	Compact     bool   // leave out lines that say nothing
	URLs        bool   // show where links lead
	Depth       int    // deepest level that is shown, 0 being the top; negative for no limit
	Tree        bool   // the JSON form holds the tree, too
	Scope       []byte // JSON of the in-page target to whose subtree the snapshot is limited; empty for the whole page
}

// Snapshot is a page at one moment, as an agent sees it. It is not changed after it was taken.
type Snapshot struct {
	URL     string   // address of the root's document
	Tree    *Tree    // everything that was read, also what Depth and Compact left out of the text
	Removed []uint32 // refs of the previous snapshot of the same page that are gone, ascending
	text    string
	options Options
}

// Take reads the page below root, which usually is the page's main frame, and gives new elements their refs. tab names the tab of the
// session in refs. It ends with ctx; a child frame that does not answer in time, or cannot be read, gets a line that says so.
func Take(ctx context.Context, tab string, root Frame, refs *Refs, o Options) (*Snapshot, error) {
	tree, err := readPage(ctx, root, WalkArg{Source: o.Source, Interactive: o.Interactive, Scope: o.Scope})
	if err != nil {
		return nil, err
	}
	removed := refs.number(tab, tree, o.Source, len(o.Scope) > 0)
	return &Snapshot{URL: tree.Docs[0].URL, Tree: tree, Removed: removed, text: render(tree.Nodes, o), options: o}, nil
}

// Text returns the snapshot as lines, without a line end after the last.
func (s *Snapshot) Text() string { return s.text }
