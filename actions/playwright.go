package actions

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/journal"
)

// PlaywrightTemplate is the first of the command's statements for Playwright that has a place for everything that was given.
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

// JournalValues are the values of the command line for a template. Piece makes one of a word of what was given by a name.
func (in *Input) JournalValues(targets map[string]*journal.Target, piece func(name, word string) journal.Piece) map[string][]journal.Value {
	values := map[string][]journal.Value{}
	for name, v := range in.values {
		slot := in.spec.get(name)
		if slot == nil {
			continue
		}
		words := v.words
		if slot.kind == Text {
			words = []string{strings.Join(words, " ")}
		}
		for _, word := range words {
			value := journal.Value{Piece: piece(name, word), Number: slot.kind == Int || slot.kind == Number || slot.kind == Duration}
			if slot.kind == Selector {
				value.Locator = journal.Locator(word, targets[name])
			}
			values[name] = append(values[name], value)
		}
	}
	return values
}
