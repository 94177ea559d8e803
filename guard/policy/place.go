package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/skua-browser/skua/internal/atomicfile"
)

// ProtectedError says that a file is not replaced, whatever the roots are.
type ProtectedError struct {
	Path string // as it was asked for
	Real string // where links lead to
}

// Error names the file.
func (e *ProtectedError) Error() string {
	if e.Real != e.Path {
		return fmt.Sprintf("%s leads to %s, which is there: a file whose name begins with a dot is not overwritten", e.Path, e.Real)
	}
	return e.Path + " is there: a file whose name begins with a dot is not overwritten"
}

// protect refuses to replace a file that programs read by themselves, such as .bashrc: what a request may write is
// not what the user's programs do next.
func protect(path string) error {
	real, err := resolve(path)
	if err != nil {
		return nil // nothing is there that could be replaced
	}
	if !strings.HasPrefix(filepath.Base(real), ".") {
		return nil
	}
	if info, err := os.Stat(real); err != nil || info.IsDir() {
		return nil
	}
	return &ProtectedError{Path: path, Real: real}
}

// Place is where a file of the caller's may be written.
type Place struct {
	Path string // with the links of what is there resolved, when roots are set
	root string // that it has to stay below; empty: none is set
}

// Place asks the roots about a file that is to be written. The error is an [*OutsideError] or a [*ProtectedError].
func (r Roots) Place(path string) (Place, error) {
	real, err := r.Check(Writing, path)
	if err != nil {
		return Place{}, err
	}
	p := Place{Path: real}
	for _, l := range r.lists {
		for _, folder := range l.folders {
			if rel, err := filepath.Rel(folder, real); l.use == Writing && err == nil && filepath.IsLocal(rel) && len(folder) > len(p.root) {
				p.root = folder
			}
		}
	}
	return p, nil
}

// Write puts a file there, private to the user. Below a root no link is followed out of it, also not one that came after the roots were asked.
func (p Place) Write(data []byte) error {
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
