package session

import (
	"errors"
	"path/filepath"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/launch"
	"github.com/skua-browser/skua/session/rules"
)

// file checks a file against the roots, and records a refusal.
func (s *Session) file(in *actions.Input, use policy.Use, path string) (string, error) {
	real, err := s.ruling.Roots().Check(use, path)
	if outside, ok := errors.AsType[*policy.OutsideError](err); ok {
		line, _ := in.Masked()
		s.recordRefusal(policy.File, outside.Path, outside.Rule, line)
	}
	return real, rules.FileRefused(err)
}

// File checks a file against the roots.
func (r sessionRules) File(in *actions.Input, use policy.Use, path string) (string, error) {
	return r.s.file(in, use, path)
}

// Folder returns a folder that the roots allow.
func (r sessionRules) Folder(use policy.Use) string { return r.s.ruling.Roots().Folder(use) }

// checkLaunchFiles checks the files and folders that a browser would start with against the roots.
func (s *Session) checkLaunchFiles(in *actions.Input, l *launch.Options) (err error) {
	if in.Command().Effect.Has(actions.NoBrowser) {
		return nil
	}
	if w := l.Restore; w != nil && w.Path != "" && filepath.Dir(w.Path) != w.Store.Dir() {
		// a state of the store needs no check
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

// Destination checks where a file that no command writes may be written, such as an output file of the tool: the roots
// of the owner, the session and the request apply. Nothing runs. session is used if the command line names none; it may
// be empty.
func (m *Manager) Destination(req Request, session, file string) (policy.Destination, error) {
	if req.Getenv == nil {
		req.Getenv = func(string) string { return "" }
	}
	r := runner{manager: m, req: req}
	roots := m.owner.Roots()
	options := actions.ParseOptions{Program: req.Program, Getenv: req.Getenv, Configure: m.config.For(req.Cwd, req.Getenv)}
	in, err := m.registry.Parse(req.Args, options)
	if err != nil || in.Asks() != grammar.AskNothing { // no command will run, but the rules apply
		if in, err = m.registry.ParseGlobals(options); err != nil {
			return policy.Destination{}, err
		}
	}
	name, _ := m.resolveSession(in, req)
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
		return policy.Destination{}, err
	}
	place, err := roots.With(asked).Destination(r.path(file))
	return place, rules.FileRefused(err)
}
