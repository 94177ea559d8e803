package ring

import "slices"

// Limits bound a [Buffer]. A limit of 0 or less means unlimited.
type Limits struct {
	Count int
	Bytes int64
}

// Buffer keeps the newest entries. It is not safe for use by several goroutines.
type Buffer[T any] struct {
	limits  Limits
	entries []entry[T]
	bytes   int64
	dropped int
}

type entry[T any] struct {
	value T
	size  int64
}

// New returns an empty buffer.
func New[T any](limits Limits) *Buffer[T] { return &Buffer[T]{limits: limits} }

// Add appends an entry of size bytes and returns the entries that it evicted, oldest first. The newest entry always
// stays, however large it is.
func (b *Buffer[T]) Add(value T, size int64) (gone []T) {
	b.entries = append(b.entries, entry[T]{value, size})
	b.bytes += size
	return b.trim()
}

// Grow records that an entry has become larger or smaller. It applies to the first entry for which is returns true, if
// there is one.
func (b *Buffer[T]) Grow(is func(T) bool, by int64) (gone []T) {
	for i := len(b.entries) - 1; i >= 0; i-- {
		if is(b.entries[i].value) {
			b.entries[i].size += by
			b.bytes += by
			return b.trim()
		}
	}
	return nil
}

func (b *Buffer[T]) trim() (gone []T) {
	n := 0
	for len(b.entries)-n > 1 &&
		(b.limits.Count > 0 && len(b.entries)-n > b.limits.Count || b.limits.Bytes > 0 && b.bytes > b.limits.Bytes) {
		gone = append(gone, b.entries[n].value)
		b.bytes -= b.entries[n].size
		n++
	}
	b.dropped += n
	b.entries = slices.Delete(b.entries, 0, n)
	return gone
}

// All returns the entries, the oldest first.
func (b *Buffer[T]) All() []T {
	all := make([]T, len(b.entries))
	for i, e := range b.entries {
		all[i] = e.value
	}
	return all
}

// Len is how many entries there are.
func (b *Buffer[T]) Len() int { return len(b.entries) }

// Bytes is the sum of their sizes.
func (b *Buffer[T]) Bytes() int64 { return b.bytes }

// Dropped is how many entries had to go since the buffer was made or cleared.
func (b *Buffer[T]) Dropped() int { return b.dropped }

// Limit sets other bounds, and returns what had to go for them.
func (b *Buffer[T]) Limit(limits Limits) (gone []T) {
	b.limits = limits
	return b.trim()
}

// Clear empties the buffer and its count of what was dropped.
func (b *Buffer[T]) Clear() {
	b.entries, b.bytes, b.dropped = nil, 0, 0
}
