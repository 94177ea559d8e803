package capture

import (
	"context"
	"io"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
)

// HeapSnapshot writes a snapshot of the JavaScript heap of the page's process, in the form that DevTools reads. It
// fails when that would be more than most bytes.
func HeapSnapshot(ctx context.Context, p *engine.Page, w io.Writer, most int64) error {
	chunks, stop := p.Session().Subscribe("HeapProfiler.addHeapSnapshotChunk")
	defer stop()
	if _, err := p.Session().CallRaw(ctx, "HeapProfiler.enable", nil); err != nil {
		return err
	}
	defer p.Session().Start("HeapProfiler.disable", nil)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	taken := make(chan error, 1)
	call := p.Session().Start("HeapProfiler.takeHeapSnapshot", map[string]bool{"reportProgress": false})
	go func() { // ends with the call, which ctx ends
		_, err := call.Wait(ctx)
		taken <- err
	}()
	shape := &jsonShape{w: w, most: most}
	write := func(params []byte) error {
		var ev struct {
			Chunk string `json:"chunk"`
		}
		if err := cdp.Unmarshal(params, &ev); err != nil {
			return err
		}
		_, err := io.WriteString(shape, ev.Chunk)
		return err
	}
	var reply error
	replied := false
	for !replied || !shape.complete() {
		select {
		case params, ok := <-chunks:
			if !ok {
				return fault.New(fault.PageGone, "the tab was closed while its heap was written")
			}
			if err := write(params); err != nil {
				return err
			}
		case reply = <-taken:
			if reply != nil {
				return reply
			}
			replied, taken = true, nil // chunks may still be on their way from the queue
		case <-ctx.Done():
			return fault.WaitEnded(ctx, "writing the heap of the page")
		}
	}
	return nil
}
