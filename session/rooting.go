package session

import (
	"errors"
	"path/filepath"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
)

// rootFlags are the flags that name roots.
var rootFlags = [...]struct {
	name string
	use  policy.Use
}{{"upload-root", policy.Reading}, {"download-root", policy.Writing}}

// heedRoots adds the roots that a call names. A wrong one is an error, and nothing runs.
func (s *Session) heedRoots(in *actions.Input, getenv func(string) string, path func(string) string) error {
	for _, flag := range rootFlags {
		if !in.Has(flag.name) {
			continue
		}
		for _, said := range in.Statements(flag.name, getenv) {
			if len(said.Words) == 0 {
				return fault.New(fault.Usage, "%s names no folder.", said.Source).About(said.Source)
			}
			for i, folder := range said.Words {
				said.Words[i] = path(fromHome(folder, getenv))
			}
			s.ruling.mu.Lock()
			err := s.ruling.roots.Add(flag.use, said.Words, said.Source)
			s.ruling.mu.Unlock()
			if err != nil {
				return fault.New(fault.Usage, "%s: %w", said.Source, err).About(said.Source)
			}
		}
	}
	return nil
}

func (r *ruling) rooted() policy.Roots {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.roots
}

// file asks the roots about a file, and notes when it is refused.
func (s *Session) file(in *actions.Input, use policy.Use, path string) (string, error) {
	real, err := s.ruling.rooted().Check(use, path)
	outside, ok := errors.AsType[*policy.OutsideError](err)
	if !ok {
		return real, err
	}
	line, _ := in.Masked()
	s.refuse(policy.File, outside.Path, outside.Rule, line)
	f := fault.New(fault.PolicyBlocked, "The file is outside the roots: %w.", outside).About(outside.Path).
		With("rule", outside.Rule).With("from", outside.From)
	return "", f.WithHint("Nothing was read or written. Give a path below the root; `policy` shows it.")
}

// File asks the roots about a file.
func (r rules) File(in *actions.Input, use policy.Use, path string) (string, error) {
	return r.s.file(in, use, path)
}

// Folder returns a folder that the roots allow.
func (r rules) Folder(use policy.Use) string { return r.s.ruling.rooted().Folder(use) }

// confine asks the roots about the files that a browser would begin with.
func (s *Session) confine(in *actions.Input, l *launch) (err error) {
	if in.Command().Effect.Has(actions.NoBrowser) {
		return nil
	}
	if w := l.wish; w != nil && w.path != "" && filepath.Dir(w.path) != w.store.Dir() { // one of the store was named without a path
		if w.path, err = s.file(in, policy.Reading, w.path); err != nil {
			return err
		}
	}
	for i, folder := range l.browser.Extensions {
		if l.browser.Extensions[i], err = s.file(in, policy.Reading, folder); err != nil {
			return err
		}
	}
	return nil
}
