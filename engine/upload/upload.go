package upload

import (
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// Field is a file input of a frame.
type Field struct {
	Frame  *engine.Frame
	Token  int64
	Handle *world.AskedHandle // nil: it has not been asked for
}

// SetFilesAndCall puts files into a file input, and calls an op of the in-page script right after it.
func SetFilesAndCall[Arg, Answer any](
	ctx context.Context, field Field, paths []string, op inpage.Op[Arg, Answer], arg Arg, result *Answer,
) error {
	f := field.Frame
	err := onField(ctx, field, func(_ *cdp.Session, object string) (jsonv2.Value, error) {
		return nil, f.CallAfter(ctx, func(sess *cdp.Session) (*cdp.Pending, error) {
			if err := f.Page().Acting(ctx); err != nil {
				return nil, err
			}
			return sess.Start("DOM.setFileInputFiles", dom.SetFileInputFilesParams{
				Files:    paths,
				ObjectID: runtime.RemoteObjectID(object),
			}), nil
		}, op.Name(), arg, result)
	})
	return stale(err)
}

// onField makes a call of the protocol with the remote object of a field.
func onField(
	ctx context.Context, field Field, call func(sess *cdp.Session, object string) (jsonv2.Value, error),
) error {
	if field.Handle != nil {
		object, err := field.Handle.ID(ctx)
		if err == nil && object != "" {
			_, err = call(field.Frame.Session(), object)
		}
		if err != nil || object != "" {
			return err
		}
	}
	doc, err := field.Frame.Document(ctx)
	if err != nil {
		return err
	}
	return field.Frame.OnElement(ctx, doc, field.Token, call)
}

// stale returns the error for an element that has been removed.
func stale(err error) error {
	if !engine.IsElementGone(err) {
		return err
	}
	return fault.New(fault.RefStale, "the field for files is gone").WithHint("Take a new snapshot.")
}

// FileChooser is a file chooser that a page opened, caught before a person would see it.
type FileChooser struct {
	Frame    *engine.Frame // of the input that opened it; nil when it has been removed
	Multiple bool

	node int64 // backend id of the input; 0 means a script opened it (showOpenFilePicker)
}

// HasField reports whether an input opened it, into which files can be put.
func (c *FileChooser) HasField() bool { return c.node != 0 && c.Frame != nil }

// FieldToken returns the token of the input that opened it.
func (c *FileChooser) FieldToken(ctx context.Context) (token int64, err error) {
	doc, err := c.Frame.Document(ctx)
	if err != nil {
		return 0, err
	}
	elements, err := c.Frame.Elements(ctx, doc, []int64{c.node})
	if err != nil {
		return 0, err
	}
	if elements[0].Token == 0 {
		return 0, stale(engine.ErrElementGone)
	}
	return elements[0].Token, nil
}

// choosers holds the last file chooser of a page that was caught.
type choosers struct {
	observe sync.Once

	mu      sync.Mutex
	last    *FileChooser
	changed chan struct{} // closed and replaced when a chooser is caught
}

var states = engine.NewState(func(*engine.Page) *choosers { return &choosers{changed: make(chan struct{})} })

// CatchChoosers makes the browser report file choosers instead of opening them, until stop is called. It does not wait
// for the browser, which handles this before any input that follows.
func CatchChoosers(p *engine.Page) (stop func()) {
	s := states.Of(p)
	s.observe.Do(func() { p.Observe(func(_ *cdp.Session, ev cdp.Event) { s.onEvent(p, ev) }) })
	intercept := func(on bool) {
		s.mu.Lock()
		s.last = nil
		s.mu.Unlock()
		for sess, kind := range p.Sessions().All() {
			if kind != engine.WorkerSession {
				sess.Start("Page.setInterceptFileChooserDialog", map[string]bool{"enabled": on})
			}
		}
	}
	intercept(true)
	return func() { intercept(false) }
}

// AwaitChooser waits for a file chooser.
func AwaitChooser(ctx context.Context, p *engine.Page) (*FileChooser, error) {
	s := states.Of(p)
	watched, stop := p.Watch(ctx, false)
	defer stop()
	for {
		s.mu.Lock()
		last, changed := s.last, s.changed
		s.mu.Unlock()
		if last != nil {
			return last, nil
		}
		select {
		case <-changed:
		case <-watched.Done():
			return nil, fault.WaitEnded(watched, "waiting for the page to ask for files")
		case <-p.Context().Browser().Done():
			return nil, p.Context().Browser().Err()
		}
	}
}

// onEvent handles Page.fileChooserOpened on the connection's reader.
func (s *choosers) onEvent(p *engine.Page, ev cdp.Event) {
	if ev.Method != "Page.fileChooserOpened" {
		return
	}
	var e struct {
		FrameID string `json:"frameId"`
		Mode    string `json:"mode"`
		Node    int64  `json:"backendNodeId"`
	}
	if cdp.Unmarshal(ev.Params, &e) != nil {
		return
	}
	frame := p.Frames().ByID(e.FrameID)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = &FileChooser{Frame: frame, Multiple: e.Mode == "selectMultiple", node: e.Node}
	close(s.changed)
	s.changed = make(chan struct{})
}
