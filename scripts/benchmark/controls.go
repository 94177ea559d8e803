//go:build linux

package main

import (
	"fmt"
	"regexp"
	"strings"
)

// control is a control that a snapshot shows.
type control struct {
	role, name string
	ref        string // as @e5
	rest       string // what else its line says: states, value
}

var (
	controlLine = regexp.MustCompile(`^ *- ([\w-]+)(?: "((?:[^"\\]|\\.)*)")?(.*)$`)
	sharedLine  = regexp.MustCompile(`^ *- ([\w-]+?)(?: \[[^\]]*\])?: ((?:"(?:[^"\\]|\\.)*" )?@e\d+.*)$`)
	oneOfLine   = regexp.MustCompile(`(?:"((?:[^"\\]|\\.)*)" )?@(e\d+)((?: \[(?:[^"\]]|"(?:[^"\\]|\\.)*")*\])?)`)
	headingRole = regexp.MustCompile(`^h[1-6]$`)
)

// controlsOf returns the controls of a snapshot, or of the changes since one, in the order of the page.
func controlsOf(view string) (found []control) {
	if deltaHead.MatchString(view) {
		view = deltaSign.ReplaceAllString(strings.ReplaceAll(view, "\n- ", "\n"), "$1- ")
	}
	for line := range strings.Lines(view) {
		line, _, _ = strings.Cut(strings.TrimRight(line, "\n"), " (was: ")
		if shared := sharedLine.FindStringSubmatch(line); shared != nil {
			for _, one := range oneOfLine.FindAllStringSubmatch(shared[2], -1) {
				found = append(found, control{role: singular(shared[1]), name: unescape(one[1]), ref: "@" + one[2], rest: one[3]})
			}
			continue
		}
		parts := controlLine.FindStringSubmatch(line)
		if parts == nil {
			continue
		}
		ref := refPattern.FindStringSubmatch(parts[3])
		if ref == nil {
			continue
		}
		role := parts[1]
		if headingRole.MatchString(role) {
			role = "heading"
		}
		found = append(found, control{role: role, name: unescape(parts[2]), ref: "@" + ref[1], rest: parts[3]})
	}
	return found
}

// singular is the role of controls that share a line.
func singular(role string) string {
	switch role {
	case "checkboxes", "switches", "searchboxes", "comboboxes", "listboxes", "textboxes":
		return strings.TrimSuffix(role, "es")
	}
	return strings.TrimSuffix(role, "s")
}

func unescape(name string) string {
	return strings.ReplaceAll(strings.ReplaceAll(name, `\"`, `"`), `\\`, `\`)
}

// wish is the control that an agent looks for, as a person who reads a snapshot would: by its role, and what its name
// and the rest of its line say.
type wish struct {
	roles string // separated by |
	name  string // a regular expression; empty means any
	rest  string // another one
	nth   int    // of several that fit
}

func (w wish) String() string { return fmt.Sprintf("%s %q", w.roles, w.name+w.rest) }

// in finds the ref of the control in a snapshot.
func (w wish) in(view string) (string, error) {
	name, rest := regexp.MustCompile(w.name), regexp.MustCompile(w.rest)
	left := w.nth
	for _, c := range controlsOf(view) {
		if strings.Contains("|"+w.roles+"|", "|"+c.role+"|") && name.MatchString(c.name) && rest.MatchString(c.rest) {
			if left == 0 {
				return c.ref, nil
			}
			left--
		}
	}
	return "", fmt.Errorf("%w: %s in %s", errNotThere, w, firstLines(view, 5))
}
