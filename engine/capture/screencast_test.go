package capture_test

import (
	"bytes"
	"context"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/capture"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testengine"
)

func cast(t testing.TB, p *engine.Page, o capture.ScreencastOptions) *capture.Screencast {
	t.Helper()
	s, err := capture.StartScreencast(testengine.Timed(t, testengine.Limit), p, o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// shows waits until the middle of the page's picture has a color, and returns the picture.
func shows(t testing.TB, s *capture.Screencast, r, g, b uint32) image.Image {
	t.Helper()
	ctx := testengine.Timed(t, testengine.Limit)
	for {
		picture, err := s.Next(ctx)
		require.NoError(t, err)
		raw, err := picture.Image()
		require.NoError(t, err)
		img, _, err := image.Decode(bytes.NewReader(raw))
		require.NoError(t, err)
		at := img.Bounds().Max.Div(2)
		x, y, z, _ := img.At(at.X, at.Y).RGBA()
		if near(x>>8, r) && near(y>>8, g) && near(z>>8, b) {
			require.Positive(t, picture.Metadata.Timestamp)
			return img
		}
	}
}

func near(a, b uint32) bool { return max(a, b)-min(a, b) < 20 }

const paint = "void (document.documentElement.style.background = '"

func TestScreencastShowsChanges(t *testing.T) {
	t.Parallel()
	p, s := testengine.OpenHTML(t, "<body style='background:#f00'>")
	c := cast(t, p, capture.ScreencastOptions{})
	require.Equal(t, image.Pt(1000, 700), shows(t, c, 255, 0, 0).Bounds().Max)
	for range 5 {
		testengine.Eval(t, p, paint+"#00f'), document.body.style.background = 'none'")
		shows(t, c, 0, 0, 255)
		testengine.Eval(t, p, paint+"#0f0')")
		shows(t, c, 0, 255, 0)
	}
	// It goes on in another document, also in one of another process.
	s.Pages["/other"] = "<body style='background:#00f'>"
	testengine.Open(t, p, s.At("other")+"/other")
	shows(t, c, 0, 0, 255)
	testengine.Open(t, p, s.URL+"/")
	shows(t, c, 255, 0, 0)
}

// Each subscriber gets pictures, and the last one's end stops them.
func TestScreencastIsShared(t *testing.T) {
	t.Parallel()
	p, _ := testengine.OpenHTML(t, "<body style='background:#f00'>")
	small := cast(t, p, capture.ScreencastOptions{MaxWidth: 200, MaxHeight: 200})
	require.Equal(t, 200, shows(t, small, 255, 0, 0).Bounds().Dx())
	large := cast(t, p, capture.ScreencastOptions{PNG: true})
	width := 0
	for width != 1000 {
		// a subscription begins with what the page shows, but a picture for the other one may be on its way
		width = shows(t, large, 255, 0, 0).Bounds().Dx()
	}
	testengine.Eval(t, p, paint+"#00f'), document.body.style.background = 'none'")
	require.Equal(t, 1000, shows(t, small, 0, 0, 255).Bounds().Dx(), "both get what the most demanding one wants")
	shows(t, large, 0, 0, 255)
	large.Close()
	testengine.Eval(t, p, paint+"#0f0')")
	require.Equal(t, 200, shows(t, small, 0, 255, 0).Bounds().Dx())
	for err := error(nil); !fault.Is(err, fault.PageGone); { // what came before the end is there yet
		if _, err = large.Next(testengine.Timed(t, testengine.Limit)); err != nil {
			require.Equal(t, fault.PageGone, fault.CodeOf(err))
		}
	}
	small.Close()
	large.Close()
	again := cast(t, p, capture.ScreencastOptions{})
	shows(t, again, 0, 255, 0)
}

// Who does not fetch costs nothing but the newest picture.
func TestScreencastDropsTheOld(t *testing.T) {
	t.Parallel()
	p, _ := testengine.OpenHTML(t, "<body style='background:#f00'>")
	slow := cast(t, p, capture.ScreencastOptions{})
	quick := cast(t, p, capture.ScreencastOptions{})
	shows(t, quick, 255, 0, 0)
	testengine.Eval(t, p, paint+"#00f'), document.body.style.background = 'none'")
	shows(t, quick, 0, 0, 255)
	// Both have got two pictures at least, one after the other, and the slow one has kept one of them.
	require.Eventually(t, func() bool { return slow.Dropped() > 0 }, testengine.Limit, time.Millisecond)
	shows(t, slow, 0, 0, 255)
}

func TestScreencastEnds(t *testing.T) {
	t.Parallel()
	p, _ := testengine.OpenHTML(t, "<body style='background:#f00'>")
	c := cast(t, p, capture.ScreencastOptions{})
	shows(t, c, 255, 0, 0)
	ended := make(chan error, 1)
	go func() {
		for {
			if _, err := c.Next(context.Background()); err != nil {
				ended <- err
				return
			}
		}
	}()
	require.NoError(t, p.Close(testengine.Timed(t, testengine.Limit)))
	require.Equal(t, fault.PageGone, fault.CodeOf(testengine.Receive(t, ended)))
	_, err := capture.StartScreencast(testengine.Timed(t, testengine.Limit), p, capture.ScreencastOptions{})
	require.Equal(t, fault.PageGone, fault.CodeOf(err))
}

// What a page shows last is seen, however fast it changed before.
func TestScreencastEndsWithTheLast(t *testing.T) {
	t.Parallel()
	p, _ := testengine.OpenHTML(t, "<body style='background:#f00'>")
	c := cast(t, p, capture.ScreencastOptions{})
	shows(t, c, 255, 0, 0)
	for range 5 {
		testengine.Eval(t, p,
			`new Promise(done => { let n = 0; const f = () => { document.body.style.background = n++ % 2 ? '#00f' : '#f00';
			n < 10 ? requestAnimationFrame(f) : done() }; f() })`)
		testengine.Eval(t, p, "void (document.body.style.background = '#0f0')")
		shows(t, c, 0, 255, 0)
	}
}
