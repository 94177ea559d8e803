package world

import (
	"context"
	"strconv"
	"sync/atomic"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/inpage"
)

// World is the isolated world of a frame's current document, where the in-page script lives.
type World struct {
	Context int64  // execution context id; 0 means not made yet
	Doc     string // the document's id, given by the in-page script

	document string // handle of the document, in this world
	pages    string // the same in the page's main world; empty means that it did not come with the rest
}

// docSerial makes document ids unique among all pages of this process.
var docSerial atomic.Int64

// Install makes the isolated world of a frame's document, or finds it, and installs the script there. The frame leads
// if it is the outermost one of those that the session is for. bringing returns the call, if one is needed, that brings
// the script into the document, see [World.Bring] and [BringAlways].
func Install(
	ctx context.Context, sess *cdp.Session, frame string, leads bool, bringing func(World) []cdp.Call,
) (w World, err error) {
	raw, err := sess.CallRaw(ctx, "Page.createIsolatedWorld",
		map[string]string{"frameId": frame, "worldName": inpage.World})
	if err != nil {
		return World{}, ContextError(err)
	}
	var made struct {
		ExecutionContextID int64 `json:"executionContextId"`
	}
	if err := cdp.Unmarshal(raw, &made); err != nil {
		return World{}, err
	}
	w.Context = made.ExecutionContextID
	docID := "d" + strconv.FormatInt(docSerial.Add(1), 10)
	brings := append(bringing(w), cdp.Call{
		Method: "Runtime.addBinding",
		Params: map[string]any{"name": inpage.Leaving(docID), "executionContextId": w.Context},
	})
	calls := append(brings,
		cdp.Call{Method: "Runtime.evaluate", Params: w.Params(inpage.Install(docID))},
		cdp.Call{Method: "Runtime.evaluate", Params: Params{Expression: "document", ContextID: w.Context}})
	if leads { // its world of scripts is what the session evaluates in; had the document gone, the first call would fail
		calls = append(calls, cdp.Call{Method: "Runtime.evaluate", Params: Params{Expression: "document"}})
	}
	// what brings the script yields nothing, and does not fail where the installation works
	pending := sess.Batch(calls...)[len(brings):]
	value, err := yielded(ctx, pending[0])
	if err == nil && string(value) == "null" { // one without scripts of its own, which the session does not bring it to
		value, err = yielded(ctx, sess.Batch(w.Bring(), calls[len(brings)])[1])
	}
	if err != nil {
		return World{}, err
	}
	if raw, err = pending[1].Wait(ctx); err != nil {
		return World{}, ContextError(err)
	}
	var document struct {
		Result remoteObject `json:"result"`
	}
	if err := cdp.Unmarshal(raw, &document); err != nil {
		return World{}, err
	}
	w.document = document.Result.ObjectID
	if len(pending) > 2 {
		document.Result = remoteObject{}
		if raw, err := pending[2].Wait(ctx); err == nil && cdp.Unmarshal(raw, &document) == nil {
			w.pages = document.Result.ObjectID
		}
	}
	return w, cdp.Unmarshal(value, &w.Doc)
}

// Bring is the call that brings the script into the document.
func (w World) Bring() cdp.Call {
	return cdp.Call{Method: "Runtime.evaluate", Params: w.Params(inpage.Bring())}
}

// BringAlways is the call that brings the script into the document that a page shows, and into all that come after it
// in the same session.
func BringAlways() cdp.Call {
	return cdp.Call{Method: "Page.addScriptToEvaluateOnNewDocument", Params: page.AddScriptToEvaluateOnNewDocumentParams{
		Source: inpage.Bring(), WorldName: inpage.World, RunImmediately: new(true),
	}}
}

// Handle evaluates an expression in the world and returns a handle of the object that it yields, "" when it yields
// none. The handle lives until release, which may always be called.
func (w World) Handle(
	ctx context.Context, sess *cdp.Session, expression string,
) (id string, release func(), err error) {
	asked := w.AskHandle(sess, expression)
	id, err = asked.ID(ctx)
	return id, asked.Release, err
}

// FrameShown returns the id of the frame that an element shows, which an expression yields; "" for none.
func (w World) FrameShown(ctx context.Context, sess *cdp.Session, expression string) (string, error) {
	handle, release, err := w.Handle(ctx, sess, expression)
	defer release()
	if err != nil || handle == "" {
		return "", err
	}
	raw, err := sess.CallRaw(ctx, "DOM.describeNode", dom.DescribeNodeParams{
		ObjectID: runtime.RemoteObjectID(handle),
		Depth:    new(int64),
	})
	if err != nil {
		return "", ContextError(err)
	}
	var described struct {
		Node struct {
			FrameID string `json:"frameId"`
		} `json:"node"`
	}
	return described.Node.FrameID, cdp.Unmarshal(raw, &described)
}
