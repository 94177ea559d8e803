package edits

import (
	"context"
	"sync"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/pagetext"
)

// Field is a field that was changed.
type Field struct {
	Role  string `json:"role"`
	Name  string `json:"name"`
	Frame string `json:"-"` // the address of its frame's document; empty means the main frame
}

// Watch notes the fields of a page that change, in all frames and documents, until Stop.
type Watch struct {
	page   *engine.Page
	cancel context.CancelFunc
	loops  sync.WaitGroup

	mu     sync.Mutex
	fields []Field
	armed  map[*engine.Frame]string // the documents that are watched
}

// maxFields is how many fields are noted.
const maxFields = 100

// Start begins to watch a page. The caller must Stop it.
func Start(page *engine.Page) *Watch {
	ctx, cancel := context.WithCancel(context.Background())
	w := &Watch{page: page, cancel: cancel, armed: map[*engine.Frame]string{}}
	w.loops.Go(func() { w.follow(ctx) })
	return w
}

// follow watches each document that comes.
func (w *Watch) follow(ctx context.Context) {
	ctx, stop := w.page.Watch(ctx, false)
	defer stop()
	for {
		count := w.page.Frames().Arrivals()
		for _, f := range w.page.Frames().All(ctx) {
			doc, err := f.Document(ctx)
			if err != nil || !w.arm(f, doc) {
				continue
			}
			w.loops.Go(func() { w.collect(ctx, f) })
		}
		if w.page.Frames().AwaitArrival(ctx, count) != nil {
			return
		}
	}
}

// left are the fields that a document had not told yet.
type left struct {
	Fields []Field `json:"fields"`
}

// The in-page ops that report fields, and end that.
var (
	opEdited    = inpage.Define[inpage.None, []Field]("edited")
	opEditedEnd = inpage.Define[inpage.None, left]("editedend")
)

// arm reports whether the document is new.
func (w *Watch) arm(f *engine.Frame, doc string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	was, known := w.armed[f]
	w.armed[f] = doc
	return !known || was != doc
}

// collect takes what a document tells until it is gone.
func (w *Watch) collect(ctx context.Context, f *engine.Frame) {
	for {
		fields, err := opEdited.In(ctx, f, inpage.None{})
		if err != nil || len(fields) == 0 {
			return // the watch has ended, or another call waits in its place
		}
		w.add(f, fields)
	}
}

func (w *Watch) add(f *engine.Frame, fields []Field) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, field := range fields {
		if len(w.fields) == maxFields {
			return
		}
		field.Role, field.Name = pagetext.Bounded(field.Role, pagetext.MaxTitle), pagetext.Bounded(field.Name,
			pagetext.MaxTitle)
		if f.Parent() != nil {
			field.Frame = f.URL()
		}
		w.fields = append(w.fields, field)
	}
}

// stopLimit is how long frames may take to tell what they have not told yet.
const stopLimit = 2 * time.Second

// Stop ends the watch and returns the changed fields in the order of their first change.
func (w *Watch) Stop() []Field {
	limited, cancel := context.WithTimeout(context.Background(), stopLimit)
	defer cancel()
	watched, stop := w.page.Watch(limited, true)
	defer stop()
	for _, f := range w.frames() {
		if left, err := opEditedEnd.In(watched, f, inpage.None{}); err == nil {
			w.add(f, left.Fields)
		}
	}
	w.Drop()
	return w.fields
}

// Drop ends the watch without asking the page.
func (w *Watch) Drop() {
	w.cancel()
	w.loops.Wait()
}

func (w *Watch) frames() []*engine.Frame {
	w.mu.Lock()
	defer w.mu.Unlock()
	var frames []*engine.Frame
	for f := range w.armed {
		if !f.Gone() {
			frames = append(frames, f)
		}
	}
	return frames
}
