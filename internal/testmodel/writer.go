package testmodel

import (
	"encoding/json"
	"io"
	"net/http"
	"regexp"
	"unicode/utf8"
)

// writer writes one answer.
type writer struct {
	w      http.ResponseWriter
	stream bool
	model  string
	ids    []string
}

func (w *writer) begin() {
	w.w.Header().Set("Content-Type", "text/event-stream; charset=utf-8")
	w.line(": a comment\n\n")
}

func (w *writer) event(name string, data any) {
	b, err := json.Marshal(data)
	if err != nil {
		panic(err)
	}
	if name != "" {
		w.line("event: " + name + "\n")
	}
	w.line("data: " + string(b) + "\n\n")
}

func (w *writer) line(s string) {
	_, _ = io.WriteString(w.w, s)
	w.w.(http.Flusher).Flush()
}

// fails ends a stream in its middle when the script says so.
func (w *writer) fails(a Answer, report func()) bool {
	switch {
	case a.Error != "":
		report()
		return true
	case a.Cut:
		panic(http.ErrAbortHandler)
	}
	return false
}

func (w *writer) whole(v any, a Answer) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	w.w.Header().Set("Content-Type", "application/json")
	if a.Cut {
		_, _ = w.w.Write(b[:len(b)/2])
		w.w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.w.Write(b)
}

// pieces cuts a text in the middle of words, and never within a character.
func pieces(text string) []string {
	var all []string
	for len(text) > 0 {
		n := min(7, len(text))
		for n < len(text) && !utf8.RuneStart(text[n]) {
			n++
		}
		all, text = append(all, text[:n]), text[n:]
	}
	return all
}

func asJSON(v any) string {
	if s, ok := v.(string); ok { // as the script has it, even if it is not JSON
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}

var namePattern = regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`)

func plainName(name string) bool { return namePattern.MatchString(name) }
