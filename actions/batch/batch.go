package batch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/actions/grammar"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// Commands returns the command that runs others. It has none of the flags that those share.
func Commands() []actions.Command { return []actions.Command{batchCommand()} }

func batchCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "batch",
			Group:   actions.GroupSessions,
			Summary: "Run several commands in one call",
			Help: "Each argument is one command line. Without arguments the commands are read from standard input: a JSON " +
				"array of arrays of " +
				"words. They run in order without a round trip to the caller, and continue after a failure unless --bail is " +
				"given; the exit code is 1 when one " +
				"failed. Over the agent_browser tool, --bail is the default, and --bail=false continues. A command that must be " +
				"confirmed ends the batch. A command may use the refs of a snapshot before it. If a command in between " +
				"changed what a ref stands for, the command that uses the ref fails with ref-stale.\n\n" +
				"--timeout and --tab may be set for one command; all other global flags apply to the whole batch.",
			Args: []actions.Arg{{Name: "command", Kind: actions.List, Optional: true, Help: "A command line in quotes"}},
			Flags: []actions.Flag{
				{
					Name: "bail",
					Kind: actions.Bool,
					Help: "Stop at the first command that fails, and run none if one cannot be read",
				},
				{Name: "omit-command", Kind: actions.Bool, Help: "In JSON, give each result's index instead of its command"},
			},
			Stdin: actions.Without("command"),
			Examples: []actions.Example{{Line: `batch "open example.com" "snapshot -i"`}, {
				Line: `batch --bail "fill @e1 hello" "click @e2"`,
			}},
			Upstream: []string{`batch [options] ["cmd" ...]`, `batch [options] "<cmd1>" "<cmd2>" ...`, "batch [--bail]"},
		},
		Schedule: actions.Schedule{Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true},
		Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{[]BatchRow{}}, Bare: true},
		Run:      runBatch,
	}
}

// BatchRow is the result of one command of a batch: a row of the reply's data.
type BatchRow struct {
	RowName
	Error *string        `json:"error"`
	Code  string         `json:"code,omitempty"`
	Facts map[string]any `json:"facts,omitempty"`
	// whether a command that changes something may be sent again
	Outcome  actions.Outcome `json:"outcome,omitempty"`
	Result   any             `json:"result"`
	Success  bool            `json:"success"`
	Tab      string          `json:"tab,omitempty"`
	MS       float64         `json:"ms"`
	Warnings []string        `json:"warnings,omitempty"`
	NotRun   []RowName       `json:"notRun,omitempty"` // in the last one: those after it

	Text        string     `json:"-"` // what text mode prints for it
	ResultFacts fact.Facts `json:"-"` // the facts of the row's run, see [actions.Result.AllFacts]
	Shown       fact.Shown `json:"-"` // the page of its tab after it ran
	Secret      bool       `json:"-"` // what was typed went into a field whose content is not shown
}

// RowName returns the name of a row: its command, or with --omit-command its index.
type RowName struct {
	Command []string `json:"command,omitempty"`
	Index   *int     `json:"index,omitempty"`
}

func named(c *actions.Call, i int, argv []string) RowName {
	if c.Bool("omit-command") {
		return RowName{Index: &i}
	}
	return RowName{Command: argv}
}

func runBatch(ctx context.Context, c *actions.Call) (actions.Result, error) {
	rows, err := batchRows(c)
	if err != nil {
		return actions.Result{}, err
	}
	if c.Bool("bail") && !c.UpstreamText() {
		if err := checkRows(c, rows); err != nil {
			return actions.Result{}, err
		}
	}
	var out, errOut strings.Builder
	replies := make([]BatchRow, 0, len(rows))
	var failed, notRun []int
	for i, argv := range rows {
		if len(argv) == 0 {
			continue
		}
		if notRun != nil {
			notRun = append(notRun, i)
			continue
		}
		start := time.Now()
		res, shown, err := maskedRow(ctx, c, argv)
		rows[i] = shown
		reply := BatchRow{RowName: named(c, i, shown)}
		reply.Result, reply.Success, reply.Tab, reply.Warnings, reply.Text = res.Data, err ==
			nil, res.Tab, res.Notes, res.Text
		reply.Secret, reply.Outcome, reply.ResultFacts = res.Secret, res.Outcome, res.Facts
		reply.Shown = shownNow(c, res.Tab)
		reply.MS = float64(time.Since(start).Microseconds()) / 1000
		if err != nil {
			reply.fail(err)
			of := "Command " + strconv.Itoa(i+1) + ": "
			switch {
			case !c.UpstreamText():
				of = rowLabel(i, shown)
			case !fault.Is(err, fault.Usage):
				of = ""
			}
			errOut.WriteString("✗ " + of + err.Error() + "\n")
			failed = append(failed, i)
		} else if res.Failed {
			failed = append(failed, i)
		}
		if err == nil {
			out.WriteString(res.Text + "\n")
		}
		for _, note := range res.Notes {
			if c.UpstreamText() {
				errOut.WriteString("⚠ " + note + "\n")
			} else { // beside what it is about
				out.WriteString("⚠ " + rowLabel(i, shown) + note + "\n")
			}
		}
		if err == nil {
			out.WriteString("\n")
		}
		replies = append(replies, reply)
		// What comes after a command that waits to be confirmed counts on it.
		if err != nil && (c.Bool("bail") || actions.IsSessionClosed(err)) || ctx.Err() != nil || res.Held {
			notRun = []int{}
		}
	}
	for _, i := range notRun {
		last := &replies[len(replies)-1]
		last.NotRun = append(last.NotRun, named(c, i, rows[i]))
	}
	errOut.WriteString(batchSummary(rows, len(replies), failed, notRun))
	return actions.Result{
		Data: replies, Failed: len(failed) > 0 || len(notRun) > 0,
		Text: strings.TrimRight(out.String(), "\n"), ErrText: strings.TrimSuffix(errOut.String(), "\n"),
	}, nil
}

// rowLabel says which row a line is about. Of its words it names those that cannot be secret.
func rowLabel(i int, argv []string) string {
	return "Command " + strconv.Itoa(i+1) + " (" + strings.Join(argv[:min(2, len(argv))], " ") + "): "
}

// checkRows returns the usage error of the first row that cannot be read. Rows that count on each other would stop
// there half done.
func checkRows(c *actions.Call, rows [][]string) error {
	for i, argv := range rows {
		if len(argv) == 0 {
			continue
		}
		if _, err := c.Parse(argv); err != nil {
			return c.Invalid("Command " + strconv.Itoa(i+1) + ": " + strings.TrimSuffix(err.Error(), ".") +
				". No command was run.")
		}
	}
	return nil
}

// shownNow returns the page of a tab, or of the active one. It is zero when there is none.
func shownNow(c *actions.Call, named string) (shown fact.Shown) {
	tab := c.Tabs.Active()
	if named != "" {
		tab, _ = c.Tabs.FindTab(named)
	}
	if tab != nil && tab.Page.Err() == nil {
		shown.URL, shown.Title = tab.Page.URL(), tab.Page.Title()
	}
	return shown
}

func (r *BatchRow) fail(err error) {
	msg := err.Error()
	r.Error, r.Code, r.Result = &msg, string(fault.CodeOf(err)), nil
	if f, ok := errors.AsType[*fault.Error](err); ok && !fault.Is(err, fault.Usage) {
		r.Facts = f.Facts
	}
}

// batchSummary says which rows failed and which were not run; nothing when all went well.
func batchSummary(rows [][]string, ran int, failed, notRun []int) string {
	if len(failed)+len(notRun) == 0 {
		return ""
	}
	line := func(i int) string {
		return strconv.Itoa(i+1) + " (" + strings.Join(rows[i][:min(2, len(rows[i]))], " ") + ")"
	} // texts may be secret
	var output strings.Builder
	output.WriteString("[batch] " + strconv.Itoa(ran-len(failed)) + " of " + wording.Plural(ran+len(notRun), "command") +
		" succeeded")
	for _, part := range []struct {
		what string
		rows []int
	}{{"failed", failed}, {"not run", notRun}} {
		if len(part.rows) == 0 {
			continue
		}
		names := make([]string, len(part.rows))
		for k, i := range part.rows {
			names[k] = line(i)
		}
		output.WriteString("; " + part.what + ": " + strings.Join(names, ", "))
	}
	return output.String() + "\n"
}

// ParseRow parses and runs one command of a batch.
func ParseRow(ctx context.Context, c *actions.Call, argv []string) (actions.Result, error) {
	res, _, err := maskedRow(ctx, c, argv)
	return res, err
}

// maskedRow is row, and returns the words with secrets masked.
func maskedRow(ctx context.Context, c *actions.Call, argv []string) (res actions.Result, shown []string, err error) {
	in, err := c.Parse(argv)
	if err != nil {
		return actions.Result{}, argv, err
	}
	if in.Command() != nil && in.Command().Name == "batch" {
		return actions.Result{}, argv, fault.New(fault.Usage, "A batch cannot contain a batch.").With("type",
			grammar.InvalidValue)
	}
	res, err = c.Exec(ctx, in)
	if in.Command() != nil {
		shown = in.MaskedArgs(argv, res.Secret)
	}
	return res, shown, err
}

const batchExample = `e.g. [["open", "example.com"], ["snapshot", "-i"]]`

// batchRows returns the commands of the command line, else those of stdin.
func batchRows(c *actions.Call) ([][]string, error) {
	if c.Has("command") {
		rows := make([][]string, 0, len(c.Strings("command")))
		for i, line := range c.Strings("command") {
			argv, err := grammar.SplitWords(line)
			if err != nil {
				return nil, c.Invalid("Command " + strconv.Itoa(i+1) + ": " + err.Error())
			}
			rows = append(rows, argv)
		}
		return rows, nil
	}
	invalid := func(err error) error {
		return c.Invalid("Invalid JSON input: " + err.Error() + ". Expected an array of string arrays, " + batchExample)
	}
	if len(bytes.TrimSpace(c.Stdin)) == 0 {
		return nil, grammar.UsageError(grammar.MissingArguments, "batch", "Missing arguments for: batch",
			"Usage: "+c.Program()+" batch <command>..., or a JSON array of string arrays on standard input, "+batchExample)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(c.Stdin, &raw); err != nil {
		return nil, invalid(err)
	}
	rows := make([][]string, len(raw))
	for i, step := range raw {
		if err := json.Unmarshal(step, &rows[i]); err != nil {
			return nil, c.Invalid("Invalid JSON input: step " + strconv.Itoa(i+1) + " is not an array of strings: " +
				wording.OneLine(string(step)) +
				". Expected an array of string arrays, " + batchExample)
		}
	}
	return rows, nil
}
