package doctor

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// verdict says in one line whether skua works here, by what the checks have seen, and else what to do first.
func (r *Report) verdict() string {
	first := func(of ...string) *Check {
		at := slices.IndexFunc(r.Checks, func(c Check) bool {
			return c.Status == Fail && (of == nil || slices.Contains(of, c.Category))
		})
		if at < 0 {
			return nil
		}
		return &r.Checks[at]
	}
	trial := slices.IndexFunc(r.Checks, func(c Check) bool { return c.ID == launched })
	started := trial >= 0 && (r.Checks[trial].Status == Pass || r.Checks[trial].Status == Warn)
	broken := first("Chrome", "Launch test") // without a browser nothing else matters
	if broken == nil {
		broken = first()
	}
	switch {
	case broken == nil && started:
		return "✓ skua works: a browser started here and showed a page"
	case broken == nil:
		return "✓ Nothing here keeps skua from working; no browser was started to try it"
	case started && first("Chrome", "Launch test") == nil:
		return "⚠ skua shows pages, but " + wording.Plural(r.Summary.Fail, "check") + " failed. " + broken.advice()
	case trial < 0 && first("Chrome") == nil:
		return "⚠ " + wording.Plural(r.Summary.Fail, "check") +
			" failed, and no browser was started to see what that breaks. " + broken.advice()
	}
	return "✗ skua does not work here yet. " + broken.advice()
}

// advice is a problem with what mends it, on one line.
func (c *Check) advice() string {
	text := strings.TrimSuffix(strings.Join(strings.Fields(c.Message), " "), ".")
	if c.Fix == "" {
		return text
	}
	return text + "; to mend it: " + c.Fix
}
