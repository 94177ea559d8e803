package addressee

import (
	"slices"
	"strconv"
	"strings"
	"sync"
)

// step is a part of a phrase.
type step struct {
	words      map[string]bool
	stems      []string // beginnings of words
	gap        int      // so many words of any kind, or fewer
	start      bool     // the beginning of a clause
	optional   bool
	underscore bool // a word with an underscore in it
	ref        bool
}

// phraseIndex finds phrases by the words that they may begin with.
type phraseIndex struct {
	byWord  map[string][][]step
	stemmed []stemmed
}

// stemmed is a phrase whose first word is known by its beginning.
type stemmed struct {
	stem  string
	steps []step
}

// indexed compiles the list when a text is first compared with it.
var indexed = sync.OnceValue(func() *phraseIndex {
	x := &phraseIndex{byWord: map[string][][]step{}}
	for _, p := range phrases {
		for _, row := range expand(strings.Fields(p)) {
			x.add(compile(row))
		}
	}
	return x
})

// expand replaces names by their rows: a phrase becomes one for each choice of them.
func expand(fields []string) (rows [][]string) {
	for i, field := range fields {
		if field[0] != '<' {
			continue
		}
		name, others, _ := strings.Cut(field[1:], ">")
		alternatives := names[name]
		if alternatives == nil {
			panic("addressee: the list has no row of words " + field)
		}
		if others != "" { // <page>|screen
			alternatives = append(slices.Clone(alternatives), others[1:])
		}
		for _, alternative := range alternatives {
			rows = append(rows, expand(slices.Concat(fields[:i], strings.Fields(alternative), fields[i+1:]))...)
		}
		return rows
	}
	return [][]string{fields}
}

func compile(fields []string) []step {
	steps := make([]step, len(fields))
	for i, field := range fields {
		s := &steps[i]
		switch {
		case field == "^":
			s.start = true
			continue
		case field[0] == '*':
			n, err := strconv.Atoi(field[1:])
			if err != nil {
				panic("addressee: " + field + " is not a number of words")
			}
			s.gap = n
			continue
		case field[0] == '?':
			s.optional, field = true, field[1:]
		}
		s.words = map[string]bool{}
		for w := range strings.SplitSeq(field, "|") {
			stem, isStem := strings.CutSuffix(w, "~")
			switch {
			case isStem:
				s.stems = append(s.stems, stem)
			case w == "!":
				s.words[","], s.words[":"], s.words["."] = true, true, true
			case w == "_":
				s.underscore = true
			case w == "@e":
				s.ref = true
			default:
				s.words[w] = true
			}
		}
	}
	return steps
}

func (x *phraseIndex) add(steps []step) {
	for i := range steps {
		s := &steps[i]
		if s.start {
			continue
		}
		for w := range s.words {
			x.byWord[w] = append(x.byWord[w], steps)
		}
		for _, stem := range s.stems {
			x.stemmed = append(x.stemmed, stemmed{stem, steps})
		}
		if !s.optional {
			return
		}
	}
}

// isFor reports whether the word is one that the step asks for.
func (s *step) isFor(w *word) bool {
	if s.words[w.text] || s.underscore && strings.Contains(strings.Trim(w.text, "_"), "_") || s.ref && isRef(w.text) {
		return true
	}
	for _, stem := range s.stems {
		if strings.HasPrefix(w.text, stem) {
			return true
		}
	}
	return false
}

// isRef reports whether a word is a ref, such as @e3.
func isRef(w string) bool {
	number, isRef := strings.CutPrefix(w, "@e")
	_, err := strconv.ParseUint(number, 10, 32)
	return isRef && err == nil
}

// match reports whether words begin with what the steps ask for, and how many they are.
func match(words []word, at int, steps []step) (end int, ok bool) {
	for len(steps) > 0 && (steps[0].gap > 0 || steps[0].start) {
		s := steps[0]
		steps = steps[1:]
		if s.start {
			if !isClauseStart(words[:at]) {
				return 0, false
			}
			continue
		}
		for range s.gap + 1 {
			if end, ok = match(words, at, steps); ok {
				return end, true
			}
			if at == len(words) || words[at].text == "." {
				return 0, false
			}
			at++
		}
		return 0, false
	}
	if len(steps) == 0 {
		return at, true
	}
	for at < len(words) && words[at].isQuotation() {
		at++
	}
	if at < len(words) && steps[0].isFor(&words[at]) {
		if end, ok = match(words, at+1, steps[1:]); ok {
			return end, true
		}
	}
	if steps[0].optional {
		return match(words, at, steps[1:])
	}
	return 0, false
}

// leads are words that an imperative may follow.
var leads = map[string]bool{
	".": true, ":": true, ",": true, "please": true, "now": true, "and": true, "then": true, "must": true, "should": true,
	"shall": true, "kindly": true, "just": true,
	"immediately": true, "first": true, "instead": true, "simply": true, "so": true, "also": true, "always": true,
	"or": true, "but": true, "ok": true, "okay": true,
	"therefore": true, "will": true,
}

// obliges are the words of "you have to" and the like.
var obliges = map[string]bool{
	"need": true, "have": true, "required": true, "instructed": true, "supposed": true,
	"directed": true, "ordered": true, "you": true, "is": true,
}

// isClauseStart reports whether a clause may begin behind these words.
func isClauseStart(before []word) bool {
	for len(before) > 0 && before[len(before)-1].isQuotation() {
		before = before[:len(before)-1]
	}
	n := len(before)
	return n == 0 || leads[before[n-1].text] || n > 1 && before[n-1].text == "to" && obliges[before[n-2].text]
}
