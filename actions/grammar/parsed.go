package grammar

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Parsed is a parsed command line: the command by its place, its arguments and flags, and the global flags. Every value
// has been checked against its kind, so the accessors can't fail: they return the value that was given, else that of
// the environment, else the default, else the zero value. Arguments, flags and global flags share one name space, and
// names are without dashes.
type Parsed struct {
	program string
	tool    bool   // see Options.Tool
	entry   *entry // nil when only help or the version was asked for
	name    string // the name or alias that was typed
	spec    slots
	values  map[string]value
	ask     MetaRequest
	topic   string
	config  *Configuration
}

// value is what was given for one name.
type value struct {
	source string // "--depth", "-d", "SKUA_SESSION", "session in ./skua.json", or "<selector>"
	words  []string
}

// MetaRequest says what the command line wants other than running a command.
type MetaRequest uint8

// The wishes.
const (
	AskNothing MetaRequest = iota
	AskHelp                // print Registry.Help(program, Topic())
	AskStart               // nothing was asked for: print Registry.Start
	AskVersion
)

// Asks returns whether help or the version was asked for instead of a run. Then arguments were not checked and Command
// may be nil.
func (p *Parsed) Asks() MetaRequest { return p.ask }

// Topic is what help was asked about: a command, the first words of several, or "" for everything.
func (p *Parsed) Topic() string { return p.topic }

// Place returns which command it is, of those of the [Table]. ok is false when there is none because help or the
// version was asked for.
func (p *Parsed) Place() (place int, ok bool) {
	if p.entry == nil {
		return 0, false
	}
	return p.entry.place, true
}

// Name returns the command's name or alias as it was typed: aliases may differ in what they need.
func (p *Parsed) Name() string { return p.name }

// Program returns the program's name for messages: "skua" or "agent-browser".
func (p *Parsed) Program() string { return p.program }

// UpstreamName is the name under which the program replaces agent-browser.
const UpstreamName = "agent-browser"

// DropIn reports whether the caller calls the program agent-browser, and so expects its help and files as that has
// them.
func (p *Parsed) DropIn() bool { return p.program == UpstreamName }

// UpstreamText reports whether the caller expects texts as agent-browser writes them: a drop-in caller other than the
// tool.
func (p *Parsed) UpstreamText() bool { return p.DropIn() && !p.tool }

// Has reports whether a value was given, by words, by the environment or by a configuration file; a default does not
// count.
func (p *Parsed) Has(name string) bool { _, ok := p.values[name]; return ok }

// Source says where a value came from, for messages: "--session", "SKUA_SESSION", "session in ./skua.json",
// "<selector>", or "" when it was not given.
func (p *Parsed) Source(name string) string { return p.values[name].source }

// Flagged reports whether a value was given as a flag of this command line, and not by the environment, a configuration
// or a default.
func (p *Parsed) Flagged(name string) bool { return strings.HasPrefix(p.Source(name), "-") }

// String returns the value as text: the words of a Text or List joined by one space.
func (p *Parsed) String(name string) string { return strings.Join(p.words(name), " ") }

// Strings returns the words of a Text or the values of a List; of other kinds the one value, if any. The slice is the
// caller's.
func (p *Parsed) Strings(name string) []string { return slices.Clone(p.words(name)) }

// Int returns the value of an Int.
func (p *Parsed) Int(name string) int {
	n, _ := strconv.Atoi(p.String(name))
	return n
}

// Distance returns the value of a Distance: pixels, or with a percent sign a share of what is in view.
func (p *Parsed) Distance(name string) (pixels int, share float64) {
	pixels, share, _ = parseDistance(p.String(name))
	return pixels, share
}

// Float returns the value of a Number or Int.
func (p *Parsed) Float(name string) float64 {
	f, _ := strconv.ParseFloat(p.String(name), 64)
	return f
}

// Bool returns the value of a Bool.
func (p *Parsed) Bool(name string) bool {
	b, _ := ParseBool(p.String(name))
	return b
}

// Duration returns the value of a Duration.
func (p *Parsed) Duration(name string) time.Duration {
	d, _ := parseDuration(p.String(name))
	return d
}

// FlagSource is what one source says about a flag.
type FlagSource struct {
	Words  []string
	Source string // as [Parsed.Source] has it
	Origin Origin
}

// Origin is the kind of source that a statement is from.
type Origin uint8

// The origins.
const (
	FromWords       Origin = iota // the command line
	FromEnvironment               // a variable
	FromFile                      // a configuration file
	FromOwnersFile                // a configuration file of the user's own, also where --config names another one
)

// Ruled reports whether any source says something about a global, be it one that others hide.
func (p *Parsed) Ruled(name string) bool {
	if p.Has(name) {
		return true
	}
	if p.config == nil {
		return false
	}
	_, ok := p.config.Owner[name]
	return ok
}

// Typed reports whether a value was given on the command line, or by a configuration file that the command line names.
func (p *Parsed) Typed(name string) bool {
	v, ok := p.values[name]
	if !ok {
		return false
	}
	if strings.HasPrefix(v.source, "-") {
		return true
	}
	if p.config == nil || !p.Flagged("config") {
		return false
	}
	setting, ok := p.config.Settings[name]
	return ok && setting.Source == v.source
}

// Statements returns what all sources say about a global, the one that counts first: the command line, the environment,
// configuration files. It is for rules, where one source must not hide what another one forbids.
func (p *Parsed) Statements(name string, getenv func(string) string) []FlagSource {
	var all []FlagSource
	add := func(words []string, source string, origin Origin) {
		if !slices.ContainsFunc(all, func(s FlagSource) bool { return s.Source == source }) {
			all = append(all, FlagSource{words, source, origin})
		}
	}
	if v, ok := p.values[name]; ok && strings.HasPrefix(v.source, "-") {
		add(slices.Clone(v.words), v.source, FromWords)
	}
	s := p.spec.get(name)
	if s == nil {
		return all
	}
	if text, source := FromEnv(s.flag.Env, getenv); text != "" {
		add(s.split(text), source, FromEnvironment)
	}
	if p.config == nil {
		return all
	}
	for _, setting := range p.config.Owner[name] {
		add(slices.Clone(setting.Words), setting.Source, FromOwnersFile)
	}
	if setting, ok := p.config.Settings[name]; ok {
		add(slices.Clone(setting.Words), setting.Source, FromFile)
	}
	return all
}

// words returns the given words, else those of the default.
func (p *Parsed) words(name string) []string {
	if v, ok := p.values[name]; ok {
		return v.words
	}
	if s := p.spec.get(name); s != nil && s.fallback != "" {
		return s.split(s.fallback)
	}
	return nil
}

// Given returns the words that were given for a name; a default does not count. They are shared, and not to be changed.
func (p *Parsed) Given(name string) []string { return p.values[name].words }

// Each calls do with every name of the command that has a value, and with its kind and words.
func (p *Parsed) Each(do func(name string, kind Kind, words []string)) {
	for name, v := range p.values {
		if s := p.spec.get(name); s != nil {
			do(name, s.kind, v.words)
		}
	}
}

// FromEnv looks a global's variable up: SKUA_X wins over AGENT_BROWSER_X, and an empty variable counts as unset.
func FromEnv(suffix string, getenv func(string) string) (value, name string) {
	for _, prefix := range []string{"SKUA_", "AGENT_BROWSER_"} {
		if v := getenv(prefix + suffix); v != "" {
			return v, prefix + suffix
		}
	}
	return "", ""
}
