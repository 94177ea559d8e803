package unprompted

import (
	"slices"
	"strings"
	"unicode"
)

// Key is a line by which it is known again: digits do not count, since those of clocks and counts change.
func Key(line string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return '0'
		}
		return unicode.ToLower(c)
	}, line)
}

// Missing are the lines that the other ones have not, by their keys. One without a letter does not count.
func Missing(lines, other []string) []string {
	var missing []string
	for i, is := range lacking(lines, other) {
		if is {
			missing = append(missing, lines[i])
		}
	}
	return missing
}

// lacking says of each line whether the other ones have it not.
func lacking(lines, other []string) []bool {
	has := map[string]int{}
	for _, line := range other {
		has[Key(line)]++
	}
	is := make([]bool, len(lines))
	for i, line := range lines {
		key := Key(line)
		has[key]--
		is[i] = has[key] < 0 && strings.ContainsFunc(key, unicode.IsLetter)
	}
	return is
}

// Steady are the lines of now that the page does not change by itself, by looks at it in a while in which nothing was
// done. A line that is another one later is not among them, and neither is one that came with a run of lines to which
// more come.
func Steady(before, now []string, looks ...[]string) []string {
	live := make([]bool, len(now))
	came := lacking(now, before)
	for _, later := range looks {
		mark(live, came, now, later)
	}
	steady := make([]string, 0, len(now))
	for i, line := range now {
		if !live[i] {
			steady = append(steady, line)
		}
	}
	return steady
}

// mark marks the lines that the page has changed later, and those that came beside where more have come.
func mark(live, came []bool, now, later []string) {
	for _, h := range differences(now, later) {
		if h.equal {
			live[h.from] = live[h.from] || now[h.from] != later[h.laterFrom] // a number in it goes on
			continue
		}
		gone, new := h.to-h.from, h.laterTo-h.laterFrom
		if new == 0 {
			continue // nothing has taken its place
		}
		for i := h.from; i < h.to; i++ {
			live[i] = true
		}
		if new <= gone {
			continue
		}
		for i := h.from - 1; i >= 0 && came[i]; i-- {
			live[i] = true
		}
		for i := h.to; i < len(now) && came[i]; i++ {
			live[i] = true
		}
	}
}

// hunk is a place in which lines and later ones are one of equal keys, or differ.
type hunk struct {
	equal              bool
	from, to           int
	laterFrom, laterTo int
}

// mostCompared bounds the work of comparing; what is larger differs as a whole.
const mostCompared = 4 << 20

// differences compares two texts line by line.
func differences(now, later []string) []hunk {
	a, b := keys(now), keys(later)
	first := 0
	for first < len(a) && first < len(b) && a[first] == b[first] {
		first++
	}
	last := 0
	for last < len(a)-first && last < len(b)-first && a[len(a)-1-last] == b[len(b)-1-last] {
		last++
	}
	var all []hunk
	same := func(i, j int) {
		all = append(all, hunk{
			equal:     true,
			from:      i,
			to:        i + 1,
			laterFrom: j,
			laterTo:   j + 1,
		})
	}
	for i := range first {
		same(i, i)
	}
	i, j := first, first
	other := func(to, laterTo int) {
		if to > i || laterTo > j {
			all = append(all, hunk{from: i, to: to, laterFrom: j, laterTo: laterTo})
		}
		i, j = to, laterTo
	}
	for _, p := range common(a[first:len(a)-last], b[first:len(b)-last]) {
		other(first+p[0], first+p[1])
		same(i, j)
		i, j = i+1, j+1
	}
	other(len(a)-last, len(b)-last)
	for n := range last {
		same(len(a)-last+n, len(b)-last+n)
	}
	return all
}

func keys(lines []string) []string {
	all := make([]string, len(lines))
	for i, line := range lines {
		all[i] = Key(line)
	}
	return all
}

// common returns the index pairs of the longest common subsequence of two lists.
func common(a, b []string) [][2]int {
	if len(a) == 0 || len(b) == 0 || len(a)*len(b) > mostCompared {
		return nil
	}
	wide := len(b) + 1
	// neither list has more than mostCompared lines, and the shorter one not more than its root
	longest := make([]uint16, (len(a)+1)*wide)
	for i := range slices.Backward(a) {
		for j := range slices.Backward(b) {
			if a[i] == b[j] {
				longest[i*wide+j] = longest[(i+1)*wide+j+1] + 1
			} else {
				longest[i*wide+j] = max(longest[(i+1)*wide+j], longest[i*wide+j+1])
			}
		}
	}
	var pairs [][2]int
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			pairs = append(pairs, [2]int{i, j})
			i, j = i+1, j+1
		case longest[(i+1)*wide+j] >= longest[i*wide+j+1]:
			i++
		default:
			j++
		}
	}
	return pairs
}

// Feeds reports whether the rows of a list say nothing about what was done before now, since they change by themselves.
// Where most rows are other ones than before, and later most are the same, that was no feed.
func Feeds(before, now, later []string) bool {
	if slices.Equal(now, later) {
		return false
	}
	return 2*kept(before, now) >= len(before) || 2*kept(now, later) < len(now)
}

// Leave reports whether rows leave a list by themselves.
func Leave(now, later []string) bool { return kept(now, later) < len(now) }

// kept is how many of the rows are among others.
func kept(rows, other []string) (n int) {
	for _, row := range rows {
		if slices.Contains(other, row) {
			n++
		}
	}
	return n
}
