package judging

import (
	"time"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/tool/contract"
)

// Observe reports the page behind a command, from what its answer has: nothing is asked of the browser. Before is the
// page that the caller saw last, which may be that of another tab. It returns nil where there is no page.
func Observe(before, now contract.PageTarget, facts *fact.Facts) *contract.Observation {
	if now.URL == "" {
		return nil
	}
	o := &contract.Observation{URL: now.URL, Title: now.Title, TS: time.Now().UnixMilli()}
	effects := facts.Effects
	switch led := effects.Led(); {
	case led != nil:
		o.URLChanged = new(led.From != now.URL)
	case effects != nil && !effects.TabClosed: // the page was watched, and stayed
		o.URLChanged = new(false)
	case before.URL != "" && before.TabID == now.TabID:
		o.URLChanged = new(before.URL != now.URL)
	}
	if o.FocusedRole = facts.FocusedRole; o.FocusedRole == "" && effects != nil && effects.Focus != nil {
		// a summary has it
		o.FocusedRole = effects.Focus.Role
	}
	for _, c := range facts.Collections {
		o.CollectionSummary = append(o.CollectionSummary, contract.CollectionCount{ID: c.ID, Count: c.Count})
	}
	return o
}
