package interception

import "slices"

// maxRemembered bounds what is remembered of requests that are under way.
const maxRemembered = 10_000

// bounded remembers something of the last requests.
type bounded[T any] struct {
	of    map[string]T
	order []string
}

func (b *bounded[T]) put(id string, v T) {
	if b.of == nil {
		b.of = map[string]T{}
	}
	if _, ok := b.of[id]; !ok {
		b.order = append(b.order, id)
	}
	b.of[id] = v
	if len(b.order) > maxRemembered {
		delete(b.of, b.order[0])
		b.order = slices.Delete(b.order, 0, 1)
	}
}

// take returns what is remembered, and forgets it.
func (b *bounded[T]) take(id string) (v T, ok bool) {
	if v, ok = b.of[id]; ok {
		delete(b.of, id)
		if n := slices.Index(b.order, id); n >= 0 {
			b.order = slices.Delete(b.order, n, n+1)
		}
	}
	return v, ok
}
