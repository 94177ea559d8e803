package agreement

import (
	"cmp"
	"slices"
)

// pair is a row of each side, or of one, with -1 for the other.
type pair struct{ chrome, skua int }

// pairUp finds for each row the one of the other side that is the same node: by agreement in the same order, then,
// between those, by ref, then by role and name, then by role; and labels with the boxes that they stand for.
func pairUp(chrome, skua []Row) []pair {
	a := aligner{chrome: chrome, skua: skua}
	a.align(0, len(chrome), 0, len(skua))
	slices.SortStableFunc(a.pairs, func(p, q pair) int {
		return cmp.Compare(max(p.skua, p.chrome), max(q.skua, q.chrome))
	})
	return a.pairs
}

type aligner struct {
	chrome, skua []Row
	pairs        []pair
}

// align pairs rows c0..c1 of Chrome's with s0..s1 of skua's.
func (a *aligner) align(c0, c1, s0, s1 int) {
	for c0 < c1 && s0 < s1 && agree(&a.chrome[c0], &a.skua[s0]) {
		a.pairs = append(a.pairs, pair{c0, s0})
		c0++
		s0++
	}
	for c0 < c1 && s0 < s1 && agree(&a.chrome[c1-1], &a.skua[s1-1]) {
		c1--
		s1--
		a.pairs = append(a.pairs, pair{c1, s1})
	}
	const small, most = 1 << 14, 1 << 22 // cells of a table
	cells := (c1 - c0) * (s1 - s0)
	if cells > small {
		// Cut where a row that each side has once is nearest to the middle: tables grow with the square.
		if c, s, ok := a.anchor(c0, c1, s0, s1); ok {
			a.align(c0, c, s0, s)
			a.align(c, c1, s, s1)
			return
		}
	}
	if cells > most {
		a.leftOver(span(c0, c1), span(s0, s1))
		return
	}
	a.exactly(c0, c1, s0, s1)
}

func span(from, to int) []int {
	all := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		all = append(all, i)
	}
	return all
}

// anchor finds rows that agree, are the only ones of their kind, and begin neither half.
func (a *aligner) anchor(c0, c1, s0, s1 int) (c, s int, ok bool) {
	const several = -1
	once := func(rows []Row, from, to int) map[string]int {
		at := map[string]int{}
		for i := from; i < to; i++ {
			key := rows[i].says()
			if _, seen := at[key]; seen {
				at[key] = several
			} else {
				at[key] = i
			}
		}
		return at
	}
	inChrome := once(a.chrome, c0, c1)
	middle := (s0 + s1) / 2
	best := s1
	for key, i := range once(a.skua, s0, s1) {
		j, there := inChrome[key]
		if i == several || !there || j == several || (i == s0 && j == c0) || !agree(&a.chrome[j], &a.skua[i]) {
			continue
		}
		if abs(i-middle) < abs(best-middle) || !ok {
			c, s, best, ok = j, i, i, true
		}
	}
	return c, s, ok
}

func abs(n int) int { return max(n, -n) }

// exactly pairs along the longest common subsequence. Rows that must be there count more than optional ones.
func (a *aligner) exactly(c0, c1, s0, s1 int) {
	n, m := s1-s0, c1-c0
	best := make([]int32, (n+1)*(m+1))
	same := make([]bool, (n+1)*(m+1))
	at := func(i, j int) int { return i*(m+1) + j }
	weight := func(i int) int32 {
		if a.skua[s0+i].spare() {
			return 1
		}
		return 2
	}
	for i := n - 1; i >= 0; i-- {
		for j := m - 1; j >= 0; j-- {
			best[at(i, j)] = max(best[at(i+1, j)], best[at(i, j+1)])
			if agree(&a.chrome[c0+j], &a.skua[s0+i]) {
				same[at(i, j)] = true
				best[at(i, j)] = max(best[at(i, j)], best[at(i+1, j+1)]+weight(i))
			}
		}
	}
	var cs, ss []int // what lies between two pairs
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && same[at(i, j)] && best[at(i, j)] == best[at(i+1, j+1)]+weight(i):
			a.leftOver(cs, ss)
			cs, ss = nil, nil
			a.pairs = append(a.pairs, pair{c0 + j, s0 + i})
			i++
			j++
		case j == m || (i < n && best[at(i+1, j)] >= best[at(i, j+1)]):
			ss = append(ss, s0+i)
			i++
		default:
			cs = append(cs, c0+j)
			j++
		}
	}
	a.leftOver(cs, ss)
}

// isBox are the roles that a label may have in skua's snapshots, since it stands for a box that cannot be seen.
// Chrome's tree tells nothing of such a box, so that they agree on it.
var isBox = map[string]bool{"checkbox": true, "radio": true, "switch": true}

// leftOver pairs rows that do not agree, so that what differs can be said.
func (a *aligner) leftOver(cs, ss []int) {
	likes := []func(c, s *Row) bool{
		func(c, s *Row) bool { return c.ref != "" && c.ref == s.ref },
		func(c, s *Row) bool { return c.role == s.role && c.name == s.name },
		func(c, s *Row) bool { return c.role == "LabelText" && isBox[s.role] },
		func(c, s *Row) bool { return c.role == s.role && (c.ref == "") == (s.ref == "") },
	}
	for _, alike := range likes {
		cs = slices.DeleteFunc(cs, func(c int) bool {
			k := slices.IndexFunc(ss, func(s int) bool { return alike(&a.chrome[c], &a.skua[s]) })
			if k < 0 {
				return false
			}
			a.pairs = append(a.pairs, pair{c, ss[k]})
			ss = slices.Delete(ss, k, k+1)
			return true
		})
	}
	for _, c := range cs {
		a.pairs = append(a.pairs, pair{c, -1})
	}
	for _, s := range ss {
		a.pairs = append(a.pairs, pair{-1, s})
	}
}
