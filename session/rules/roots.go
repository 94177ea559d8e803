package rules

import (
	"errors"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// rootFlags are the flags that name roots.
var rootFlags = [...]struct {
	name string
	use  policy.Use
}{{"upload-root", policy.Reading}, {"download-root", policy.Writing}}

// applyRoots adds the roots that a call names. If one is wrong, nothing runs.
func (r *Set) applyRoots(in *actions.Input, getenv func(string) string, path func(string) string) error {
	return EachRoot(in, getenv, path, func(use policy.Use, folders []string, from string) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		return r.roots.Add(use, folders, from)
	})
}

// EachRoot calls add with the lists of roots that a call names.
func EachRoot(
	in *actions.Input, getenv, path func(string) string, add func(use policy.Use, folders []string, from string) error,
) error {
	for _, flag := range rootFlags {
		if !in.Ruled(flag.name) {
			continue
		}
		for _, source := range in.Statements(flag.name, getenv) {
			if len(source.Words) == 0 {
				return fault.New(fault.Usage, "%s has no folder.", source.Source).About(source.Source)
			}
			for i, folder := range source.Words {
				source.Words[i] = path(expandHome(folder, getenv))
			}
			if err := add(flag.use, source.Words, source.Source); err != nil {
				return fault.New(fault.Usage, "%s: %w", source.Source, err).About(source.Source)
			}
		}
	}
	return nil
}

// Roots returns the owner's roots and those that the session's calls have added.
func (r *Set) Roots() policy.Roots {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.roots.Given() {
		return r.owner.Roots()
	}
	return r.owner.Roots().With(r.roots)
}

// Shows returns a check of what pages show and load: of file: addresses, while there are any rules. private reports
// whether a path is one of skua's secrets.
func (r *Set) Shows(private func(path string) bool) func(address string) error {
	return func(address string) error {
		if !r.Ruled() {
			return nil
		}
		return FileRefused(r.Roots().Shows(address, private))
	}
}

// Ruled reports whether any rule of the owner or the session applies.
func (r *Set) Ruled() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.ruledLocked()
}

// FileRefused converts the error of a roots check into a fault.
func FileRefused(err error) error {
	if protected, ok := errors.AsType[*policy.ProtectedError](err); ok {
		if protected.Reason != "" {
			return fault.New(fault.PolicyBlocked, "The file is not written: %w.", protected).About(protected.Path).
				WithHint("Nothing was written. Give a path outside of it.")
		}
		return fault.New(fault.PolicyBlocked, "The file is not overwritten: %w.", protected).About(protected.Path).
			WithHint("Nothing was written. Give another name, or remove the file first.")
	}
	if private, ok := errors.AsType[*policy.PrivateError](err); ok {
		return fault.New(fault.PolicyBlocked, "The file is private: %w.", private).About(private.Path).With("rule",
			"private").
			WithHint("Nothing was read. `auth`, `state` and `session` work with these files.")
	}
	outside, ok := errors.AsType[*policy.OutsideError](err)
	if !ok {
		return err
	}
	f := fault.New(fault.PolicyBlocked, "The file is outside the roots: %w.", outside).About(outside.Path).
		With("rule", outside.Rule).With("from", outside.From)
	return f.WithHint("Nothing was read or written. Give a path below the root; `policy` shows it.")
}
