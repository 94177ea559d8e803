package snapshot

import "github.com/skua-browser/skua/snapshot/axtree"

// LastShown returns the first refs, at most so many, that the last snapshot of a tab showed. It makes no call to the
// page, so it does not see changes since.
func (r *Refs) LastShown(tab string, most int) []Ref {
	r.mu.Lock()
	defer r.mu.Unlock()
	var refs []Ref
	for _, s := range r.spans {
		d := s.doc
		if d.key.tab != tab || d.entries == nil || d.seen < r.tabs[tab].at {
			continue
		}
		for i := range d.entries {
			e := &d.entries[i]
			if !e.live || e.n < s.first || e.n > s.last {
				continue
			}
			if len(refs) == most {
				return refs
			}
			refs = append(refs, Ref{
				N:       e.n,
				Tab:     tab,
				FrameID: d.key.frame,
				DocID:   d.key.doc,
				URL:     d.url,
				Token:   e.token,
				Nth:     int(e.nth),
				Role:    r.roles[e.role],
				Name:    string(d.name(e)),
			})
		}
	}
	return refs
}

// Before returns the text of the last snapshot of a tab with other options, for comparing the next one with it.
func (r *Refs) Before(tab string, o Options) (text string, ok bool) {
	r.mu.Lock()
	view := r.tabs[tab]
	var tree *axtree.Tree
	if view != nil {
		tree = view.slot(o).tree
	}
	r.mu.Unlock()
	if tree == nil {
		return "", false
	}
	return render(tree.Nodes, o.complete()), true
}
