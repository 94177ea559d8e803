package redact

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/json"
	"net/url"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/tool/argv"
)

// Redactor removes the secrets of one call, and what looks like a secret. It is not changed by use, except by Also and
// Data, which learn secrets; so it belongs to one goroutine.
type Redactor struct {
	literals []string // secrets that are known by their text, the longest first
	handed   []string // what the call was made for, which stays as it is
	login    bool     // standard input is a password: output that could not be read may be an echo of it
}

// New returns the redactor of a call with this command line and standard input.
func New(args []string, stdin []byte) *Redactor {
	r := &Redactor{}
	l := readLine(args)
	r.Also(l.values()...)
	switch {
	case l.words.IsBatch():
		r.batch(&l.words, stdin)
	case l.words.Has("password-stdin"), l.words.Has("totp-stdin"):
		r.login = true
		if password := string(bytes.TrimRight(stdin, "\r\n")); password != "" {
			r.Also(password)
		}
		for part := range strings.Lines(string(stdin)) { // the one on the first line, the other on the second
			r.Also(strings.TrimSpace(part))
		}
	case l.words.Does(trait.SecretInput) && len(stdin) > 0:
		r.Also(strings.TrimSpace(string(stdin)))
	}
	return r
}

// batch learns the secrets of the rows of a batch.
func (r *Redactor) batch(w *argv.Words, stdin []byte) {
	rows, err := argv.Batch(w, stdin)
	if err != nil {
		return // it will be refused, and only its form is known
	}
	for i := range rows {
		l := line{words: rows[i], secrets: secretsOf(&rows[i])}
		r.Also(l.values()...)
	}
}

// Also adds secrets. Secrets of one or two bytes are ignored, since they match ordinary text.
func (r *Redactor) Also(secrets ...string) {
	for _, s := range secrets {
		if len(s) < 3 || isPlaceholder(s) || commonWords[strings.ToLower(s)] {
			continue
		}
		r.literals = append(r.literals, s)
		for _, form := range [...]string{
			url.QueryEscape(s), url.PathEscape(s), escaped(s),
			base64.StdEncoding.EncodeToString([]byte(s)),
		} {
			if form != s {
				r.literals = append(r.literals, form)
			}
		}
	}
	if len(secrets) > 0 {
		slices.SortFunc(r.literals, func(a, b string) int {
			return cmp.Or(cmp.Compare(len(b), len(a)), cmp.Compare(a, b))
		})
		r.literals = slices.Compact(r.literals)
	}
}

// Learn takes over what another redactor knows.
func (r *Redactor) Learn(other *Redactor) {
	if other != nil && len(other.literals) > 0 {
		r.Also(other.literals...)
	}
}

// commonWords are values that say nothing, and would be taken out of every sentence.
var commonWords = map[string]bool{
	"true": true, "false": true, "null": true, "none": true, "yes": true,
	"undefined": true,
}

func escaped(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s
	}
	return string(b[1 : len(b)-1])
}

// Text returns a text without secrets.
func (r *Redactor) Text(s string) string {
	if len(s) < 3 {
		return s
	}
	for _, value := range r.handed {
		if before, after, found := strings.Cut(s, value); found {
			return r.Text(before) + value + r.Text(after)
		}
	}
	for _, secret := range r.literals {
		s = without(s, secret)
	}
	return Patterns(s)
}

// without removes a secret from a text; a short one only where it is a word of its own.
func without(s, secret string) string {
	i := strings.Index(s, secret)
	if i < 0 {
		return s
	}
	alone := len(secret) < 6
	var b strings.Builder
	for ; i >= 0; i = strings.Index(s, secret) {
		end := i + len(secret)
		if alone && (i > 0 && isAlnum(s[i-1]) || end < len(s) && isAlnum(s[end])) {
			b.WriteString(s[:end])
		} else {
			b.WriteString(s[:i])
			b.WriteString(Mark)
		}
		s = s[end:]
	}
	b.WriteString(s)
	return b.String()
}

// Args returns a command line without its secrets. The line that was given is not changed.
func (r *Redactor) Args(args []string) []string {
	if len(args) == 0 {
		return args
	}
	l := readLine(args)
	if l.words.IsBatch() {
		args = r.batchArgs(&l)
	} else {
		args = l.redacted()
	}
	return r.texts(args)
}

// batchArgs redacts the rows that are words of the line itself.
func (r *Redactor) batchArgs(l *line) []string {
	out := l.redacted()
	for i, word := range out {
		if i <= l.words.Start || !strings.ContainsAny(word, " \t") {
			continue
		}
		row, err := argv.SplitRow(word)
		if err != nil {
			continue
		}
		in := line{words: row, secrets: secretsOf(&row)}
		for _, value := range in.values() {
			if word = without(word, value); len(value) > 0 && len(value) < 3 {
				word = strings.ReplaceAll(word, " "+value, " "+Mark)
			}
		}
		if word != out[i] {
			out = slices.Clone(out)
			out[i] = word
		}
	}
	return out
}

// texts redacts each word of a list, and returns the list itself when none has a secret.
func (r *Redactor) texts(list []string) []string {
	for i, word := range list {
		if clean := r.Text(word); clean != word {
			out := slices.Clone(list)
			out[i] = clean
			for j := i + 1; j < len(out); j++ {
				out[j] = r.Text(out[j])
			}
			return out
		}
	}
	return list
}

// Stdin returns what a call gave on standard input without secrets: the rows of a batch one by one, anything else as
// text.
func (r *Redactor) Stdin(stdin string) string {
	var rows [][]string
	if strings.HasPrefix(strings.TrimSpace(stdin), "[") && json.Unmarshal([]byte(stdin), &rows) == nil {
		changed := false
		for i, row := range rows {
			clean := r.Args(row)
			changed = changed || !slices.Equal(clean, row)
			rows[i] = clean
		}
		if !changed {
			return stdin
		}
		if text, err := plainjson.Marshal(rows); err == nil {
			return string(text)
		}
	}
	return r.Text(stdin)
}
