package argv

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/snapshot"
)

// Read reads a command line without the program's name.
func Read(args []string) Words {
	r := reader{vocabulary: theVocabulary(), w: Words{Args: args, Start: len(args)}}
	i := 0
	for i < len(args) && r.w.Command == "" {
		switch {
		case args[i] == "--":
			i++
			r.literal = true
		case !r.literal && isFlag(args[i]):
			i = r.flag(i)
		default:
			i = r.command(i)
		}
	}
	for i < len(args) {
		switch {
		case args[i] == "--" && !r.literal:
			r.literal = true
			i++
		case !r.literal && isFlag(args[i]) && !r.isRow(args[i]):
			i = r.flag(i)
		default:
			r.w.Positionals = append(r.w.Positionals, args[i])
			i++
		}
	}
	r.w.spellRefs()
	return r.w
}

// spellRefs writes the refs among the positional words as @e12, in whatever form they were given.
func (w *Words) spellRefs() {
	for i, word := range w.Positionals {
		if a := w.arg(i); a == nil || a.Kind != actions.Selector {
			continue
		}
		if id, ok := snapshot.RefID(word); ok {
			w.Positionals[i] = "@" + id
		}
	}
}

type reader struct {
	*vocabulary
	w       Words
	literal bool // `--` was seen: no word is a flag any longer
}

// isFlag reports whether a word can be meant as a flag: --name, -f, -f=x, and not -5 or a lone dash.
func isFlag(word string) bool {
	if len(word) < 2 || word[0] != '-' {
		return false
	}
	c := word[1] | 0x20
	return word[1] == '-' && len(word) > 2 || c >= 'a' && c <= 'z' && !strings.ContainsAny(word, " \t\n")
}

// isRow reports whether a word that looks like a flag is a row of a batch, which takes everything for one that it does
// not know.
func (r *reader) isRow(word string) bool {
	if !r.w.IsBatch() {
		return false
	}
	token, _, _ := strings.Cut(word, "=")
	_, kind, _ := r.flagOf(r.w.Entry, token)
	return kind == 0
}

// command reads the words of the command's name, which are the longest that the registry knows.
func (r *reader) command(at int) (next int) {
	w := &r.w
	w.Start, w.Command = at, w.Args[at]
	words := 1
	for words < r.longest && at+words < len(w.Args) && !isFlag(w.Args[at+words]) && r.families[w.Command] {
		words++
	}
	for n := words; n > 0; n-- {
		if c, ok := r.registry.Lookup(strings.Join(w.Args[at:at+n], " ")); ok {
			w.Entry, w.Subcommand = c, strings.Join(w.Args[at+1:at+n], " ")
			return at + n
		}
	}
	// The words after a command that the registry does not know are its subcommand as far as anybody can tell.
	if at+1 < len(w.Args) && !isFlag(w.Args[at+1]) {
		w.Subcommand = w.Args[at+1]
		return at + 2
	}
	return at + 1
}

// flag reads a flag and its value.
func (r *reader) flag(at int) (next int) {
	w := &r.w
	token, value, inline := strings.Cut(w.Args[at], "=")
	name, kind, global := r.flagOf(w.Entry, token)
	f := Flag{
		Name:       name,
		Token:      token,
		Value:      value,
		HasValue:   inline,
		Inline:     inline,
		Index:      at,
		Global:     global,
		Leading:    w.Command == "",
		NeedsValue: kind.needsValue(),
	}
	next = at + 1
	if !inline && next < len(w.Args) {
		following := w.Args[next]
		switch kind {
		case optionalBool:
			f.HasValue = following == "true" || following == "false"
		case aValue:
			f.HasValue = !isFlag(following)
		case optionalValue:
			f.HasValue = following[:min(1, len(following))] != "-" && (w.Command != "" || !r.begins[following])
		case dashValue:
			f.HasValue = true
		}
		if f.HasValue {
			f.Value = following
			next++
		}
	}
	w.Flags = append(w.Flags, f)
	r.note(&f)
	return next
}

// note keeps what the tool asks of most lines.
func (r *reader) note(f *Flag) {
	if !f.Global {
		return
	}
	w := &r.w
	switch f.Name {
	case "session":
		if f.HasValue {
			w.Session, w.HasSession = f.Value, true
		}
	case "namespace":
		if f.HasValue {
			w.Namespace, w.HasNamespace = f.Value, true
		}
	case "help":
		w.Help = true
	case "version":
		w.Version = true
	case "json":
		w.JSON = !f.Off()
	}
}

// Without returns the line without a flag, its values included. The name is without dashes.
func (w *Words) Without(name string) []string {
	out := make([]string, 0, len(w.Args))
	from := 0
	for i := range w.Flags {
		f := &w.Flags[i]
		if f.Name != name {
			continue
		}
		out = append(out, w.Args[from:f.Index]...)
		from = f.Index + 1
		if f.HasValue && !f.Inline {
			from++
		}
	}
	if from == 0 {
		return slices.Clone(w.Args)
	}
	return append(out, w.Args[from:]...)
}
