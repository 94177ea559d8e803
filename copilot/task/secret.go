package task

import (
	"bytes"
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

// Secrets are the values of a task's grants. They are in this process alone, and never in what is written or handed to a planner.
type Secrets struct {
	// Value returns the value of a grant.
	Value func(ctx context.Context, g Grant) (string, error)
	// Type puts the value of a grant into the field at a selector, of a tab that may be empty, without the value being noted anywhere. It refuses a
	// field in a frame that is not of the grant's origin.
	Type func(ctx context.Context, g Grant, tab, selector, value string) (toolbox.Reply, error)

	known []string
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

// clean takes all values out of a reply. Data that had one becomes plain JSON.
func (s *Secrets) clean(reply toolbox.Reply) toolbox.Reply {
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

// typeSecret types the value of a grant, on a page of its origin only.
func (r *Runner) typeSecret(ctx context.Context, tool toolbox.Tool, call toolbox.Call, name string) (toolbox.Reply, error) {
	var grant *Grant
	for i := range r.Log.Task.Grants {
		if r.Log.Task.Grants[i].Name == name {
			grant = &r.Log.Task.Grants[i]
		}
	}
	switch {
	case grant == nil || r.Secrets == nil:
		return toolbox.Reply{}, fault.New(fault.CredentialNotFound, "No secret %q was granted to the task.", name).About(name).
			WithHint("Begin it with --grant %s=env:VARIABLE.", name)
	case tool.Name != typeTool:
		return toolbox.Reply{}, fault.New(fault.Usage, "A secret is only ever typed into a field: %s does not type.", tool.Name).About(name)
	}
	if err := r.look(ctx); err != nil { // the page may have gone elsewhere since the person was asked
		return toolbox.Reply{}, err
	}
	if here := Origin(r.summary.URL); grant.Origin == "" || here != strings.ToLower(grant.Origin) {
		return toolbox.Reply{}, fault.New(fault.PolicyBlocked, "The secret %s is for %s, but the page is of %s.", name, grant.Origin, here).About(name)
	}
	value, err := r.Secrets.Value(ctx, *grant)
	if err != nil {
		return toolbox.Reply{}, err
	}
	r.Secrets.known = append(r.Secrets.known, value)
	var args struct {
		Selector json.RawMessage `json:"selector"`
	}
	if err := json.Unmarshal(call.Args, &args); err != nil {
		return toolbox.Reply{}, fault.New(fault.Usage, "The arguments of the step cannot be read: %w", err)
	}
	var selector string
	if json.Unmarshal(args.Selector, &selector) != nil {
		selector = string(args.Selector)
	}
	if isRef(selector) {
		selector = "@" + selector
	}
	reply, err := r.Secrets.Type(ctx, *grant, r.Log.Task.Tab, selector, value)
	return r.Secrets.clean(reply), err
}
