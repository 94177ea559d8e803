package policy

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Use says what is done with a file.
type Use uint8

// The uses.
const (
	Reading Use = iota // for a page or the session
	Writing
	Installing // writing what skua itself carries, such as its guides, where other programs look for it
)

// maxRoots bounds the number of a session's lists of roots.
const maxRoots = 32

// Roots are folders that files must be in: in one folder of each list for their use. The zero value allows all files.
// Adding to a Roots does not change its copies.
type Roots struct{ lists []rootList }

type rootList struct {
	use     Use
	folders []string // absolute, with links resolved, sorted
	from    string
}

// Add restricts a use to the folders, which are absolute and may not exist yet. from is the flag or file that names
// them.
func (r *Roots) Add(use Use, folders []string, from string) error {
	list := rootList{use: use, from: from}
	for _, folder := range folders {
		real, err := resolve(folder)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		if info, err := os.Stat(real); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is not a folder", folder)
		}
		list.folders = append(list.folders, real)
	}
	slices.Sort(list.folders)
	list.folders = slices.Compact(list.folders)
	for _, l := range r.lists {
		if l.use == use && slices.Equal(l.folders, list.folders) {
			return nil
		}
	}
	if len(r.lists) == maxRoots {
		return fmt.Errorf("the session already has %d lists of roots, which all apply", maxRoots)
	}
	r.lists = append(slices.Clip(r.lists), list)
	return nil
}

// Given reports whether there is a list for any use.
func (r Roots) Given() bool { return len(r.lists) > 0 }

// With returns the lists of both.
func (r Roots) With(o Roots) Roots {
	for _, l := range o.lists {
		if !slices.ContainsFunc(r.lists, func(own rootList) bool {
			return own.use == l.use && slices.Equal(own.folders, l.folders)
		}) {
			r.lists = append(slices.Clip(r.lists), l)
		}
	}
	return r
}

// OutsideError says that a file is outside the roots.
type OutsideError struct {
	Path string // as requested
	Real string // the target of links; empty means unknown
	Rule string // the rule that decided
	From string // where the rule comes from
	Err  error  // why Real is unknown
}

// Error returns the message.
func (e *OutsideError) Error() string {
	switch {
	case e.Real == "":
		return fmt.Sprintf("%s cannot be verified to be below the root (%v): %s", e.Path, e.Err, e.Rule)
	case e.Real != e.Path:
		return fmt.Sprintf("%s leads to %s: %s", e.Path, e.Real, e.Rule)
	}
	return e.Path + ": " + e.Rule
}

// Unwrap returns why links could not be resolved, or nil.
func (e *OutsideError) Unwrap() error { return e.Err }

// Check returns the path with which to open a file: unchanged if no roots apply to the use, else with existing links
// resolved. The error is an [*OutsideError], or a [*ProtectedError] for a file that must not be replaced.
func (r Roots) Check(use Use, path string) (real string, err error) {
	protected := use == Writing
	if use == Installing {
		use = Writing
	}
	resolved := false
	for _, l := range r.lists {
		if l.use != use {
			continue
		}
		if !resolved {
			if real, err = resolve(path); err != nil {
				return "", &OutsideError{Path: path, Rule: l.rule(), From: l.from, Err: err}
			}
			resolved = true
		}
		if !l.holds(real) {
			return "", &OutsideError{Path: path, Real: real, Rule: l.rule(), From: l.from}
		}
	}
	if protected {
		if err := r.protect(path); err != nil {
			return "", err
		}
	}
	if !resolved {
		return path, nil
	}
	return real, nil
}

// Folder returns a folder that all roots for the use allow; empty means that there are no roots, or no such folder.
func (r Roots) Folder(use Use) string {
	for _, l := range r.lists {
		for _, folder := range l.folders {
			if l.use == use && !slices.ContainsFunc(r.lists, func(o rootList) bool { return o.use == use && !o.holds(folder) }) {
				return folder
			}
		}
	}
	return ""
}

// Rules returns the roots for display.
func (r Roots) Rules() []Rule {
	var rules []Rule
	for _, l := range r.lists {
		rules = append(rules, Rule{Kind: File, Text: l.rule(), From: l.from})
	}
	return rules
}

func (l *rootList) rule() string {
	does := "read"
	if l.use == Writing {
		does = "write"
	}
	return does + " files below " + strings.Join(l.folders, ", ") + " only"
}

func (l *rootList) holds(path string) bool {
	return slices.ContainsFunc(l.folders, func(folder string) bool {
		rel, err := filepath.Rel(folder, path)
		return err == nil && filepath.IsLocal(rel)
	})
}

// resolve returns an absolute path with existing links resolved. A link to a missing file is an error, since a file
// that is created in its place may be elsewhere.
func resolve(path string) (string, error) {
	missing := ""
	for there := filepath.Clean(path); ; there = filepath.Dir(there) {
		real, err := filepath.EvalSymlinks(there)
		if err == nil {
			return filepath.Join(real, missing), nil
		}
		if e, ok := errors.AsType[*fs.PathError](err); ok {
			err = e.Err
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if _, lerr := os.Lstat(there); lerr == nil {
			return "", errors.New("it is, or passes through, a broken link")
		}
		if filepath.Dir(there) == there {
			return "", err
		}
		missing = filepath.Join(filepath.Base(there), missing)
	}
}
