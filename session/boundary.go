package session

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/rules"
)

// boundary separates a page's text from skua's. The nonce is created after the text was read, so that no page can forge the end marker.
type boundary struct {
	Nonce  string `json:"nonce"`
	Origin string `json:"origin"` // the address of the text, as agent-browser reports it
}

// maxOrigin bounds the address in characters: a data: address contains its whole page.
const maxOrigin = 300

// setBounds applies --content-boundaries and --max-output to a reply.
func (r *Reply) setBounds(in *actions.Input, s *callSession) {
	if in.Has("max-output") {
		r.maxChars = new(max(0, in.Int("max-output")))
	}
	if most := s.manager.owner.MaxOutput(); most != nil && (r.maxChars == nil || *r.maxChars > *most) {
		r.maxChars = most
	}
	if !s.manager.owner.Boundaries() && !rules.ContentBoundaries(in, s.getenv) || r.Result.Held {
		return
	}
	var nonce [16]byte
	_, _ = rand.Read(nonce[:]) // never fails
	b := &boundary{Nonce: hex.EncodeToString(nonce[:]), Origin: "unknown"}
	var tab *actions.Tab
	if in.Has("tab") {
		tab, _ = s.FindTab(in.String("tab"))
	} else {
		tab = s.Active()
	}
	if origin, told := r.Result.Origin(); told {
		b.Origin = origin
	} else if tab != nil {
		b.Origin = tab.Page.URL()
	}
	b.Origin = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, b.Origin)
	b.Origin = wording.Clip(b.Origin, maxOrigin)
	r.boundary, r.ofPage = b, in.Command().ShowsPage()
}

// wrap puts a page's text between markers.
func (b *boundary) wrap(text string) string {
	return "--- AGENT_BROWSER_PAGE_CONTENT nonce=" + b.Nonce + " origin=" + b.Origin + " ---\n" + strings.TrimSuffix(text, "\n") +
		"\n--- END_AGENT_BROWSER_PAGE_CONTENT nonce=" + b.Nonce + " ---"
}

// shownText returns the result's text within the caller's limits.
func (r Reply) shownText() string {
	text := r.Result.Text
	if text == "" || r.Result.Held {
		return text
	}
	if r.maxChars != nil {
		text = policy.TruncateText(text, *r.maxChars)
	}
	if r.boundary != nil && r.ofPage && r.Result.Text != done {
		text = r.boundary.wrap(text)
	}
	return text
}

// done is the reply of a command that has nothing else to say.
const done = "✓ Done"
