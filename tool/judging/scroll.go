package judging

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/pointer"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// largeScroll is from how many pixels on a scroll of the page is expected to move something.
const largeScroll = 100

// MovesPage reports whether the command is to scroll the page by a distance at which standing still is a failure.
// `scroll to` a place at which the page is already has reached what it was for.
func MovesPage(line *argv.Words) bool {
	if !actions.Yields[pointer.ScrolledResult](line.Entry) || !line.Entry.TakesDistance() || line.Has("selector") {
		return false
	}
	pixels := line.Positional(1)
	if pixels == "" {
		return true
	}
	n, err := strconv.Atoi(pixels)
	return err == nil && (n >= largeScroll || n <= -largeScroll)
}

// Still makes the account of a scroll that moved nothing. Why is the engine's word, if there is one; others name what
// can be scrolled.
func Still(before, after any, why string, others []string) *contract.ScrollNoop {
	s := &contract.ScrollNoop{
		Reason:  "no-observed-scroll-position-change",
		Message: "The page did not move.",
		Before:  before,
		After:   after,
		Recommendations: []string{
			"Look with `snapshot -i` for the pane that scrolls, and name it: `scroll down 600 --selector <selector>`.",
		},
	}
	switch why {
	case "at-end":
		s.Message = "The page did not move: it is at this end already."
		s.Recommendations = []string{"There is nothing more in this direction; load more, or continue another way."}
	case "taken-back":
		s.Message = "A script of the page put it back where it was."
	case "not-scrollable":
		s.Message = "The page has nothing to scroll in this direction."
	case "zoomed":
		s.Message = "The page fits its viewport, of which the screen shows a part."
		s.Recommendations = []string{"This moves the part that the screen shows: `swipe up 600`, or `mouse wheel 600`."}
	}
	for _, name := range others {
		s.Recommendations = append(s.Recommendations, "This scrolls: "+name)
	}
	return s
}

// AfterStill is what to do about it.
func AfterStill() []contract.NextAction {
	return []contract.NextAction{
		look("inspect-after-noop-scroll", "Find the pane that scrolls."),
		Act("verify-noop-scroll-visually", "See what the page shows.", "screenshot"),
	}
}

// StillText is what the model reads of it.
func StillText(s *contract.ScrollNoop) string {
	var text strings.Builder
	text.WriteString("Scroll diagnostic: no observed scroll movement. " + s.Message)
	for _, r := range s.Recommendations {
		text.WriteString("\n- " + r)
	}
	return text.String()
}
