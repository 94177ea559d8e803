package history

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/journal"
)

// Commands returns the commands of the journal.
func Commands() []actions.Command {
	which := func() []actions.Flag {
		return []actions.Flag{
			{
				Name:  "from",
				Kind:  actions.Int,
				Value: "id",
				Help:  "The first command; when not given, the first one after the session was closed last",
			},
			{Name: "to", Kind: actions.Int, Value: "id", Help: "The last command"},
		}
	}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "journal",
				Aliases: []string{"journal show"},
				Group:   actions.GroupSessions,
				Summary: "Show the commands that ran in the session",
				Help: "Each command with what its refs stood for, how long it took and what it led to. The newest are kept, " +
					"as many as SKUA_JOURNAL_ENTRIES and SKUA_JOURNAL_BYTES say, until the host ends. Text typed into password " +
					"fields is not kept, nor are the values of cookies, headers, credentials and storage.",
				Flags: append([]actions.Flag{{
					Name:    "limit",
					Kind:    actions.Int,
					Value:   "n",
					Default: "50",
					Help:    "The newest ones; 0: all that are kept",
				}}, which()...),
				Examples: []actions.Example{{Line: "journal"}, {Line: "journal --from 12 --to 20"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Journal{}}},
			Run:      runJournal,
		},
		{
			Spec: actions.Spec{
				Name:    "journal replay",
				Group:   actions.GroupSessions,
				Summary: "Run the session's commands again",
				Help: "Runs the commands that changed a page or waited for it, in order, and stops at the first that fails. " +
					"Elements are looked for by what the refs stood for. Commands that failed are left out. A command that led to " +
					"an address must lead there again.",
				Flags: append([]actions.Flag{
					{Name: "of", Value: "session", Help: "Replay the journal of another session of this host in this one"},
					{Name: "dry-run", Kind: actions.Bool, Help: "Print the commands without running them"},
				}, which()...),
				Examples: []actions.Example{{Line: "journal replay --dry-run"}, {Line: "journal replay --of shop --from 3"}},
			},
			Schedule: actions.Schedule{
				Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true,
				Alters: func(in *actions.Input) bool { return !in.Bool("dry-run") },
			},
			Safety:   actions.Safety{Families: policy.Does(), Blind: true},
			Bindings: actions.Bindings{Data: []any{Replayed{}}},
			Run:      runJournalReplay,
		},
		{
			Spec: actions.Spec{
				Name:    "journal export",
				Group:   actions.GroupSessions,
				Summary: "Write the session's commands as a script or test",
				Help: "Writes a POSIX shell script, a Go test that uses the library, a Playwright test, or a program for `run`. " +
					"Texts that the journal does not have, such as passwords, come from environment variables, or from --params of " +
					"`run`, whose names are in the script.",
				Args: []actions.Arg{
					{Name: "format", OneOf: journal.Formats(), Help: "What to write"},
					{Name: "path", Kind: actions.Path, Optional: true, Help: "The file; without it the program is printed"},
				},
				Flags: append([]actions.Flag{{
					Name:  "of",
					Value: "session",
					Help:  "Use the journal of another session of this host",
				}}, which()...),
				Examples: []actions.Example{{Line: "journal export sh login.sh"}, {
					Line: "journal export playwright tests/login.spec.js",
				}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), Further: actions.IfGiven(policy.WritesFiles, "path")},
			Bindings: actions.Bindings{Data: []any{Exported{}}},
			Run:      runJournalExport,
		},
		{
			Spec:     actions.Spec{Name: "journal clear", Group: actions.GroupSessions, Summary: "Clear the session's journal"},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Cleared{}}},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				c.Session.Journal().Clear()
				return actions.Result{Data: Cleared{true}, Text: "✓ The journal is empty"}, nil
			},
		},
	}
}

func runJournal(_ context.Context, c *actions.Call) (actions.Result, error) {
	list, dropped := c.Session.Journal().Entries(0)
	list = between(c, list, 1)
	if n := c.Int("limit"); n > 0 && len(list) > n {
		list = list[len(list)-n:]
	}
	lines := make([]string, 0, 2*len(list))
	for i := range list {
		lines = append(lines, journalLines(&list[i])...)
	}
	if len(list) == 0 {
		lines = []string{"The journal is empty"}
	}
	return actions.Result{Data: Journal{Entries: list, Dropped: dropped}, Text: strings.Join(lines, "\n")}, nil
}

// journalLines are an entry for people.
func journalLines(e *journal.Entry) []string {
	mark := "✓"
	switch e.State {
	case journal.Failed:
		mark = "✗"
	case journal.Running:
		mark = "…"
	}
	first := fmt.Sprintf("%3d  %s  %s %s  (%s ms", e.ID, e.Begun.Local().Format(time.TimeOnly), mark, e.Line(),
		formatFloat(e.MS))
	if e.Tab != "" {
		first += ", " + e.Tab
	}
	lines := []string{first + ")"}
	if e.Error != "" {
		lines = append(lines, "     "+e.Error)
	}
	if len(e.Effect) > 0 {
		lines = append(lines, "     "+strings.Join(e.Effect, "; "))
	}
	return lines
}

func formatFloat(ms float64) string {
	if ms < 10 {
		return fmt.Sprintf("%.1f", ms)
	}
	return fmt.Sprintf("%.0f", ms)
}

// between are the entries that --from and --to ask for; first is the number of the one that is the first without
// --from.
func between(c *actions.Call, list []journal.Entry, first int64) []journal.Entry {
	if c.Has("from") {
		first = int64(c.Int("from"))
	}
	chosen := []journal.Entry{}
	for _, e := range list {
		if e.ID >= first && (!c.Has("to") || e.ID <= int64(c.Int("to"))) {
			chosen = append(chosen, e)
		}
	}
	return chosen
}

// closes reports whether an entry is of a command that closed the session.
func closes(c *actions.Call, e journal.Entry) bool {
	cmd, _ := c.Input.Registry().Lookup(e.Command)
	return cmd.EndsSession()
}

// journalSteps are the commands to do again, each parsed.
func journalSteps(c *actions.Call) ([]journalStep, error) {
	log := c.Session.Journal()
	if of := c.String("of"); of != "" {
		if log = c.Host.JournalOf(of); log == nil {
			return nil, fault.New(fault.SessionInvalid, "There is no session %s on this host.", of).About(of).
				WithHint("`session list` names them.")
		}
	}
	all, dropped := log.Entries(0)
	first := int64(1)
	for _, e := range all {
		if closes(c, e) && e.State == journal.Done {
			first = e.ID + 1
		}
	}
	var steps []journalStep
	for _, e := range between(c, all, first) {
		if e.Replayable && e.State != journal.Running && !closes(c, e) {
			steps = append(steps, stepOf(c, e))
		}
	}
	if len(steps) == 0 {
		return nil, fault.New(fault.Usage, "The journal has no command that can be run again.").
			WithHint("`journal` shows what it has; --from chooses where to begin.")
	}
	if dropped > 0 && !c.Has("from") {
		c.Note(fmt.Sprintf("the journal begins with command %d: %s before it were dropped", all[0].ID,
			wording.Plural(dropped, "command")))
	}
	return steps, nil
}

func runJournalReplay(ctx context.Context, c *actions.Call) (actions.Result, error) {
	steps, err := journalSteps(c)
	if err != nil {
		return actions.Result{}, err
	}
	rows := []ReplayedStep{}
	var lines []string
	ran := 0
	for i := range steps {
		s := &steps[i]
		rows = append(rows, ReplayedStep{ID: s.entry.ID, Command: s.plan.Line, Left: s.plan.Skipped})
		if s.plan.Skipped != "" {
			lines = append(lines, "- "+s.plan.Line+" (left out: "+s.plan.Skipped+")")
			continue
		}
		if s.secret() {
			return actions.Result{}, replayStopped(c, s, ran,
				fault.New(fault.Usage, "the typed text is not in the journal, because it may be a secret").
					WithHint("Type it yourself, and continue with --from %d.", s.entry.ID+1))
		}
		if c.Bool("dry-run") {
			lines = append(lines, s.shell())
			continue
		}
		res, err := c.CarryOut(ctx, s.input)
		if err == nil {
			err = replayedTo(c, s.plan.URL)
		}
		if err != nil {
			return actions.Result{}, replayStopped(c, s, ran, err)
		}
		ran++
		rows[len(rows)-1].Success = true
		lines = append(lines, "✓ "+s.plan.Line)
		for _, note := range res.Notes {
			c.Note(note)
		}
	}
	return actions.Result{Data: Replayed{Ran: ran, Steps: rows}, Text: strings.Join(lines, "\n")}, nil
}

func replayStopped(c *actions.Call, s *journalStep, ran int, err error) error {
	return fault.New(fault.CodeOf(err), "Replayed %s, and then `%s` (%d) failed: %w", wording.Plural(ran, "command"),
		s.plan.Line, s.entry.ID, err).
		About(s.plan.Line).With("ran", ran).With("id", s.entry.ID)
}

// replayedTo fails when the active tab is not at the address, whose query and fragment may be others each time.
func replayedTo(c *actions.Call, address string) error {
	tab := c.Tabs.Active()
	if want := journal.StableURL(address); want != "" && tab != nil && journal.StableURL(tab.Page.URL()) != want {
		return fault.New(fault.NavigationFailed, "it led to %s last time, and to %s now", want, tab.Page.URL()).About(address)
	}
	return nil
}

func runJournalExport(_ context.Context, c *actions.Call) (actions.Result, error) {
	steps, err := journalSteps(c)
	if err != nil {
		return actions.Result{}, err
	}
	plan := journal.Plan{Program: "skua", Module: module}
	for i := range steps {
		plan.Steps = append(plan.Steps, steps[i].plan)
	}
	program, err := journal.Export(c.String("format"), &plan)
	if err != nil {
		return actions.Result{}, fault.New(fault.Usage, "%w", err)
	}
	data := Exported{Format: c.String("format"), Commands: len(steps)}
	if !c.Has("path") {
		data.Program = &program
		return actions.Result{Data: data, Text: strings.TrimSuffix(program, "\n")}, nil
	}
	path, err := files.Writable(c, c.String("path"))
	if err != nil {
		return actions.Result{}, err
	}
	if err := atomicfile.Write(path, []byte(program)); err != nil {
		return actions.Result{}, fault.New(fault.File, "The program cannot be written to %s: %w", c.String("path"),
			atomicfile.Reason(err)).About(path)
	}
	data.Path = path
	return actions.Result{
		Data: data,
		Text: fmt.Sprintf("✓ %s written to %s", wording.Plural(len(steps), "command"), path),
	}, nil
}
