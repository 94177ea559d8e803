package snapshot

import (
	"encoding/json"
	"strconv"
)

// Typed returns what the JSON form says, as the type of it: [Data], or [DeltaData]. It is made from the snapshot itself, since for a large page the
// way through text takes longer than all else that is done with the reply. A delta and a tree are read from the text, which alone has them.
func (s *Snapshot) Typed() any {
	if s.Delta != nil {
		return readAs[DeltaData](s)
	}
	if s.view.o.Tree {
		return readAs[Data](s)
	}
	sorted := s.sorted()
	refs := make(map[string]RefData, len(sorted))
	last := uint32(0)
	for _, n := range sorted {
		if n.Ref == last {
			continue
		}
		last = n.Ref
		refs["e"+strconv.FormatUint(uint64(n.Ref), 10)] = RefData{Name: n.Name, Role: n.Role}
	}
	removed := make([]string, 0, len(s.Removed))
	for _, n := range s.Removed {
		removed = append(removed, "@e"+strconv.FormatUint(uint64(n), 10))
	}
	return Data{Origin: s.URL, Page: s.pageFacts(), Refs: refs, RemovedRefs: removed, Snapshot: s.completeText(), Wall: s.Tree.About.Wall}
}

// readAs reads the JSON form into its type.
func readAs[T any](s *Snapshot) (data T) {
	_ = json.Unmarshal(s.AppendJSON(nil), &data) // that it fits is what the tests of the type check
	return data
}
