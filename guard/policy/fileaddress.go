package policy

import (
	"errors"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// PrivateError says that a file is one of skua's own secrets, which nothing under rules may read.
type PrivateError struct {
	Path string // as requested
}

// Error returns the message.
func (e *PrivateError) Error() string {
	return e.Path + " is in a folder with the keys, logins and states of skua, which no rule opens"
}

// Shows returns why a page may not show or load an address, or nil. With roots, a file must be below those for reading
// or, if there are none, below those for writing. private reports whether a path, with links resolved, is one of skua's
// secrets. Only file: addresses are checked.
func (r Roots) Shows(address string, private func(path string) bool) error {
	path, err := filePath(address)
	if err != nil {
		return &OutsideError{Path: address, Rule: "show files by a plain path only", Err: err}
	}
	if path == "" {
		return nil
	}
	use := Writing
	for _, l := range r.lists {
		if l.use == Reading {
			use = Reading
		}
	}
	real, err := resolve(path)
	if err == nil && private != nil && private(real) {
		return &PrivateError{Path: path}
	}
	for _, l := range r.lists {
		switch {
		case l.use != use:
		case err != nil:
			return &OutsideError{Path: path, Rule: l.rule(), From: l.from, Err: err}
		case !l.holds(real):
			return &OutsideError{Path: path, Real: real, Rule: l.rule(), From: l.from}
		}
	}
	return nil
}

// fileScheme matches a file: address, also one whose source is shown.
var fileScheme = regexp.MustCompile(`(?i)^[\x00-\x20]*(?:view-source:[\x00-\x20]*)*file:`)

// FilePath returns the path of a file: address, and whether it is one.
func FilePath(address string) (path string, is bool) {
	path, err := filePath(address)
	return path, path != "" && err == nil
}

// filePath returns the path of a file: address, or "" for another address. Browsers and the system may read what it
// refuses in different ways.
func filePath(address string) (string, error) {
	scheme := fileScheme.FindString(address)
	if scheme == "" {
		return "", nil
	}
	rest, _, _ := strings.Cut(strings.ReplaceAll(address[len(scheme):], `\`, "/"), "#")
	rest, _, _ = strings.Cut(rest, "?")
	if after, ok := strings.CutPrefix(rest, "//"); ok {
		host, path, _ := strings.Cut(after, "/")
		if host != "" && !strings.EqualFold(host, "localhost") {
			return "", errors.New("it names another machine")
		}
		rest = "/" + path
	}
	lower := strings.ToLower(rest)
	for _, escape := range []string{"%2f", "%5c", "%00"} {
		if strings.Contains(lower, escape) {
			return "", errors.New("it has " + escape)
		}
	}
	path, err := url.PathUnescape(rest)
	if err != nil {
		return "", err
	}
	path = strings.TrimLeft(path, "/")
	if runtime.GOOS != "windows" {
		path = "/" + path
	}
	return filepath.Clean(path), nil
}
