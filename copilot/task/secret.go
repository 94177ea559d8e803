package task

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/plainjson"
)

// Secrets are the values of a task's grants. They are in this process alone, and never in what is written or handed to
// a planner.
type Secrets struct {
	// Value returns the value of a grant.
	Value func(ctx context.Context, g Grant) (string, error)
	// Type puts the value of a grant into the field at a selector, of a tab that may be empty, without the value being
	// noted anywhere. It refuses a field in a frame that is not of the grant's origin.
	Type func(ctx context.Context, g Grant, tab, selector, value string) (toolbox.Reply, error)

	known []string
}

// Reveal returns the value of a grant, which no text has from then on.
func (s *Secrets) Reveal(ctx context.Context, g Grant) (string, error) {
	value, err := s.Value(ctx, g)
	if err == nil {
		s.known = append(s.known, value)
	}
	return value, err
}

// Hide takes all values out of a text.
func (s *Secrets) Hide(text string) string {
	if s == nil {
		return text
	}
	for _, value := range s.known {
		text = without(text, value)
	}
	return text
}

// hidden stands for a secret.
const hidden = "•••"

// shortest is how long a value is at least that is taken out of the middle of words.
const shortest = 4

func without(text, value string) string {
	if value == "" {
		return text
	}
	if len(value) >= shortest {
		return strings.ReplaceAll(text, value, hidden)
	}
	inWord := func(b byte) bool { return b >= 0x80 || unicode.IsLetter(rune(b)) || unicode.IsDigit(rune(b)) }
	var out strings.Builder
	for {
		i := strings.Index(text, value)
		if i < 0 {
			return out.String() + text
		}
		end := i + len(value)
		out.WriteString(text[:i])
		if i > 0 && inWord(text[i-1]) || end < len(text) && inWord(text[end]) {
			out.WriteString(value)
		} else {
			out.WriteString(hidden)
		}
		text = text[end:]
	}
}

// line takes all values out of the texts of a JSON line, whatever they look like there.
func (s *Secrets) line(raw []byte) []byte {
	if s == nil || len(s.known) == 0 {
		return raw
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var v any
	if dec.Decode(&v) != nil {
		return raw
	}
	text, err := plainjson.Marshal(s.within(v))
	if err != nil {
		return raw
	}
	return text
}

func (s *Secrets) within(v any) any {
	switch v := v.(type) {
	case string:
		return s.Hide(v)
	case []any:
		for i := range v {
			v[i] = s.within(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = s.within(v[k])
		}
	}
	return v
}

// Clean takes all values out of a reply. Data that had one becomes plain JSON.
func (s *Secrets) Clean(reply toolbox.Reply) toolbox.Reply {
	if s == nil || len(s.known) == 0 {
		return reply
	}
	reply.Text = s.Hide(reply.Text)
	for i := range reply.Notes {
		reply.Notes[i] = s.Hide(reply.Notes[i])
	}
	for i := range reply.Effect {
		reply.Effect[i] = s.Hide(reply.Effect[i])
	}
	raw, err := json.Marshal(reply.Data)
	if err != nil {
		return reply
	}
	if cleaned := s.line(raw); !bytes.Equal(bytes.TrimSpace(cleaned), raw) {
		reply.Data = json.RawMessage(bytes.TrimSpace(cleaned))
	}
	return reply
}

// Origin returns the origin of an address, "" for one that has none.
func Origin(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return ""
	}
	return strings.ToLower(u.Scheme + "://" + u.Host)
}
