package actions

import (
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/journal"
)

// maxKept is the longest value, in bytes, that a journal keeps of one argument.
const maxKept = 16 << 10

// perRow are the globals that one command may have for itself. Every command asks for them.
var perRow = sync.OnceValue(func() []Flag {
	return slices.DeleteFunc(Globals(), func(f Flag) bool { return !f.PerRow })
})

// Recorded returns what a journal keeps of the command line, and a function that takes out of a text what is not for those who look on. find
// tells what a ref stands for, or nil.
func (in *Input) Recorded(find func(ref string) *journal.Target) (journal.Entry, func(string) string) {
	shown, mask := in.Masked()
	e := in.cmd.Effect
	entry := journal.Entry{
		Command: in.cmd.Name, Shown: shown,
		Steps: in.cmd.Steps || !in.cmd.Choosing && (e.Has(Mutates) || e.Has(Navigates) || e.Has(Closes)),
	}
	add := func(name string, flag bool, kind Kind, keeps, secret, typed bool) {
		v := in.values[name]
		if len(v.words) == 0 {
			return
		}
		w := journal.Word{Name: name, Flag: flag, Typed: typed}
		switch {
		case kind == Bool:
			if on, _ := ParseBool(v.words[0]); !on {
				return
			}
		case secret, !keeps && !in.shows(kind, false):
			w.Hidden = true
		case in.private[name], len(strings.Join(v.words, "")) > maxKept:
			w.Hidden = true
		case kind == URL:
			w.Values = []string{withoutUser(in.String(name))}
			w.Hidden = w.Values[0] != in.String(name)
		default:
			w.Values = v.words
		}
		if kind == Selector && len(w.Values) == 1 {
			w.Target = find(w.Values[0])
		}
		if w.Hidden {
			w.Values = nil
		}
		entry.Words = append(entry.Words, w)
	}
	for _, a := range in.cmd.Args {
		add(a.Name, false, a.Kind, a.Kept || len(a.OneOf) > 0, a.Secret, a.Typed)
	}
	for _, f := range in.cmd.Flags {
		add(f.Name, true, f.Kind, f.Kept || len(f.OneOf) > 0, f.Secret, false)
	}
	for _, f := range perRow() {
		if strings.HasPrefix(in.Source(f.Name), "-") {
			add(f.Name, true, f.Kind, true, f.Secret, false)
		}
	}
	return entry, mask
}
