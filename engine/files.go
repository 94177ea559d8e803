package engine

import (
	"context"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/engine/inpage"
)

// SetFilesAndCall puts files into a file input of the frame, given by its token, and calls an op of the in-page script right behind it.
func (f *Frame) SetFilesAndCall(ctx context.Context, token int64, paths []string, op string, arg, result any) error {
	sess, w, err := f.enter(ctx)
	if err != nil {
		return err
	}
	raw, err := marshalArg(arg)
	if err != nil {
		return err
	}
	group := newGroup()
	reply, err := sess.CallRaw(ctx, "Runtime.evaluate", evaluateParams{Expression: inpage.Element(token), ContextID: w.context, ObjectGroup: group})
	if err != nil {
		return contextError(err)
	}
	var found struct {
		Result remoteObject `json:"result"`
	}
	if err := cdp.Unmarshal(reply, &found); err != nil {
		return err
	}
	if found.Result.ObjectID == "" {
		return fault.New(fault.RefStale, "the field for files is gone").WithHint("Take a new snapshot.")
	}
	if err := f.page.Acting(ctx); err != nil {
		return err
	}
	pending := sess.Batch(
		cdp.Call{Method: "DOM.setFileInputFiles", Params: map[string]any{"files": paths, "objectId": found.Result.ObjectID}},
		cdp.Call{Method: "Runtime.evaluate", Params: callParams(w, op, raw)},
		cdp.Call{Method: "Runtime.releaseObjectGroup", Params: map[string]string{"objectGroup": group}},
	)
	if _, err := pending[0].Wait(ctx); err != nil {
		return contextError(err)
	}
	if reply, err = pending[1].Wait(ctx); err != nil {
		return contextError(err)
	}
	value, err := evaluated(reply)
	if err != nil {
		return err
	}
	return cdp.Unmarshal(value, result)
}

// FileChooser is the browser's question for files, caught before a person would see it.
type FileChooser struct {
	Frame    *Frame // of the field that asks; nil when it is gone
	Multiple bool

	node int64 // backend id of the field; 0: no field asks, but a script (showOpenFilePicker)
}

// HasField reports whether it is a field that asks, into which files can be put.
func (c *FileChooser) HasField() bool { return c.node != 0 && c.Frame != nil }

// FieldToken returns the token of the field that asks.
func (c *FileChooser) FieldToken(ctx context.Context) (token int64, err error) {
	sess, w, err := c.Frame.enter(ctx)
	if err != nil {
		return 0, err
	}
	group := newGroup()
	defer sess.Start("Runtime.releaseObjectGroup", map[string]string{"objectGroup": group})
	handles, _, err := w.resolve(ctx, sess, group, []int64{c.node})
	if err != nil {
		return 0, err
	}
	if len(handles) == 0 {
		return 0, fault.New(fault.RefStale, "the field for files is gone").WithHint("Take a new snapshot.")
	}
	raw, err := sess.CallRaw(ctx, "Runtime.callFunctionOn", map[string]any{
		"objectId": handles[0].ObjectID, "functionDeclaration": inpage.TokenFunction, "returnByValue": true,
	})
	if err != nil {
		return 0, contextError(err)
	}
	value, err := evaluated(raw)
	if err != nil {
		return 0, err
	}
	return token, cdp.Unmarshal(value, &token)
}

// CatchFileChoosers has the browser tell of questions for files in place of asking, until stop is called. It is told without waiting, and
// knows before any input that follows.
func (p *Page) CatchFileChoosers() (stop func()) {
	call := func(on bool) cdp.Call {
		return cdp.Call{Method: "Page.setInterceptFileChooserDialog", Params: map[string]bool{"enabled": on}}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chooser = nil
	p.onSessionsLocked(call(true))
	return func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.chooser = nil
		p.onSessionsLocked(call(false))
	}
}

// AwaitFileChooser waits for a question for files.
func (p *Page) AwaitFileChooser(ctx context.Context) (*FileChooser, error) {
	var chooser *FileChooser
	err := p.await(ctx, "waiting for the page to ask for files", func() bool {
		chooser = p.chooser
		return chooser != nil
	})
	return chooser, err
}

// chooserEvent is Page.fileChooserOpened.
type chooserEvent struct {
	FrameID string `json:"frameId"`
	Mode    string `json:"mode"`
	Node    int64  `json:"backendNodeId"`
}

// onFileChooser is told on the connection's reader.
func (p *Page) onFileChooser(params jsonv2.Value) {
	var e chooserEvent
	if cdp.Unmarshal(params, &e) != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.chooser = &FileChooser{Frame: p.frames[e.FrameID], Multiple: e.Mode == "selectMultiple", node: e.Node}
	p.broadcastLocked()
}
