package grammar

import (
	"encoding/json"
	"slices"
	"strings"
)

// Configuration is what the configuration files of a caller say together. It is shared between calls and read-only.
type Configuration struct {
	Files    []ConfigFile       // all that were looked for, those that win last
	Settings map[string]Setting // by the name of the global flag
	// the rules of the user's own files, and of one that a variable names: they count whatever else is read
	Owner    map[string][]Setting
	Sections map[string]Section // of trusted files, by key: what is not a flag; see actions.ConfigSections
	Notes    []string           // about files that were ignored, wholly or in part

	// Err says that a file which was to count cannot be read. Then Settings has what the others say.
	Err error
}

// ConfigFile is a file that was looked for.
type ConfigFile struct {
	Path    string     // absolute
	Role    ConfigRole // why it was looked for
	Found   bool
	Trusted bool     // it may say anything; an untrusted one may set what [Flag.Project] allows
	Ignored []string // keys of flags that it may not set
	Unknown []string // keys that mean nothing, as they are written there
	Err     error    // why it does not count
}

// ConfigRole is why a configuration file is looked for.
type ConfigRole string

// The roles.
const (
	UserFile    ConfigRole = "user"
	ProjectFile ConfigRole = "project"
	ChosenFile  ConfigRole = "chosen" // by --config or its variable; then there are no others
	OwnerFile   ConfigRole = "owner"  // where another one is chosen: only its rules count
)

// Setting is what a configuration file says about a flag.
type Setting struct {
	Words  []string // checked against the flag's kind
	Source string   // for messages: "userAgent in ./skua.json"
	File   string   // absolute path of the file, of the last one when several were put together
}

// Section is what a configuration file says under a key that belongs to no flag.
type Section struct {
	Value  json.RawMessage
	Source string // for messages: "plugins in ~/.config/skua/config.json"
	File   string // absolute path
	Chosen bool   // the file was chosen by --config or its variable
}

// NoKey is the [Flag.Key] of what no configuration file can say.
const NoKey = "-"

// ConfigKey returns the name of a global in configuration files: the words of its name in camelCase, unless it has a
// Key of its own. It is empty for what no configuration file can say.
func (f *Flag) ConfigKey() string {
	if f.Key == NoKey {
		return ""
	}
	if f.Key != "" {
		return f.Key
	}
	var b strings.Builder
	for i, word := range strings.Split(f.Name, "-") {
		if i > 0 && word != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		b.WriteString(word)
	}
	return b.String()
}

// Words returns the words of a value that is given as one text, as after `--name` or in a variable.
func (f *Flag) Words(text string) []string { return flagSlot(f, true).split(text) }

// Expects returns what the flag takes when a word is not that, such as "a whole number", and "" when it is.
func (f *Flag) Expects(word string) string { return flagSlot(f, true).check(word) }

// HasPath reports whether the flag's value is a path, or may be one.
func (f *Flag) HasPath() bool { return f.Kind == Path || strings.Contains(f.Value, "path") }

// Configuration returns what the caller's configuration files said, nil when there were none to ask.
func (p *Parsed) Configuration() *Configuration { return p.config }

// configure fills in what is left from configuration files.
func (p *parser) configure() error {
	if p.opts.Configure == nil || p.opts.Within != nil {
		return nil
	}
	c := p.opts.Configure(p.in)
	if c == nil {
		return nil
	}
	p.in.config = c
	if c.Err != nil && !p.goesOn(c) {
		return c.Err
	}
	if len(c.Settings) == 0 {
		return nil
	}
	for _, s := range p.t.globals {
		if _, given := p.in.values[s.name]; given {
			continue
		}
		if setting, ok := c.Settings[s.name]; ok {
			p.in.values[s.name] = value{source: setting.Source, words: setting.Words}
		}
	}
	return nil
}

// goesOn reports whether a command runs although a file that was to count cannot be read. What only looks at files or
// lists sessions does: among it is what helps to repair the file. The rest does not, since the file may hold what keeps
// a browser within bounds.
func (p *parser) goesOn(c *Configuration) bool {
	return p.entry.cmd.Repairs && !slices.ContainsFunc(c.Files, func(f ConfigFile) bool { return f.Role == ChosenFile })
}

// AllNotes returns the notes about the files, with the error of one that could not be read and did not stop the
// command.
func (c *Configuration) AllNotes() []string {
	if c.Err == nil {
		return c.Notes
	}
	return append(slices.Clone(c.Notes), c.Err.Error())
}
