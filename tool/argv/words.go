package argv

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/batch"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
)

// Words are a command line as it is read. Slices belong to the line that was read; do not change them.
type Words struct {
	Args []string

	Session      string // of --session, at any position; the last one wins
	HasSession   bool
	Namespace    string // of --namespace; it may be given and empty
	HasNamespace bool

	Start   int    // index of the command's first word in Args; len(Args) when there is none
	Command string // the first word of the command as it was typed: "get" of `get text @e1`
	// the words that follow it as parts of the command's name: "text", "har start"; empty when it has none
	Subcommand  string
	Entry       *actions.Command
	Positionals []string // the words after the command's name that are neither flags nor their values; refs as @e12
	Flags       []Flag   // of the whole line in its order, those before the command included

	Help    bool // --help or -h asks for help instead of a run
	Version bool // --version or -V
	JSON    bool // the caller wants JSON
}

// Flag is one flag of a line.
type Flag struct {
	Name     string // long, without dashes: "provider" for -p
	Token    string // as it was typed, without a value in the same word
	Value    string
	HasValue bool
	Inline   bool // --flag=value
	Index    int  // of the flag's word in Args
	Global   bool // every command takes it
	Leading  bool // it comes before the command

	NeedsValue bool // it must have a value, by its grammar
}

// Off reports whether an optional boolean was turned off, by the one spelling that does: the following word `false`.
func (f *Flag) Off() bool { return f.HasValue && !f.Inline && f.Value == "false" && !f.NeedsValue }

// Rest are the words from the command on.
func (w *Words) Rest() []string { return w.Args[w.Start:] }

// Name is the command's name in the registry, else the words that were typed.
func (w *Words) Name() string {
	switch {
	case w.Entry != nil:
		return w.Entry.Name
	case w.Subcommand != "":
		return w.Command + " " + w.Subcommand
	}
	return w.Command
}

// Does reports whether the command has one of these traits, by its definition.
func (w *Words) Does(one trait.Set) bool { return w.Entry.Is(one) }

// EndsSession reports whether the command closes sessions.
func (w *Words) EndsSession() bool { return w.Entry.EndsSession() }

// IsBatch reports whether the command's result has a row for each of the command lines that it was given.
func (w *Words) IsBatch() bool { return actions.Yields[[]batch.BatchRow](w.Entry) }

// ReadsStdin reports whether the line has its command read standard input. A command with flags that say so reads it
// with one of them.
func (w *Words) ReadsStdin() bool {
	if w.Entry == nil || w.Entry.Stdin == nil {
		return false
	}
	asked := true
	for i := range w.Entry.Flags {
		name := w.Entry.Flags[i].Name
		if name != "stdin" && !strings.HasSuffix(name, "-stdin") {
			continue
		}
		if w.Has(name) {
			return true
		}
		asked = false
	}
	return asked
}

// Akin reports whether the command has one of these traits, or where the registry does not know it, a command that
// begins with the same word.
func (w *Words) Akin(one trait.Set) bool {
	if w.Entry != nil || w.Command == "" {
		return w.Does(one)
	}
	return theVocabulary().kinds[w.Command].Any(one)
}

// Writes returns what the command's definition says of the file that the line has it write; nil means that it writes
// none.
func (w *Words) Writes() *trait.Output {
	if w.Inspects() || w.Entry == nil || w.Entry.Writes == nil {
		return nil
	}
	out := w.Entry.Writes
	if out.If != "" {
		if f := w.Flag(out.If); f == nil || f.Off() || f.NeedsValue && f.Value == "" {
			return nil
		}
	}
	return out
}

// Begins reports whether the command begins to record a file of one of these kinds.
func (w *Words) Begins(kinds ...trait.FileKind) bool {
	return w.Entry != nil && slices.Contains(kinds, w.Entry.Recording.Begins)
}

// Ends reports whether the command ends what another one began to record.
func (w *Words) Ends(kinds ...trait.FileKind) bool {
	return w.Entry != nil && slices.Contains(kinds, w.Entry.Recording.Ends)
}

// FoundAction is the word by which a command that looks for an element says what it does with it: "click" of `find role
// button click`; empty means that the line does not say, or looks for none.
func (w *Words) FoundAction() string {
	if w.Entry == nil || !w.Does(trait.Finds) {
		return ""
	}
	if at := slices.IndexFunc(w.Entry.Args, func(a actions.Arg) bool { return a.Name == "action" }); at >= 0 {
		return w.Positional(at)
	}
	return ""
}

// Found is the command that FoundAction names, or nil.
func (w *Words) Found() *actions.Command {
	if action := w.FoundAction(); action != "" {
		return Lookup(action)
	}
	return nil
}

// Inspects reports whether the line asks for help or the version, so that nothing runs.
func (w *Words) Inspects() bool { return w.Help || w.Version }

// Flag returns the last flag with the name, nil when there is none. The name is without dashes.
func (w *Words) Flag(name string) *Flag {
	for i := len(w.Flags) - 1; i >= 0; i-- {
		if w.Flags[i].Name == name {
			return &w.Flags[i]
		}
	}
	return nil
}

// Has reports whether a flag was given and not turned off.
func (w *Words) Has(name string) bool {
	f := w.Flag(name)
	return f != nil && !f.Off()
}

// Value returns the value of the last flag with the name.
func (w *Words) Value(name string) string {
	if f := w.Flag(name); f != nil {
		return f.Value
	}
	return ""
}

// Positional returns the i-th positional word, empty when there is none.
func (w *Words) Positional(i int) string {
	if i >= 0 && i < len(w.Positionals) {
		return w.Positionals[i]
	}
	return ""
}

// Typed returns the positional words that go into the page as text.
func (w *Words) Typed() []string {
	return w.positionals(func(a *actions.Arg) bool { return a.Typed })
}

// Secrets returns which positional words are secret, as the command's definition says.
func (w *Words) Secrets() (indexes []int) {
	if w.Entry == nil {
		return nil
	}
	for i := range w.Positionals {
		if a := w.arg(i); a != nil && a.Secret {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// SecretFlag reports whether the value of a flag of this name is secret, whatever command has it.
func SecretFlag(name string) bool { return theVocabulary().secrets[name] }

func (w *Words) positionals(which func(*actions.Arg) bool) (words []string) {
	for i, word := range w.Positionals {
		if a := w.arg(i); a != nil && which(a) {
			words = append(words, word)
		}
	}
	return words
}

// arg is the argument that a positional word belongs to: the last one takes what is left. Nil means that there is none.
func (w *Words) arg(i int) *actions.Arg {
	if w.Entry == nil || len(w.Entry.Args) == 0 {
		return nil
	}
	return &w.Entry.Args[min(i, len(w.Entry.Args)-1)]
}

// All returns a command line and those of its batch, in their order.
func All(line *Words, rows []Words) []*Words {
	all := make([]*Words, 1, 1+len(rows))
	all[0] = line
	for i := range rows {
		all = append(all, &rows[i])
	}
	return all
}
