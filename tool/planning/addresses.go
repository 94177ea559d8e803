package planning

import (
	"net/url"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/argv"
)

// IsLocalFile reports whether an address is that of a file of this machine.
func IsLocalFile(address string) bool {
	address = strings.ToLower(strings.TrimSpace(address))
	address = strings.TrimPrefix(address, "view-source:")
	return strings.HasPrefix(address, "file:")
}

// Addresses returns the addresses that the line opens pages of.
func Addresses(w *argv.Words) []string {
	if w.Entry == nil || !w.Entry.Effect.Has(actions.Navigates) && !w.Entry.Safety.Opens {
		return nil
	}
	return operands(w, actions.URL)
}

// operands returns the positional words of a kind.
func operands(w *argv.Words, kinds ...actions.Kind) []string {
	var found []string
	for i, word := range w.Positionals {
		arg := min(i, len(w.Entry.Args)-1)
		if arg < 0 || arg < i && w.Entry.Args[arg].Kind != actions.List {
			break
		}
		for _, k := range kinds {
			if w.Entry.Args[arg].Kind == k ||
				k == actions.Path && w.Entry.Args[arg].Kind == actions.Selector && w.Entry.Args[arg].Optional {
				found = append(found, word) // `screenshot` takes a path in place of a selector, too
			}
		}
	}
	return found
}

// Paths returns the words of a line that may name files: by the registry if it knows the command, else all words. Typed
// text and code do not count.
func Paths(w *argv.Words) []string {
	var found []string
	switch {
	case w.Entry == nil:
		found = append(found, w.Positionals...)
	default:
		found = operands(w, actions.Path, actions.URL, actions.List)
	}
	for i := range w.Flags {
		f := &w.Flags[i]
		if f.HasValue && f.Value != "" && f.Name != "session" && f.Name != "namespace" &&
			(f.Global || mayBePath(w.Entry, f.Name)) {
			found = append(found, f.Value)
		}
	}
	return found
}

func mayBePath(c *actions.Command, flag string) bool {
	if c == nil {
		return true
	}
	for i := range c.Flags {
		if c.Flags[i].Name == flag {
			return c.Flags[i].Kind == actions.Path || c.Flags[i].Kind == actions.String
		}
	}
	return true
}

// Within returns whether a word, read as a path or as the address of a file, is in one of the folders, which are
// absolute. Links are followed, and what is encoded is decoded, as far as a browser would.
func Within(word, cwd string, folders []string) bool {
	if len(word) > 4096 || strings.ContainsRune(word, 0) {
		return false
	}
	for _, path := range readings(word) {
		if !filepath.IsAbs(path) {
			path = filepath.Join(cwd, path)
		}
		for _, p := range []string{filepath.Clean(path), resolved(path)} {
			for _, folder := range folders {
				if inside(p, folder) || inside(p, resolved(folder)) {
					return true
				}
			}
		}
	}
	return false
}

// readings are the paths that a word may be meant as.
func readings(word string) []string {
	word = strings.TrimSpace(strings.TrimPrefix(word, "@"))
	if scheme, rest, ok := strings.Cut(word, ":"); ok && strings.HasSuffix(strings.ToLower(scheme), "view-source") {
		word = rest
	}
	if IsLocalFile(word) {
		word = strings.TrimLeft(word[strings.Index(word, ":")+1:], "/")
		if rest, ok := strings.CutPrefix(word, "localhost/"); ok {
			word = rest
		}
		word, _, _ = strings.Cut(word, "?")
		word, _, _ = strings.Cut(word, "#")
		word = "/" + word
	} else if strings.Contains(word, "://") {
		return nil
	}
	paths := []string{word}
	for range 3 {
		decoded, err := url.PathUnescape(word)
		if err != nil || decoded == word {
			break
		}
		word = decoded
		paths = append(paths, word)
	}
	return paths
}

// resolved follows the links of a path as far as it exists.
func resolved(path string) string {
	path = filepath.Clean(path)
	rest := ""
	for p := path; ; {
		if real, err := filepath.EvalSymlinks(p); err == nil {
			return filepath.Join(real, rest)
		}
		parent := filepath.Dir(p)
		if parent == p {
			return path
		}
		rest = filepath.Join(filepath.Base(p), rest)
		p = parent
	}
}

// inside reports whether a path is a folder or in it. Case does not count, since on some machines it does not.
func inside(path, folder string) bool {
	if folder == "" {
		return false
	}
	if strings.EqualFold(path, folder) {
		return true
	}
	n := len(folder)
	return len(path) > n && strings.EqualFold(path[:n], folder) &&
		(path[n] == filepath.Separator || folder[n-1] == filepath.Separator)
}
