package snapshot

// Standing returns refs of what the last snapshot of a tab showed, at most so many, in the order in which they were handed out. It asks no
// page: what has changed since is not known.
func (r *Refs) Standing(tab string, most int) []Ref {
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
				N: e.n, Tab: tab, FrameID: d.key.frame, DocID: d.key.doc, URL: d.url, Token: e.token, Nth: int(e.nth),
				Role: r.roles[e.role], Name: string(d.name(e)),
			})
		}
	}
	return refs
}
