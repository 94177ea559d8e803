package snapshot

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/stretchr/testify/require"
)

// page is a frame whose answers a test sets. The fields are read when a snapshot is taken.
type page struct {
	id       string
	doc      string
	url      string
	wire     string
	err      error // of Walk
	children []axtree.Frame
	listErr  error
	owner    axtree.Owner
	ownerErr error

	ax      string         // Reply of AXTree
	inside  map[int64]bool // what AXTree says is in a scope
	fields  map[int64]bool // backend ids of inputs and textareas
	secrets map[int64]bool // backend ids of password fields
	frames  map[int64]bool // of elements that hold documents
	gone    map[int64]bool // of elements that have gone
	told    error          // of Elements
	axErr   error          // of AXTree

	walk  func(ctx context.Context, arg axtree.WalkArg) // runs in Walk, when set
	list  func(ctx context.Context)                     // runs in Children, when set
	asked atomic.Int32                                  // calls of Walk
}

func (p *page) ID() string { return p.id }

func (p *page) Walk(ctx context.Context, arg axtree.WalkArg) (axtree.Walked, error) {
	p.asked.Add(1)
	if p.walk != nil {
		p.walk(ctx, arg)
	}
	if err := ctx.Err(); err != nil {
		return axtree.Walked{}, err
	}
	return axtree.Walked{Wire: []byte(p.wire), DocID: p.doc, URL: p.url}, p.err
}

func (p *page) AXTree(_ context.Context, scope []byte) (axtree.BrowserTree, error) {
	tree := axtree.BrowserTree{Reply: []byte(p.ax), DocID: p.doc, URL: p.url}
	if len(scope) > 0 {
		tree.Inside = p.inside
	}
	return tree, p.axErr
}

// Elements gives elements the tokens that are their backend ids.
func (p *page) Elements(_ context.Context, _ string, backendIDs []int64) ([]axtree.Element, error) {
	elements := make([]axtree.Element, len(backendIDs))
	for i, id := range backendIDs {
		if !p.gone[id] {
			elements[i] = axtree.Element{Token: id, Field: p.fields[id], Secret: p.secrets[id], Frame: p.frames[id]}
		}
	}
	return elements, p.told
}

func (p *page) Children(ctx context.Context) ([]axtree.Frame, error) {
	if p.list != nil {
		p.list(ctx)
	}
	return p.children, p.listErr
}

func (p *page) Owner(context.Context) (axtree.Owner, error) { return p.owner, p.ownerErr }

// newPage returns a main frame with a document.
func newPage(wire ...string) *page {
	return &page{id: "main", doc: "d1", url: "https://a.test/", wire: lines(wire...)}
}

// child adds a frame under the element with a token.
func (p *page) child(id string, token int64, wire ...string) *page {
	c := &page{
		id: id, doc: id + "-d1", url: "https://" + id + ".test/", wire: lines(wire...),
		owner: axtree.Owner{Token: token},
	}
	p.children = append(p.children, c)
	return c
}

// take takes a snapshot that must succeed.
func take(t *testing.T, refs *Refs, p *page, o Options) *Snapshot {
	t.Helper()
	return takeTab(t, refs, "t1", p, o)
}

func takeTab(t *testing.T, refs *Refs, tab string, p *page, o Options) *Snapshot {
	t.Helper()
	s, err := Take(t.Context(), tab, p, refs, o)
	require.NoError(t, err)
	return s
}

var (
	full        = Options{Depth: -1}
	interactive = Options{Depth: -1, Interactive: true}
)
