package refguard

import (
	"regexp"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/tool/argv"
)

var ref = regexp.MustCompile(`^@e[0-9]+$`)

// isRef is the quick form of what ref matches.
func isRef(word string) bool {
	return len(word) > 2 && word[0] == '@' && word[1] == 'e' && ref.MatchString(word)
}

// guarded reports whether refs of the command have to belong to the page. Waiting for something that is not there is what `wait` is for, `a11y`
// opens its own page, `find` looks anew, and a snapshot is what makes refs right again.
func guarded(c *actions.Command) bool {
	return c.Name != "wait" && c.Name != "a11y" && c.Name != "snapshot" && !strings.HasPrefix(c.Name, "find ")
}

// Uses returns the refs, without @, that the command acts on.
func Uses(w *argv.Words) []string {
	c := w.Entry
	if c == nil || !guarded(c) {
		return nil
	}
	var refs []string
	for i, word := range w.Positionals {
		if i >= len(c.Args) {
			break
		}
		if c.Args[i].Kind == actions.Selector && isRef(word) {
			refs = append(refs, word[1:])
		}
	}
	for i := range w.Flags {
		if f := &w.Flags[i]; f.Name == "selector" && !f.Global && isRef(f.Value) {
			refs = append(refs, f.Value[1:])
		}
	}
	return refs
}

// keeps are the commands that may change a page by the registry, and whose change leaves the refs of a snapshot right: what they set shows in
// the same element, or is no part of the page.
func keeps(name string) bool {
	switch name {
	case "fill", "focus", "highlight", "download", "clipboard copy", "connect", "a11y", "vitals":
		return true
	}
	return false
}

// Invalidates reports whether refs may mean other elements after the command.
func Invalidates(w *argv.Words) bool {
	c := w.Entry
	switch {
	case c == nil:
		return false
	case strings.HasPrefix(c.Name, "find "):
		return invalidatesFound(w)
	case c.Name == "record start":
		return true
	case c.Name == "record restart":
		return len(w.Positionals) > 1
	case c.Name == "tab list":
		return len(w.Positionals) > 0
	case c.Name == "tab switch", c.Name == "tab close":
		return true
	}
	return c.Effect.Has(actions.Mutates) && !keeps(c.Name)
}

// invalidatesFound looks at what `find` does with what it finds.
func invalidatesFound(w *argv.Words) bool {
	at := slices.IndexFunc(w.Entry.Args, func(a actions.Arg) bool { return a.Name == "action" })
	action := w.Positional(at)
	if action == "" {
		return true // a click
	}
	c := argv.Lookup(action)
	return c != nil && c.Effect.Has(actions.Mutates) && !keeps(c.Name)
}

// settles reports whether the command changes nothing but the state of a control, by the roles of its refs: after a click on a checkbox the
// refs of a form still mean what they meant.
func settles(w *argv.Words, role func(ref string) string) bool {
	refs := Uses(w)
	if len(refs) == 0 {
		return false
	}
	var roles []string
	switch w.Name() {
	case "check", "uncheck", "click", "tap":
		roles = []string{"checkbox", "radio"}
	case "select":
		roles = []string{"combobox"}
	default:
		return false
	}
	return !slices.ContainsFunc(refs, func(r string) bool { return !slices.Contains(roles, role(r)) })
}
