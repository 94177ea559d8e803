package actions

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/trait"
)

// Command is one entry of the registry. It is data, in parts by who reads them: the grammar, the help, the queue, the
// gate, the tool's plans and the libraries are all made of it. Build it once, hand it to [NewRegistry] and do not
// change it afterwards.
type Command struct {
	Spec
	Schedule
	Safety
	Showing
	Bindings

	Run func(ctx context.Context, c *Call) (Result, error)
}

// Spec is the command line's part of a command. Grammar, help, reference and completion are made from it.
type Spec struct {
	Name    string   // words separated by one space: "get text"
	Aliases []string // full other names: "goto"
	// Synonyms are names that other programs use for the command, such as "evaluate". The command cannot be called by
	// them: the error suggests its name.
	Synonyms []string
	Group    Group  // section of the help
	Summary  string // one line, a sentence without trailing period
	Help     string // paragraphs that follow in `<cmd> --help`; may be empty
	Args     []Arg
	Flags    []Flag
	Stdin    func(*Input) bool // whether it reads the caller's stdin; nil means that it never does
	// a program of its own: the host program runs it by itself, and the client knows its first word
	Program bool

	Examples []Example

	// Upstream are the calls as agent-browser's own help writes them. By that name help has them, since programs search
	// for them; none: as ours.
	Upstream []string
	// UpstreamHelp is what help adds under agent-browser's name: names, such as those of reply members and files, that
	// programs search for.
	UpstreamHelp string
	Heading      string // agent-browser's heading in its overview over the commands that begin here and with the same word
}

// Schedule is when and how long a command may run, beside what: what the queue, the journal and who plans time for it
// need.
type Schedule struct {
	Effect   Effect
	Choosing bool // does nothing in the session's browser: it chooses one, tells where it is, or runs other commands
	Tabless  bool // is about all tabs or none, so that --tab means nothing to it
	Logged   bool // of one that needs no browser: the journal has it, since it acts on what the session works in
	// Rows means that the command runs command lines, each with its own deadline and subject to the rules. With Control,
	// each of them waits for the session's turn by itself, so that others may use the session in between.
	Rows bool
	// Steps means that repeating it needs a command that changes nothing: it waits, or chooses where others work.
	Steps  bool
	Alters func(*Input) bool // whether this invocation changes anything; nil leaves that to its effect and traits
	// Renews says when it loads a page in place of the tab's, or that page again, so that the tab's own page is not loaded
	// for it before; nil means never.
	Renews func(*Input) bool
	// Sessionless says for which forms of a command line the tool plans no session; nil means for none.
	Sessionless trait.Sessionless
	// Requests returns how many requests the command may make in sequence, each with the time of --timeout; nil means one.
	Requests func(*Input) int
	// AtLeast returns how long this invocation needs, such as the time that `wait 60000` waits; if nil, only the timeout
	// counts.
	AtLeast func(*Input) time.Duration
}

// Showing is how the tool judges and shows a run of the command, and what it offers next: what it asks of it in place
// of its name.
type Showing struct {
	Traits    trait.Set
	Refs      trait.Refs
	Writes    *trait.Output   // the file that it writes, or nil
	Recording trait.Recording // what it begins to record into a file, and what it ends
	Did       string          // what it did, as a text begins that says where it led: "Went back"
	// Brief returns the result for agents, with a summary in the first line. If it is nil or returns "", agents get the
	// text of the type or, without one, what people see.
	Brief func(data any) string
	// Next returns what may be done after a success, the most useful first; nil leaves that to its traits and effects.
	Next func(data any) []FollowUp
}

// Bindings are how programs have the command: libraries for other languages, MCP clients, scripts for Playwright.
type Bindings struct {
	// Data has an empty value of each type that the data of its results may have, or that type by what was given, see
	// [Given]; none: an object without members of its own. The libraries for other languages type replies by it, and tests
	// check replies by it.
	Data []any
	Bare bool // --json prints the data alone, without the envelope
	// Method are the words of its method where the command's name is not divided into them: "scroll into view" of
	// scrollintoview; empty: those of its name.
	Method string
	Value  *Value      // what a program usually wants of its result; nil: the whole
	Tools  []AgentTool // of the family browser_* of the MCP server
	// InTool is how a tool of that family is called that does what the command does; zero means the first of its own, with
	// its arguments.
	InTool ToolForm
	// Playwright is the command as Playwright statements. The first statement with a place for every given value is used:
	// {name} is the value of an argument or flag, {...name} the values of a list. Without any, the command has no
	// counterpart in Playwright.
	Playwright []string
	// Finds is set where the command looks for its element itself, without a selector. It returns the Playwright locator
	// of the element, and the command line of the command that acts on it as this one does, with [Found] as its selector.
	Finds func(in *Input) (locator string, acts []string)
}

// Value is a member of a command's results as a method of its own, which returns that alone: the title, and not an
// object with it.
type Value struct {
	Method string // words of the method, which may be those of the command: it then returns the member instead
	Member string
	File   bool // the member is the path of a file, and the method returns its content
}

// Found stands for the element that a command has found, where a selector would stand.
const Found = ":root"

// Example is a command line for the help. NewRegistry parses it, so that help never shows what does not parse.
type Example struct {
	Line string // without the program's name: `click @e2 --new-tab`
	Note string // what it does; may be empty
	// Start is its place among the lines that a caller is shown who typed nothing; 0 means that it is not among them.
	Start int
}

// StartWithoutBrowser is the Start for a machine without a browser.
const StartWithoutBrowser = -1

// The words of a definition are those of the grammar.
type (
	Arg  = grammar.Arg
	Flag = grammar.Flag
	Kind = grammar.Kind
)

// The kinds.
const (
	String   = grammar.String
	Int      = grammar.Int
	Distance = grammar.Distance
	Number   = grammar.Number
	Selector = grammar.Selector
	URL      = grammar.URL
	Path     = grammar.Path
	Text     = grammar.Text
	List     = grammar.List
	Bool     = grammar.Bool
	Duration = grammar.Duration
)

// Effect is a set of bits: what a command may do, and how it is scheduled.
type Effect uint

// The effects.
const (
	Reads     Effect = 1 << iota // looks at the page
	Mutates                      // may change the page
	Navigates                    // may leave the document
	Control                      // never waits behind a page command
	NoBrowser                    // needs no browser, and starts none
	Closes                       // ends a tab, a browser or a session
	// works in its tab and in nothing that tabs share: commands for other tabs of the session run beside it
	InTab
)

// Loads reports whether the command only loads a given address in its tab.
func (c *Command) Loads() bool { return c != nil && c.Renews != nil && c.Safety.Opens }

// EndsSession reports whether the command closes sessions.
func (c *Command) EndsSession() bool { return c.Is(trait.AboutSession) && c.Effect.Has(Closes) }

// ChoosesBrowser reports whether the command chooses the browser in which its session works from then on.
func (c *Command) ChoosesBrowser() bool { return c != nil && c.Choosing && !c.Rows }

// Waits reports whether the command only waits, for as long as it was asked to.
func (c *Command) Waits() bool { return c != nil && c.Steps && c.AtLeast != nil }

// TypesInto reports whether the command enters a text into an element.
func (c *Command) TypesInto() bool {
	return c != nil && len(c.Args) > 1 && c.Args[0].Kind == Selector && c.Args[1].Typed
}

// TakesDistance reports whether the command does something over a distance.
func (c *Command) TakesDistance() bool {
	return c != nil && slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Kind == Distance })
}

// TakesKey reports whether the command takes one key or chord.
func (c *Command) TakesKey() bool {
	return c != nil && len(c.Args) > 0 && c.Args[0].Kind == String && c.Args[0].Typed
}

// Synopsis returns the usage of the command under one of its names, see [grammar.Synopsis].
func (c *Command) Synopsis(name string) string { return grammar.Synopsis(name, c.Args, c.Flags) }

// Form returns the synopsis without flags.
func (c *Command) Form(name string) string { return grammar.Form(name, c.Args) }

// Is reports whether the command has one of these traits. No command has none.
func (c *Command) Is(one trait.Set) bool { return c != nil && c.Traits.Any(one) }

// Has reports whether e contains all bits of x.
func (e Effect) Has(x Effect) bool { return e&x == x }

// ShowsPage reports whether the output may contain text from a page. Commands that work in a page do unless their
// definition says otherwise.
func (c *Command) ShowsPage() bool { return c.PageText || !c.Effect.Has(NoBrowser) && !c.OwnWords }

// OneTab reports whether the command is about one tab, which --tab may name.
func (c *Command) OneTab() bool { return !c.Tabless && !c.Effect.Has(NoBrowser) }

func StrictFlag() Flag {
	return Flag{
		Name:   "strict",
		Common: true,
		Kind:   Bool,
		Help: "Fail and list the matches when the selector matches several elements, instead of taking the first " +
			"visible one",
	}
}

// NeedsOne reports whether the command looks for the one element that a selector means.
func NeedsOne(c *Command) bool {
	return slices.ContainsFunc(c.Args, func(a Arg) bool { return a.Kind == Selector && !a.Many })
}

// WithShared appends the flags that commands have by what they are and not by what they do.
func WithShared(commands []Command) []Command {
	for i := range commands {
		c := &commands[i]
		if c.Effect.Has(Mutates) && !c.Effect.Has(Control) {
			c.Flags = append(c.Flags, observeFlag(), settleFlag(), DialogFlag())
		} else if c.Waits() {
			c.Flags = append(c.Flags, observeFlag())
		}
		if NeedsOne(c) {
			c.Flags = append(c.Flags, StrictFlag())
		}
	}
	return commands
}

func observeFlag() Flag {
	return Flag{
		Name:   "observe",
		Common: true,
		Kind:   Bool,
		Help:   "Show what changed on the page since the last snapshot, too",
	}
}

func settleFlag() Flag {
	return Flag{
		Name:   "settle",
		Common: true,
		Kind:   Bool,
		Help:   "Reply when the page has settled, and report everything that changed until then",
	}
}

const dialogFlagHelp = "How to answer dialogs that this opens: accept, dismiss, keep (leave open), or text=<answer> " +
	"for prompts"

// DialogFlag sets a policy for the dialogs of one action.
func DialogFlag() Flag {
	return Flag{Name: "dialog", Common: true, Value: "answer", Help: dialogFlagHelp}
}

// DoneText is how the text of an action begins that says nothing but that it was done.
const DoneText = "✓ Done"

// Words says in words what a command may do.
func (e Effect) Words() string {
	var parts []string
	for _, effect := range []struct {
		bit  Effect
		text string
	}{
		{Reads, "looks at the page"},
		{Mutates, "may change the page"},
		{Navigates, "may navigate"},
		{Closes, "closes what it names"},
		{Control, "does not wait for the page"},
		{NoBrowser, "needs no browser"},
	} {
		if e.Has(effect.bit) {
			parts = append(parts, effect.text)
		}
	}
	return strings.Join(parts, ", ")
}
