package element

import (
	"fmt"
	"math"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// staleShot makes the error for a point of a picture where the page is not as pictured: what has become another one since.
func staleShot(t *Target, f *OpFailure) error {
	shot := ""
	if t.Want.At != nil {
		shot = t.Want.At.Shot
	}
	e := &fault.Error{Code: fault.ShotStale, Subject: t.Label, Facts: f.Facts, Hint: newShot}
	e.Message = fmt.Sprintf("%s: %s since that screenshot. Nothing was done.", shot, whatChanged(f.Facts))
	if why, _ := f.Facts["why"].(string); why == "unseen" {
		e.Message = fmt.Sprintf("%s: the frame at %s did not exist, or did not answer, when that screenshot was taken. Nothing was done.", shot, t.Label)
	}
	return e
}

// whatChanged says what the in-page script found to be another one, by its word for it.
func whatChanged(facts map[string]any) string {
	why, _ := facts["why"].(string)
	switch why {
	case "scrolled":
		return "the page has scrolled " + distance(facts["by"])
	case "resized":
		from, to := sizeWords(facts["from"]), sizeWords(facts["to"])
		return "the viewport has changed from " + from + " to " + to
	case "moved":
		return Blamed(facts, "was") + " has moved " + distance(facts["by"])
	case "size":
		return Blamed(facts, "was") + " has changed its size"
	case "gone":
		return Blamed(facts, "was") + " has gone from there, where " + Blamed(facts, "on") + " is now,"
	case "order":
		return Blamed(facts, "on") + " now covers " + Blamed(facts, "was")
	}
	if _, ok := facts["was"]; ok {
		return Blamed(facts, "on") + " has come to the point, where " + Blamed(facts, "was") + " was,"
	}
	return Blamed(facts, "on") + " has come to the point"
}

// distance says how far and which way: by 120 pixels down.
func distance(v any) string {
	by, _ := v.(map[string]any)
	var parts []string
	for _, axis := range []struct{ key, more, less string }{{"x", "right", "left"}, {"y", "down", "up"}} {
		n, _ := by[axis.key].(float64)
		switch {
		case n > 0:
			parts = append(parts, fmt.Sprintf("%g pixels %s", n, axis.more))
		case n < 0:
			parts = append(parts, fmt.Sprintf("%g pixels %s", math.Abs(n), axis.less))
		}
	}
	return "by " + strings.Join(parts, " and ")
}

func sizeWords(v any) string {
	size, _ := v.(map[string]any)
	number := func(key string) float64 { n, _ := size[key].(float64); return n }
	said := fmt.Sprintf("%gx%g", number("width"), number("height"))
	if ratio := number("ratio"); ratio != 1 {
		said += fmt.Sprintf(" at %g pixels for each CSS pixel", ratio)
	}
	if zoom := number("zoom"); zoom != 1 {
		said += fmt.Sprintf(", zoomed in %g times", zoom)
	}
	return said
}
