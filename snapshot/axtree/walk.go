package axtree

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
)

// FramePatience is how long child frames may take after the root's walk has come back. A frame whose process hangs must
// not take the rest of the page with it.
const FramePatience = 3 * time.Second

// errSilent is the cause of the end of a walk that took longer.
var errSilent = errors.New("no answer within " + FramePatience.String())

// branch is a frame that is being read: its walk, its owner and its children at the same time.
type branch struct {
	frame Frame
	whole WalkArg // how whole documents are walked: this one, unless it is the root, and those below

	listed   chan struct{} // closed when children and listErr are set
	children []*branch
	listErr  error

	owned    chan struct{} // closed when owner and ownerErr are set
	owner    Owner
	ownerErr error

	walked  chan struct{} // closed when what follows is set
	doc     Doc
	about   About
	nodes   []Node
	iframes []int32 // indexes in nodes
	err     error   // why it could not be read
}

// Read walks the root and, at the same time, every frame below it, and returns the merged tree. Frames whose element
// the walks do not show, since it is hidden or out of scope, are begun like all others and not waited for.
func Read(ctx context.Context, root Frame, arg WalkArg) (*Tree, error) {
	var running sync.WaitGroup
	defer running.Wait()
	below, stop := context.WithCancelCause(ctx)
	defer stop(nil)

	whole := arg
	whole.Scope, whole.Until, whole.About = nil, 0, false
	b := newBranch(root, whole)
	running.Go(func() { b.list(below, &running) })
	b.walk(ctx, arg)
	if b.err != nil {
		return nil, b.err
	}
	late := time.AfterFunc(FramePatience, func() { stop(errSilent) })
	defer late.Stop()
	page, err := b.gather(below, &running)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, fault.New(fault.CodeOf(err), "the snapshot was not finished: %w", err)
	}
	tree := page.merge()
	tree.About = b.about
	return tree, nil
}

func newBranch(f Frame, whole WalkArg) *branch {
	return &branch{
		frame:  f,
		whole:  whole,
		listed: make(chan struct{}),
		owned:  make(chan struct{}),
		walked: make(chan struct{}),
	}
}

// startBranch begins to read a child frame and everything below it. running counts its goroutines, which end with ctx.
func startBranch(ctx context.Context, running *sync.WaitGroup, f Frame, whole WalkArg) *branch {
	b := newBranch(f, whole)
	running.Go(func() { b.list(ctx, running) })
	running.Go(func() { b.own(ctx) })
	running.Go(func() { b.walk(ctx, whole) })
	return b
}

func (b *branch) list(ctx context.Context, running *sync.WaitGroup) {
	defer close(b.listed)
	var frames []Frame
	if frames, b.listErr = b.frame.Children(ctx); b.listErr != nil {
		return
	}
	for _, f := range frames {
		b.children = append(b.children, startBranch(ctx, running, f, b.whole))
	}
}

func (b *branch) own(ctx context.Context) {
	defer close(b.owned)
	b.owner, b.ownerErr = b.frame.Owner(ctx)
}

func (b *branch) walk(ctx context.Context, arg WalkArg) {
	defer close(b.walked)
	read := readWalk
	if arg.Source == AX {
		read = readAX
	}
	r, err := read(ctx, b.frame, arg)
	if err == nil && r.docID == "" {
		err = fault.New(fault.Internal, "the walk of frame %s did not say which document it read", b.frame.ID())
	}
	b.doc = Doc{FrameID: b.frame.ID(), DocID: r.docID, URL: strings.ToValidUTF8(r.url, "\uFFFD")}
	markAddressed(r.nodes)
	b.about, b.nodes, b.iframes, b.err = r.about, r.nodes, r.iframes, err
	if err != nil {
		b.doc.DocID = ""
	}
}

// reading is what was read of one document.
type reading struct {
	docID   string
	url     string
	about   About
	nodes   []Node
	iframes []int32 // indexes in nodes
}

// readWalk reads a frame's document by the in-page walk.
func readWalk(ctx context.Context, f Frame, arg WalkArg) (reading, error) {
	walked, err := f.Walk(ctx, arg)
	r := reading{docID: walked.DocID, url: walked.URL}
	if err == nil {
		var lines []byte
		r.about, lines = readAbout(walked.Wire)
		r.nodes, r.iframes, err = Decode(lines)
	}
	return r, err
}

// gather waits for the branch and for those below it that its walk shows. The error is for a failure of the whole page.
func (b *branch) gather(ctx context.Context, running *sync.WaitGroup) (*part, error) {
	<-b.walked
	p := &part{doc: b.doc, nodes: b.nodes, iframes: b.iframes}
	if b.err != nil {
		if fault.Is(b.err, fault.BrowserGone) {
			return nil, b.err
		}
		p.unread = "this frame could not be read: " + reason(ctx, b.err)
		return p, nil
	}
	if len(b.iframes) == 0 {
		return p, nil
	}
	owners := b.owners(ctx, running)
	for _, at := range b.iframes {
		child := owners[b.nodes[at].Token]
		if child == nil {
			p.inner = append(p.inner, &part{unread: b.orphan(ctx)})
			continue
		}
		delete(owners, b.nodes[at].Token) // no document may stand in a tree twice
		inner, err := child.gather(ctx, running)
		if err != nil {
			return nil, err
		}
		p.inner = append(p.inner, inner)
	}
	return p, nil
}

// owners returns the child branches by the token of their element. If the walk shows a frame that was unknown when the
// children were listed, it lists them again.
func (b *branch) owners(ctx context.Context, running *sync.WaitGroup) map[int64]*branch {
	<-b.listed
	owners := map[int64]*branch{}
	known := map[string]bool{}
	match := func(children []*branch) (complete bool) {
		for _, c := range children {
			known[c.frame.ID()] = true
			<-c.owned
			if c.ownerErr == nil && (c.owner.DocID == "" || c.owner.DocID == b.doc.DocID) {
				owners[c.owner.Token] = c
			}
		}
		for _, at := range b.iframes {
			if owners[b.nodes[at].Token] == nil {
				return false
			}
		}
		return true
	}
	if match(b.children) {
		return owners
	}
	frames, err := b.frame.Children(ctx)
	if err != nil {
		return owners
	}
	var late []*branch
	for _, f := range frames {
		if !known[f.ID()] {
			late = append(late, startBranch(ctx, running, f, b.whole))
		}
	}
	match(late)
	b.children = append(b.children, late...)
	return owners
}

// orphan reports why an Iframe node has no frame.
func (b *branch) orphan(ctx context.Context) string {
	err := b.listErr
	for _, c := range b.children {
		if err == nil {
			err = c.ownerErr
		}
	}
	if err != nil {
		return "this frame could not be found: " + reason(ctx, err)
	}
	return "this frame has no document yet"
}

// reason puts an error into a few words.
func reason(ctx context.Context, err error) string {
	if code := fault.CodeOf(err); (code == fault.Canceled || code == fault.Timeout) &&
		errors.Is(context.Cause(ctx), errSilent) {
		return errSilent.Error()
	}
	text := err.Error()
	if e, ok := errors.AsType[*fault.Error](err); ok && e.Message != "" {
		text = e.Message // without the hint
	}
	return strings.ToValidUTF8(text, "\uFFFD")
}
