package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/atomicfile"
)

// ProtectedError reports a write to a file that skua never writes, even if the file is inside the allowed roots.
type ProtectedError struct {
	Path   string // as requested
	Real   string // the target of links
	Reason string // why nothing is written there; empty means that it exists, and its name begins with a dot
}

// Error returns the message.
func (e *ProtectedError) Error() string {
	if e.Reason != "" {
		return e.Path + ": " + e.Reason
	}
	if e.Real != e.Path {
		return fmt.Sprintf("%s leads to %s, which exists: a file whose name begins with a dot is not overwritten", e.Path,
			e.Real)
	}
	return e.Path + " exists: a file whose name begins with a dot is not overwritten"
}

// protect refuses to write what other programs run or trust, such as .git/hooks/pre-commit, and to replace any other
// dotfile.
func (r Roots) protect(path string) error {
	real, err := resolve(path)
	if err != nil {
		return nil // there is nothing to replace
	}
	if name, reason := trusted(r.below(real)); name != "" {
		return &ProtectedError{Path: path, Real: real, Reason: "nothing is written to " + name + ", since " + reason}
	}
	if !strings.HasPrefix(filepath.Base(real), ".") {
		return nil
	}
	if info, err := os.Stat(real); err != nil || info.IsDir() {
		return nil
	}
	return &ProtectedError{Path: path, Real: real}
}

// below returns the part of a path below the roots for writing, which their owner has chosen. Without roots that is all
// of it.
func (r Roots) below(real string) string {
	part := real
	for _, l := range r.lists {
		for _, folder := range l.folders {
			if rel, err := filepath.Rel(folder, real); l.use == Writing && err == nil && filepath.IsLocal(rel) &&
				len(rel) < len(part) {
				part = rel
			}
		}
	}
	return part
}

// Destination is a file that may be written.
type Destination struct {
	Path string // with existing links resolved, if there are roots
	root string // the root that contains it, or empty
}

// Destination checks a file to write against the roots. The error is an [*OutsideError] or a [*ProtectedError].
func (r Roots) Destination(path string) (Destination, error) {
	real, err := r.Check(Writing, path)
	if err != nil {
		return Destination{}, err
	}
	p := Destination{Path: real}
	for _, l := range r.lists {
		for _, folder := range l.folders {
			if rel, err := filepath.Rel(folder, real); l.use == Writing && err == nil && filepath.IsLocal(rel) &&
				len(folder) > len(p.root) {
				p.root = folder
			}
		}
	}
	return p, nil
}

// Write writes the file, private to the user. It follows no link out of a root, even one that was created after the
// check.
func (p Destination) Write(data []byte) error {
	if p.root == "" {
		return atomicfile.Write(p.Path, data)
	}
	if err := os.MkdirAll(p.root, 0o755); err != nil {
		return err
	}
	root, err := os.OpenRoot(p.root)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	name, err := filepath.Rel(p.root, p.Path)
	if err != nil {
		return err
	}
	return atomicfile.WriteIn(root, name, data)
}
