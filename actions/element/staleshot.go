package element

import (
	"fmt"
	"math"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/internal/fault"
)

// staleShot makes the error for a point of a picture where the page is not as pictured: what has become another one
// since.
func staleShot(c *actions.Call, t *Target, f *OpFailure) error {
	shot := ""
	if t.Want.At != nil {
		shot = t.Want.At.Shot
	}
	facts := FactsOf[staleShotFacts](f)
	e := f.Tell(c, &fault.Error{Code: fault.ShotStale, Subject: t.Label, Hint: newShot})
	e.Message = fmt.Sprintf("%s: %s since that screenshot. Nothing was done.", shot, whatChanged(c, f, &facts))
	if facts.Why == "unseen" {
		e.Message = fmt.Sprintf(
			"%s: the frame at %s did not exist, or did not answer, when that screenshot was taken. Nothing was done.", shot,
			t.Label)
	}
	return e
}

// whatChanged says what the in-page script found to be another one, by its word for it.
func whatChanged(c *actions.Call, f *OpFailure, facts *staleShotFacts) string {
	on := func() string { return facts.Blamed(c, f.frame, f.doc) }
	was := func() string { return f.blamed(c, facts.Was, facts.WasRole, facts.WasName, facts.WasToken) }
	switch facts.Why {
	case "scrolled":
		return "the page has scrolled " + distance(facts.By)
	case "resized":
		from, to := facts.From.words(), facts.To.words()
		return "the viewport has changed from " + from + " to " + to
	case "moved":
		return was() + " has moved " + distance(facts.By)
	case "size":
		return was() + " has changed its size"
	case "gone":
		return was() + " has gone from there, where " + on() + " is now,"
	case "order":
		return on() + " now covers " + was()
	}
	if facts.Was != "" {
		return on() + " has come to the point, where " + was() + " was,"
	}
	return on() + " has come to the point"
}

// distance says how far and which way: by 120 pixels down.
func distance(by engine.Point) string {
	var parts []string
	for _, axis := range []struct {
		by         float64
		more, less string
	}{{by.X, "right", "left"}, {by.Y, "down", "up"}} {
		switch n := axis.by; {
		case n > 0:
			parts = append(parts, fmt.Sprintf("%g pixels %s", n, axis.more))
		case n < 0:
			parts = append(parts, fmt.Sprintf("%g pixels %s", math.Abs(n), axis.less))
		}
	}
	return "by " + strings.Join(parts, " and ")
}

func (s viewSize) words() string {
	size := fmt.Sprintf("%gx%g", s.Width, s.Height)
	if s.Ratio != 1 {
		size += fmt.Sprintf(" at %g pixels for each CSS pixel", s.Ratio)
	}
	if s.Zoom != 1 {
		size += fmt.Sprintf(", zoomed in %g times", s.Zoom)
	}
	return size
}
