package replydata

import (
	"crypto/rand"
	"encoding/hex"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/internal/wording"
)

// Boundary separates a page's text from skua's.
type Boundary struct {
	Nonce  string `json:"nonce"`
	Origin string `json:"origin"` // the address of the text, as agent-browser reports it
}

// maxOrigin bounds the address in characters: a data: address contains its whole page.
const maxOrigin = 300

// NewBoundary returns the boundary of text from an address. It is made after the text was read, so that no page can
// forge the end marker.
func NewBoundary(origin string) *Boundary {
	var nonce [16]byte
	_, _ = rand.Read(nonce[:]) // never fails
	origin = strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) {
			return -1
		}
		return c
	}, origin)
	return &Boundary{Nonce: hex.EncodeToString(nonce[:]), Origin: wording.Clip(origin, maxOrigin)}
}

// Wrap puts a page's text between markers.
func (b *Boundary) Wrap(text string) string {
	return "--- AGENT_BROWSER_PAGE_CONTENT nonce=" + b.Nonce + " origin=" + b.Origin + " ---\n" +
		strings.TrimSuffix(text, "\n") +
		"\n--- END_AGENT_BROWSER_PAGE_CONTENT nonce=" + b.Nonce + " ---"
}
