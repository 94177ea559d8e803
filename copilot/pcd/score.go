package pcd

import "math"

// statistics are what the rarity of words is counted of.
type statistics struct {
	documents float64
	having    map[string]float64
}

func statisticsOf(docs []document) *statistics {
	s := &statistics{documents: float64(len(docs)), having: make(map[string]float64, 4*len(docs))}
	for i := range docs {
		for word := range docs[i].words.Stems() {
			s.having[word]++
		}
	}
	return s
}

// rarity is the weight of a word, as BM25 has it: what few documents have says more.
func (s *statistics) rarity(word string) float64 {
	n := s.having[word]
	return math.Log(1 + (s.documents-n+0.5)/(n+0.5))
}

// fit says how well a document fits a text, from 0 to 1: by its words, or by the kind that the text names.
func (s *statistics) fit(d *document, a *alternative) float64 {
	words := a.text.Fit(&d.words, s.rarity).Score
	kind := ofKind * kinship(d, a)
	return max(words, kind) + kindly*min(words, kind)*(1-max(words, kind))
}

// Scores of kinds.
const (
	ofKind     = 0.75 // what is of the kind that a text names, whatever its words are
	sameFamily = 0.7  // of that, for another kind of the family
	kindly     = 0.5  // of what words and kind together are short of 1
)

// kinship is 1 for the kind that a text names, and less for one of the same family.
func kinship(d *document, a *alternative) float64 {
	best := 0.0
	for _, kind := range d.kinds() {
		switch {
		case a.kinds[kind]:
			return 1
		case a.families[familyOf[kind]]:
			best = sameFamily
		}
	}
	return best
}

// kinds returns the kinds of what the document stands for; of a collection those that its name says.
func (d *document) kinds() []string {
	if d.Of != CandidateCollection {
		return []string{d.Kind}
	}
	return d.named
}

// touches reports whether a document has anything in common with a text, so that it is worth a score.
func (d *document) touches(a alternative) bool {
	return kinship(d, &a) > 0 || a.text.Touches(&d.words)
}
