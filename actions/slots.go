package actions

import (
	"iter"
	"maps"
)

// slots are flags or arguments by name: those of a command, and those that all commands share. There is one map of the latter: copies of it for
// each command would be most of what the start of a host costs.
type slots struct{ own, shared map[string]*slot }

func (s slots) get(name string) *slot {
	if own := s.own[name]; own != nil {
		return own
	}
	return s.shared[name]
}

func (s slots) all() iter.Seq2[string, *slot] {
	return func(yield func(string, *slot) bool) {
		for _, m := range []map[string]*slot{s.own, s.shared} {
			for name, one := range maps.All(m) {
				if !yield(name, one) {
					return
				}
			}
		}
	}
}
