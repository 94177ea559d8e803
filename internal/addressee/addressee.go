package addressee

import (
	"iter"
	"strings"
)

// Mark is what readers see behind a text that speaks to agents.
const Mark = "says to agents"

// Speaks reports whether a text speaks to an agent.
func Speaks(text string) bool {
	_, _, ok := Find(text)
	return ok
}

// Find returns where a text first speaks to an agent.
func Find(text string) (from, to int, ok bool) {
	start := 0
	for paragraph := range paragraphs(text) {
		if MayAddress(paragraph) {
			each(paragraph, func(first, end int) bool {
				from, to, ok = start+first, start+end, true
				return false
			})
			if ok {
				return from, to, true
			}
		}
		start += len(paragraph)
	}
	return 0, 0, false
}

// MarkLines returns a text with a mark at the end of the lines that speak to agents, and how many they are.
func MarkLines(text string) (marked string, lines int) {
	if !Speaks(text) {
		return text, 0
	}
	var b strings.Builder
	for paragraph := range paragraphs(text) {
		if !MayAddress(paragraph) {
			b.WriteString(paragraph)
			continue
		}
		at := 0 // what is written
		each(paragraph, func(from, to int) bool {
			for from = max(from, at); from < to; from = at {
				end := len(paragraph)
				if n := strings.IndexByte(paragraph[from:], '\n'); n >= 0 {
					end = from + n
				}
				line := strings.TrimRight(paragraph[at:end], " \t\r")
				b.WriteString(line + " [" + Mark + "]" + paragraph[at+len(line):min(end+1, len(paragraph))])
				lines++
				at = min(end+1, len(paragraph))
			}
			return true
		})
		b.WriteString(paragraph[at:])
	}
	return b.String(), lines
}

// paragraphs are the parts of a text, each with the empty lines behind it.
func paragraphs(text string) iter.Seq[string] { return strings.SplitAfterSeq(text, "\n\n") }

// each calls back for what speaks to an agent, in its order, until it is told to stop.
func each(text string, found func(from, to int) (more bool)) {
	words := wordsOf(text)
	x := indexed()
	any := false
	for at := 0; at < len(words); at++ {
		if end, ok := x.at(words, at); ok && !isMentioned(words, at, end) {
			any = true
			if !found(words[at].from, words[end-1].to) {
				return
			}
			at = end - 1
		}
	}
	if from, to, ok := findText(text); ok && !any {
		found(from, to)
	}
}

// at reports whether a phrase begins at a word, and where it ends.
func (x *phraseIndex) at(words []word, at int) (end int, ok bool) {
	w := words[at].text
	for _, steps := range x.byWord[w] {
		if end, ok = match(words, at, steps); ok {
			return end, true
		}
	}
	for i := range x.stemmed {
		if !strings.HasPrefix(w, x.stemmed[i].stem) {
			continue
		}
		if end, ok = match(words, at, x.stemmed[i].steps); ok {
			return end, true
		}
	}
	return 0, false
}

// maxBetween is how many bytes may be between two parts of one of texts.
const maxBetween = 40

func findText(text string) (from, to int, ok bool) {
	lower := strings.ToLower(text)
	if len(lower) != len(text) { // positions would differ
		lower = text
	}
	for _, parts := range texts {
		for start := 0; ; {
			at := strings.Index(lower[start:], parts[0])
			if at < 0 {
				break
			}
			from = start + at
			to, ok = from+len(parts[0]), true
			for _, part := range parts[1:] {
				next := strings.Index(lower[to:min(len(lower), to+maxBetween+len(part))], part)
				if next < 0 {
					ok = false
					break
				}
				to += next + len(part)
			}
			if ok {
				return from, to, true
			}
			start = from + len(parts[0])
		}
	}
	return 0, 0, false
}

// Words around a quotation that show that a text speaks of such phrases, and does not say them.
var mentioning = map[string]bool{
	"attack": true, "attacks": true, "attacker": true, "attackers": true, "injection": true, "injections": true,
	"injected": true, "malicious": true,
	"example": true, "phrase": true, "phrases": true, "phrasing": true, "like": true, "such": true, "says": true,
	"said": true, "say": true, "saying": true, "wrote": true, "reads": true,
	"trick": true, "tricks": true, "jailbreak": true, "jailbreaks": true, "jailbreaking": true, "typed": true,
	"typing": true, "types": true, "called": true, "string": true, "sentence": true,
	"researchers": true, "researcher": true, "containing": true, "contains": true, "hidden": true, "words": true,
	"asked": true, "prompts": true, "line": true, "replied": true,
}

const (
	nearQuotation = 8  // words between a quotation mark and a phrase
	nearMention   = 14 // words between that and a word that mentions
)

// isMentioned reports whether the words from, up to end, are in quotation marks and spoken of.
func isMentioned(words []word, from, end int) bool {
	open := from
	for open > 0 && from-open < nearQuotation && !words[open-1].isQuotation() {
		open--
	}
	if open == 0 || !words[open-1].isQuotation() {
		return false
	}
	last := end
	for ; last < len(words) && !words[last].isQuotation(); last++ {
		if last-end > 3*nearMention {
			return false
		}
	}
	if last == len(words) {
		return false
	}
	for _, w := range words[max(0, open-1-nearMention) : open-1] {
		if mentioning[w.text] {
			return true
		}
	}
	for _, w := range words[last:min(len(words), last+nearMention)] {
		if mentioning[w.text] {
			return true
		}
	}
	return false
}
