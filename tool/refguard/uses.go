package refguard

import (
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/snapshot"
	"github.com/skua-browser/skua/tool/argv"
)

// Uses returns the refs, without @, that the command acts on.
func Uses(w *argv.Words) []string {
	c := w.Entry
	if c == nil || c.Refs.Unchecked {
		return nil
	}
	var refs []string
	for i, word := range w.Positionals {
		if i >= len(c.Args) {
			break
		}
		if id, ok := snapshot.RefID(word); ok && c.Args[i].Kind == actions.Selector {
			refs = append(refs, id)
		}
	}
	for i := range w.Flags {
		f := &w.Flags[i]
		if id, ok := snapshot.RefID(f.Value); ok && f.Name == "selector" && !f.Global {
			refs = append(refs, id)
		}
	}
	return refs
}

// mayChange reports whether refs may mean other elements after the command, by what it does.
func mayChange(c *actions.Command) bool { return c.Effect.Has(actions.Mutates) && !c.Refs.Kept }

// Invalidates reports whether refs may mean other elements after the command.
func Invalidates(w *argv.Words) bool {
	c := w.Entry
	switch {
	case c == nil:
		return false
	case w.Does(trait.Finds):
		found := w.Found()
		return w.FoundAction() == "" || found != nil && mayChange(found) // it clicks when nothing else is said
	case c.Refs.Stale != nil:
		return c.Refs.Stale(len(w.Positionals))
	}
	return mayChange(c)
}

// settles reports whether the command changes nothing but the state of a control, by the roles of its refs: after a
// click on a checkbox the refs of a form still mean what they meant.
func settles(w *argv.Words, role func(ref string) string) bool {
	refs := Uses(w)
	if len(refs) == 0 {
		return false
	}
	return !slices.ContainsFunc(refs, func(r string) bool { return !slices.Contains(w.Entry.Refs.Settles, role(r)) })
}
