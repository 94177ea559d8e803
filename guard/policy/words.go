package policy

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
)

// Words is the set of action names that rules may use, as a [Vocabulary].
type Words map[string]bool

// Knows implements [Vocabulary]. The address of a browser, a provider or a proxy is a name, too.
func (w Words) Knows(name string) bool { return w[name] || isRemoteName(name) }

// Nearest returns up to three names.
func (w Words) Nearest(name string) []string {
	type candidate struct {
		name string
		away int
	}
	word := wording.Plain(name)
	const longest = 40
	if word == "" || len(word) > longest {
		return nil
	}
	var near []candidate
	seen := map[string]bool{}
	for known := range w {
		shape := wording.Plain(known)
		away := wording.Distance(word, shape)
		if strings.HasPrefix(shape, word) || strings.HasSuffix(shape, word) {
			away = 1
		}
		if away <= max(1, len(word)/3) {
			near = append(near, candidate{known, away})
		}
	}
	slices.SortFunc(near, func(a, b candidate) int { return cmp.Or(a.away-b.away, strings.Compare(a.name, b.name)) })
	var names []string
	for _, c := range near {
		if shape := wording.Plain(c.name); !seen[shape] && len(names) < 3 { // tab_new is tab new
			seen[shape] = true
			names = append(names, c.name)
		}
	}
	return names
}
