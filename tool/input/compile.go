package input

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/routine"
	"github.com/skua-browser/skua/internal/plainjson"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// Limits of scripts.
const (
	maxScriptBytes     = 65536
	maxScriptTimeoutMs = 300_000
)

// Line is what the parameters of a call were turned into.
type Line struct {
	Mode   contract.Mode
	Args   []string // of the command line; nil of a script and of work with desktop apps
	Stdin  []byte   // nil means none
	Words  argv.Words
	Rows   []argv.Words // of a batch
	Intent *Intent      // of a semanticAction

	SessionMode contract.SessionMode
	TimeoutMs   int64   // 0 means that the caller did not say
	Output      *string // the file that the result goes to, or nil
	Observe     bool    // the answer is to show what the action changed of the snapshot
	Observation bool    // the result is to report the page behind the call

	Details contract.CompiledDetails
}

// modes are all of them, in the order in which messages name them.
const modes = "script, args, semanticAction, job, qa, sourceLookup, networkSourceLookup, or electron"

// Compile checks the parameters and compiles their input mode. What is wrong first in the contract's order is the
// error. The Line is never nil: after an error it has what had been compiled until then.
func Compile(p *contract.Params) (*Line, error) {
	c := &Line{
		SessionMode: cmp.Or(p.SessionMode, contract.Auto),
		Output:      p.OutputPath,
		Observe:     p.Observe,
		Observation: p.Observation,
	}
	if err := c.compileObjects(p); err != nil {
		return c, err
	}
	given := p.Given()
	if len(given) != 1 {
		return c, wrong("Provide exactly one of %s.", modes)
	}
	c.Mode = given[0]
	for _, check := range []func(*contract.Params) error{c.stdin, outputPath, c.timeout, session, sessionMode} {
		if err := check(p); err != nil {
			return c, err
		}
	}
	c.choose(p)
	if c.Args == nil {
		return c, nil
	}
	return c, c.line(p)
}

// compileObjects compiles whatever was given, so that a mistake within a mode is told before one in the choice of it.
func (c *Line) compileObjects(p *contract.Params) error {
	d := &c.Details
	steps := []func() error{
		func() (err error) {
			if has(p.SemanticAction) {
				if c.Intent, err = semanticAction(p.SemanticAction); err == nil {
					d.CompiledSemanticAction = c.Intent.details()
				}
			}
			return err
		},
		func() (err error) {
			if has(p.Job) {
				d.CompiledJob, err = job(p.Job)
			}
			return err
		},
		func() (err error) {
			if has(p.QA) {
				d.CompiledQAPreset, err = qa(p.QA)
			}
			return err
		},
		func() (err error) {
			if has(p.SourceLookup) {
				d.CompiledSourceLookup, err = sourceLookup(p.SourceLookup)
			}
			return err
		},
		func() (err error) {
			if has(p.NetworkSourceLookup) {
				d.CompiledNetworkSourceLookup, err = networkSourceLookup(p.NetworkSourceLookup)
			}
			return err
		},
		func() (err error) {
			if has(p.Electron) {
				d.CompiledElectron, err = electron(p.Electron)
			}
			return err
		},
		func() error { return script(p.Script) },
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// choose takes the command line of the mode.
func (c *Line) choose(p *contract.Params) {
	d := &c.Details
	batch := func(args []string, stdin string) { c.Args, c.Stdin = args, []byte(stdin) }
	switch c.Mode {
	case contract.ModeArgs:
		c.Args = p.Args
		if p.Stdin != nil {
			c.Stdin = []byte(*p.Stdin)
		}
	case contract.ModeScript:
		if p.Session == contract.CurrentSession {
			batch(c.program(), *p.Script)
		}
	case contract.ModeSemanticAction:
		c.Args = c.Intent.Args()
	case contract.ModeJob:
		batch(d.CompiledJob.Args, d.CompiledJob.Stdin)
	case contract.ModeQA:
		batch(d.CompiledQAPreset.Args, d.CompiledQAPreset.Stdin)
	case contract.ModeSourceLookup:
		batch(d.CompiledSourceLookup.Args, d.CompiledSourceLookup.Stdin)
	case contract.ModeNetworkSourceLookup:
		batch(d.CompiledNetworkSourceLookup.Args, d.CompiledNetworkSourceLookup.Stdin)
	}
}

// program is the command that runs a script in the session, with the script on standard input.
func (c *Line) program() []string {
	args := strings.Fields(argv.Yielding[routine.Result]().Name)
	if c.TimeoutMs > 0 {
		args = append(args, "--limit", strconv.FormatInt(c.TimeoutMs, 10))
	}
	return args
}

// line checks and reads the command line.
func (c *Line) line(p *contract.Params) error {
	c.Words = argv.Read(c.Args)
	if c.Mode == contract.ModeArgs {
		if err := c.checkArgs(p.Stdin != nil); err != nil {
			return err
		}
	}
	var err error
	if c.Rows, err = argv.Batch(&c.Words, c.Stdin); err != nil {
		return err
	}
	if p.Observe {
		return c.observe()
	}
	return nil
}

// observe adds the flag that has the reply say what changed of the snapshot.
func (c *Line) observe() error {
	w := &c.Words
	switch {
	case w.Inspects() || w.Command == "":
		return wrong("observe is for a command that acts on a page; this call only asks for help.")
	case w.IsBatch() && (c.Mode == contract.ModeArgs || c.Mode == contract.ModeJob):
		return c.observeRow()
	case w.IsBatch():
		return wrong("observe is for a command that acts on a page; %s only looks at it.", c.Mode)
	case w.Entry == nil || !slices.ContainsFunc(w.Entry.Flags, isObserve):
		return wrong(
			"observe is for a command that acts on a page, and %s does not act. Leave observe out, or run snapshot -i.",
			w.Name())
	case w.Has("observe"):
		return nil
	}
	c.Args = observed(w)
	c.Words = argv.Read(c.Args)
	return nil
}

// observed is a line with the flag behind the command's name, where no text can swallow it.
func observed(w *argv.Words) []string {
	return slices.Insert(slices.Clone(w.Args), w.Start+len(splitName(w)), "--observe")
}

// observeRow has the last row of a batch that can be observed say what changed. Rows after it only read.
func (c *Line) observeRow() error {
	last := -1
	for i := range c.Rows {
		if w := &c.Rows[i]; w.Entry != nil && !w.Inspects() && slices.ContainsFunc(w.Entry.Flags, isObserve) {
			last = i
		}
	}
	if last < 0 {
		return wrong(
			"observe is for a command that acts on a page, and no step of the batch does. Leave observe out, or end the batch " +
				"with snapshot -i.")
	}
	if c.Rows[last].Has("observe") {
		return nil
	}
	rows := make([][]string, len(c.Rows))
	for i := range c.Rows {
		rows[i] = c.Rows[i].Args
	}
	rows[last] = observed(&c.Rows[last])
	if len(c.Words.Positionals) == 0 {
		text, _ := plainjson.Marshal(rows) // strings can always be encoded
		c.Stdin = []byte(text)
		c.Rows[last] = argv.Read(rows[last])
		return nil
	}
	args, row := slices.Clone(c.Args[:c.Words.Start+1]), 0
	for _, word := range c.Args[c.Words.Start+1:] {
		if row < len(rows) && word == c.Words.Positionals[row] {
			if row == last {
				word = grammar.JoinWords(rows[last])
			}
			row++
		}
		args = append(args, word)
	}
	c.Args = args
	c.Words = argv.Read(args)
	c.Rows[last] = argv.Read(rows[last])
	return nil
}

func script(source *string) error {
	switch {
	case source == nil:
		return nil
	case *source == "":
		return wrong("script must be a non-empty string.")
	case len(*source) > maxScriptBytes:
		return wrong("script must be 65536 bytes or less.")
	}
	return nil
}

func (c *Line) stdin(p *contract.Params) error {
	if p.Stdin == nil {
		return nil
	}
	switch c.Mode {
	case contract.ModeJob, contract.ModeQA, contract.ModeSourceLookup, contract.ModeNetworkSourceLookup:
		return wrong(
			"Do not provide stdin with job, qa, sourceLookup, or networkSourceLookup; these modes write the stdin of their " +
				"batch themselves.")
	case contract.ModeElectron:
		return wrong("Do not provide stdin with electron; its actions read none.")
	case contract.ModeScript:
		return wrong("Do not provide stdin with script; give it to browser({args, stdin}) inside the script.")
	case contract.ModeSemanticAction:
		return wrong("Do not provide stdin with semanticAction; the commands that it stands for read none.")
	}
	return nil
}

func (c *Line) timeout(p *contract.Params) error {
	if p.TimeoutMs == nil {
		return nil
	}
	if !isCount(*p.TimeoutMs) {
		return wrong("timeoutMs must be a positive integer when provided.")
	}
	c.TimeoutMs = int64(*p.TimeoutMs)
	switch {
	case c.Mode == contract.ModeElectron:
		return wrong("timeoutMs is not supported with electron; use electron.timeoutMs.")
	case c.Mode == contract.ModeScript && c.TimeoutMs > maxScriptTimeoutMs:
		return wrong("timeoutMs must be 300000 or less with script.")
	}
	return nil
}

func outputPath(p *contract.Params) error {
	if p.OutputPath != nil && blank(*p.OutputPath) {
		return wrong("outputPath must be a non-empty string when provided.")
	}
	return nil
}

func session(p *contract.Params) error {
	if p.Session != "" && p.Script == nil {
		return wrong("session is for script alone; name the session of a command with --session in args.")
	}
	return nil
}

func sessionMode(p *contract.Params) error {
	switch {
	case p.SessionMode == "":
	case p.Script != nil && p.Session == contract.CurrentSession:
		return wrong("Do not provide sessionMode with session=current; the script works in the session that there is.")
	case p.Script != nil:
		return wrong("Do not provide sessionMode with script; a script has a session of its own.")
	case p.SessionMode != contract.Auto && p.SessionMode != contract.Fresh:
		return wrong("sessionMode must be auto or fresh.")
	case p.SessionMode == contract.Fresh && attached(p):
		return wrong("qa.attached cannot be used with sessionMode=fresh; it checks the page that the session shows.")
	}
	return nil
}
