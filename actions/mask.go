package actions

import (
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/wording"
)

// Masked returns the command line in a form that others may see: with the target and with numbers and choices, and
// without what was typed, set or sent, since that may be a secret. Commands that only look show all their words. The
// function masks the same words in a text.
func (in *Input) Masked() (line string, mask func(string) string) { return in.spelled(false) }

// Spelled returns the command line with all that was given, for the caller's own eyes: without control characters,
// which a terminal would obey, and cut where it is long.
func (in *Input) Spelled() string {
	line, _ := in.spelled(true)
	line = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '·'
		}
		return r
	}, line)
	const most = 500
	return wording.Clip(line, most)
}

// MaskedArgs returns the words of the command line with secrets masked. Typed says that what was typed is masked, too.
func (in *Input) MaskedArgs(argv []string, typed bool) []string {
	secret := map[string]bool{}
	note := func(name string) {
		for _, word := range in.Given(name) {
			secret[word] = word != ""
		}
	}
	for _, a := range in.cmd.Args {
		if a.Secret || a.Typed && typed {
			note(a.Name)
		}
	}
	for _, f := range in.cmd.Flags {
		if f.Secret {
			note(f.Name)
		}
	}
	if len(secret) == 0 {
		return argv
	}
	masked := slices.Clone(argv)
	for i, word := range argv {
		flag, value, inline := strings.Cut(word, "=")
		switch {
		case secret[word]:
			masked[i] = grammar.Hidden
		case inline && strings.HasPrefix(flag, "-") && secret[value]:
			masked[i] = flag + "=" + grammar.Hidden
		}
	}
	return masked
}

func (in *Input) spelled(all bool) (line string, mask func(string) string) {
	words := []string{in.Name()}
	var secret []string
	add := func(prefix, name string, kind Kind, choice, private bool) {
		values := in.Given(name)
		if len(values) == 0 {
			return
		}
		shows := all || in.shows(kind, choice)
		text := strings.Join(values, " ")
		switch {
		case kind == Bool:
			words = append(words, prefix)
			return
		case kind == URL && !all && !private:
			text = withoutUser(text)
		case !shows || private || in.private[name]:
			secret = append(secret, values...)
			text = grammar.Hidden
		}
		if prefix != "" {
			words = append(words, prefix)
		}
		words = append(words, maskedWord(shownWord(text, all)))
	}
	for _, a := range in.cmd.Args {
		add("", a.Name, a.Kind, len(a.OneOf) > 0, a.Secret)
	}
	for _, f := range in.cmd.Flags {
		add("--"+f.Name, f.Name, f.Kind, len(f.OneOf) > 0, f.Secret)
	}
	return strings.Join(words, " "), func(text string) string {
		for _, word := range secret {
			if word != "" {
				text = strings.ReplaceAll(text, word, grammar.Hidden)
			}
		}
		return text
	}
}

// shows reports whether those who look on may see the values of an argument or flag of this kind.
func (in *Input) shows(kind Kind, choice bool) bool {
	switch kind {
	case Selector, URL, Path, Int, Distance, Number, Duration, Bool:
		return true
	}
	e := in.cmd.Effect
	return choice || e.Has(Reads) && !e.Has(Mutates) && !e.Has(Navigates)
}

// shownWord shortens a word, unless all of it is wanted.
func shownWord(word string, all bool) string {
	if all {
		return word
	}
	return wording.OneLine(word)
}

// withoutUser hides the user and password of an address.
func withoutUser(address string) string {
	scheme, rest, found := strings.Cut(address, "://")
	if !found {
		scheme, rest = "", address
	}
	host, path, slash := strings.Cut(rest, "/")
	at := strings.LastIndexByte(host, '@')
	if at < 0 {
		return address
	}
	masked := grammar.Hidden + host[at:]
	if found {
		masked = scheme + "://" + masked
	}
	if slash {
		masked += "/" + path
	}
	return masked
}

// maskedWord puts a word that holds blanks between quotes.
func maskedWord(word string) string {
	if word == "" || strings.ContainsAny(word, " \t\"") {
		return "'" + word + "'"
	}
	return word
}
