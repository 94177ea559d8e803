package relevance

import (
	"strings"
	"unicode/utf8"
)

// Words that are shorter than this are like no other: "cart" is not "card".
const fuzzyLength = 5

// similarity is 1 for equal words, less for the beginning or another part of a word and for words with a letter or two
// in another place, else 0.
func similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(a) < 3 {
		return 0
	}
	share := float64(len(a)) / float64(len(b))
	switch {
	case strings.HasPrefix(b, a):
		return 0.5 + 0.45*share
	case len(a) > 3 && strings.Contains(b, a):
		return 0.3 + 0.3*share
	}
	if len(a) < fuzzyLength {
		return 0
	}
	most := 1
	if len(a) >= 8 {
		most = 2
	}
	if n := utf8.RuneCountInString(b); len(b)-len(a) <= most {
		if d := distance(a, b, most); d <= most {
			return 1 - 2*float64(d)/float64(n)
		}
	}
	return 0
}

// distance is how many letters have to be put in, taken out, exchanged for others or for their neighbors to make b of
// a; most+1 for more than most.
func distance(a, b string, most int) int {
	const longest = 64
	if len(a) > longest || len(b) > longest {
		return most + 1
	}
	var rows [3][longest + 1]int
	for j := range len(b) + 1 {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		now, before, earlier := &rows[i%3], &rows[(i+2)%3], &rows[(i+1)%3]
		now[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			now[j] = min(before[j]+1, now[j-1]+1, before[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				now[j] = min(now[j], earlier[j-2]+1)
			}
			least = min(least, now[j])
		}
		if least > most {
			return most + 1
		}
	}
	return rows[len(a)%3][len(b)]
}
