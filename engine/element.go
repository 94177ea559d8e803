package engine

import (
	"context"
	"errors"
	"fmt"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// AXTree returns the browser's own accessibility tree of the frame's current document, as Accessibility.getFullAXTree
// has it, and the id of the document. Nodes are named by backend ids there; see [Frame.Elements].
func (f *Frame) AXTree(ctx context.Context) (tree jsonv2.Value, doc string, err error) {
	return f.world.run(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		raw, err := sess.CallRaw(ctx, "Accessibility.getFullAXTree", map[string]string{"frameId": f.id})
		if err != nil {
			return nil, axError(world.ContextError(err))
		}
		if _, now := f.world.now(); now != w { // the tree may be that of the next document
			return nil, errors.Join(world.ErrNavigated, world.ErrNotRun)
		}
		return raw, nil
	})
}

// axError says what can be done when a browser refuses a call that only its accessibility tree needs.
func axError(err error) error {
	if !fault.Is(err, fault.Protocol) {
		return err
	}
	return fault.New(fault.Protocol, "the browser does not give its accessibility tree: %w", err).
		WithHint("Take the snapshot without --source ax.")
}

// Elements identifies nodes of a document of the frame by their backend ids, in two round trips unless they are many.
// When the frame shows another document by now, the error is one for which [IsNavigated] holds.
func (f *Frame) Elements(ctx context.Context, doc string, backendIDs []int64) ([]world.Element, error) {
	if len(backendIDs) == 0 {
		return nil, nil
	}
	sess, w, err := f.world.enterDocument(ctx, doc)
	if err != nil {
		return nil, err
	}
	return w.Elements(ctx, sess, backendIDs)
}

// Inside returns the backend ids of an element of the document, which its token names, and of everything in it: shadow
// trees and what is slotted into them, but not the documents of frames.
func (f *Frame) Inside(ctx context.Context, doc string, token int64) (map[int64]bool, error) {
	sess, w, err := f.world.enterDocument(ctx, doc)
	if err != nil {
		return nil, err
	}
	return w.Inside(ctx, sess, token)
}

// ErrElementGone says that an element was removed from its document. It is a case of [IsNavigated].
var ErrElementGone = fmt.Errorf("the element is gone: %w", world.ErrNavigated)

// IsElementGone reports whether an element was removed from its document, which the frame still shows.
func IsElementGone(err error) bool { return errors.Is(err, ErrElementGone) }

// OnElement makes a call of the protocol with the remote object of an element, named by its token in the frame's
// document doc. When the document or the element is gone, the error is one for which [IsNavigated] holds. An exception
// in a function of ours, in the reply, is an error.
func (f *Frame) OnElement(
	ctx context.Context, doc string, token int64, call func(sess *cdp.Session, object string) (jsonv2.Value, error),
) error {
	gone := false
	_, now, err := f.world.run(ctx, func(ctx context.Context, sess *cdp.Session, w world.World) (jsonv2.Value, error) {
		if w.Doc != doc {
			return nil, nil
		}
		object, release, err := w.Handle(ctx, sess, inpage.Element(token))
		defer release()
		if err != nil {
			return nil, err
		}
		if object == "" {
			gone = true
			return nil, nil
		}
		reply, err := call(sess, object)
		if err != nil || reply == nil {
			return nil, world.ContextError(err)
		}
		return world.Evaluated(reply)
	})
	switch {
	case err != nil:
		return err
	case now != doc:
		return world.ErrNavigated
	case gone:
		return ErrElementGone
	}
	return nil
}
