package redact

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
)

// secretsOf returns the indexes of the words of a line that are secrets, or hold them behind `--flag=`.
func secretsOf(w *argv.Words) (indexes []int) {
	taken := map[int]bool{}
	for i := range w.Flags {
		f := &w.Flags[i]
		at := f.Index
		taken[at] = true
		if f.HasValue && !f.Inline {
			at++
			taken[at] = true
		}
		if !argv.SecretFlag(f.Name) && (!isSecret(f.Name, inData) || strings.HasSuffix(f.Name, "-stdin")) {
			continue
		}
		if !f.HasValue && !f.NeedsValue && at+1 < len(w.Args) { // a flag that the registry does not know
			at++
			taken[at] = true
		} else if !f.HasValue {
			continue
		}
		indexes = append(indexes, at)
	}
	var places []int // of the positional words
	for i := w.Start + commandWords(w); i < len(w.Args) && len(places) < len(w.Positionals); i++ {
		if !taken[i] && w.Args[i] == w.Positionals[len(places)] {
			places = append(places, i)
		}
	}
	for _, i := range w.Secrets() {
		if i < len(places) {
			indexes = append(indexes, places[i])
		}
	}
	// A text that goes into an element is a secret where the element's name says so.
	if w.Entry.TypesInto() && len(places) > 1 && NamesSecret(w.Positional(0)) {
		indexes = append(indexes, places[1:]...)
	}
	if text := foundText(w, places); text != nil {
		indexes = append(indexes, text...)
	}
	return indexes
}

func commandWords(w *argv.Words) int {
	if w.Command == "" {
		return 0
	}
	if w.Subcommand == "" {
		return 1
	}
	return 1 + len(strings.Fields(w.Subcommand))
}

// foundText returns where `find … fill <text>` has its text, if what it looks for is named as a secret is.
func foundText(w *argv.Words, places []int) []int {
	if !w.Akin(trait.Finds) {
		return nil
	}
	for i, at := range places {
		if i > 0 && argv.Lookup(w.Args[at]).TypesInto() && i+1 < len(places) {
			if NamesSecret(w.Positional(i-1)) || NamesSecret(w.Value("name")) {
				return places[i+1:]
			}
		}
	}
	return nil
}

// line is a command line with what is secret in it.
type line struct {
	words   argv.Words
	secrets []int
}

func readLine(args []string) line {
	w := argv.Read(args)
	return line{words: w, secrets: secretsOf(&w)}
}

// values returns the secrets themselves, each with the parts by which it may be found again.
func (l *line) values() (values []string) {
	for _, at := range l.secrets {
		word := l.words.Args[at]
		name, value, inline := strings.Cut(word, "=")
		if inline && strings.HasPrefix(name, "-") {
			word = value
		}
		values = append(values, word)
		values = append(values, partsOf(word)...)
	}
	return values
}

// partsOf returns the secrets within a word that holds more than a secret: the values of a JSON object, the value of a
// header line, the user and password of an address.
func partsOf(word string) (parts []string) {
	trimmed := strings.TrimSpace(word)
	if strings.HasPrefix(trimmed, "{") || strings.HasPrefix(trimmed, "[") {
		var v any
		if json.Unmarshal([]byte(trimmed), &v) == nil {
			return stringsIn(v, nil)
		}
	}
	if scheme := strings.Index(word, "://"); scheme > 0 {
		if host, _, found := strings.Cut(word[scheme+3:], "@"); found {
			_, password, _ := strings.Cut(host, ":")
			return append(parts, host, password)
		}
		return nil
	}
	if name, value, found := strings.Cut(word, ":"); found && !strings.ContainsAny(name, " {\"/") {
		value = strings.TrimSpace(value)
		parts = append(parts, value)
		if scheme, rest, ok := strings.Cut(value, " "); ok && isScheme(scheme) {
			parts = append(parts, rest)
		}
	}
	return parts
}

func stringsIn(v any, into []string) []string {
	switch v := v.(type) {
	case string:
		into = append(into, v)
		if scheme, rest, ok := strings.Cut(v, " "); ok && isScheme(scheme) {
			into = append(into, rest)
		}
	case []any:
		for _, item := range v {
			into = stringsIn(item, into)
		}
	case map[string]any:
		for _, item := range v {
			into = stringsIn(item, into)
		}
	}
	return into
}

// redacted returns the line without its secrets, the line itself when it has none.
func (l *line) redacted() []string {
	if len(l.secrets) == 0 {
		return l.words.Args
	}
	out := slices.Clone(l.words.Args)
	for _, at := range l.secrets {
		if flag, _, inline := strings.Cut(out[at], "="); inline && strings.HasPrefix(flag, "-") {
			out[at] = flag + "=" + Mark
		} else {
			out[at] = Mark
		}
	}
	return out
}
