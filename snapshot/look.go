package snapshot

import (
	"context"

	"github.com/skua-browser/skua/snapshot/axtree"
)

// Look reads the whole page below root as [Take] does, gives new elements their refs, and returns the tree. It does not
// count as a snapshot: the next delta compares with the last one that was taken.
func Look(ctx context.Context, tab string, root axtree.Frame, refs *Refs, arg axtree.WalkArg) (*axtree.Tree, error) {
	arg.Scope, arg.Until = nil, 0
	tree, err := axtree.Read(ctx, root, arg)
	if err != nil {
		return nil, err
	}
	refs.number(tab, tree, arg.Source, false)
	return tree, nil
}
