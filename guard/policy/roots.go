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

// Use says what is done with a file of the caller's.
type Use uint8

// The uses.
const (
	Reading Use = iota // for a page or the session
	Writing
)

// maxRoots bounds the lists of roots of a session.
const maxRoots = 32

// Roots are folders that files must lie below: below one of each list for their use. The zero value allows all. A copy is not changed by what
// is added to the original.
type Roots struct{ lists []rootList }

type rootList struct {
	use     Use
	folders []string // absolute, with links resolved, sorted
	from    string
}

// Add narrows a use to the folders, which are absolute and may be yet to be made. From is the flag or file that they come from.
func (r *Roots) Add(use Use, folders []string, from string) error {
	list := rootList{use: use, from: from}
	for _, folder := range folders {
		real, err := resolve(folder)
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		if info, err := os.Stat(real); err == nil && !info.IsDir() {
			return fmt.Errorf("%s is no folder", folder)
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
		return fmt.Errorf("the session has %d lists of roots already, which all stand", maxRoots)
	}
	r.lists = append(slices.Clip(r.lists), list)
	return nil
}

// Given reports whether there is a list for any use.
func (r Roots) Given() bool { return len(r.lists) > 0 }

// With returns the lists of both.
func (r Roots) With(o Roots) Roots {
	for _, l := range o.lists {
		if !slices.ContainsFunc(r.lists, func(own rootList) bool { return own.use == l.use && slices.Equal(own.folders, l.folders) }) {
			r.lists = append(slices.Clip(r.lists), l)
		}
	}
	return r
}

// OutsideError says that a file may not be used.
type OutsideError struct {
	Path string // as it was asked for
	Real string // where links lead to; empty: that cannot be known
	Rule string // the rule that decided
	From string // where the rule comes from
	Err  error  // why that cannot be known
}

// Error tells of the file and the rule.
func (e *OutsideError) Error() string {
	switch {
	case e.Real == "":
		return fmt.Sprintf("%s cannot be told to lie below the root (%v): %s", e.Path, e.Err, e.Rule)
	case e.Real != e.Path:
		return fmt.Sprintf("%s leads to %s: %s", e.Path, e.Real, e.Rule)
	}
	return e.Path + ": " + e.Rule
}

// Unwrap returns why links could not be resolved, or nil.
func (e *OutsideError) Unwrap() error { return e.Err }

// Check returns the path by which a file is to be opened: an absolute path as it is when no roots stand for the use, else with the links of
// what is there resolved. The error is an [*OutsideError], or a [*ProtectedError] of a file that is not to be replaced.
func (r Roots) Check(use Use, path string) (real string, err error) {
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
	if use == Writing {
		if err := protect(path); err != nil {
			return "", err
		}
	}
	if !resolved {
		return path, nil
	}
	return real, nil
}

// Folder returns a folder that files of the use may lie in; empty when no roots stand for it, or when no folder suits all of them.
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

// Rules returns the roots as they are shown.
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

// resolve returns an absolute path with the links of what is there resolved. What is not there yet has none; a link that leads nowhere is an
// error, since what is made in its place is not known to lie where the link does.
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
			return "", errors.New("it is a link, or behind one, that leads nowhere")
		}
		if filepath.Dir(there) == there {
			return "", err
		}
		missing = filepath.Join(filepath.Base(there), missing)
	}
}
