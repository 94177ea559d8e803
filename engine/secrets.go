package engine

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"sync"
)

// Bounds of what a context keeps of secrets: how many, and how short one may be to be told from other text.
const (
	mostSecrets = 200
	leastSecret = 4
)

// secretTexts are texts that went into fields which do not show what they hold. They are in memory alone.
type secretTexts struct {
	mu    sync.Mutex
	forms [][]string // of each, the newest last: as it is, and as requests have it
}

// KeepSecret has a text taken out of what is told of the requests of the context's pages.
func (c *Context) KeepSecret(text string) {
	if len(text) < leastSecret {
		return
	}
	s := &c.secrets
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

// WithoutSecrets is a text with mark in place of the secrets that were kept.
func (c *Context) WithoutSecrets(text, mark string) string {
	if text == "" {
		return text
	}
	s := &c.secrets
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, forms := range s.forms {
		for _, form := range forms {
			text = strings.ReplaceAll(text, form, mark)
		}
	}
	return text
}
