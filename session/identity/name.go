package identity

import (
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"strings"
	"unicode"
)

// hashDigits is how many hexadecimal digits of a path's SHA-256 stand for it. They are agent-browser's, so that ids are equal.
const hashDigits = 12

// Hash returns what stands for a path in the names of sessions: 12 hexadecimal digits.
func Hash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:])[:hashDigits]
}

// ID returns the hash of a path after a prefix, in which everything that no session's name may hold is a hyphen. An empty prefix adds nothing.
func ID(prefix, path string) string {
	if prefix = sanitize(prefix); prefix != "" {
		return prefix + "-" + Hash(path)
	}
	return Hash(path)
}

// maxFolder bounds how much of a folder's name is in the name of a session, in bytes.
const maxFolder = 40

// Name returns the name of the session that belongs to a worktree: that of its folder, for people to read, and the hash that makes it unique.
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

// sanitize keeps letters, digits and underscores, and makes one hyphen of what is between them.
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
