package pcd

import "math"

// Of BM25: how soon more of a word says no more, and how much long texts are held back.
const (
	saturation = 1.2
	lengthBias = 0.6
)

// statistics are what BM25 needs to know of all documents together.
type statistics struct {
	documents float64
	length    float64 // of a document, on average
	having    map[string]float64
}

func statisticsOf(docs []document) *statistics {
	s := &statistics{documents: float64(len(docs)), having: make(map[string]float64, 4*len(docs))}
	for i := range docs {
		s.length += docs[i].length
		for word := range docs[i].weights {
			s.having[word]++
		}
	}
	s.length = max(1, s.length/max(1, s.documents))
	return s
}

// rarity is the weight of a word: what few documents have says more.
func (s *statistics) rarity(word string) float64 {
	n := s.having[word]
	return math.Log(1 + (s.documents-n+0.5)/(n+0.5))
}

// fit says how well a document fits a text, from 0 to 1.
func (s *statistics) fit(d *document, a *alternative) float64 {
	return shareRank*s.rank(d, a) + sharePhrase*phraseIn(d.label, a.normal) + shareFuzzy*likeness(d.labelled, a.terms) + shareKind*kinship(d, a)
}

// rank is BM25 as a part of what a document could have at most.
func (s *statistics) rank(d *document, a *alternative) float64 {
	score, most := 0.0, 0.0
	for _, term := range a.terms {
		rarity := s.rarity(term)
		most += rarity * (saturation + 1)
		if tf := d.weights[term]; tf > 0 {
			score += rarity * tf * (saturation + 1) / (tf + saturation*(1-lengthBias+lengthBias*d.length/s.length))
		}
	}
	if most == 0 {
		return 0
	}
	return score / most
}

// likeness is how much the words of a text are like those of a label, whichever of them each is most like.
func likeness(label, terms []string) float64 {
	if len(terms) == 0 {
		return 0
	}
	sum := 0.0
	for _, term := range terms {
		best := 0.0
		for _, word := range label {
			best = max(best, similarity(term, word))
		}
		sum += best
	}
	return sum / float64(len(terms))
}

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

const sameFamily = 0.7

// kinds are those of what the document stands for; of a collection those that its name says.
func (d *document) kinds() []string {
	if d.Of != CandidateCollection {
		return []string{d.Kind}
	}
	return d.named
}

// touches reports whether a document has anything in common with a text, so that it is worth a score.
func (d *document) touches(a alternative) bool {
	for _, term := range a.terms {
		if d.weights[term] > 0 {
			return true
		}
		for _, word := range d.labelled {
			if similarity(term, word) > 0 {
				return true
			}
		}
	}
	return kinship(d, &a) > 0 || phraseIn(d.label, a.normal) > 0
}
