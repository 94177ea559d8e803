package copilot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/copilot/explore"
	"github.com/skua-browser/skua/internal/wording"
)

// stopped says why a search ended that found nothing.
var stopped = map[string]string{
	explore.StoppedDone: "there was no further link to follow", explore.StoppedDepth: "the depth was reached",
	explore.StoppedPages: "the limit of pages was reached",
	explore.StoppedTime:  "the time limit was reached",
}

// notFollowed says, in the order in which it is told, why links were left alone.
var notFollowed = []struct {
	why  explore.Reason
	said string
}{
	{explore.Effects, "whose text suggests an action"},
	{explore.Elsewhere, "that lead elsewhere"},
	{explore.Download, "to files"},
	{explore.Unseen, "that are hidden"},
	{explore.Disabled, "that are disabled"},
	{explore.Scheme, "that are not web addresses"},
	{explore.Budget, "beyond the limits of the search"},
}

// text is the reply for people.
func (r *exploreReply) text(dot *files.Artifact) string {
	var b strings.Builder
	switch {
	case r.Found && len(r.Path) == 0:
		b.WriteString("✓ The page that is shown meets the goal: " + r.Title + "\n  " + r.URL + "\n  " + r.Why + "\n")
	case r.Found:
		b.WriteString("✓ Found: " + r.Title + "\n  " + r.URL + "\n  " + r.Why + "\n")
		for i, step := range r.Path {
			b.WriteString("  " + strconv.Itoa(i+1) + ". " + wording.Quote(step.Label) + " → " + step.URL + "\n")
		}
		b.WriteString("Tab " + r.TabID + " is the active one now.\n")
	default:
		b.WriteString("✗ No page was found that meets " + r.GoalText + ": " + stopped[r.Stopped] + "\n")
	}
	if r.Pages > 0 {
		b.WriteString(wording.Plural(r.Pages, "page") + " opened in " + wording.Plural(r.Depth, "level"))
		failed := 0
		for _, n := range r.Graph.Nodes {
			if n.State == explore.Failed {
				failed++
			}
		}
		if failed > 0 {
			b.WriteString(", of which " + strconv.Itoa(failed) + " failed")
		}
		b.WriteString("\n")
	}
	b.WriteString(r.leftAlone())
	if !r.Found {
		for _, near := range r.Nearest {
			b.WriteString("  next: " + wording.Quote(near.Label) + " → " + near.URL + "\n")
		}
	}
	for _, n := range r.Graph.Nodes {
		if n.Tab != "" && n.Tab != r.TabID {
			b.WriteString("  [" + n.Tab + "] " + n.Title + " - " + n.URL + "\n")
		}
	}
	if dot != nil {
		b.WriteString("Graph saved to " + dot.Shown + "\n")
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// leftAlone counts the links that were not followed.
func (r *exploreReply) leftAlone() string {
	var parts []string
	for _, one := range notFollowed {
		if n := r.NotFollowed[one.why]; n > 0 {
			parts = append(parts, strconv.Itoa(n)+" "+one.said)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return "Links not followed: " + strings.Join(slices.Clip(parts), ", ") + "\n"
}
