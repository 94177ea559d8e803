package engine

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"

	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/engine/fault"
)

// Drag is one drag with the left button, from the press to the release. It begins as moves of the mouse. When the page makes a drag of
// data of them, the browser hands that to us in place of the system (Input.setInterceptDrags), and the moves become those of the data.
//
//	BeginDrag ─ Move… ─┬─ Move… ─ Release           the page follows the pointer itself
//	                   └─ TakeData ─ Carry… ─ Drop   the page, or the element, drags data
//
// Close ends it in any case: it leaves no button held and no drag under way.
type Drag struct {
	page  *Page
	began bool // the button is held
	at    Point

	events <-chan jsonv2.Value // of data that the browser hands over
	cancel func()

	data  jsonv2.Value // what is dragged; nil: nothing is taken yet
	from  Point        // where the data was taken
	home  *Frame       // in whose process the source is; nil for files
	in    *Frame       // in whose process the data is
	ended bool
}

// BeginDrag moves the pointer to a point and presses the left button there. Home is the frame that has the source.
func (p *Page) BeginDrag(ctx context.Context, home *Frame, from Point) (*Drag, error) {
	d := &Drag{page: p, at: from, from: from, home: home}
	d.events, d.cancel = p.sess.Subscribe("Input.dragIntercepted")
	d.began = true
	return d, p.sendInput(ctx, []cdp.Call{
		interceptDrags(true),
		mouseEvent{Type: "mouseMoved", X: from.X, Y: from.Y, Modifiers: p.Held()}.call(),
		mouseEvent{Type: "mousePressed", X: from.X, Y: from.Y, Button: "left", Buttons: 1, ClickCount: 1, Modifiers: p.Held()}.call(),
	})
}

// DragFiles begins a drag of files from outside of the browser.
func (p *Page) DragFiles(paths []string) (*Drag, error) {
	data, err := jsonv2.Marshal(map[string]any{"items": []any{}, "files": paths, "dragOperationsMask": dragCopy})
	if err != nil {
		return nil, err
	}
	return &Drag{page: p, data: data}, nil
}

// dragCopy is the one thing that can be done with files from outside.
const dragCopy = 1

func interceptDrags(on bool) cdp.Call {
	return cdp.Call{Method: "Input.setInterceptDrags", Params: map[string]bool{"enabled": on}}
}

// At returns where the pointer or the data is.
func (d *Drag) At() Point { return d.at }

// Move moves the held pointer; the page sees each point.
func (d *Drag) Move(ctx context.Context, way []Point) error {
	if len(way) == 0 {
		return nil
	}
	d.at = way[len(way)-1]
	return d.page.MoveMouse(ctx, way, 0)
}

// dataLimit is how long after a page let a drag of data begin the browser may take to say so.
const dataLimit = 5 * time.Second

// TakeData waits for the data of a drag that the page let begin.
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
		return WaitEnded(ctx, "taking what is dragged")
	}
	d.page.letGo()
	_, err := d.page.sess.CallRaw(ctx, "Input.setInterceptDrags", map[string]bool{"enabled": false})
	return err
}

// letGo notes that the browser has ended the press: it makes no release of the end of a drag of data.
func (p *Page) letGo() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.mouse.held = nil
}

// Data returns what is dragged, as the protocol writes it; nil for a drag of the pointer alone.
func (d *Drag) Data() []byte { return d.data }

// dragEvent is Input.dispatchDragEvent of the protocol.
type dragEvent struct {
	Type      string       `json:"type"`
	X         float64      `json:"x"`
	Y         float64      `json:"y"`
	Data      jsonv2.Value `json:"data"`
	Modifiers Modifiers    `json:"modifiers,omitzero"`
}

func (d *Drag) event(kind string, at Point) cdp.Call {
	return cdp.Call{Method: "Input.dispatchDragEvent", Params: dragEvent{Type: kind, X: at.X, Y: at.Y, Data: d.data, Modifiers: d.page.Held()}}
}

// Carry moves the data through the points, which are over frame. A process is told of data that enters it, and of no other: the browser
// does not look where the points are.
func (d *Drag) Carry(ctx context.Context, frame *Frame, way []Point) error {
	if len(way) == 0 {
		return nil
	}
	var calls []cdp.Call
	if d.in == nil && d.home != nil && d.home.SharesInput(frame) {
		calls = append(calls, d.event("dragEnter", d.from))
		d.in = frame
	}
	if d.in == nil || !d.in.SharesInput(frame) {
		way = way[len(way)-1:]
		calls = append(calls, d.event("dragEnter", way[0]))
		d.in = frame
	}
	for _, at := range way {
		calls = append(calls, d.event("dragOver", at))
	}
	d.at = way[len(way)-1]
	return d.page.sendInput(ctx, calls)
}

// Drop drops the data where it is. The source is told how it ended, but for one in another process, which is told that it ended.
func (d *Drag) Drop(ctx context.Context) error {
	if d.data == nil {
		return fault.New(fault.Internal, "no data is dragged")
	}
	d.ended = true
	d.page.noteMouse([]cdp.Call{mouseEvent{Type: "mouseMoved", X: d.at.X, Y: d.at.Y}.call()})
	calls := []cdp.Call{d.event("drop", d.at)}
	if d.home != nil && !d.home.SharesInput(d.in) {
		calls = append(calls, d.event("dragCancel", d.from))
	}
	return d.page.sendInput(ctx, calls)
}

// Release lets the button go where the pointer is.
func (d *Drag) Release(ctx context.Context) error {
	d.ended = true
	return d.page.ReleaseMouse(ctx, "left")
}

// Close ends what is under way: data goes back to where it came from, and so does the pointer before its button is let go.
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
			d.page.pointer().moveTo(d.from, d.page.Held()).call(),
			mouseEvent{Type: "mouseReleased", X: d.from.X, Y: d.from.Y, Button: "left", ClickCount: 1, Modifiers: d.page.Held()}.call())
	}
	if d.began && d.data == nil {
		calls = append(calls, interceptDrags(false))
	}
	if len(calls) > 0 {
		d.page.cleanUp(ctx, calls...)
	}
	d.ended = true
}
