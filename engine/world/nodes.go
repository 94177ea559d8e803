package world

import (
	"context"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
	"github.com/skua-browser/skua/internal/fault"
)

// Element is what the in-page script says of a node that the browser named by its backend id.
type Element struct {
	Token  int64 // 0 means that the node is not an element, or is gone
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

// Elements identifies nodes of the document by their backend ids, in two round trips unless they are many.
func (w World) Elements(ctx context.Context, sess *cdp.Session, backendIDs []int64) ([]Element, error) {
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
		calls = append(calls, cdp.Call{Method: "Runtime.callFunctionOn", Params: functionCall{
			inpage.IdentifyFunction, w.Context, handles[from:min(from+most, len(handles))], true,
		}})
	}
	for i, pending := range sess.Batch(calls...) {
		raw, err := pending.Wait(ctx)
		if err != nil {
			return nil, ContextError(err)
		}
		value, err := Evaluated(raw)
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

// Inside returns the backend ids of an element of the document, which its token names, and of everything in it: shadow
// trees and what is slotted into them, but not the documents of frames.
func (w World) Inside(ctx context.Context, sess *cdp.Session, token int64) (map[int64]bool, error) {
	group := newGroup()
	defer sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": group})
	var found struct {
		Result remoteObject `json:"result"`
	}
	params := Params{Expression: inpage.Element(token), ContextID: w.Context, ObjectGroup: group}
	if err := sess.Call(ctx, "Runtime.evaluate", params, &found); err != nil {
		return nil, ContextError(err)
	}
	if found.Result.ObjectID == "" {
		return map[int64]bool{}, nil // it was collected
	}
	var described struct {
		Node domNode `json:"node"`
	}
	err := sess.Call(ctx, "DOM.describeNode", describeParams{
		ObjectID: found.Result.ObjectID,
		Depth:    -1,
		Pierce:   true,
	}, &described)
	if err != nil {
		return nil, ContextError(err)
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
