package engine

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// Frame is one frame of a page: the main one or an iframe, in whichever process. It lives as long as its element; its
// documents come and go.
type Frame struct {
	page  *Page
	id    string
	world frameWorld

	// Guarded by page.mu.
	sess     *cdp.Session // of the process that the frame's document lives in
	parent   *Frame
	children []*Frame
	loader   string // loader id of the current document
	url      string
	name     string
	loaded   lifecycle
	commits  int           // documents committed, including same-document navigations
	started  string        // of a child frame: loader id of the navigation under way; "" when none
	opening  chan struct{} // closed when the session of an out-of-process frame is set up; nil means that it is
	owner    ownerToken
	gone     bool
}

// lifecycle holds what the browser said of the current document.
type lifecycle struct {
	loader      string
	came        time.Time // when the browser first named it
	dom, load   bool
	loadedAt    time.Time // when the load event came
	networkIdle bool
}

// ownerToken names the frame's element in its parent's document.
type ownerToken struct {
	doc   string
	token int64
}

// newFrame returns a frame that is not among the page's yet.
func newFrame(p *Page, id string, sess *cdp.Session, parent *Frame) *Frame {
	f := &Frame{page: p, id: id, sess: sess, parent: parent}
	f.world.frame = f
	f.world.listened.EnterBelow = f.world.enterBelow
	return f
}

// ID returns the frame's id, which stays the same across navigations and process swaps.
func (f *Frame) ID() string { return f.id }

// Page returns the page that the frame belongs to.
func (f *Frame) Page() *Page { return f.page }

// Session returns the protocol session of the process that the frame is in.
func (f *Frame) Session() *cdp.Session {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.sess
}

// Parent returns the parent frame, or nil for the main frame.
func (f *Frame) Parent() *Frame {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.parent
}

// URL returns the address of the frame's document as it may be told, see [urls.Public].
func (f *Frame) URL() string {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return urls.Public(f.url)
}

// Gone reports whether the frame was removed from the page, which it never comes back to.
func (f *Frame) Gone() bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.gone
}

// Remote reports whether the frame's document lives in another process than that of the main frame.
func (f *Frame) Remote() bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.sess != f.page.sess
}

// Loader returns the browser's id of the document that the frame shows.
func (f *Frame) Loader() string {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.loader
}

// Name returns the frame's name: the name or id attribute of its element when the document was created.
func (f *Frame) Name() string {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.name
}

// Children returns the child frames. Those of a frame in another process are known once its session is set up, which is
// waited for.
func (f *Frame) Children(ctx context.Context) ([]*Frame, error) {
	if err := f.awaitSession(ctx); err != nil {
		return nil, err
	}
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return slices.Clone(f.children), nil
}

// awaitSession waits until the session of an out-of-process frame can be used.
func (f *Frame) awaitSession(ctx context.Context) error {
	f.page.mu.Lock()
	opening := f.opening
	f.page.mu.Unlock()
	if opening == nil {
		return nil
	}
	select {
	case <-opening:
		return nil
	case <-ctx.Done():
		return fault.WaitEnded(ctx, "attaching to a frame")
	}
}

// leads reports whether the frame is the outermost one of those that a session is for.
func (f *Frame) leads(sess *cdp.Session) bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.parent == nil || f.parent.sess != sess
}

// Settle waits until no navigation of the frame, or of the page, is under way and its document is parsed, for at most
// limit. The reply is false when it was still on its way then. A frame that is removed meanwhile is at rest.
func (f *Frame) Settle(ctx context.Context, limit time.Duration) (bool, error) {
	if still, err := f.page.Loading().Settle(ctx, limit); err != nil || !still || f == f.page.main {
		return still, err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errSettleLimit)
	defer cancel()
	err := f.page.mu.Await(ctx, "waiting for a frame to load", func() bool {
		l := f.loaded
		return f.gone || f.page.dialogs.OpenNow() != nil ||
			f.started == "" && (l.loader == "" || l.dom || l.load || f.commits == 0)
	})
	if errors.Is(err, errSettleLimit) {
		return false, nil
	}
	return err == nil, err
}

// Content returns the frame that an element shows: the one with the token in the frame's document doc. It is nil for an
// element that shows none. When the frame has another document by now, the error is one for which [IsNavigated] holds.
func (f *Frame) Content(ctx context.Context, doc string, token int64) (*Frame, error) {
	var shown string
	_, now, err := f.world.run(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		if w.Doc != doc {
			return nil, nil
		}
		var err error
		shown, err = w.FrameShown(ctx, sess, inpage.Element(token))
		return nil, err
	})
	switch {
	case err != nil:
		return nil, err
	case now != doc:
		return nil, world.ErrNavigated
	}
	return f.page.frames.ByID(shown), nil
}
