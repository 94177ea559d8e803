package perceive

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/snapshot/axtree"
)

// Options says how a page is read.
type Options struct {
	Fresh bool     // also when nothing seems to have changed
	Notes []string // for the summary
}

// Cache keeps the last reading of a tab. The zero value is ready for use, by one reader at a time or by several.
type Cache struct {
	mu      sync.Mutex
	page    *Page
	json    []byte            // of its summary, without the version
	answers map[string]answer // by document, those of the last reading
	shape   string            // the documents that the last reading found
}

// errSame reports that the only document of a page has not changed.
var errSame = errors.New("nothing has changed")

// Read reads what the page of a tab offers, below the frame root, and numbers new elements in refs. m is the tab's
// memory. Where a page has not changed since the last reading, that is what is returned; the version of the summary
// stays the same as long as the summary does.
//
// A frame that does not answer in time, or cannot be read, is left out with a note. Of a page that goes on to another
// document meanwhile, the error is one for which engine.IsNavigated holds.
func Read(
	ctx context.Context, m *Cache, tab string, root *engine.Frame, refs *snapshot.Refs, o Options,
) (*Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.page != nil && (m.page.tab != tab || m.page.refs != refs) {
		m.page, m.json, m.answers, m.shape = nil, nil, nil, ""
	}
	r := &reading{memory: m, fresh: o.Fresh, answers: map[string]answer{}, below: map[string][]*engine.Frame{}}
	tree, err := snapshot.Look(ctx, tab, frame{root, r, true}, refs, axtree.WalkArg{
		Interactive: true,
		URLs:        true,
		ViewFrom:    1,
	})
	if errors.Is(err, errSame) {
		return m.again(o), nil
	}
	if err != nil {
		return nil, err
	}
	shape := shapeOf(tree)
	if r.unchanged(shape) {
		return m.again(o), nil
	}
	page := build(tab, tree, refs, r)
	m.keep(page, r.answers, shape, o)
	return m.page, nil
}

// again returns the last reading, with the notes of this one.
func (m *Cache) again(o Options) *Page {
	if !equal(m.page.Summary.Notes, append(unread(m.page), o.Notes...)) {
		m.settle(m.page, o)
	}
	return m.page
}

// keep remembers a reading.
func (m *Cache) keep(page *Page, answers map[string]answer, shape string, o Options) {
	m.answers, m.shape = answers, shape
	if len(page.docs) == 1 {
		for id, a := range answers { // the lines of a page without frames are not needed again
			a.wire = nil
			m.answers[id] = a
		}
	}
	m.settle(page, o)
}

// settle gives the summary its version: that of the last one, if it says the same.
func (m *Cache) settle(page *Page, o Options) {
	s := *page.Summary
	s.Notes, s.TS = append(unread(page), o.Notes...), 0
	focused := s.FocusedRole
	s.FocusedRole = ""          // where the focus is changes nothing of what the page offers
	text, _ := json.Marshal(&s) // it is made of strings and numbers
	s.FocusedRole = focused
	if m.page != nil && bytes.Equal(text, m.json) {
		s.TS = m.page.Summary.TS
	} else {
		s.TS = time.Now().UnixMilli()
		if m.page != nil {
			s.TS = max(s.TS, m.page.Summary.TS+1)
		}
	}
	settled := *page
	settled.Summary = &s
	m.page, m.json = &settled, text
}

func equal(a, b []string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// reading is one reading of a page while its frames are asked.
type reading struct {
	memory *Cache // its lock is held by Read
	fresh  bool

	mu      sync.Mutex
	answers map[string]answer          // by document
	below   map[string][]*engine.Frame // the child frames, by their parent
	changed bool
}

// unchanged reports whether every document of the page, which are the same ones as before, said that nothing has
// changed.
func (r *reading) unchanged(shape string) bool {
	return r.memory.page != nil && !r.changed && shape == r.memory.shape
}

// shapeOf names the documents of a page and what could not be read.
func shapeOf(tree *axtree.Tree) string {
	var b []byte
	for _, d := range tree.Docs {
		b = append(b, d.FrameID...)
		b = append(b, ' ')
		b = append(b, d.DocID...)
		b = append(b, ' ')
		b = append(b, d.URL...)
		b = append(b, '\n')
	}
	return string(b)
}

// frame is a frame of the engine as package snapshot reads it, but by the op capabilities.
type frame struct {
	*engine.Frame
	reading *reading
	root    bool
}

// Walk returns the lines of the document's walk: those of before when the document says that nothing has changed.
func (f frame) Walk(ctx context.Context, _ axtree.WalkArg) (axtree.Walked, error) {
	r := f.reading
	a, doc, err := f.ask(ctx, r.arg(f.ID()))
	if err != nil {
		return axtree.Walked{}, err
	}
	before, known := r.memory.answers[doc]
	if a.same && !known { // the stamp was that of the document before it
		if a, doc, err = f.ask(ctx, []byte(`{"fresh":true}`)); err != nil {
			return axtree.Walked{}, err
		}
	}
	if a.same {
		if f.root && before.wire == nil {
			return axtree.Walked{}, errSame
		}
		a.reply, a.wire = before.reply, before.wire
	}
	r.mu.Lock()
	r.answers[doc] = a
	r.changed = r.changed || !a.same
	r.mu.Unlock()
	return axtree.Walked{Wire: a.wire, DocID: doc, URL: f.URL()}, nil
}

// ask runs the op.
func (f frame) ask(ctx context.Context, arg []byte) (a answer, doc string, err error) {
	value, doc, err := f.Capabilities(ctx, arg)
	if err != nil {
		return a, doc, err
	}
	text, err := world.Text(value)
	if err != nil {
		return a, doc, fault.New(fault.Internal, "reading what a frame offers: %w", err)
	}
	a, err = parseAnswer(text)
	return a, doc, err
}

// arg is the argument of the op for a frame: the stamp of the document that it had.
func (r *reading) arg(frameID string) []byte {
	if r.fresh {
		return []byte(`{"fresh":true}`)
	}
	if r.memory.page != nil {
		for _, d := range r.memory.page.docs {
			if d.FrameID == frameID && d.DocID != "" {
				return append(strconv.AppendInt([]byte(`{"have":`), r.memory.answers[d.DocID].stamp, 10), '}')
			}
		}
	}
	return nil
}

// AXTree is not asked for.
func (f frame) AXTree(context.Context, []byte) (axtree.BrowserTree, error) {
	return axtree.BrowserTree{}, fault.New(fault.Internal, "what a page offers is not read from the browser's tree")
}

// Elements is not asked for.
func (f frame) Elements(context.Context, string, []int64) ([]axtree.Element, error) {
	return nil, fault.New(fault.Internal, "what a page offers is not read from the browser's tree")
}

// Children returns the child frames.
func (f frame) Children(ctx context.Context) ([]axtree.Frame, error) {
	children, err := f.Frame.Children(ctx)
	if err != nil {
		return nil, err
	}
	f.reading.mu.Lock()
	f.reading.below[f.ID()] = children
	f.reading.mu.Unlock()
	frames := make([]axtree.Frame, len(children))
	for i, child := range children {
		frames[i] = frame{child, f.reading, false}
	}
	return frames, nil
}

// Owner returns the element of the parent's document that the frame belongs to.
func (f frame) Owner(ctx context.Context) (axtree.Owner, error) {
	token, doc, err := f.OwnerToken(ctx)
	return axtree.Owner{DocID: doc, Token: token}, err
}

// unread are the notes of frames that could not be read.
func unread(p *Page) []string {
	var notes []string
	for _, d := range p.docs {
		if d.unread != "" {
			notes = append(notes, d.unread)
		}
	}
	return notes
}
