package relevance

import "slices"

// Control is the known facts about a link or another control in words.
type Control struct {
	Label   string
	Kind    string // with underscores between its words
	Address string // where it leads
	More    string // other words that belong to it, such as the fields of a form
}

// Document is a [Control] that is ready to be compared.
type Document struct {
	label, kind, address, more []string // stems
}

// NewDocument returns a control's document.
func NewDocument(c Control) Document {
	return Document{label: stems(c.Label), kind: stems(c.Kind), address: addressWords(c.Address), more: stems(c.More)}
}

// Text is what a control is compared with: a label, or words of a goal.
type Text struct {
	stems []string
	terms []string // those that mean something
}

// NewText returns a text for comparisons.
func NewText(text string) Text {
	t := Text{stems: stems(text)}
	t.terms = telling(t.stems)
	return t
}

// Any returns a text for each of the words, each of which is enough by itself, the most telling one first.
func Any(words string) []Text {
	var all []Text
	for _, w := range telling(stems(words)) {
		all = append(all, Text{stems: []string{w}, terms: []string{w}})
	}
	return all
}

// IsZero reports whether the text has no words.
func (t Text) IsZero() bool { return len(t.stems) == 0 }

// By says what of a control fits best.
type By int

// What fits, the least telling first.
const (
	Nothing   By = iota
	Like         // the address, what is around it, or words like it
	SomeWords    // the label has some of the words
	Said         // the text contains the label
	AllWords     // the label has all words, in another order or with others between them
	Saying       // the label contains the text
	Equal        // the label is the text
)

// Fit is how well a control fits a text.
type Fit struct {
	Score float64 // from 0 to 1
	By    By
	// Beside is how many words the label has besides the text, if it contains that.
	Beside int
}

// Scores. What a label says counts more than what only the kind or the address says.
const (
	asEqual   = 1.0
	asSaying  = 0.75 // with as much as fills to 0.95 the less else the label says
	atStart   = 0.03
	asSaid    = 0.35 // with up to asWhole more, the more of the text the label is
	asWhole   = 0.5
	asAll     = 0.8
	asSome    = 0.65
	precision = 0.15 // of a score by words: for a label with no other words

	inLabel   = 1.0
	likeLabel = 0.75
	inKind    = 0.75
	inMore    = 0.7
	inAddress = 0.6
)

// Fit compares a control with the text. Weigh says how much a word tells beside others; nil means that all tell the
// same.
func (t Text) Fit(d *Document, weigh func(stem string) float64) Fit {
	if t.IsZero() {
		return Fit{}
	}
	best := t.words(d, weigh)
	better := func(score float64, by By) {
		if score > best.Score {
			best.Score, best.By = score, by
		}
	}
	at, n := contains(d.label, t.stems)
	share := float64(n) / float64(max(1, len(d.label)))
	if at >= 0 {
		best.Beside = len(d.label) - n
	}
	switch {
	case at == 0 && n == len(d.label):
		better(asEqual, Equal)
	case at == 0:
		better(asSaying+atStart+0.2*share-atStart*share, Saying)
	case at > 0:
		better(asSaying+0.2*share, Saying)
	default:
		if at, _ := contains(t.stems, d.label); at >= 0 {
			better(asSaid+asWhole*t.part(d.label), Said)
		}
	}
	return best
}

// part is how much of what the text means a label says.
func (t Text) part(label []string) float64 {
	n := 0
	for _, term := range t.terms {
		if slices.Contains(label, term) {
			n++
		}
	}
	return float64(n) / float64(max(1, len(t.terms)))
}

// words is the fit by single words, wherever they are found.
func (t Text) words(d *Document, weigh func(string) float64) Fit {
	sum, most, labelled, found := 0.0, 0.0, 0, 0
	for _, term := range t.terms {
		weight := 1.0
		if weigh != nil {
			weight = weigh(term)
		}
		most += weight
		v, label := d.has(term)
		if v > 0 {
			found++
		}
		if label {
			labelled++
		}
		sum += weight * v
	}
	if sum == 0 || most == 0 {
		return Fit{}
	}
	score, by := asSome, Like
	switch {
	case labelled == len(t.terms):
		score, by = asAll, AllWords
	case found == len(t.terms):
		score = asAll
	}
	if labelled > 0 {
		by = max(by, SomeWords)
		score *= 1 - precision + precision*float64(labelled)/float64(len(d.label))
	} else {
		score *= 1 - precision/2
	}
	return Fit{Score: score * sum / most, By: by}
}

// has says how well a document has a word, and whether its label has it.
func (d *Document) has(term string) (v float64, label bool) {
	for _, w := range d.label {
		if w == term {
			return inLabel, true
		}
		v = max(v, likeLabel*similarity(term, w))
	}
	for _, in := range []struct {
		words []string
		worth float64
	}{{d.kind, inKind}, {d.more, inMore}, {d.address, inAddress}} {
		if in.worth <= v {
			continue
		}
		if slices.Contains(in.words, term) {
			v = in.worth
		}
	}
	return v, false
}

// Touches reports whether a document has anything in common with the text, so that it is worth a score.
func (t Text) Touches(d *Document) bool {
	for _, term := range t.terms {
		if v, _ := d.has(term); v > 0 {
			return true
		}
	}
	at, _ := contains(d.label, t.stems)
	return at >= 0
}

// Stems are the different words that a document has.
func (d *Document) Stems() map[string]bool {
	all := map[string]bool{}
	for _, words := range [][]string{d.label, d.kind, d.address, d.more} {
		for _, w := range words {
			all[w] = true
		}
	}
	return all
}

// Best compares a control with texts of which one is enough, the most telling one first. Of each text later counts less
// than the one before it, and each further text that fits adds a part of its score.
func Best(texts []Text, d *Document, later, further float64) Fit {
	var best Fit
	sum := 0.0
	for i, t := range texts {
		f := t.Fit(d, nil)
		f.Score /= 1 + later*float64(i)
		sum += f.Score
		if f.Score > best.Score {
			best = f
		}
	}
	best.Score = min(1, best.Score+further*(sum-best.Score))
	return best
}
