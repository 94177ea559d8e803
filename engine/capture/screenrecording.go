package capture

import (
	"context"
	"io"
	"time"

	"github.com/chromedp/cdproto/page"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/cdp"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// ScreenRecording is a video of a page that the browser itself encodes: MP4, in chunks that can be read while it is
// recording.
type ScreenRecording struct {
	page   *engine.Page
	stream string
	boxes  boxes // what was read
}

// RecordScreen begins a video of the page. Browsers before 2026 have no such thing; the error has the code Protocol
// then.
func RecordScreen(ctx context.Context, p *engine.Page, fps int) (*ScreenRecording, error) {
	look, err := Measure(ctx, p) // without a size the video is a small one
	if err != nil {
		return nil, err
	}
	p.Session().Start("Page.bringToFront", nil)
	raw, err := p.Session().CallRaw(ctx, "Page.startScreenRecording", page.StartScreenRecordingParams{
		FrameRate: int64(fps), MaxWidth: int64(look.View.Width * look.Ratio), MaxHeight: int64(look.View.Height * look.Ratio),
	})
	if err != nil {
		return nil, err
	}
	r := &ScreenRecording{page: p}
	if err := r.read(raw); err != nil {
		return nil, err
	}
	return r, r.paint(ctx)
}

// paint makes the page paint: the video of a page that does not move would have no frame.
func (r *ScreenRecording) paint(ctx context.Context) error {
	_, err := Screenshot(ctx, r.page, ScreenshotOptions{Clip: &engine.Rect{Width: 1, Height: 1}, Format: JPEG})
	return err
}

func (r *ScreenRecording) read(raw []byte) error {
	var res struct {
		Stream string `json:"stream"`
	}
	if err := cdp.Unmarshal(raw, &res); err != nil {
		return err
	}
	if res.Stream != "" {
		r.stream = res.Stream
	}
	if r.stream == "" {
		return fault.New(fault.Protocol, "the browser records nothing")
	}
	return nil
}

// Copy writes what there is of the video by now.
func (r *ScreenRecording) Copy(ctx context.Context, w io.Writer) error {
	_, err := r.copy(ctx, w)
	return err
}

// copy writes what there is of the video by now, and says how much it was. A stream that is empty for now says that it
// has ended.
func (r *ScreenRecording) copy(ctx context.Context, w io.Writer) (written int, err error) {
	for {
		_, n, err := readChunk(ctx, r.page.Session(), r.stream, io.MultiWriter(w, &r.boxes))
		written += n
		if err != nil || n == 0 {
			return written, err
		}
	}
}

// Stop ends the video and writes the rest of it.
func (r *ScreenRecording) Stop(ctx context.Context, w io.Writer) error {
	_ = r.paint(ctx) // of a page that hangs there is what there is
	raw, err := r.page.Session().CallRaw(ctx, "Page.stopScreenRecording", nil)
	if err != nil {
		return err
	}
	if err := r.read(raw); err != nil {
		return err
	}
	defer r.page.Session().Start("IO.close", map[string]string{"handle": r.stream})
	// The end of the video may still be on its way into the stream, which meanwhile says that it has ended.
	// A read that fails is tried again like one that gives nothing: a browser that is busy refuses some.
	for empty := 0; empty < lateTries; empty++ {
		var n int
		n, err = r.copy(ctx, w)
		switch {
		case fault.IsPageLost(err):
			return err
		case r.boxes.isEnd() || r.boxes.isVideo() && empty >= indexTries:
			return nil
		case n > 0:
			empty = -1
		}
		if pause.For(ctx, latePause) != nil {
			return fault.WaitEnded(ctx, "waiting for the end of the video")
		}
	}
	return err
}

// How often, and at which interval, the end of a video is requested while no data arrives, and how often its index,
// which a video may lack.
const (
	lateTries  = 200
	indexTries = 10
	latePause  = 50 * time.Millisecond
)
