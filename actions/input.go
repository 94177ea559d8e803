package actions

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Input is a parsed command line: the command, its arguments and flags, and the global flags. Every value has been checked
// against its kind, so the accessors can't fail: they return the value that was given, else that of the environment, else the
// default, else the zero value. Arguments, flags and global flags share one name space, and names are without dashes.
type Input struct {
	registry *Registry
	program  string
	tool     bool     // see ParseOptions.Tool
	cmd      *Command // nil when only help or the version was asked for
	name     string   // the name or alias that was typed
	spec     slots
	values   map[string]value
	ask      MetaRequest
	topic    string
	config   *Configuration
	private  map[string]bool // what is masked everywhere, also in the journal
}

// Hide masks the value of an argument or a flag everywhere.
func (in *Input) Hide(name string) {
	if in.private == nil {
		in.private = map[string]bool{}
	}
	in.private[name] = true
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

// Asks returns whether help or the version was asked for instead of a run. Then arguments were not checked and Command may be nil.
func (in *Input) Asks() MetaRequest { return in.ask }

// Topic is what help was asked about: a command, the first words of several, or "" for everything.
func (in *Input) Topic() string { return in.topic }

// Registry returns the registry whose grammar it was read by.
func (in *Input) Registry() *Registry { return in.registry }

// Command returns the command, nil when there is none because help or the version was asked for.
func (in *Input) Command() *Command { return in.cmd }

// Name returns the command's name or alias as it was typed: aliases may differ in what they need.
func (in *Input) Name() string { return in.name }

// Program returns the program's name for messages: "skua" or "agent-browser".
func (in *Input) Program() string { return in.program }

// UpstreamName is the name under which the program replaces agent-browser.
const UpstreamName = "agent-browser"

// DropIn reports whether the caller calls the program agent-browser, and so expects its help and files as that has them.
func (in *Input) DropIn() bool { return in.program == UpstreamName }

// UpstreamText reports whether the caller expects texts as agent-browser writes them: a drop-in caller other than the tool.
func (in *Input) UpstreamText() bool { return in.DropIn() && !in.tool }

// Has reports whether a value was given, by words, by the environment or by a configuration file; a default does not count.
func (in *Input) Has(name string) bool { _, ok := in.values[name]; return ok }

// Source says where a value came from, for messages: "--session", "SKUA_SESSION", "session in ./skua.json", "<selector>", or "" when it was
// not given.
func (in *Input) Source(name string) string { return in.values[name].source }

// Flagged reports whether a value was given as a flag of this command line, and not by the environment, a configuration or a default.
func (in *Input) Flagged(name string) bool { return strings.HasPrefix(in.Source(name), "-") }

// String returns the value as text: the words of a Text or List joined by one space.
func (in *Input) String(name string) string { return strings.Join(in.words(name), " ") }

// Strings returns the words of a Text or the values of a List; of other kinds the one value, if any. The slice is the caller's.
func (in *Input) Strings(name string) []string { return slices.Clone(in.words(name)) }

// Int returns the value of an Int.
func (in *Input) Int(name string) int {
	n, _ := strconv.Atoi(in.String(name))
	return n
}

// Distance returns the value of a Distance: pixels, or with a percent sign a share of what is in view.
func (in *Input) Distance(name string) (pixels int, share float64) {
	pixels, share, _ = parseDistance(in.String(name))
	return pixels, share
}

// Float returns the value of a Number or Int.
func (in *Input) Float(name string) float64 {
	f, _ := strconv.ParseFloat(in.String(name), 64)
	return f
}

// Bool returns the value of a Bool.
func (in *Input) Bool(name string) bool {
	b, _ := ParseBool(in.String(name))
	return b
}

// Duration returns the value of a Duration.
func (in *Input) Duration(name string) time.Duration {
	d, _ := parseDuration(in.String(name))
	return d
}

// FlagSource is what one source says about a flag.
type FlagSource struct {
	Words  []string
	Source string // as [Input.Source] has it
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
func (in *Input) Ruled(name string) bool {
	if in.Has(name) {
		return true
	}
	if in.config == nil {
		return false
	}
	_, ok := in.config.Owner[name]
	return ok
}

// Typed reports whether a value was given on the command line, or by a configuration file that the command line names.
func (in *Input) Typed(name string) bool {
	v, ok := in.values[name]
	if !ok {
		return false
	}
	if strings.HasPrefix(v.source, "-") {
		return true
	}
	if in.config == nil || !in.Flagged("config") {
		return false
	}
	setting, ok := in.config.Settings[name]
	return ok && setting.Source == v.source
}

// Statements returns what all sources say about a global, the one that counts first: the command line, the environment, configuration files.
// It is for rules, where one source must not hide what another one forbids.
func (in *Input) Statements(name string, getenv func(string) string) []FlagSource {
	var all []FlagSource
	add := func(words []string, source string, origin Origin) {
		if !slices.ContainsFunc(all, func(s FlagSource) bool { return s.Source == source }) {
			all = append(all, FlagSource{words, source, origin})
		}
	}
	if v, ok := in.values[name]; ok && strings.HasPrefix(v.source, "-") {
		add(slices.Clone(v.words), v.source, FromWords)
	}
	s := in.spec.get(name)
	if s == nil {
		return all
	}
	if text, source := FromEnv(s.flag.Env, getenv); text != "" {
		add(s.split(text), source, FromEnvironment)
	}
	if in.config == nil {
		return all
	}
	for _, setting := range in.config.Owner[name] {
		add(slices.Clone(setting.Words), setting.Source, FromOwnersFile)
	}
	if setting, ok := in.config.Settings[name]; ok {
		add(slices.Clone(setting.Words), setting.Source, FromFile)
	}
	return all
}

// WantsStdin reports whether the command reads the caller's standard input. Others must not: an agent often leaves a pipe open there that never
// ends.
func (in *Input) WantsStdin() bool {
	return in.ask == AskNothing && in.cmd != nil && in.cmd.Stdin != nil && in.cmd.Stdin(in)
}

// Without is the Stdin of a command that reads it in place of an argument.
func Without(arg string) func(*Input) bool { return func(in *Input) bool { return !in.Has(arg) } }

// With is the Alters of a command that only looks when an argument is not given.
func With(arg string) func(*Input) bool { return func(in *Input) bool { return in.Has(arg) } }

// words returns the given words, else those of the default.
func (in *Input) words(name string) []string {
	if v, ok := in.values[name]; ok {
		return v.words
	}
	if s := in.spec.get(name); s != nil && s.fallback != "" {
		return s.split(s.fallback)
	}
	return nil
}
