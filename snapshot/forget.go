package snapshot

import (
	"cmp"
	"slices"
)

// limits bounds the memory of a table.
type limits struct {
	awayDocs int // documents that are kept although no tab shows them, for a return from the back/forward cache
	awayRefs int // refs of those
	goneRefs int // refs of vanished elements kept in one document
	graves   int // forgotten documents whose address is kept
	spans    int // number runs up to which none is looked at
}

var defaultLimits = limits{
	awayDocs: 32,
	awayRefs: 50_000,
	goneRefs: 8192,
	graves:   256,
	spans:    4096,
}

// forget drops the documents that were shown longest ago, as far as the limits ask for it. It never drops one that the
// last snapshot of its tab showed.
func (r *Refs) forget() {
	r.dropEmptySpans()
	var away []*document
	refs := 0
	for _, d := range r.docs {
		if view := r.tabs[d.key.tab]; d.seen < view.at {
			away = append(away, d)
			refs += len(d.entries)
		}
	}
	within := func() bool { return len(away) <= r.limits.awayDocs && refs <= r.limits.awayRefs }
	if within() {
		return
	}
	slices.SortFunc(away, func(a, b *document) int {
		return cmp.Or(cmp.Compare(a.seen, b.seen), cmp.Compare(a.key.frame, b.key.frame))
	})
	for !within() {
		refs -= len(away[0].entries)
		r.bury(away[0], pageLeft)
		away = away[1:]
	}
	r.dropGraves()
}

// bury frees what a document holds. Its spans and address stay.
func (r *Refs) bury(d *document, why fate) {
	delete(r.docs, d.key)
	d.entries, d.byToken, d.names, d.live, d.waste, d.fate = nil, nil, nil, 0, 0, why
	r.graves = append(r.graves, d)
}

// dropGraves forgets also the addresses of the documents that were forgotten first. A number in no span is answered as
// one of long ago.
func (r *Refs) dropGraves() {
	surplus := len(r.graves) - r.limits.graves
	if surplus <= 0 {
		return
	}
	old := make(map[*document]bool, surplus)
	for _, d := range r.graves[:surplus] {
		old[d] = true
	}
	r.graves = slices.Clone(r.graves[surplus:])
	r.spans = slices.Clone(slices.DeleteFunc(r.spans, func(s span) bool { return old[s.doc] }))
}

// dropEmptySpans drops the spans of living documents whose refs were all dropped: two busy frames by turns start a new
// span with every snapshot. It looks again only when their number has doubled.
func (r *Refs) dropEmptySpans() {
	if len(r.spans) < r.dense {
		return
	}
	r.spans = slices.DeleteFunc(r.spans, func(s span) bool {
		return s.doc.fate == kept && !s.doc.hasRefIn(s.first, s.last)
	})
	r.dense = max(r.limits.spans, 2*len(r.spans))
}
