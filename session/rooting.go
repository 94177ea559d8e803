package session

import (
	"errors"
	"path/filepath"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
)

// file asks the roots about a file, and notes when it is refused.
func (s *Session) file(in *actions.Input, use policy.Use, path string) (string, error) {
	real, err := s.ruling.Roots().Check(use, path)
	if outside, ok := errors.AsType[*policy.OutsideError](err); ok {
		line, _ := in.Masked()
		s.refuse(policy.File, outside.Path, outside.Rule, line)
	}
	return real, rules.FileRefused(err)
}

// File asks the roots about a file.
func (r sessionRules) File(in *actions.Input, use policy.Use, path string) (string, error) {
	return r.s.file(in, use, path)
}

// Folder returns a folder that the roots allow.
func (r sessionRules) Folder(use policy.Use) string { return r.s.ruling.Roots().Folder(use) }

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
		roots = s.ruling.Roots()
	}
	var asked policy.Roots
	if err := rules.EachRoot(in, req.Getenv, r.path, asked.Add); err != nil {
		return policy.Place{}, err
	}
	place, err := roots.With(asked).Place(r.path(file))
	return place, rules.FileRefused(err)
}
