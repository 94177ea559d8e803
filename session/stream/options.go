package stream

import (
	"math"
	"net/url"
	"strconv"

	"github.com/skua-browser/skua/engine/capture"
)

// Options say what a client gets. The client may say more in its address and in config messages.
type Options struct {
	Quality             int // of the JPEG pictures, 1-100
	MaxWidth, MaxHeight int // 0: as large as the viewport

	Input   func() bool // reports whether input is taken now; nil: always
	Console bool        // the messages of the console are sent when the session listens to them anyway

	fps     float64 // most frames a second; 0: no limit
	ackPace bool    // one frame at a time
}

// maxFPS is the most that a client can ask for.
const maxFPS = 120

func (o *Options) read(query url.Values) {
	if fps, err := strconv.ParseFloat(query.Get("maxFps"), 64); err == nil {
		o.setFPS(fps)
	}
	o.setPacing(query.Get("pacing"))
}

// setFPS takes a limit; one that makes no sense changes nothing.
func (o *Options) setFPS(fps float64) {
	if fps >= 0 && !math.IsInf(fps, 0) && !math.IsNaN(fps) {
		o.fps = min(fps, maxFPS)
	}
}

func (o *Options) setPacing(pacing string) {
	switch pacing {
	case "ack":
		o.ackPace = true
	case "push":
		o.ackPace = false
	}
}

func (o *Options) screencast() capture.ScreencastOptions {
	return capture.ScreencastOptions{Quality: o.Quality, MaxWidth: o.MaxWidth, MaxHeight: o.MaxHeight}
}
