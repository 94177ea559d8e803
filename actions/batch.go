package actions

import (
	"bytes"
	"context"
	"encoding/json"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/engine/fault"
)

func batchCommand() Command {
	return Command{
		Name: "batch", Group: sessionGroup, Summary: "Run several commands in one call",
		Help: "Each argument is one command line. Without arguments the commands are read from standard input: a JSON array of arrays of " +
			"words. All of them run, whether or not some fail, unless --bail is given; the exit code is 1 when one failed.",
		Args: []Arg{{Name: "command", Kind: List, Optional: true, Help: "A command line in quotes"}},
		Flags: []Flag{
			{Name: "bail", Kind: Bool, Help: "Stop at the first command that fails"},
			{Name: "omit-command", Kind: Bool, Help: "In JSON, give each result's index in place of its command"},
		},
		Stdin: true, Effect: Reads | Mutates | Navigates,
		Examples: []Example{{Line: `batch "open example.com" "snapshot -i"`}, {Line: `batch --bail "fill @e1 hello" "click @e2"`}},
		Run:      runBatch,
	}
}

// batchRow is one row of the JSON reply.
type batchRow struct {
	Command []string `json:"command,omitempty"`
	Index   *int     `json:"index,omitempty"`
	Error   *string  `json:"error"`
	Code    string   `json:"code,omitempty"`
	Result  any      `json:"result"`
	Success bool     `json:"success"`
}

func runBatch(ctx context.Context, c *Call) (Result, error) {
	rows, err := c.batchRows()
	if err != nil {
		return Result{}, err
	}
	var out, errOut strings.Builder
	replies := make([]batchRow, 0, len(rows))
	failed := false
	for i, argv := range rows {
		if len(argv) == 0 {
			continue
		}
		res, err := c.row(ctx, argv)
		reply := batchRow{Result: res.Data, Success: err == nil}
		if c.Bool("omit-command") {
			reply.Index = &i
		} else {
			reply.Command = argv
		}
		if err != nil {
			msg := err.Error()
			reply.Error, reply.Code, reply.Result = &msg, string(fault.CodeOf(err)), nil
			if fault.Is(err, fault.Usage) {
				msg = "Command " + itoa(i+1) + ": " + msg
			}
			errOut.WriteString("✗ " + msg + "\n")
			failed = true
		} else {
			out.WriteString(res.Text + "\n\n")
		}
		for _, note := range res.Notes {
			errOut.WriteString("⚠ " + note + "\n")
		}
		replies = append(replies, reply)
		if err != nil && c.Bool("bail") || ctx.Err() != nil {
			break
		}
	}
	return Result{
		Data: replies, Bare: true, Failed: failed,
		Text: strings.TrimSuffix(out.String(), "\n\n"), ErrText: strings.TrimSuffix(errOut.String(), "\n"),
	}, nil
}

// row parses and runs one command of a batch.
func (c *Call) row(ctx context.Context, argv []string) (Result, error) {
	in, err := c.Parse(argv)
	if err != nil {
		return Result{}, err
	}
	if in.Command() != nil && in.Command().Name == "batch" {
		return Result{}, fault.New(fault.Usage, "A batch cannot contain a batch.").With("type", InvalidValue)
	}
	return c.Exec(ctx, in)
}

const batchExample = `e.g. [["open", "example.com"], ["snapshot", "-i"]]`

// batchRows returns the commands of the command line, else those of stdin.
func (c *Call) batchRows() ([][]string, error) {
	if c.Has("command") {
		rows := make([][]string, 0, len(c.Strings("command")))
		for i, line := range c.Strings("command") {
			argv, err := SplitWords(line)
			if err != nil {
				return nil, c.Invalid("Command " + itoa(i+1) + ": " + err.Error())
			}
			rows = append(rows, argv)
		}
		return rows, nil
	}
	invalid := func(err error) error {
		return c.Invalid("Invalid JSON input: " + err.Error() + ". Expected an array of string arrays, " + batchExample)
	}
	if len(bytes.TrimSpace(c.Stdin)) == 0 {
		return nil, usageError(MissingArguments, "batch", "Missing arguments for: batch",
			"Usage: "+c.Program()+" batch <command>..., or a JSON array of string arrays on standard input, "+batchExample)
	}
	var raw []json.RawMessage
	if err := json.Unmarshal(c.Stdin, &raw); err != nil {
		return nil, invalid(err)
	}
	rows := make([][]string, len(raw))
	for i, step := range raw {
		if err := json.Unmarshal(step, &rows[i]); err != nil {
			return nil, c.Invalid("Invalid JSON input: step " + itoa(i+1) + " is not an array of strings: " + shown(string(step)) +
				". Expected an array of string arrays, " + batchExample)
		}
	}
	return rows, nil
}

func itoa(n int) string { return strconv.Itoa(n) }
