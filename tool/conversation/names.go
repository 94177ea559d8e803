package conversation

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"unicode"
)

// Reserved is what the names of all sessions begin with that tools make for their callers.
const Reserved = "piab-"

// maxSlug bounds the readable part of a name, so that the path of a session's socket stays short.
const maxSlug = 24

// Names gives the managed sessions of one tool their names. Its methods may be called from several goroutines.
type Names struct {
	base, seed string

	mu      sync.Mutex
	ordinal int // of the last fresh name; it only grows
}

// NewNames returns the names for a conversation in a folder. They are the same each time that both are the same.
// Without a session id the ephemeral seed takes its place, which has to be another one for each tool.
func NewNames(sessionID, cwd, ephemeral string) *Names {
	seed := "session:" + strings.ToLower(strings.ReplaceAll(sessionID, "-", ""))
	if sessionID == "" {
		seed = "ephemeral:" + ephemeral
	}
	return &Names{base: Reserved + slug(cwd) + "-" + digest(seed, 12) + "-" + digest("cwd:"+cwd, 8), seed: seed}
}

// NamesFrom returns names of which the first is this one, for a tool with a single session.
func NamesFrom(base string) *Names { return &Names{base: base, seed: base} }

// Base returns the name of the first managed session.
func (n *Names) Base() string { return n.base }

// Fresh returns a name that was not given before.
func (n *Names) Fresh() string {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ordinal++
	return n.fresh(n.ordinal)
}

func (n *Names) fresh(ordinal int) string {
	return n.base + "-fresh-" + digest(fmt.Sprintf("%s:%s:%d", n.base, n.seed, ordinal), 10)
}

// Ordinal returns how many fresh names were given.
func (n *Names) Ordinal() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.ordinal
}

// Skip counts fresh names as given that an earlier run of the same conversation gave, so that no name means two
// browsers.
func (n *Names) Skip(ordinal int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ordinal = max(n.ordinal, ordinal)
}

// searched bounds how far Ours looks for the ordinal of a name.
const searched = 10_000

// Ours reports whether the name is one of this conversation in this folder, and for a fresh one which: 0 is the base
// name.
func (n *Names) Ours(name string) (ordinal int, ours bool) {
	if name == n.base {
		return 0, true
	}
	if !strings.HasPrefix(name, n.base+"-fresh-") {
		return 0, false
	}
	for i := 1; i <= searched; i++ {
		if n.fresh(i) == name {
			return i, true
		}
	}
	return 0, false
}

// IsReserved reports whether a name belongs to a tool, however it is written.
func IsReserved(name string) bool {
	return len(name) >= len(Reserved) && strings.EqualFold(name[:len(Reserved)], Reserved)
}

// slug is the readable part of a name.
func slug(cwd string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(filepath.Base(filepath.Clean(cwd))) {
		if r < unicode.MaxASCII && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(r)
		} else if s := b.String(); s != "" && !strings.HasSuffix(s, "-") {
			b.WriteByte('-')
		}
	}
	s := b.String()
	s = strings.Trim(s[:min(len(s), maxSlug)], "-")
	if s == "" {
		return "project"
	}
	return s
}

func digest(text string, digits int) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])[:digits]
}
