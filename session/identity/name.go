package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"unicode"
)

// hashDigits is how many hexadecimal digits of a path's SHA-256 identify it, as in agent-browser, so that ids are
// equal.
const hashDigits = 12

// Hash returns the 12 hexadecimal digits that identify a path in session names.
func Hash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])[:hashDigits]
}

// ID returns the hash of a path after a prefix, with a hyphen for each run of characters that a session name cannot
// contain. An empty prefix adds nothing.
func ID(prefix, path string) string {
	if prefix = sanitize(prefix); prefix != "" {
		return prefix + "-" + Hash(path)
	}
	return Hash(path)
}

// maxFolder bounds how much of a folder's name is in the name of a session, in bytes.
const maxFolder = 40

// Default is the name of the session that a command works in outside of git which names none.
const Default = "default"

// Name returns the session name of a worktree: its folder's name, for people, and the hash, which makes it unique.
func Name(root string) string {
	folder := sanitize(filepath.Base(root))
	for i := range folder {
		if i > maxFolder {
			folder = strings.TrimRight(folder[:i], "-")
			break
		}
	}
	return ID(folder, root)
}

// sanitize keeps letters, digits and underscores, and puts one hyphen in place of other characters between them.
func sanitize(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte('-')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}
