package network

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/engine"
)

// Bounds of what a context keeps of secrets: how many, and how short one may be to be told from other text.
const (
	mostSecrets = 200
	leastSecret = 4
)

// secretTexts are texts that went into fields which do not show their content. They are kept in memory only.
type secretTexts struct {
	mu    sync.Mutex
	forms [][]string // of each, the newest last: plain, and as requests encode it
}

var secrets = engine.NewState(func(*engine.Context) *secretTexts { return &secretTexts{} })

// KeepSecret has a text masked by [WithoutSecrets] from now on.
func KeepSecret(c *engine.Context, text string) {
	if len(text) < leastSecret {
		return
	}
	s := secrets.Of(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	if slices.ContainsFunc(s.forms, func(forms []string) bool { return forms[0] == text }) {
		return
	}
	forms := []string{text, url.QueryEscape(text), url.PathEscape(text)}
	if quoted, err := json.Marshal(text); err == nil {
		forms = append(forms, string(quoted[1:len(quoted)-1]))
	}
	if s.forms = append(s.forms, forms); len(s.forms) > mostSecrets {
		s.forms = s.forms[1:]
	}
}

// WithoutSecrets returns a text of the context's requests with mark in place of the kept secrets.
func WithoutSecrets(c *engine.Context, text, mark string) string {
	if text == "" {
		return text
	}
	s := secrets.Of(c)
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, forms := range s.forms {
		for _, form := range forms {
			text = strings.ReplaceAll(text, form, mark)
		}
	}
	return text
}
