package wording

import "strings"

// Nearest returns the candidate that a mistyped word most likely means, or the only one that it begins, or "". Case,
// dashes, underscores and spaces do not count.
func Nearest(word string, candidates []string) string {
	const longest = 40 // longer words are not typos; and the distance takes quadratic time
	word = Plain(word)
	if word == "" || len(word) > longest {
		return ""
	}
	best, bestDistance := "", max(1, len(word)/3)+1
	for _, candidate := range candidates {
		if d := Distance(word, Plain(candidate)); d < bestDistance {
			best, bestDistance = candidate, d
		}
	}
	if best != "" || len(word) < 3 {
		return best
	}
	for _, candidate := range candidates {
		if strings.HasPrefix(Plain(candidate), word) {
			if best != "" {
				return ""
			}
			best = candidate
		}
	}
	return best
}

var unplain = strings.NewReplacer("-", "", "_", "", " ", "")

// Plain is a word without what does not count between words: case, dashes, underscores and spaces.
func Plain(s string) string { return unplain.Replace(strings.ToLower(s)) }

// Distance counts the characters that are inserted, deleted, replaced or swapped with their neighbor between two words.
func Distance(a, b string) int { return distance([]rune(a), []rune(b)) }

func distance(a, b []rune) int {
	rows := [3][]int{make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range len(a) {
		before, above, row := rows[0], rows[1], rows[2]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(above[j+1]+1, row[j]+1, above[j]+cost)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		rows = [3][]int{above, row, before}
	}
	return rows[1][len(b)]
}
