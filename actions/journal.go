package actions

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/session/journal"
)

// maxKept is the longest value, in bytes, that a journal keeps of one argument.
const maxKept = 16 << 10

// perRow are the globals that one command may have for itself. Every command asks for them.
var perRow = sync.OnceValue(func() []Flag {
	return slices.DeleteFunc(Globals(), func(f Flag) bool { return !f.PerRow })
})

// Recorded returns what a journal keeps of the command line, and a function that removes from a text what viewers must
// not see. find returns the target of a ref, or nil.
func (in *Input) Recorded(find func(ref string) *journal.Target) (journal.Entry, func(string) string) {
	shown, mask := in.Masked()
	e := in.cmd.Effect
	entry := journal.Entry{
		Command: in.cmd.Name, Shown: shown,
		Replayable: in.cmd.Steps || !in.cmd.Choosing && (e.Has(Mutates) || e.Has(Navigates) || e.Has(Closes)),
	}
	add := func(name string, flag bool, kind Kind, keeps, secret, typed bool) {
		given := in.Given(name)
		if len(given) == 0 {
			return
		}
		w := journal.Word{Name: name, Flag: flag, Typed: typed}
		switch {
		case kind == Bool:
			if on, _ := grammar.ParseBool(given[0]); !on {
				return
			}
		case secret, !keeps && !in.shows(kind, false):
			w.Hidden = true
		case in.private[name], len(strings.Join(given, "")) > maxKept:
			w.Hidden = true
		case kind == URL:
			w.Values = []string{withoutUser(in.String(name))}
			w.Hidden = w.Values[0] != in.String(name)
		default:
			w.Values = given
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

// MethodCall is the command line as a call of a program; nil means that programs do not have the command.
func (in *Input) MethodCall(piece func(name, word string) journal.Arg) *journal.Method {
	if !in.cmd.IsMethod() {
		return nil
	}
	call := &journal.Method{Name: in.cmd.MethodName()}
	for i := range in.cmd.Args {
		a := &in.cmd.Args[i]
		words := in.Given(a.Name)
		if a.Kind == Text && len(words) > 0 {
			words = []string{strings.Join(words, " ")}
		}
		for _, word := range words {
			call.Args = append(call.Args, piece(a.Name, word))
		}
	}
	option := func(f *Flag, key string) {
		if !in.Flagged(key) {
			return
		}
		o := journal.Option{Name: grammar.CamelCase(grammar.NameWords(f.Name))}
		switch f.Manner() {
		case grammar.FlagAsBool:
			o.True = in.Bool(key)
			if !o.True {
				return
			}
		default:
			for _, word := range in.Given(key) {
				o.Values = append(o.Values, piece(f.Name, word))
			}
		}
		call.Options = append(call.Options, o)
	}
	for i := range in.cmd.Flags {
		option(&in.cmd.Flags[i], cmp.Or(in.cmd.Flags[i].As, in.cmd.Flags[i].Name))
	}
	for _, f := range Globals() {
		if f.PerRow {
			option(&f, f.Name)
		}
	}
	return call
}

// PlaywrightTemplate is the first of the command's statements for Playwright that has a place for everything that was
// given.
func (in *Input) PlaywrightTemplate() string {
	var given []string
	for _, a := range in.cmd.Args {
		if in.Has(a.Name) {
			given = append(given, a.Name)
		}
	}
	for _, f := range in.cmd.Flags {
		if in.Has(f.Name) && !f.Common {
			given = append(given, f.Name)
		}
	}
	if in.Has("tab") {
		return ""
	}
	for _, t := range in.cmd.Playwright {
		holds := func(name string) bool {
			return strings.Contains(t, "{"+name+"}") || strings.Contains(t, "{..."+name+"}")
		}
		if slices.IndexFunc(given, func(name string) bool { return !holds(name) }) >= 0 {
			continue
		}
		if strings.Count(t, "{")-strings.Count(t, "{ ") == len(given) {
			return t
		}
	}
	return ""
}

// JournalValues are the values of the command line for a template. Piece makes one of a word of what was given by a
// name.
func (in *Input) JournalValues(
	targets map[string]*journal.Target, piece func(name, word string) journal.Arg,
) map[string][]journal.Value {
	values := map[string][]journal.Value{}
	in.Each(func(name string, kind Kind, words []string) {
		if kind == Text {
			words = []string{strings.Join(words, " ")}
		}
		for _, word := range words {
			value := journal.Value{Arg: piece(name, word), Number: kind == Int || kind == Number || kind == Duration}
			if kind == Selector {
				value.Locator = journal.Locator(word, targets[name])
			}
			values[name] = append(values[name], value)
		}
	})
	return values
}
