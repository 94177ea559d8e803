package promptguard

import (
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/lazyregexp"
)

// Kind is the kind of a file that was asked for.
type Kind string

// The kinds.
const (
	Screenshot Kind = "screenshot"
	Recording  Kind = "recording"
)

// Artifact is a file that the user asked for by its path.
type Artifact struct {
	Path string `json:"path"`
	Kind Kind   `json:"kind"`
}

var (
	fence   = lazyregexp.New("(?s)```.*?(```|$)|~~~.*?(~~~|$)")
	file    = lazyregexp.New(`(?i)[^\s"'` + "`" + `<>()\[\],;]+\.(png|jpe?g|webp|gif|webm|mp4)\b`)
	clause  = lazyregexp.New(`[.!?;]+\s+|\n\s*\n|\n`)
	bullet  = lazyregexp.New(`^\s*(?:[-*•]|\d+[.)])\s+`)
	creates = lazyregexp.New(
		`(?i)\b(?:capture|create|export|generate|output|record|render|save|screenshot|start|take|write)\b`)
	subject = lazyregexp.New(`(?i)\b(?:images?|pages?|recordings?|screenshots?|videos?)\b`)
	leads   = lazyregexp.New(`(?i)(?:\b(?:at|as|to|here)\b\s*:?|:)\s*["'` + "`" + `<(]*$`)
	joins   = lazyregexp.New(`(?i)^["'` + "`" + `>)]*\s*(?:,|\band\b|\bplus\b|&|,\s*and\b)?\s*["'` + "`" + `<(]*$`)
	negated = lazyregexp.New(`(?i)\b(?:don'?t|don’t|do not|never|without|no need|avoid|skip|not)\b`)
	maybe   = lazyregexp.New(
		`(?i)\b(?:may|might|can|could|would|optional|optionally|feel free|if you (?:want|like|wish)|if needed|if necessary|if possible|when useful)\b`)
	depends = lazyregexp.New(`(?i)\b(?:if|when|whenever|unless|in case|should)\b`)
	able    = lazyregexp.New(`(?i)\bif (?:it is |it's |they are |recording is )?available\b`)
	until   = lazyregexp.New(
		`(?i)\b(?:do not|don'?t|don’t|never)\s+(?:\w+\s+){0,4}?(?:close|quit|exit|finish|stop)\b.*?\b(?:until|before|unless)\b`)
)

// Required returns the files that have to be there before the browser is closed, in the order of the prompt. Recordings
// that are wanted "if available" are among them when records says that recordings can be made; nil means that they
// cannot.
func Required(prompt string, records func() bool) []Artifact {
	prompt = fence.ReplaceAllString(prompt, "\n\n")
	var found []Artifact
	seen := map[string]bool{}
	// the clause before ended with a colon after a creation phrase, so that bullets below it are destinations
	inherits := false
	optional := false
	for _, text := range clauses(prompt) {
		isBullet := bullet.MatchString(text)
		text = bullet.ReplaceAllString(text, "")
		paths := file.FindAllStringIndex(text, -1)
		wanted := false
		end := 0
		for i, at := range paths {
			before := text[end:at[0]]
			switch {
			case i == 0 && isBullet && inherits && strings.Trim(before, "\"'`<( ") == "":
				wanted = true
			case i > 0 && joins.MatchString(before):
				// as the path before it
			default:
				wanted, optional = phrase(text, at[0])
			}
			end = at[1]
			kind := kindOf(text[at[0]:at[1]])
			if !wanted || kind == "" || optional && (kind != Recording || records == nil || !records()) {
				continue
			}
			if p := clean(text[at[0]:at[1]]); p != "" && !seen[p] {
				seen[p] = true
				found = append(found, Artifact{Path: p, Kind: kind})
			}
		}
		if len(paths) == 0 || !isBullet {
			inherits = len(paths) == 0 && strings.HasSuffix(strings.TrimSpace(text), ":") && asks(text)
		}
	}
	return found
}

// clauses are the parts of a prompt that are read alone.
func clauses(prompt string) []string {
	var parts []string
	from := 0
	for _, at := range clause.FindAllStringIndex(prompt, -1) {
		parts = append(parts, prompt[from:at[0]])
		from = at[1]
	}
	return append(parts, prompt[from:])
}

// phrase reports whether what comes before a path asks for it, and whether it is wanted only if it is available.
func phrase(text string, at int) (wanted, optional bool) {
	before := text[:at]
	if cut := file.FindAllStringIndex(before, -1); len(cut) > 0 {
		before = before[cut[len(cut)-1][1]:] // the phrase of another path
	}
	if !leads.MatchString(before) || !asks(before) {
		return false, false
	}
	return true, able.MatchString(text)
}

// asks reports whether a text has a creation verb and its object, and neither forbids it nor leaves it open.
func asks(text string) bool {
	text = until.ReplaceAllString(text, "")
	text = able.ReplaceAllString(text, "")
	verb := creates.FindStringIndex(text)
	if verb == nil || !subject.MatchString(text) {
		return false
	}
	if strings.EqualFold(text[verb[0]:verb[1]], "screenshot") && creates.FindStringIndex(text[verb[1]:]) == nil &&
		!startsWith(text, verb[0]) {
		return false // the word as a noun: "review the screenshot at"
	}
	return !negated.MatchString(text) && !maybe.MatchString(text) && !depends.MatchString(text)
}

// startsWith reports whether only words that lead into an order stand before a place.
func startsWith(text string, at int) bool {
	for word := range strings.FieldsSeq(strings.ToLower(text[:at])) {
		switch strings.Trim(word, ",:") {
		case "please", "then", "and", "now", "also", "finally", "first", "you", "must", "to", "need":
		default:
			return false
		}
	}
	return true
}

func kindOf(p string) Kind {
	switch strings.ToLower(filepath.Ext(p)) {
	case ".png", ".jpg", ".jpeg", ".webp", ".gif":
		return Screenshot
	case ".webm", ".mp4":
		return Recording
	}
	return ""
}

// clean returns the path without the punctuation of the prompt. Images that hosts attach to a prompt do not count as
// requested.
func clean(p string) string {
	p = strings.TrimPrefix(strings.TrimSpace(p), "@")
	name := filepath.Base(p)
	if strings.Contains(p, "://") || strings.HasPrefix(name, "pi-clipboard-") ||
		strings.HasPrefix(name, "pi-attachment-") {
		return ""
	}
	return p
}
