package snapshot

import "strconv"

// Decoded returns what the JSON form says, as decoding it would: maps, slices and strings. It is made from the snapshot itself, since for a large
// page the way through text takes longer than all else that is done with the reply. false: the form has a delta or a tree, which only the
// text has.
func (s *Snapshot) Decoded() (any, bool) {
	if s.Delta != nil || s.view.o.Tree {
		return nil, false
	}
	sorted := s.sorted()
	refs := make(map[string]any, len(sorted))
	last := uint32(0)
	for _, n := range sorted {
		if n.Ref == last {
			continue
		}
		last = n.Ref
		refs["e"+strconv.FormatUint(uint64(n.Ref), 10)] = map[string]any{"name": n.Name, "role": n.Role}
	}
	removed := make([]any, 0, len(s.Removed))
	for _, n := range s.Removed {
		removed = append(removed, "@e"+strconv.FormatUint(uint64(n), 10))
	}
	data := map[string]any{"origin": s.URL, "refs": refs, "removedRefs": removed, "snapshot": s.completeText()}
	if facts := s.pageFacts(); facts != nil {
		data["page"] = facts
	}
	if w := s.Tree.About.Wall; w != nil {
		data["wall"] = w.members()
	}
	return data, true
}
