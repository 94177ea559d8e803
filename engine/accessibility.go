package engine

import (
	"context"
	"errors"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/inpage"
)

// AXTree returns the browser's own accessibility tree of the frame's current document, as Accessibility.getFullAXTree has it, and the id
// of the document. Nodes are named by backend ids there; see [Frame.Elements].
func (f *Frame) AXTree(ctx context.Context) (tree jsonv2.Value, doc string, err error) {
	return f.inWorld(ctx, func(sess *cdp.Session, w world) (jsonv2.Value, error) {
		raw, err := sess.CallRaw(ctx, "Accessibility.getFullAXTree", map[string]string{"frameId": f.id})
		if err != nil {
			return nil, axError(contextError(err))
		}
		if !f.shows(w) { // the tree may be that of the next document
			return nil, errors.Join(errNavigated, errNotRun)
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

// shows reports whether the document that the world belongs to is still the frame's.
func (f *Frame) shows(w world) bool {
	f.page.mu.Lock()
	defer f.page.mu.Unlock()
	return f.world == w
}

// Element is what the in-page script says of a node that the browser named by its backend id.
type Element struct {
	Token  int64 // 0: the node is not an element, or is gone
	Field  bool  // an input or textarea: what the tree has in it are parts of the browser's own
	Secret bool  // a password field
	Frame  bool  // it holds a document: an iframe, or an object with one
}

// identified is the result of function identify of the in-page script.
type identified struct {
	Tokens []int64 `json:"tokens"`
	Fields []int   `json:"fields"`
	Secret []int   `json:"secret"`
	Frames []int   `json:"frames"`
}

// enterDocument is enter for a document that the frame must still show.
func (f *Frame) enterDocument(ctx context.Context, doc string) (*cdp.Session, world, error) {
	sess, w, err := f.enter(ctx)
	if err == nil && w.doc != doc {
		err = errNavigated
	}
	return sess, w, err
}

// Elements identifies nodes of a document of the frame by their backend ids, in two round trips unless they are many. When the frame shows
// another document by now, the error is one for which [IsNavigated] holds.
func (f *Frame) Elements(ctx context.Context, doc string, backendIDs []int64) ([]Element, error) {
	if len(backendIDs) == 0 {
		return nil, nil
	}
	sess, w, err := f.enterDocument(ctx, doc)
	if err != nil {
		return nil, err
	}
	group := newGroup()
	defer sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": group})
	handles, at, err := w.resolve(ctx, sess, group, backendIDs)
	if err != nil {
		return nil, err
	}
	elements := make([]Element, len(backendIDs))
	// A function does not take arguments without end.
	const most = 4096
	var calls []cdp.Call
	for from := 0; from < len(handles); from += most {
		calls = append(calls, cdp.Call{Method: "Runtime.callFunctionOn", Params: map[string]any{
			"executionContextId": w.context, "functionDeclaration": inpage.IdentifyFunction, "returnByValue": true,
			"arguments": handles[from:min(from+most, len(handles))],
		}})
	}
	for i, pending := range sess.Batch(calls...) {
		raw, err := pending.Wait(ctx)
		if err != nil {
			return nil, contextError(err)
		}
		value, err := evaluated(raw)
		if err != nil {
			return nil, err
		}
		var who identified
		if err := cdp.Unmarshal(value, &who); err != nil {
			return nil, err
		}
		part := at[i*most : min((i+1)*most, len(at))]
		if len(who.Tokens) != len(part) {
			return nil, fault.New(fault.Internal, "the in-page script identified %d of %d elements", len(who.Tokens), len(part))
		}
		for j, token := range who.Tokens {
			elements[part[j]].Token = token
		}
		for _, j := range who.Fields {
			elements[part[j]].Field = true
		}
		for _, j := range who.Secret {
			elements[part[j]].Secret = true
		}
		for _, j := range who.Frames {
			elements[part[j]].Frame = true
		}
	}
	return elements, nil
}

// domNode is DOM.Node of the protocol, the parts that we use.
type domNode struct {
	BackendNodeID int64     `json:"backendNodeId"`
	Children      []domNode `json:"children"`
	Shadows       []domNode `json:"shadowRoots"`
	Pseudo        []domNode `json:"pseudoElements"`
	Slotted       []domNode `json:"distributedNodes"`
}

// Inside returns the backend ids of an element of the document, which its token names, and of everything in it: shadow trees and what is
// slotted into them, but not the documents of frames.
func (f *Frame) Inside(ctx context.Context, doc string, token int64) (map[int64]bool, error) {
	sess, w, err := f.enterDocument(ctx, doc)
	if err != nil {
		return nil, err
	}
	group := newGroup()
	defer sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": group})
	var found struct {
		Result remoteObject `json:"result"`
	}
	params := evaluateParams{Expression: inpage.Element(token), ContextID: w.context, ObjectGroup: group}
	if err := sess.Call(ctx, "Runtime.evaluate", params, &found); err != nil {
		return nil, contextError(err)
	}
	if found.Result.ObjectID == "" {
		return map[int64]bool{}, nil // it was collected
	}
	var described struct {
		Node domNode `json:"node"`
	}
	err = sess.Call(ctx, "DOM.describeNode", describeParams{ObjectID: found.Result.ObjectID, Depth: -1, Pierce: true}, &described)
	if err != nil {
		return nil, contextError(err)
	}
	inside := map[int64]bool{}
	described.Node.collect(inside)
	return inside, nil
}

func (n *domNode) collect(ids map[int64]bool) {
	ids[n.BackendNodeID] = true
	for _, list := range [][]domNode{n.Children, n.Shadows, n.Pseudo, n.Slotted} {
		for i := range list {
			list[i].collect(ids)
		}
	}
}
