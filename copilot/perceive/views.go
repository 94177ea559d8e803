package perceive

import (
	"cmp"
	"maps"
	"slices"
)

// seenRows are the items of a list that were read, view by view, in the order of the list.
type seenRows struct {
	rows     []rowReply
	byNumber map[int]int   // index in rows by the number that the list gives
	byToken  map[int64]int // index in rows of the item that an element was last
}

// add takes the items of a view that were not in those before, and returns how many there are. An element may have
// become another item: the numbers of the list tell, or else where the views overlap, or else the places of the items.
func (s *seenRows) add(view []rowReply) int {
	if s.byToken == nil {
		s.byNumber, s.byToken = map[int]int{}, map[int64]int{}
	}
	added := 0
	next, overlaps := s.overlap(view)
	for i, row := range view {
		if at, known := s.find(row); known {
			s.renew(at, row)
			continue
		}
		if row.Number < 0 && (overlaps && i < next || !overlaps && !s.isBehind(row)) {
			continue
		}
		if row.Number >= 0 {
			s.byNumber[row.Number] = len(s.rows)
		}
		s.byToken[row.Token] = len(s.rows)
		s.rows = append(s.rows, row)
		added++
	}
	return added
}

// find returns the index of an item that was read.
func (s *seenRows) find(row rowReply) (int, bool) {
	if row.Number >= 0 {
		at, known := s.byNumber[row.Number]
		return at, known
	}
	at, known := s.byToken[row.Token]
	known = known && s.rows[at].Top == row.Top && s.rows[at].Left == row.Left
	return at, known
}

// renew keeps what is known about an item now: its contents may have come late.
func (s *seenRows) renew(at int, row rowReply) {
	if len(row.Fields) >= len(s.rows[at].Fields) {
		s.rows[at].Fields, s.rows[at].Token, s.rows[at].In = row.Fields, row.Token, row.In
		s.byToken[row.Token] = at
	}
}

// overlap returns the index of the first item of a view behind those that end the rows that were read: the view has the
// last one of these, and in front of it the ones before it.
func (s *seenRows) overlap(view []rowReply) (next int, ok bool) {
	for end := len(view) - 2; end >= 0; end-- { // a view of rows that are all alike says nothing by the last one
		n := min(end+1, len(s.rows))
		if n > 0 && alike(view[end+1-n:end+1], s.rows[len(s.rows)-n:]) {
			if maps.Equal(view[end].Fields, view[end+1].Fields) {
				return 0, false // several alike: the places tell
			}
			return end + 1, true
		}
	}
	return 0, false
}

// alike reports whether as many rows of a view are those that were read: the last one, and most of the others, whose
// contents may have come since.
func alike(view, read []rowReply) bool {
	same := 0
	for i := range view {
		if maps.Equal(view[i].Fields, read[i].Fields) {
			same++
		} else if i == len(view)-1 {
			return false
		}
	}
	return 3*same >= 2*len(view)
}

// isBehind reports whether an item is placed behind the last one that was read.
func (s *seenRows) isBehind(row rowReply) bool {
	if len(s.rows) == 0 {
		return true
	}
	last := s.rows[len(s.rows)-1]
	near := max(1, min(last.Height, row.Height)/2)
	return row.Top > last.Top+near || row.Top >= last.Top-near && row.Left > last.Left+1
}

// gap returns the place to go back to where a view has none of the items that were read: heights that the list only
// guessed move it on.
func (s *seenRows) gap(view []rowReply) (at int, ok bool) {
	if len(view) == 0 || len(s.rows) == 0 {
		return 0, false
	}
	if view[0].Number >= 0 {
		byNumber := func(a, b rowReply) int { return cmp.Compare(a.Number, b.Number) }
		last := slices.MaxFunc(s.rows, byNumber)
		return last.Top, slices.MinFunc(view, byNumber).Number > last.Number+1
	}
	if _, overlaps := s.overlap(view); overlaps {
		return 0, false
	}
	last := s.rows[len(s.rows)-1]
	isThere := slices.ContainsFunc(view, func(r rowReply) bool { return maps.Equal(r.Fields, last.Fields) })
	return max(0, last.Top-3*last.Height), !isThere
}

// inOrder sorts the items by the numbers of the list, if it gives each of them one.
func (s *seenRows) inOrder() {
	if !slices.ContainsFunc(s.rows, func(r rowReply) bool { return r.Number < 0 }) {
		slices.SortStableFunc(s.rows, func(a, b rowReply) int { return cmp.Compare(a.Number, b.Number) })
	}
}

// held says which of the items the page holds now: those of a view that are the same.
func (s *seenRows) held(view []rowReply) {
	for i := range s.rows {
		s.rows[i].gone = true
	}
	for _, row := range view {
		at := slices.IndexFunc(s.rows, func(r rowReply) bool {
			return r.gone && r.Number == row.Number && maps.Equal(r.Fields, row.Fields)
		})
		if at >= 0 {
			s.rows[at].gone, s.rows[at].Token, s.rows[at].In = false, row.Token, row.In
		}
	}
}
