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

// boundary tells text of a page from ours. The nonce is made when the text has been read, so that no page can write the end of it.
type boundary struct {
	Nonce  string `json:"nonce"`
	Origin string `json:"origin"` // the address that the text is from, as agent-browser has it
}

// maxOrigin bounds the address in characters: one that holds its page may be long.
const maxOrigin = 300

// bound notes what --content-boundaries and --max-output ask of a reply.
func (r *Reply) bound(in *actions.Input, s *inCall) {
	if in.Has("max-output") {
		r.most = new(max(0, in.Int("max-output")))
	}
	if most := s.manager.owner.MaxOutput(); most != nil && (r.most == nil || *r.most > *most) {
		r.most = most
	}
	if !s.manager.owner.Boundaries() && !rules.MarksPages(in, s.getenv) || r.Result.Held {
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

// wrap puts a text of a page between markers.
func (b *boundary) wrap(text string) string {
	return "--- AGENT_BROWSER_PAGE_CONTENT nonce=" + b.Nonce + " origin=" + b.Origin + " ---\n" + strings.TrimSuffix(text, "\n") +
		"\n--- END_AGENT_BROWSER_PAGE_CONTENT nonce=" + b.Nonce + " ---"
}

// shownText is the result's text as the caller wants it.
func (r Reply) shownText() string {
	text := r.Result.Text
	if text == "" || r.Result.Held {
		return text
	}
	if r.most != nil {
		text = policy.CutText(text, *r.most)
	}
	if r.boundary != nil && r.ofPage && r.Result.Text != done {
		text = r.boundary.wrap(text)
	}
	return text
}

// done is what a command says that has nothing to say.
const done = "✓ Done"
