package grammar

import (
	"slices"
	"strings"
)

// Options is what Parse needs to know besides the words.
type Options struct {
	Program string              // the name in messages; "" means skua
	Tool    bool                // the tool calls, which shows what skua shows under either name
	Getenv  func(string) string // the caller's environment for global flags; nil means none
	Within  *Parsed             // the batch whose row this is: its globals hold for the row, and few may be set again

	// Configure returns what the caller's configuration files say, below the words and the environment, which it has by
	// then, or nil.
	Configure func(*Parsed) *Configuration
}

// Parse reads a command line without the program's name. Flags stand anywhere, also before the command; `--` ends them.
// The command is the longest name or alias that the first words make. The error is a usage error, see [UsageTypeOf].
func (t *Table) Parse(argv []string, opts Options) (*Parsed, error) {
	p := newParser(t, opts)
	p.rest = argv
	for len(p.rest) > 0 {
		if err := p.next(); err != nil {
			if p.in.ask == AskHelp && !isUnknown(err) {
				break // the wish for help is older than the mistake
			}
			return nil, err
		}
	}
	return p.finish()
}

// ParseGlobals returns what environment and configuration say of the flags that every command takes, without a command.
func (t *Table) ParseGlobals(opts Options) (*Parsed, error) {
	p := newParser(t, opts)
	return p.in, p.inherit()
}

// isUnknown reports whether an error says that a command does not exist, in which case there is no help either.
func isUnknown(err error) bool {
	t := UsageTypeOf(err)
	return t == UnknownCommand || t == UnknownSubcommand
}

// parser is the state of one Parse.
type parser struct {
	t    *Table
	opts Options
	in   *Parsed
	rest []string // the words that were not looked at yet

	words      []string // the beginning of the command's name, while it may get longer
	entry      *entry   // the command, once it is settled
	positional []string
	literal    bool     // `--` was seen: the rest is positional
	early      []string // flags of the command that stand before its name, with their values
}

func newParser(t *Table, opts Options) *parser {
	if opts.Program == "" {
		opts.Program = "skua"
		if opts.Within != nil {
			opts.Program, opts.Tool = opts.Within.program, opts.Within.tool
		}
	}
	return &parser{
		t:    t,
		opts: opts,
		in:   &Parsed{program: opts.Program, tool: opts.Tool, spec: t.flags, values: map[string]value{}},
	}
}

// next reads one word, and what belongs to it.
func (p *parser) next() error {
	word := p.take()
	switch {
	case p.literal || !strings.HasPrefix(word, "-"):
		return p.plain(word)
	case word == "--":
		p.literal = true
		if p.t.names[strings.Join(p.words, " ")] != nil {
			return p.settle() // `tab -- list` is the tab "list"
		}
		return nil
	case strings.HasPrefix(word, "--"):
		return p.long(word)
	case !isFlagShaped(word) || p.inText():
		return p.plain(word)
	default:
		return p.short(word)
	}
}

func (p *parser) take() string {
	word := p.rest[0]
	p.rest = p.rest[1:]
	return word
}

// isFlagShaped reports whether a word with one dash can be meant as a flag: -f, -ic, -d=3, and not -5, -(x), or "- an
// item".
func isFlagShaped(word string) bool {
	if len(word) < 2 || word[0] != '-' || !isLetter(word[1]) {
		return false
	}
	return len(word) > 2 && word[2] == '=' || !strings.ContainsAny(word, " \t\n")
}

// inText reports whether a Text argument has begun. From then on a word with one dash is text: `type @e1 use -v here`.
func (p *parser) inText() bool {
	if p.entry == nil {
		return false
	}
	last := len(p.entry.args) - 1
	return last >= 0 && p.entry.args[last].kind == Text && len(p.positional) > last
}

// plain takes a word that is not a flag: the next one of the command's name, or an argument.
func (p *parser) plain(word string) error {
	if p.entry == nil {
		if len(p.words) == 0 && word == FlagHelp && p.t.names[word] == nil && p.opts.Within == nil {
			p.in.ask = AskHelp
			return nil
		}
		longer := strings.Join(append(slices.Clip(p.words), word), " ")
		if !strings.Contains(word, " ") && (p.t.starts[longer] || p.t.names[longer] != nil) {
			p.words = append(p.words, word)
			return nil
		}
		if err := p.settle(word); err != nil {
			return err
		}
	}
	p.positional = append(p.positional, word)
	return nil
}

// settle ends the command's name: it is the longest name within the words so far, and what is left of them are
// arguments. The word that comes next, if there is one, is for the message.
func (p *parser) settle(next ...string) error {
	for n := len(p.words); n > 0; n-- {
		name := strings.Join(p.words[:n], " ")
		if e := p.t.names[name]; e != nil {
			p.entry = e
			p.positional = append(p.positional, p.words[n:]...)
			p.in.entry, p.in.name, p.in.spec = e, name, e.spec
			p.rest = append(p.early, p.rest...)
			p.early = nil
			return nil
		}
	}
	return p.t.unknownCommand(p.words, next)
}

// long reads --flag, --flag=value or --flag value.
func (p *parser) long(word string) error {
	name, given, hasValue := strings.Cut(word[2:], "=")
	if p.isEarly(name) {
		p.early = append(p.early, word)
		if !hasValue && p.t.own[name].kind != Bool && len(p.rest) > 0 {
			p.early = append(p.early, p.take())
		}
		return nil
	}
	s, err := p.flag("--"+name, func(flags, _ slots) *slot { return flags.get(name) })
	if err != nil {
		return err
	}
	return p.flagValue(s, "--"+name, given, hasValue)
}

// isEarly reports whether a flag precedes the command that it belongs to.
func (p *parser) isEarly(name string) bool {
	return p.entry == nil && len(p.words) == 0 && p.t.flags.get(name) == nil && p.t.own[name] != nil
}

// short reads -f, -f=value, -f value, or several Bools behind one dash.
func (p *parser) short(word string) error {
	letters, given, hasValue := strings.Cut(word[1:], "=")
	if p.entry == nil && len(p.words) == 0 && p.t.shorts.get(letters) == nil && p.t.letters[letters] && !hasValue {
		// of the command that follows
		p.early = append(p.early, word)
		return nil
	}
	found := make([]*slot, len(letters))
	for i := range letters {
		s, err := p.flag("-"+letters, func(_, shorts slots) *slot {
			s := shorts.get(letters[i : i+1])
			if s != nil && len(letters) > 1 && (s.kind != Bool || hasValue) {
				return nil // -selector is a mistake for --selector, and no -s with the value "elector"
			}
			return s
		})
		if err != nil {
			return err
		}
		found[i] = s
	}
	for i, s := range found {
		if err := p.flagValue(s, "-"+letters[i:i+1], given, hasValue); err != nil {
			return err
		}
	}
	return nil
}

// flag finds a flag. A flag that is not global settles the command, since it is one of its own.
func (p *parser) flag(label string, find func(flags, shorts slots) *slot) (*slot, error) {
	if p.entry == nil {
		if s := find(p.t.flags, p.t.shorts); s != nil {
			return s, p.checkRow(s, label)
		}
		if len(p.words) > 0 {
			if err := p.settle(); err != nil {
				return nil, err
			}
		}
	}
	if p.entry == nil {
		return nil, p.unknownFlag(label)
	}
	s := find(p.entry.flags, p.entry.shorts)
	if s == nil {
		return nil, p.unknownFlag(label)
	}
	return s, p.checkRow(s, label)
}

// flagValue sets a flag, from the following word when the value does not stand in the word itself.
func (p *parser) flagValue(s *slot, label, given string, hasValue bool) error {
	switch {
	case hasValue:
	case s.kind == Bool:
		given = "true"
		if s.flag.OptionalBool && len(p.rest) > 0 && (p.rest[0] == "true" || p.rest[0] == "false") {
			given = p.take()
		}
	case s.flag.OptionalValue && !p.valueFollows():
	case len(p.rest) == 0:
		return p.needsValue(s, label, "")
	case !s.flag.DashValue && (strings.HasPrefix(p.rest[0], "--") || isFlagShaped(p.rest[0])):
		return p.needsValue(s, label, p.rest[0])
	default:
		given = p.take()
	}
	return p.set(s, label, given)
}

// valueFollows reports whether the next word is the optional value of a flag: it is not a flag, and does not begin the
// command.
func (p *parser) valueFollows() bool {
	if len(p.rest) == 0 || strings.HasPrefix(p.rest[0], "-") {
		return false
	}
	begins := p.entry == nil && len(p.words) == 0 && (p.t.starts[p.rest[0]] || p.t.names[p.rest[0]] != nil)
	return !begins
}

// set stores a flag's value.
func (p *parser) set(s *slot, label, given string) error {
	words := s.split(given)
	for _, word := range words {
		if expects := s.check(word); expects != "" {
			return p.invalid(label, expects, word)
		}
	}
	before, twice := p.in.values[s.name]
	switch {
	case twice && s.kind == List:
		words = append(before.words, words...)
	case twice && (s.kind != Bool || !sameBool(before.words[0], given)):
		if s.flag != nil && s.flag.Secret {
			return p.twice(label, Hidden, Hidden)
		}
		return p.twice(label, before.words[0], given)
	}
	p.in.values[s.name] = value{source: label, words: words}
	if s.global && s.name == FlagHelp && sameBool(given, "true") {
		p.in.ask = AskHelp
	}
	if s.global && s.name == FlagVersion && sameBool(given, "true") && p.in.ask == AskNothing {
		p.in.ask = AskVersion
	}
	return nil
}

func sameBool(a, b string) bool {
	x, _ := ParseBool(a)
	y, _ := ParseBool(b)
	return x == y
}

// finish checks what can only be known at the end.
func (p *parser) finish() (*Parsed, error) {
	in := p.in
	if len(p.words) == 0 && in.ask == AskNothing {
		if p.opts.Within != nil {
			return nil, UsageError(MissingArguments, "", "A row of a batch needs a command")
		}
		in.ask = AskStart // nothing, or only global flags
		if in.DropIn() || in.tool {
			in.ask = AskHelp
		}
	}
	if in.ask != AskNothing {
		in.topic = strings.Join(p.words, " ")
		if p.entry != nil {
			in.topic = in.name
		}
		return in, nil
	}
	if p.entry == nil {
		if err := p.settle(); err != nil {
			return nil, err
		}
	}
	for len(p.rest) > 0 { // flags that stood before the name
		if err := p.next(); err != nil {
			return nil, err
		}
	}
	if err := p.arguments(); err != nil {
		return nil, err
	}
	if err := p.inherit(); err != nil {
		return nil, err
	}
	return in, nil
}

// arguments gives the positional words to the arguments of the command.
func (p *parser) arguments() error {
	words := p.positional
	for i, s := range p.entry.args {
		if len(words) == 0 {
			if arg := &p.entry.cmd.Args[i]; !arg.Optional && (arg.Unless == "" || !p.in.Has(arg.Unless)) {
				return p.in.Missing()
			}
			return nil
		}
		if other := p.entry.cmd.Args[i].Unless; other != "" && p.in.Has(other) {
			return p.in.Invalid("--" + other + " replaces <" + s.name + ">: give one of them")
		}
		taken := words[:1]
		if s.kind == Text || s.kind == List {
			taken = words
		}
		words = words[len(taken):]
		for _, word := range taken {
			if expects := s.check(word); expects != "" {
				return p.invalid(p.in.name+" "+s.name, expects, word)
			}
		}
		p.in.values[s.name] = value{source: "<" + s.name + ">", words: slices.Clone(taken)}
	}
	if len(words) > 0 {
		return p.surplus(words[0])
	}
	return nil
}

// inherit fills in the globals that were not given: from the batch that the row is in, else from the environment, else
// from configuration files.
func (p *parser) inherit() error {
	for _, s := range p.t.globals {
		if _, given := p.in.values[s.name]; given {
			continue
		}
		if p.opts.Within != nil {
			if v, ok := p.opts.Within.values[s.name]; ok {
				p.in.values[s.name] = v
			}
			continue
		}
		if s.flag.Env == "" || p.opts.Getenv == nil {
			continue
		}
		if given, name := FromEnv(s.flag.Env, p.opts.Getenv); given != "" {
			if err := p.set(s, name, given); err != nil {
				return err
			}
		}
	}
	return p.configure()
}
