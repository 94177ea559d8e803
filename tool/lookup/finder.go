package lookup

import (
	"slices"

	"github.com/skua-browser/skua/tool/contract"
)

// finder collects candidates, each place once.
type finder struct {
	candidates  []contract.SourceCandidate
	limitations []string
}

func newFinder() *finder {
	return &finder{
		candidates:  []contract.SourceCandidate{},
		limitations: []string{"Candidates are hints: verify them before you edit a file."},
	}
}

// add takes a candidate, or its evidence when the place is known from the same source already.
func (f *finder) add(c contract.SourceCandidate) {
	i := slices.IndexFunc(f.candidates, func(o contract.SourceCandidate) bool {
		return o.Source == c.Source && o.File == c.File && o.Line == c.Line && o.Column == c.Column &&
			o.ComponentName == c.ComponentName && o.RequestURL == c.RequestURL
	})
	if i < 0 {
		f.candidates = append(f.candidates, c)
		return
	}
	for _, e := range c.Evidence {
		if !slices.Contains(f.candidates[i].Evidence, e) {
			f.candidates[i].Evidence = append(f.candidates[i].Evidence, e)
		}
	}
}

func (f *finder) limit(text string) { f.limitations = append(f.limitations, text) }

// count is how many candidates come from a source.
func (f *finder) count(source string) (n int) {
	for _, c := range f.candidates {
		if c.Source == source {
			n++
		}
	}
	return n
}

// knows reports whether a source has reported the file.
func (f *finder) knows(source, file string) bool {
	return slices.ContainsFunc(f.candidates, func(c contract.SourceCandidate) bool {
		return c.Source == source && c.File == file
	})
}

func at(source, confidence string, p place, evidence string) contract.SourceCandidate {
	return contract.SourceCandidate{
		Source:     source,
		Confidence: confidence,
		Evidence:   []string{evidence},
		File:       p.file,
		Line:       p.line,
		Column:     p.column,
	}
}
