package engine

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// settleLimit is how long a document that has come in the place of another may take until it is parsed, before it is
// taken as it is.
const settleLimit = 10 * time.Second

// leastSettle is how long one may take in any case. The limit counts from when it was asked for, so that a silent
// server does not cost it each time.
const leastSettle = time.Second

// IsNavigated reports whether an in-page call failed since its document went away under it.
func IsNavigated(err error) bool { return world.IsNavigated(err) }

// frameWorld is the isolated world of a frame's current document, in which the in-page script runs. It comes with the
// first call in a document and goes with the document.
type frameWorld struct {
	frame *Frame

	// Guarded by page.mu: an event of the page that replaces the document replaces them with it.
	current  world.World   // the zero value: the script is not installed in the document
	entering chan struct{} // closed when the script is installed in the document; nil means that it is not being installed

	listened world.Listeners
}

// enter returns the session and the isolated world of the frame's current document, installing the script on first use.
func (d *frameWorld) enter(ctx context.Context) (*cdp.Session, world.World, error) {
	f, p := d.frame, d.frame.page
	for {
		if err := f.awaitSession(ctx); err != nil {
			return nil, world.World{}, err
		}
		p.mu.Lock()
		if err := p.life.errLocked(); err != nil {
			p.mu.Unlock()
			return nil, world.World{}, err
		}
		sess, w, gone, commits, entering := f.sess, d.current, f.gone, f.commits, d.entering
		if !gone && w.Doc == "" && entering == nil {
			d.entering = make(chan struct{})
		}
		p.mu.Unlock()
		switch {
		case gone:
			return nil, world.World{}, fault.New(fault.FrameGone, "the frame was removed from the page").
				WithHint("Take a new snapshot.")
		case w.Doc != "":
			return sess, w, nil
		case entering != nil:
			select {
			case <-entering:
				continue
			case <-ctx.Done():
				return nil, world.World{}, fault.WaitEnded(ctx, "preparing the page")
			}
		}
		w, err := world.Install(ctx, sess, f.id, f.leads(sess), func(w world.World) []cdp.Call {
			return p.sessions.bringing(sess, w)
		})
		p.mu.Lock()
		close(d.entering)
		d.entering = nil
		if err == nil && f.commits == commits && f.sess == sess {
			d.current = w
		}
		p.mu.Unlock()
		return sess, w, err
	}
}

// enterDocument is enter for a document that the frame must still show.
func (d *frameWorld) enterDocument(ctx context.Context, doc string) (*cdp.Session, world.World, error) {
	sess, w, err := d.enter(ctx)
	if err == nil && w.Doc != doc {
		err = world.ErrNavigated
	}
	return sess, w, err
}

func (d *frameWorld) walk(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error) {
	return d.run(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		return w.Walk(ctx, sess, op, arg, &d.listened)
	})
}

// enterBelow installs the in-page script in the frames below that live in the same process, see [world.Listeners].
func (d *frameWorld) enterBelow(ctx context.Context) {
	f := d.frame
	f.page.mu.Lock()
	var below []*Frame
	for _, c := range f.children {
		if c.sess == f.sess {
			below = append(below, c)
		}
	}
	f.page.mu.Unlock()
	for _, c := range below {
		_, _, _ = c.world.enter(ctx) // one that cannot be entered has gone, or will be when it is used
		c.world.enterBelow(ctx)
	}
}

// once runs call in the frame's current document. It ends with ErrNavigated when that is being left, so that the call
// is not answered.
func (d *frameWorld) once(
	ctx context.Context, call func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error),
) (value jsonv2.Value, w world.World, err error) {
	f := d.frame
	ctx, end := f.page.alive.Call(ctx, f.Session())
	defer end()
	sess, w, err := d.enter(ctx)
	if err == nil {
		value, err = call(ctx, sess, w)
	}
	return value, w, d.ended(w, err)
}

// ended is the error of a call in a world, which is forgotten if its document has gone. A session that ended is that of
// a frame in another process, if the page has not.
func (d *frameWorld) ended(w world.World, err error) error {
	if fault.Is(err, fault.PageGone) && d.frame.page.Err() == nil {
		err = world.ErrNavigated
	}
	if IsNavigated(err) {
		d.forget(w)
	}
	return err
}

// now is the world of the document that is there; the zero value when it has no script yet.
func (d *frameWorld) now() (*cdp.Session, world.World) {
	d.frame.page.mu.Lock()
	defer d.frame.page.mu.Unlock()
	return d.frame.sess, d.current
}

// run runs call in the frame's current document, again in the new one when that was replaced before anything ran.
func (d *frameWorld) run(
	ctx context.Context, call func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error),
) (jsonv2.Value, string, error) {
	f := d.frame
	const tries = 5
	for try := 1; ; try++ {
		value, w, err := d.once(ctx, call)
		if err == nil {
			return value, w.Doc, nil
		}
		if !IsNavigated(err) {
			return nil, "", err
		}
		if !errors.Is(err, world.ErrNotRun) || try == tries {
			return nil, "", err
		}
		// Who asked of a page that stood still is not to get what a half parsed one shows.
		switch _, unsettled := f.Settle(ctx, max(leastSettle, settleLimit-UnderWayFor(f.page))); {
		case fault.Is(unsettled, fault.Timeout):
			return nil, "", err // there is no time for the next document, and that the one of before is gone is known
		case unsettled != nil:
			return nil, "", unsettled
		}
	}
}

func (d *frameWorld) forget(w world.World) {
	d.frame.page.mu.Do(func() {
		if d.current == w {
			d.current = world.World{}
		}
	})
}
