package history

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/journal"
)

// module is the library's name in Go programs.
const module = "github.com/skua-browser/skua"

// unknownText stands for a text that the journal does not have, while a command line is parsed.
const unknownText = "\x00"

// journalStep is an entry of a journal to repeat.
type journalStep struct {
	entry journal.Entry
	plan  journal.Step
	input *actions.Input
}

func (s *journalStep) secret() bool {
	return slices.ContainsFunc(s.plan.Words, func(p journal.Arg) bool { return p.Secret })
}

// shell is the command line for a shell.
func (s *journalStep) shell() string {
	words := make([]string, len(s.plan.Words))
	for i, w := range s.plan.Words {
		words[i] = journal.Quote(w.Text)
	}
	return strings.Join(words, " ")
}

func stepOf(c *actions.Call, e journal.Entry) journalStep {
	s := journalStep{entry: e, plan: journal.Step{ID: e.ID, Line: e.Line()}}
	if e.State == journal.Failed {
		s.plan.Skipped = "it failed: " + e.Code
		return s
	}
	if e.To != e.From {
		s.plan.URL = e.To
	}
	for name := range strings.FieldsSeq(e.Command) {
		s.plan.Words = append(s.plan.Words, journal.Arg{Text: name})
	}
	targets := map[string]*journal.Target{}
	for i := range e.Words {
		w := &e.Words[i]
		targets[w.Name] = w.Target
		if err := s.add(&e, w); err != nil {
			s.plan.Skipped = err.Error()
			return s
		}
	}
	argv := make([]string, len(s.plan.Words))
	for i, p := range s.plan.Words {
		if argv[i] = p.Text; p.Secret {
			argv[i] = unknownText
		}
	}
	var err error
	if s.input, err = c.Parse(argv); err != nil {
		s.plan.Skipped = err.Error()
		return s
	}
	piece := func(name, word string) journal.Arg {
		if word == unknownText {
			return secretPiece(name, s.plan.Line)
		}
		return journal.Arg{Text: word}
	}
	s.plan.Template, s.plan.Values = s.input.PlaywrightTemplate(), s.input.JournalValues(targets, piece)
	if finds := s.input.Command().Finds; finds != nil {
		s.plan.Template, s.plan.Values = foundStatement(c, piece, s.input, finds)
	}
	s.plan.Method = s.input.MethodCall(piece)
	return s
}

// foundStatement is the statement for Playwright of a command that looks for its element itself: that of the command
// which acts on what was found.
func foundStatement(
	c *actions.Call, piece func(name, word string) journal.Arg, in *actions.Input,
	finds func(*actions.Input) (string, []string),
) (template string, values map[string][]journal.Value) {
	locator, acts := finds(in)
	acting, err := c.Parse(acts)
	if err != nil || in.Has("tab") {
		return "", nil
	}
	values = acting.JournalValues(nil, piece)
	for _, list := range values {
		for i := range list {
			if list[i].Locator != "" {
				list[i].Locator = locator
			}
		}
	}
	return acting.PlaywrightTemplate(), values
}

// add puts a word of an entry on the command line.
func (s *journalStep) add(e *journal.Entry, w *journal.Word) error {
	put := func(p journal.Arg) {
		if !w.Flag && strings.HasPrefix(p.Text, "-") && !slices.ContainsFunc(s.plan.Words, func(p journal.Arg) bool {
			return p.Text == "--"
		}) {
			s.plan.Words = append(s.plan.Words, journal.Arg{Text: "--"})
		}
		s.plan.Words = append(s.plan.Words, p)
	}
	flag := func() {
		if w.Flag {
			s.plan.Words = slices.Insert(s.plan.Words, len(strings.Fields(e.Command)), journal.Arg{Text: "--" + w.Name})
		}
	}
	switch {
	case w.Hidden:
		if w.Flag {
			return fault.New(fault.Usage, "the value of --%s is not in the journal, because it may be a secret", w.Name)
		}
		put(secretPiece(w.Name, e.Line()))
	case w.Target != nil:
		selector := w.Target.Selector()
		if selector == "" {
			return fault.New(fault.RefStale, "only the number of %s is known", w.Target.Ref)
		}
		put(journal.Arg{Text: selector})
	case w.Flag && len(w.Values) == 0:
		flag()
	case w.Flag:
		at := len(strings.Fields(e.Command))
		for _, v := range w.Values {
			s.plan.Words = slices.Insert(s.plan.Words, at, journal.Arg{Text: "--" + w.Name + "=" + v})
			at++
		}
	default:
		for _, v := range w.Values {
			put(journal.Arg{Text: v})
		}
	}
	return nil
}

// secretPiece is a word that the journal does not have.
func secretPiece(name, line string) journal.Arg {
	return journal.Arg{Secret: true, Purpose: name + " of " + line}
}
