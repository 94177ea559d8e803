package engine_test

import (
	"bytes"
	"context"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/fault"
)

func cast(t testing.TB, p *engine.Page, o engine.ScreencastOptions) *engine.Screencast {
	t.Helper()
	s, err := p.Screencast(timed(t, limit), o)
	require.NoError(t, err)
	t.Cleanup(s.Close)
	return s
}

// shows waits until the middle of the page's picture has a color, and returns the picture.
func shows(t testing.TB, s *engine.Screencast, r, g, b uint32) image.Image {
	t.Helper()
	ctx := timed(t, limit)
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
	p, s := openHTML(t, "<body style='background:#f00'>")
	c := cast(t, p, engine.ScreencastOptions{})
	require.Equal(t, image.Pt(1000, 700), shows(t, c, 255, 0, 0).Bounds().Max)
	for range 5 {
		eval(t, p, paint+"#00f'), document.body.style.background = 'none'")
		shows(t, c, 0, 0, 255)
		eval(t, p, paint+"#0f0')")
		shows(t, c, 0, 255, 0)
	}
	// It goes on in another document, also in one of another process.
	s.pages["/other"] = "<body style='background:#00f'>"
	open(t, p, s.at("other")+"/other")
	shows(t, c, 0, 0, 255)
	open(t, p, s.URL+"/")
	shows(t, c, 255, 0, 0)
}

// Each subscriber gets pictures, and the last one's end stops them.
func TestScreencastIsShared(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<body style='background:#f00'>")
	small := cast(t, p, engine.ScreencastOptions{MaxWidth: 200, MaxHeight: 200})
	require.Equal(t, 200, shows(t, small, 255, 0, 0).Bounds().Dx())
	large := cast(t, p, engine.ScreencastOptions{PNG: true})
	require.Equal(t, 1000, shows(t, large, 255, 0, 0).Bounds().Dx(), "a subscription begins with what the page shows")
	eval(t, p, paint+"#00f'), document.body.style.background = 'none'")
	require.Equal(t, 1000, shows(t, small, 0, 0, 255).Bounds().Dx(), "both get what the most demanding one wants")
	shows(t, large, 0, 0, 255)
	large.Close()
	eval(t, p, paint+"#0f0')")
	require.Equal(t, 200, shows(t, small, 0, 255, 0).Bounds().Dx())
	for err := error(nil); !fault.Is(err, fault.PageGone); { // what came before the end is there yet
		if _, err = large.Next(timed(t, limit)); err != nil {
			require.Equal(t, fault.PageGone, fault.CodeOf(err))
		}
	}
	small.Close()
	large.Close()
	again := cast(t, p, engine.ScreencastOptions{})
	shows(t, again, 0, 255, 0)
}

// Who does not fetch costs nothing but the newest picture.
func TestScreencastDropsTheOld(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<body style='background:#f00'>")
	slow := cast(t, p, engine.ScreencastOptions{})
	quick := cast(t, p, engine.ScreencastOptions{})
	shows(t, quick, 255, 0, 0)
	eval(t, p, paint+"#00f'), document.body.style.background = 'none'")
	shows(t, quick, 0, 0, 255)
	picture, err := slow.Next(timed(t, limit))
	require.NoError(t, err)
	img, _, err := image.Decode(bytes.NewReader(must(picture.Image())))
	require.NoError(t, err)
	_, _, blue, _ := img.At(500, 350).RGBA()
	require.Equal(t, uint32(255), (blue>>8)|1, "the newest one")
	require.Positive(t, slow.Dropped())
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func TestScreencastEnds(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<body style='background:#f00'>")
	c := cast(t, p, engine.ScreencastOptions{})
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
	require.NoError(t, p.Close(timed(t, limit)))
	require.Equal(t, fault.PageGone, fault.CodeOf(receive(t, ended)))
	_, err := p.Screencast(timed(t, limit), engine.ScreencastOptions{})
	require.Equal(t, fault.PageGone, fault.CodeOf(err))
}

// What a page shows last is seen, however fast it changed before.
func TestScreencastEndsWithTheLast(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, "<body style='background:#f00'>")
	c := cast(t, p, engine.ScreencastOptions{})
	shows(t, c, 255, 0, 0)
	for range 5 {
		eval(t, p, `new Promise(done => { let n = 0; const f = () => { document.body.style.background = n++ % 2 ? '#00f' : '#f00';
			n < 10 ? requestAnimationFrame(f) : done() }; f() })`)
		eval(t, p, "void (document.body.style.background = '#0f0')")
		shows(t, c, 0, 255, 0)
	}
}
