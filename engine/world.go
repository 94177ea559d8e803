package engine

import (
	"context"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// settleLimit is how long a document that has come in the place of another may take until it is parsed, before it is taken as it is.
const settleLimit = 10 * time.Second

// leastSettle is how long one may take in any case. The limit counts from when it was asked for, so that a silent server does not cost it each time.
const leastSettle = time.Second

// IsNavigated reports whether an in-page call failed since its document went away under it.
func IsNavigated(err error) bool { return world.IsNavigated(err) }

// enter returns the session and the isolated world of the frame's current document, installing the script on first use.
func (f *Frame) enter(ctx context.Context) (*cdp.Session, world.World, error) {
	p := f.page
	for {
		if err := f.awaitSession(ctx); err != nil {
			return nil, world.World{}, err
		}
		p.mu.Lock()
		if err := p.life.errLocked(); err != nil {
			p.mu.Unlock()
			return nil, world.World{}, err
		}
		sess, w, gone, commits, entering := f.sess, f.world, f.gone, f.commits, f.entering
		if !gone && w.Doc == "" && entering == nil {
			f.entering = make(chan struct{})
		}
		p.mu.Unlock()
		switch {
		case gone:
			return nil, world.World{}, fault.New(fault.FrameGone, "the frame was removed from the page").WithHint("Take a new snapshot.")
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
		w, err := world.Install(ctx, sess, f.id, f.leads(sess), func(w world.World) []cdp.Call { return p.sessions.bringing(sess, w) })
		p.mu.Lock()
		close(f.entering)
		f.entering = nil
		if err == nil && f.commits == commits && f.sess == sess {
			f.world = w
		}
		p.mu.Unlock()
		return sess, w, err
	}
}

// leads reports whether the frame is the outermost one of those that a session is for.
func (f *Frame) leads(sess *cdp.Session) bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.parent == nil || f.parent.sess != sess
}

// CallRaw runs an op of the in-page script with arg (JSON) in the frame's current document and returns its result as JSON and the
// id of the document. When the document is replaced before the op ran, it runs in the new one. When it is replaced while the op
// runs, the error is one for which [IsNavigated] holds.
func (f *Frame) CallRaw(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error) {
	return f.inWorld(ctx, opCall(op, arg))
}

// CallHere is [Frame.CallRaw] that fails, as when the document was replaced while the op ran, in place of running it in the next document.
func (f *Frame) CallHere(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error) {
	value, w, err := f.once(ctx, opCall(op, arg))
	if IsNavigated(err) {
		f.forget(w)
	}
	return value, w.Doc, err
}

func opCall(op string, arg []byte) func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error) {
	return func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		if inpage.Changes(op) {
			cdp.Attempting(ctx)
		}
		return w.Call(ctx, sess, op, arg)
	}
}

// Walk runs the in-page op walk with arg (JSON), as [Frame.CallRaw] does, with what page scripts cannot access, see [world.World.Walk].
func (f *Frame) Walk(ctx context.Context, arg []byte) (jsonv2.Value, string, error) {
	return f.walk(ctx, "walk", arg)
}

// Capabilities runs the in-page op capabilities, which walks as well, as Walk does.
func (f *Frame) Capabilities(ctx context.Context, arg []byte) (jsonv2.Value, string, error) {
	return f.walk(ctx, "capabilities", arg)
}

func (f *Frame) walk(ctx context.Context, op string, arg []byte) (jsonv2.Value, string, error) {
	return f.inWorld(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		return w.Walk(ctx, sess, op, arg, &f.listened)
	})
}

// enterBelow installs the in-page script in the frames below that live in the same process, see [world.Listeners].
func (f *Frame) enterBelow(ctx context.Context) {
	f.page.mu.Lock()
	var below []*Frame
	for _, c := range f.children {
		if c.sess == f.sess {
			below = append(below, c)
		}
	}
	f.page.mu.Unlock()
	for _, c := range below {
		_, _, _ = c.enter(ctx) // one that cannot be entered has gone, or will be when it is used
		c.enterBelow(ctx)
	}
}

// once runs call in the frame's current document. It ends with ErrNavigated when that is being left, so that the call is not answered.
func (f *Frame) once(ctx context.Context, call func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error)) (jsonv2.Value, world.World, error) {
	ctx, end := f.page.alive.Call(ctx, f.Session())
	defer end()
	var value jsonv2.Value
	sess, w, err := f.enter(ctx)
	if err == nil {
		value, err = call(ctx, sess, w)
	}
	if fault.Is(err, fault.PageGone) && f.page.Err() == nil {
		err = world.ErrNavigated // the session that ended is that of a frame in another process
	}
	return value, w, err
}

// inWorld runs call in the frame's current document, again in the new one when that was replaced before anything ran.
func (f *Frame) inWorld(ctx context.Context, call func(context.Context, *cdp.Session, world.World) (jsonv2.Value, error)) (jsonv2.Value, string, error) {
	const tries = 5
	for try := 1; ; try++ {
		value, w, err := f.once(ctx, call)
		if err == nil {
			return value, w.Doc, nil
		}
		if !IsNavigated(err) {
			return nil, "", err
		}
		f.forget(w)
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

// Call is CallRaw with Go values. A nil result is not decoded.
func (f *Frame) Call(ctx context.Context, op string, arg, result any) error {
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	value, _, err := f.CallRaw(ctx, op, raw)
	if err != nil || result == nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// Await runs an op of the in-page script that answers when something happens in the page, and gives the answer to fn on a goroutine of the
// browser's. Fn is not called when the document goes first.
func (f *Frame) Await(op string, arg any, fn func(value []byte, doc string)) error {
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	f.page.ctxt.browser.Spawn(func(ctx context.Context) {
		ctx, stop := f.page.Watch(ctx, false)
		defer stop()
		if value, doc, err := f.CallRaw(ctx, op, raw); err == nil {
			fn(value, doc)
		}
	})
	return nil
}

func marshalArg(arg any) ([]byte, error) {
	switch a := arg.(type) {
	case nil:
		return []byte("{}"), nil
	case []byte:
		return a, nil
	}
	return jsonv2.Marshal(arg)
}

// Document returns the id of the frame's current document, installing the script when it is new.
func (f *Frame) Document(ctx context.Context) (string, error) {
	for range 5 {
		_, w, err := f.enter(ctx)
		if err == nil {
			return w.Doc, nil
		}
		if !IsNavigated(err) {
			return "", err
		}
	}
	return "", world.ErrNavigated
}

func (f *Frame) forget(w world.World) {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	if f.world == w {
		f.world = world.World{}
	}
}

// JSONString returns the text of a JSON string, sharing no memory with it.
func JSONString(value []byte) ([]byte, error) {
	var s string
	err := cdp.Unmarshal(value, &s)
	return []byte(s), err
}
