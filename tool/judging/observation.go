package judging

import (
	"time"

	"github.com/skua-browser/skua/tool/contract"
)

// Observe tells of the page behind a command, from what its answer has: nothing is asked of the browser. Before is the page that the caller was told
// of last, which may be that of another tab. It returns nil where there is no page.
func Observe(before, now contract.PageTarget, data any) *contract.Observation {
	if now.URL == "" {
		return nil
	}
	o := &contract.Observation{URL: now.URL, Title: now.Title, TS: time.Now().UnixMilli()}
	effect := member(data, "effect")
	switch led := member(effect, "navigation"); {
	case led != nil:
		o.URLChanged = new(member(led, "from") != now.URL)
	case effect != nil && member(effect, "tabClosed") != true: // the page was watched, and stayed
		o.URLChanged = new(false)
	case before.URL != "" && before.TabID == now.TabID:
		o.URLChanged = new(before.URL != now.URL)
	}
	if o.FocusedRole, _ = member(data, "focusedRole").(string); o.FocusedRole == "" { // a summary has it
		o.FocusedRole, _ = member(effect, "focus", "role").(string)
	}
	o.CollectionSummary = counted(data)
	return o
}

// counted are the collections of a summary, or the one that was read.
func counted(data any) []contract.CollectionCount {
	var counts []contract.CollectionCount
	add := func(id, count any) {
		if id, ok := id.(string); ok {
			n, _ := count.(float64) // 0 where it says none
			counts = append(counts, contract.CollectionCount{ID: id, Count: int(n)})
		}
	}
	lists, _ := member(data, "collections").([]any)
	for _, list := range lists {
		add(member(list, "id"), member(list, "approxCount"))
	}
	add(member(data, "collectionId"), member(data, "total"))
	return counts
}

// member is a member of a JSON value, by the names on the way to it; nil: it has none.
func member(v any, path ...string) any {
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	return v
}
