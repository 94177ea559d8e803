package grammar

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

// unknownCommand returns the error for words that are not a command: unknown as a whole, or the beginning of several.
func (t *Table) unknownCommand(words, next []string) error {
	if len(words) == 0 {
		hint := DidYouMean(t.suggestCommand(next[0]))
		if first, _, several := strings.Cut(next[0], " "); several && (t.starts[first] || t.names[first] != nil) {
			hint = "It is one word because of its quotes: give the command, its arguments and flags as words of their own."
		}
		return UsageError(UnknownCommand, next[0], "Unknown command: "+wording.OneLine(next[0]), hint)
	}
	return t.unknownSubcommand(strings.Join(words, " "), next)
}

// unknownSubcommand returns the error for a word that is not a command of a family, or for none at all.
func (t *Table) unknownSubcommand(family string, next []string) error {
	options := t.families[family]
	word, suggestion := "(none)", ""
	if len(next) > 0 {
		word = wording.OneLine(next[0])
		if option := wording.Nearest(next[0], options); option != "" {
			suggestion = family + " " + option
		}
		if of := t.ofElement(family); of != "" && snapshot.IsRef(next[0]) {
			suggestion = of + " " + word
		}
		if other := t.sibling(family, next[0]); suggestion == "" {
			suggestion = other
		}
	} else if other := t.sibling(family, ""); other != "" {
		suggestion = other
	}
	return UsageError(UnknownSubcommand, word,
		"Unknown subcommand: "+word,
		"Valid options: "+strings.Join(options, ", "),
		DidYouMean(suggestion))
}

// ofElement returns the first command of the family that is about one element, which is meant where a ref follows the
// family: `get @e3`.
func (t *Table) ofElement(family string) string {
	for i := range t.commands {
		c := &t.commands[i]
		if strings.HasPrefix(c.Name, family+" ") && len(c.Args) > 0 && c.Args[0].Kind == Selector {
			return c.Name
		}
	}
	return ""
}

// sibling returns a command of the family whose name is this one's in the plural or singular, by which it is easily
// mistaken: with the same subcommand, or alone where none was given.
func (t *Table) sibling(family, word string) string {
	for _, other := range []string{family + "s", strings.TrimSuffix(family, "s")} {
		name := strings.TrimSpace(other + " " + word)
		if other != family && len(t.families[other]) > 0 && t.names[name] != nil {
			return name
		}
	}
	return ""
}

// usageLine returns the usage line of the command, or that of the program.
func (p *parser) usageLine() string {
	name, e := p.in.name, p.entry
	if e == nil { // a global flag does not settle the command
		name = strings.Join(p.words, " ")
		e = p.t.names[name]
	}
	if e == nil {
		return "Usage: " + p.opts.Program + " " + SynopsisOfAll
	}
	return "Usage: " + p.opts.Program + " " + e.cmd.synopsis(name)
}

// unknownFlag returns the error for an unknown flag.
func (p *parser) unknownFlag(label string) error {
	message := "Unknown flag: " + wording.OneLine(label)
	flags := p.t.flags
	hint := ""
	if p.entry != nil {
		message += " for " + p.in.name
		flags = p.entry.flags
		if at := slices.IndexFunc(p.entry.args, func(s *slot) bool { return "--"+s.name == label }); at >= 0 {
			hint = "<" + p.entry.args[at].name + "> has no flag: leave out " + label + ", and write its value alone."
		} else if len(p.entry.args) > 0 {
			hint = "If it is not a flag, put `--` before it: what follows `--` is never a flag."
		}
	} else if p.t.anyCommandHas(label) {
		hint = "The flags of a command come after the command."
	}
	names := make([]string, 0, len(flags.own)+len(flags.shared))
	for name := range flags.all() {
		names = append(names, name)
	}
	slices.Sort(names)
	suggestion := wording.Nearest(label, names)
	if suggestion != "" {
		suggestion = "--" + suggestion
	}
	return UsageError(UnknownFlag, label, message, p.usageLine(), DidYouMean(suggestion), hint)
}

// anyCommandHas reports whether a command has the flag for itself.
func (t *Table) anyCommandHas(label string) bool {
	return slices.ContainsFunc(t.commands, func(c Command) bool {
		return slices.ContainsFunc(c.Flags, func(f Flag) bool {
			return label == "--"+f.Name || f.Short != "" && label == "-"+f.Short
		})
	})
}

// needsValue returns the error for a flag at the end of the line, or one that is followed by a word which looks like a
// flag.
func (p *parser) needsValue(s *slot, label, next string) error {
	hint := ""
	if next != "" {
		hint = "If " + wording.OneLine(next) + " is the value, write --" + s.name + "=" + wording.OneLine(next)
	}
	return UsageError(MissingArguments, label,
		label+" needs a value: "+label+" <"+placeholder(s)+">", p.usageLine(), hint)
}

// invalid returns the error for a value that its flag, variable or argument does not take.
func (p *parser) invalid(label, expects, given string) error {
	return UsageError(InvalidValue, label, label+" expects "+expects+", got '"+wording.OneLine(given)+"'", p.usageLine())
}

// twice returns the error for a second value.
func (p *parser) twice(label, first, second string) error {
	return UsageError(InvalidValue, label,
		label+" takes one value and was given two: '"+wording.OneLine(first)+"' and '"+wording.OneLine(second)+"'",
		p.usageLine())
}

// surplus returns the error for a word that no argument takes.
func (p *parser) surplus(word string) error {
	if len(p.entry.args) == 0 && len(p.t.families[p.in.name]) > 0 {
		return p.t.unknownSubcommand(p.in.name, []string{word})
	}
	hint := ""
	if n := len(p.entry.args); n > 0 {
		hint = "If it belongs to the word before it, quote both together."
	}
	return UsageError(UnexpectedArgument, word, "Unexpected argument: "+wording.OneLine(word), p.usageLine(), hint)
}

// checkRow refuses the global flags that can't differ between the rows of a batch.
func (p *parser) checkRow(s *slot, label string) error {
	if p.opts.Within == nil || !s.global || s.flag.PerRow {
		return nil
	}
	hint := "It holds for the whole batch: put it before `batch`."
	if s.name == FlagHelp || s.name == FlagVersion {
		hint = "Use it outside of a batch."
	}
	return UsageError(UnknownFlag, label, label+" can't be set for one row of a batch", hint)
}

// DidYouMean writes the line that suggests something, or "".
func DidYouMean(suggestion string) string {
	if suggestion == "" {
		return ""
	}
	return "Did you mean `" + suggestion + "`?"
}

// suggestCommand returns the name or alias that an unknown word most likely means. The last word of a name means that
// name: "title" is "get title".
func (t *Table) suggestCommand(typed string) string {
	word := strings.ReplaceAll(strings.ToLower(typed), "_", "-")
	var names []string
	for i := range t.commands {
		c := &t.commands[i]
		if slices.Contains(c.Synonyms, word) {
			return c.Name
		}
		names = append(names, c.Name)
		names = append(names, c.Aliases...)
	}
	if name := wording.Nearest(typed, names); name != "" {
		return name
	}
	for _, name := range names {
		if len(typed) > 2 && strings.HasSuffix(name, " "+strings.ToLower(typed)) {
			return name
		}
	}
	var families []string
	for i := range t.commands {
		c := &t.commands[i]
		if first, _, more := strings.Cut(c.Name, " "); more {
			families = append(families, first)
		}
	}
	return wording.Nearest(typed, families)
}
