package input

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// Drag is one drag with the left button, from the press to the release. It begins as moves of the mouse. When the page
// turns them into a drag of data, the browser hands the data to us instead of the operating system
// (Input.setInterceptDrags), and the moves become drag events.
//
//	BeginDrag ─ Move… ─┬─ Move… ─ Release           the page follows the pointer itself
//	                   └─ TakeData ─ Carry… ─ Drop   the page, or the element, drags data
//
// Close always ends it: no button is held and no drag is under way after it.
type Drag struct {
	page  *engine.Page
	began bool // the button is held
	at    engine.Point

	events <-chan jsonv2.Value // of data that the browser hands over
	cancel func()

	data  jsonv2.Value  // what is dragged; nil means that nothing is taken yet
	from  engine.Point  // where the data was taken
	home  *engine.Frame // in whose process the source is; nil for files
	in    *engine.Frame // in whose process the data is
	ended bool
}

// BeginDrag moves the pointer to a point and presses the left button there. Home is the frame of the source.
func BeginDrag(ctx context.Context, p *engine.Page, home *engine.Frame, from engine.Point) (*Drag, error) {
	d := &Drag{page: p, at: from, from: from, home: home}
	d.events, d.cancel = p.Session().Subscribe("Input.dragIntercepted")
	d.began = true
	return d, send(ctx, p, []cdp.Call{
		interceptDrags(true),
		mouseEvent{Type: "mouseMoved", X: from.X, Y: from.Y, Modifiers: HeldModifiers(p)}.call(),
		mouseEvent{
			Type:       "mousePressed",
			X:          from.X,
			Y:          from.Y,
			Button:     "left",
			Buttons:    1,
			ClickCount: 1,
			Modifiers:  HeldModifiers(p),
		}.call(),
	})
}

// DragFiles begins a drag of files from outside of the browser.
func DragFiles(p *engine.Page, files []string) (*Drag, error) {
	data, err := jsonv2.Marshal(input.DragData{Files: files, DragOperationsMask: dragCopy})
	if err != nil {
		return nil, err
	}
	return &Drag{page: p, data: data}, nil
}

// dragCopy is the only operation with files from outside.
const dragCopy = 1

func interceptDrags(on bool) cdp.Call {
	return cdp.Call{Method: "Input.setInterceptDrags", Params: map[string]bool{"enabled": on}}
}

// At returns the position of the pointer or the data.
func (d *Drag) At() engine.Point { return d.at }

// Move moves the held pointer; the page sees each point.
func (d *Drag) Move(ctx context.Context, path []engine.Point) error {
	if len(path) == 0 {
		return nil
	}
	d.at = path[len(path)-1]
	return MoveMouse(ctx, d.page, path, 0)
}

// dataLimit is how long the browser may take to hand over the data after the page has let a drag begin.
const dataLimit = 5 * time.Second

// TakeData waits for the data of a drag that the page has let begin.
func (d *Drag) TakeData(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, dataLimit)
	defer cancel()
	select {
	case ev, ok := <-d.events:
		if !ok {
			return d.page.Err()
		}
		var taken struct {
			Data jsonv2.Value `json:"data"`
		}
		if err := cdp.Unmarshal(ev, &taken); err != nil {
			return err
		}
		d.data = taken.Data.Clone()
	case <-ctx.Done():
		return fault.WaitEnded(ctx, "taking what is dragged")
	}
	states.Of(d.page).releaseAll()
	_, err := d.page.Session().CallRaw(ctx, "Input.setInterceptDrags", map[string]bool{"enabled": false})
	return err
}

// releaseAll notes that no button is held: for the browser, a drag of data ends the press, and no release event
// follows.
func (s *state) releaseAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.pointer.held = nil
}

// Data returns the dragged data as JSON of the protocol; nil for a drag of the pointer alone.
func (d *Drag) Data() []byte { return d.data }

// dragEvent is Input.dispatchDragEvent of the protocol.
type dragEvent struct {
	Type      string       `json:"type"`
	X         float64      `json:"x"`
	Y         float64      `json:"y"`
	Data      jsonv2.Value `json:"data"`
	Modifiers Modifiers    `json:"modifiers,omitzero"`
}

func (d *Drag) event(kind string, at engine.Point) cdp.Call {
	return cdp.Call{Method: "Input.dispatchDragEvent", Params: dragEvent{
		Type:      kind,
		X:         at.X,
		Y:         at.Y,
		Data:      d.data,
		Modifiers: HeldModifiers(d.page),
	}}
}

// Carry moves the data along a path over a frame. Drag events go to the process of that frame: the browser itself does
// not look where the points are.
func (d *Drag) Carry(ctx context.Context, frame *engine.Frame, path []engine.Point) error {
	if len(path) == 0 {
		return nil
	}
	var calls []cdp.Call
	if d.in == nil && d.home != nil && d.home.SharesInput(frame) {
		calls = append(calls, d.event("dragEnter", d.from))
		d.in = frame
	}
	if d.in == nil || !d.in.SharesInput(frame) {
		path = path[len(path)-1:]
		calls = append(calls, d.event("dragEnter", path[0]))
		d.in = frame
	}
	for _, at := range path {
		calls = append(calls, d.event("dragOver", at))
	}
	d.at = path[len(path)-1]
	return send(ctx, d.page, calls)
}

// Drop drops the data where it is. The source learns how the drag ended; a source in another process learns only that
// it ended.
func (d *Drag) Drop(ctx context.Context) error {
	if d.data == nil {
		return fault.New(fault.Internal, "no data is dragged")
	}
	d.ended = true
	states.Of(d.page).follow([]cdp.Call{mouseEvent{Type: "mouseMoved", X: d.at.X, Y: d.at.Y}.call()})
	calls := []cdp.Call{d.event("drop", d.at)}
	if d.home != nil && !d.home.SharesInput(d.in) {
		calls = append(calls, d.event("dragCancel", d.from))
	}
	return send(ctx, d.page, calls)
}

// Release releases the button where the pointer is.
func (d *Drag) Release(ctx context.Context) error {
	d.ended = true
	return ReleaseMouse(ctx, d.page, "left")
}

// Close cancels a drag that has not ended: data returns to the source, and the pointer returns there before its button
// is released.
func (d *Drag) Close(ctx context.Context) {
	if d.cancel != nil {
		defer d.cancel()
	}
	var calls []cdp.Call
	switch {
	case d.ended:
	case d.data != nil && d.in != nil:
		calls = append(calls, d.event("dragCancel", d.at))
		if d.home != nil && !d.home.SharesInput(d.in) {
			calls = append(calls, d.event("dragCancel", d.from))
		}
	case d.data != nil && d.home != nil:
		calls = append(calls, d.event("dragCancel", d.from))
	case d.began:
		calls = append(calls,
			pointerOf(d.page).moveTo(d.from, HeldModifiers(d.page)).call(),
			mouseEvent{
				Type:       "mouseReleased",
				X:          d.from.X,
				Y:          d.from.Y,
				Button:     "left",
				ClickCount: 1,
				Modifiers:  HeldModifiers(d.page),
			}.call())
	}
	if d.began && d.data == nil {
		calls = append(calls, interceptDrags(false))
	}
	if len(calls) > 0 {
		cleanUp(ctx, d.page, calls...)
	}
	d.ended = true
}
