package grammar

import (
	"slices"
	"strings"
)

// Command is what the grammar knows of a command.
type Command struct {
	Name    string // words separated by one space: "get text"
	Aliases []string
	// names that other programs use for it; the command cannot be called by them, but the error suggests its name
	Synonyms []string
	Args     []Arg
	Flags    []Flag
	Repairs  bool // runs although a configuration file that was to count cannot be read: it may help to repair the file
}

// Arg is a positional argument. Its name is the key under which [Parsed] hands out the value.
type Arg struct {
	Name     string
	Value    string // what usage lines print for it, when not the name: "selector|ms"
	Help     string
	Kind     Kind     // any but Bool and Duration
	Unless   string   // a flag that takes the place of a required argument
	Optional bool     // only optional arguments follow an optional one
	Default  string   // of an optional argument
	OneOf    []string // the only words that it takes
	Kept     bool     // journals keep it, so that the command can be done again, although those who look on do not see it
	Secret   bool     // its value is masked in journals, logs, echoes and live views
	// it goes into the page: live views do not show it, and nothing does when the field hides its content
	Typed bool
	// of a Selector: it may match several elements, all of which are meant, or of which the command itself takes one
	Many bool
	// of a script: the flag that takes arguments, as a JSON list, for a script that is a function
	Calls string
}

// TakesJSON reports whether a program may give any value where the command line takes its JSON: the word that usage
// lines print for the value says so.
func TakesJSON(shown string) bool { return slices.Contains(strings.Split(shown, "|"), "json") }

// Flag is a `--name` of one command or, one of the globals, of all commands. Its name is the key under which [Parsed]
// hands out the value.
type Flag struct {
	Name string // without dashes: "new-tab"
	// of a flag that has the name of a global: the key under which [Parsed] hands out its value; behind the command the
	// flag is meant
	As      string
	Short   string // one letter, or empty
	Value   string // what usage lines print for the value: "ms"; without it the kind's own word
	Help    string
	Kind    Kind // any but Selector, URL and Text
	Default string
	OneOf   []string // the only values that it takes; empty for Bool

	OptionalValue bool // the value may be left out: it is empty then

	Kept         bool                        // as of an argument
	Secret       bool                        // as of an argument
	Early        bool                        // of a Bool of one command: its letter may stand before the command's name
	DashValue    bool                        // the following word is its value even when that looks like a flag
	Common       bool                        // many commands have it, so that usage lines leave it out
	OptionalBool bool                        // a Bool that also takes a following `true` or `false` as its value
	Split        func(value string) []string // how one value of a List becomes several; nil means at commas
	Env          string                      // of a global: the variable's name after SKUA_ or AGENT_BROWSER_
	PerRow       bool                        // of a global: a row of a batch may set it for itself
	// of a global: its name in configuration files; empty means made of the name, see [Flag.ConfigKey]; "-": it has none
	Key string
	// of a global: a project's configuration file may set it, too, although it is untrusted
	Project bool
	// of a global: it is a rule of the owner's, to which what other sources say is only added
	Rule   bool
	Merges bool                      // of a global List: what several configuration files say is put together
	Shown  func(value string) string // how a value is shown unasked, since it may hold a secret; nil means as it is
}

// Kind says how the words of an argument or flag are read.
type Kind uint8

// The kinds. Selector, URL and Path are parsed like String; the kind tells programs and people what the value is.
const (
	String   Kind = iota // one word
	Int                  // a whole number
	Distance             // a whole number of CSS pixels, or a percentage of what is in view
	Number               // a finite decimal number
	Selector             // a ref, CSS, XPath or locator
	URL                  // an address, with or without scheme
	Path                 // a file or folder, relative to the caller's folder
	Text                 // all remaining words, joined by one space
	List                 // arguments: all remaining words; flags: repeatable, and split at commas
	Bool                 // a flag without value
	Duration             // milliseconds, or a number with a unit: 1500, 10s, 3m, 1h
)

// The two globals that ask for something else than a run.
const (
	FlagHelp    = "help"
	FlagVersion = "version"
)

// Hidden stands for what is not to be shown.
const Hidden = "•••"
