package stream

import (
	"math"
	"net/url"
	"strconv"

	"github.com/skua-browser/skua/engine/capture"
)

// Options configure a client's stream. The client may change fps and pacing in its URL and in config messages.
type Options struct {
	Quality             int // of the JPEG pictures, 1-100
	MaxWidth, MaxHeight int // 0 means as large as the viewport

	Input   func() bool // reports whether input is accepted now; nil means always
	Console bool        // console messages are sent if the session records them anyway

	fps     float64 // maximum frames per second; 0 means no limit
	ackPace bool    // wait for an acknowledgment of each frame
}

// maxFPS is the highest frame rate that a client can request.
const maxFPS = 120

func (o *Options) read(query url.Values) {
	if fps, err := strconv.ParseFloat(query.Get("maxFps"), 64); err == nil {
		o.setFPS(fps)
	}
	o.setPacing(query.Get("pacing"))
}

// setFPS sets the frame rate; an invalid one changes nothing.
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
