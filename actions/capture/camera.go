package capture

import (
	"context"
	"errors"
	"image/draw"
	"os"
	"strings"
	"time"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/engine/input"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/video"
)

const (
	// keepAlive is how often a picture that stays is sent again, so that ffmpeg has little to do when the next one comes.
	keepAlive = 250 * time.Millisecond
	// sheetPause is how long the contact sheet rests between two looks.
	sheetPause = 100 * time.Millisecond
	// lastLook is how long the last picture may take.
	lastLook = 15 * time.Second
	// firstPicture is how long the first picture may take.
	firstPicture = 15 * time.Second
)

// camera sends the pictures of a page to ffmpeg, each with the moment at which it came. When ffmpeg or the drawing is
// slow, pictures are left out, the newest wins, and the video stays in time.
type camera struct {
	take    *take
	page    *engine.Page
	cast    *capture.Screencast
	encoder *video.Encoder
	trail   video.Trail
	sheet   *video.Sheet

	still   *video.Still // what is shown
	scale   float64      // its pixels for each CSS pixel
	made    made
	written time.Duration
	looked  time.Duration
	checked time.Duration
}

// startCamera begins to record a page with ffmpeg.
func startCamera(ctx context.Context, ffmpeg string, page *engine.Page, t *take) (*camera, error) {
	cast, err := capture.StartScreencast(ctx, page, capture.ScreencastOptions{Quality: 90})
	if err != nil {
		return nil, err
	}
	k := &camera{take: t, page: page, cast: cast, looked: -time.Hour}
	if t.sheet != nil {
		k.sheet = video.NewSheet(t.threshold)
	}
	limited, cancel := context.WithTimeoutCause(ctx, firstPicture, fault.New(fault.Timeout, "The page sent no picture."))
	defer cancel()
	picture, err := cast.Next(limited)
	if err == nil {
		err = k.see(picture)
	}
	if err == nil {
		k.encoder, err = video.Start(ffmpeg, video.Options{
			Path:   t.temp,
			FPS:    t.fps,
			Width:  k.still.Size().X,
			Height: k.still.Size().Y,
		})
	}
	if err != nil {
		cast.Close()
		return nil, err
	}
	t.began = time.Now()
	k.moved(0)
	err = k.shoot(0, false)
	if err == nil {
		err = k.encoder.Refused()
	}
	if err != nil {
		cast.Close()
		k.encoder.Abort()
		return nil, t.file.Failed(err)
	}
	return k, nil
}

// see takes a picture of the browser's as what is shown.
func (k *camera) see(p *capture.ScreencastPicture) error {
	raw, err := p.Image()
	if err != nil {
		return err
	}
	still, err := video.NewStill(raw)
	if err != nil {
		return err
	}
	k.still, k.scale = still, 1
	if p.Metadata.DeviceWidth > 0 {
		k.scale = float64(still.Size().X) / p.Metadata.DeviceWidth
	}
	k.made.captured++
	return nil
}

// record runs until ctx ends or the page does, and finishes the video.
func (k *camera) record(ctx context.Context) (made, error) {
	defer k.cast.Close()
	gone := k.roll(ctx)
	now := time.Since(k.take.began)
	k.made.took = now
	if gone == nil {
		k.lookOnce(ctx)
	}
	err := k.shoot(now, true)
	limited, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), finishLimit, errors.New("it took too long"))
	defer cancel()
	frames, ferr := k.encoder.Finish(limited)
	if err == nil || ferr != nil {
		err = ferr
	}
	k.made.frames = frames
	k.made.contact = k.sheet
	if err == nil {
		err = gone
	}
	return k.made, err
}

// lookOnce takes a picture by itself, so that the video ends with what the page shows: the last change may still be on
// its way.
func (k *camera) lookOnce(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lastLook)
	defer cancel()
	ratio := 1.0
	if k.scale > 0 {
		ratio = k.scale
	}
	raw, err := capture.Screenshot(ctx, k.page, capture.ScreenshotOptions{Format: capture.JPEG, Quality: 90, Scale: ratio})
	if err != nil {
		return // the page hangs, or shows a dialog
	}
	if still, err := video.NewStill(raw); err == nil && still.Size() == k.still.Size() {
		k.still = still
	}
}

// roll sends pictures until ctx ends, or the page, whose error it returns.
func (k *camera) roll(ctx context.Context) error {
	pause := time.Second / time.Duration(k.take.fps)
	next := pause
	for ctx.Err() == nil {
		fresh, err := k.wait(ctx, next)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return nil
		}
		now := time.Since(k.take.began)
		if k.moved(now) || fresh || now-k.written >= keepAlive {
			if err := k.shoot(now, false); err != nil {
				return err
			}
		}
		next = max(next+pause, now)
	}
	return nil
}

// wait sees what comes until a moment.
func (k *camera) wait(ctx context.Context, until time.Duration) (fresh bool, err error) {
	limited, cancel := context.WithDeadline(ctx, k.take.began.Add(until))
	defer cancel()
	for {
		picture, err := k.cast.Next(limited)
		switch {
		case err == nil:
			if err := k.see(picture); err != nil {
				return fresh, err
			}
			fresh = true
		case limited.Err() != nil:
			return fresh, nil
		default:
			return fresh, err
		}
		if limited.Err() != nil {
			return fresh, nil
		}
	}
}

// moved reports whether the pointer has to be drawn again.
func (k *camera) moved(at time.Duration) bool {
	if !k.take.cursor {
		return false
	}
	mouse := input.MouseOf(k.page)
	return k.trail.Update(at, video.Pointer{
		X:       mouse.At.X,
		Y:       mouse.At.Y,
		Held:    len(mouse.Held) > 0,
		Presses: mouse.Presses,
	})
}

// shoot sends what is shown.
func (k *camera) shoot(at time.Duration, last bool) error {
	var over func(draw.Image)
	if k.take.cursor {
		over = func(on draw.Image) { k.trail.Draw(on, at, k.scale) }
	}
	raw, err := k.still.JPEG(over)
	if err != nil {
		return err
	}
	if k.sheet != nil && (last || at-k.looked >= sheetPause) {
		picture, err := k.still.Image()
		if err != nil {
			return err
		}
		k.sheet.Add(at, picture)
		k.looked = at
	}
	k.written = at
	if at-k.checked >= time.Second {
		k.checked = at
		k.take.tooLarge()
	}
	return k.encoder.Picture(at, raw)
}

// check looks at the finished video.
func (t *take) check() error { return video.Check(t.temp) }

// screenRecorder is a video that the browser makes, where there is no ffmpeg.
type screenRecorder struct {
	take      *take
	page      *engine.Page
	recording *capture.ScreenRecording
}

// fetchPause is how often the video is fetched from the browser, which keeps it until then.
const fetchPause = 500 * time.Millisecond

func startScreenRecorder(ctx context.Context, page *engine.Page, t *take) (*screenRecorder, error) {
	recording, err := capture.RecordScreen(ctx, page, t.fps)
	if fault.Is(err, fault.Protocol) && strings.Contains(err.Error(), "wasn't found") {
		return nil, ffmpegMissing("This browser cannot record videos itself, so recording needs ffmpeg")
	}
	t.began = time.Now()
	return &screenRecorder{take: t, page: page, recording: recording}, err
}

// record fetches what the browser makes until ctx ends or the page does.
func (b *screenRecorder) record(ctx context.Context) (m made, err error) {
	out, err := os.OpenFile(b.take.temp, os.O_WRONLY, 0)
	if err != nil {
		return m, err
	}
	defer func() {
		if cerr := out.Close(); err == nil && cerr != nil {
			err = cerr
		}
		m.frames, _ = video.CountFrames(b.take.temp) // a video without tables has no frames that are known
	}()
	ticker := time.NewTicker(fetchPause)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			m.took = time.Since(b.take.began)
			limited, cancel := context.WithTimeoutCause(context.WithoutCancel(ctx), finishLimit, errors.New("it took too long"))
			defer cancel()
			return m, b.recording.Stop(limited, out)
		case <-ticker.C:
			m.took = time.Since(b.take.began)
			// if it fails while the page lives, the next one has the rest
			copied := b.recording.Copy(context.WithoutCancel(ctx), out)
			if err := b.page.Err(); fault.Is(err, fault.PageGone) {
				return m, err
			}
			if fault.IsPageLost(copied) {
				return m, copied
			}
			b.take.tooLarge()
		}
	}
}

func ffmpegMissing(what string) error {
	return fault.New(fault.CaptureState, "%s, which is not on the PATH.", what).
		WithHint(
			"Install ffmpeg (apt-get install ffmpeg, brew install ffmpeg), or record to an .mp4 file without --cursor and " +
				"--contact-sheet, which a current Chromium writes itself.")
}
