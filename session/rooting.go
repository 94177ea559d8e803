package session

import (
	"errors"
	"path/filepath"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/session/launch"
)

// rootFlags are the flags that name roots.
var rootFlags = [...]struct {
	name string
	use  policy.Use
}{{"upload-root", policy.Reading}, {"download-root", policy.Writing}}

// heedRoots adds the roots that a call names. A wrong one is an error, and nothing runs.
func (s *Session) heedRoots(in *actions.Input, getenv func(string) string, path func(string) string) error {
	return eachRoot(in, getenv, path, func(use policy.Use, folders []string, from string) error {
		s.ruling.mu.Lock()
		defer s.ruling.mu.Unlock()
		return s.ruling.roots.Add(use, folders, from)
	})
}

// eachRoot calls add with the lists of roots that a call names.
func eachRoot(in *actions.Input, getenv, path func(string) string, add func(use policy.Use, folders []string, from string) error) error {
	for _, flag := range rootFlags {
		if !in.Ruled(flag.name) {
			continue
		}
		for _, said := range in.Statements(flag.name, getenv) {
			if len(said.Words) == 0 {
				return fault.New(fault.Usage, "%s names no folder.", said.Source).About(said.Source)
			}
			for i, folder := range said.Words {
				said.Words[i] = path(fromHome(folder, getenv))
			}
			if err := add(flag.use, said.Words, said.Source); err != nil {
				return fault.New(fault.Usage, "%s: %w", said.Source, err).About(said.Source)
			}
		}
	}
	return nil
}

// rooted returns all roots: the owner's, and what the session's calls have added.
func (s *Session) rooted() policy.Roots {
	s.ruling.mu.Lock()
	defer s.ruling.mu.Unlock()
	if !s.ruling.roots.Given() {
		return s.manager.owner.Roots()
	}
	return s.manager.owner.Roots().With(s.ruling.roots)
}

// file asks the roots about a file, and notes when it is refused.
func (s *Session) file(in *actions.Input, use policy.Use, path string) (string, error) {
	real, err := s.rooted().Check(use, path)
	if outside, ok := errors.AsType[*policy.OutsideError](err); ok {
		line, _ := in.Masked()
		s.refuse(policy.File, outside.Path, outside.Rule, line)
	}
	return real, fileRefused(err)
}

// fileRefused is the error of a file that the rules do not give; nil: they do.
func fileRefused(err error) error {
	if protected, ok := errors.AsType[*policy.ProtectedError](err); ok {
		return fault.New(fault.PolicyBlocked, "The file is not overwritten: %w.", protected).About(protected.Path).
			WithHint("Nothing was written. Give another name, or remove the file first.")
	}
	outside, ok := errors.AsType[*policy.OutsideError](err)
	if !ok {
		return err
	}
	f := fault.New(fault.PolicyBlocked, "The file is outside the roots: %w.", outside).About(outside.Path).
		With("rule", outside.Rule).With("from", outside.From)
	return f.WithHint("Nothing was read or written. Give a path below the root; `policy` shows it.")
}

// File asks the roots about a file.
func (r rules) File(in *actions.Input, use policy.Use, path string) (string, error) {
	return r.s.file(in, use, path)
}

// Folder returns a folder that the roots allow.
func (r rules) Folder(use policy.Use) string { return r.s.rooted().Folder(use) }

// confine asks the roots about the files that a browser would begin with.
func (s *Session) confine(in *actions.Input, l *launch.Options) (err error) {
	if in.Command().Effect.Has(actions.NoBrowser) {
		return nil
	}
	if w := l.Wish; w != nil && w.Path != "" && filepath.Dir(w.Path) != w.Store.Dir() { // one of the store was named without a path
		if w.Path, err = s.file(in, policy.Reading, w.Path); err != nil {
			return err
		}
	}
	for i, folder := range l.Browser.Extensions {
		if l.Browser.Extensions[i], err = s.file(in, policy.Reading, folder); err != nil {
			return err
		}
	}
	return nil
}

// Place says where a file of the caller's that no command writes may be written: the roots of the owner, of the request's session and of the
// request itself hold for it, too. Nothing is run.
// Session is the one that is meant where the command line names none; it may be empty.
func (m *Manager) Place(req Request, session, file string) (policy.Place, error) {
	if req.Getenv == nil {
		req.Getenv = func(string) string { return "" }
	}
	r := runner{manager: m, req: req}
	roots := m.owner.Roots()
	options := actions.ParseOptions{Program: req.Program, Getenv: req.Getenv, Configure: m.config.For(req.Cwd, req.Getenv)}
	in, err := m.registry.Parse(req.Args, options)
	if err != nil || in.Asks() != actions.AskNothing { // no command will run, and the rules hold all the same
		if in, err = m.registry.ParseGlobals(options); err != nil {
			return policy.Place{}, err
		}
	}
	name, _ := m.whose(in, req)
	if !in.Has("session") && session != "" {
		name = session
	}
	m.mu.Lock()
	s := m.sessions[name]
	m.mu.Unlock()
	if s != nil {
		roots = s.rooted()
	}
	var asked policy.Roots
	if err := eachRoot(in, req.Getenv, r.path, asked.Add); err != nil {
		return policy.Place{}, err
	}
	place, err := roots.With(asked).Place(r.path(file))
	return place, fileRefused(err)
}
