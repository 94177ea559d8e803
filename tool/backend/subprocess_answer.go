package backend

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/skua-browser/skua/session/replydata"

	"github.com/skua-browser/skua/internal/fault"
)

// answer reads what the process left behind.
func (r *ran) answer(inv Invocation) Answer {
	a := Answer{
		ExitCode: r.exit,
		Stderr:   string(r.stderr.bytes()),
		Started: r.spawnErr ==
			nil,
		TimedOut: r.timedOut,
		Aborted:  r.aborted,
	}
	reported := ""
	switch {
	case r.spawnErr != nil:
		a.SpawnError = r.spawnErr.Error()
	case !wantsJSON(r.args):
		a.Text, reported = r.plain(&a)
	default:
		reported = r.read(&a)
	}
	a.Success = a.Success && r.exit == 0 && !r.timedOut && !r.aborted
	a.ReadFacts(inv.Args)
	if !a.Success {
		a.Error = r.complaint(&a, reported, inv)
	}
	return a
}

// plain is what a command line without --json printed.
func (r *ran) plain(a *Answer) (text, reported string) {
	text, err := r.out.text()
	if err != nil {
		a.ParseError = err.Error()
		return "", ""
	}
	a.Success = true
	return strings.TrimSuffix(text, "\n"), plainError(r.stderr.bytes())
}

// read takes the JSON of the output into the answer, and returns what it says of a failure.
func (r *ran) read(a *Answer) (reported string) {
	out, err := r.out.reader()
	if err == nil {
		reported, err = a.readEnvelope(out)
	}
	if err != nil {
		a.Success, a.ParseError = false, err.Error()
		if errors.Is(err, errNoOutput) && r.exit != 0 { // it is the exit that says what happened
			a.ParseError = ""
		}
	}
	return reported
}

var errNoOutput = errors.New("agent-browser returned no JSON output")

// readEnvelope reads the one JSON value that a program prints.
func (a *Answer) readEnvelope(out io.Reader) (reported string, err error) {
	dec := json.NewDecoder(out)
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) {
			return "", errNoOutput
		}
		return "", fmt.Errorf("agent-browser returned invalid JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("agent-browser returned invalid JSON: more follows after the first value")
	}
	if rows := itemsOf(value); rows != nil {
		return "", a.readRows(rows)
	}
	if envelope := membersOf(value); envelope != nil {
		return a.readObject(envelope)
	}
	return "", errors.New("agent-browser returned JSON that is neither an object nor an array")
}

func (a *Answer) readObject(envelope members) (reported string, err error) {
	success, there := envelope["success"]
	if !there && len(envelope) == 1 && (envelope.items("plugins") != nil || envelope.object("plugin") != nil) {
		a.Success, a.Data = true, envelope.decoded()
		return "", nil
	}
	switch string(success) {
	case "true", "false":
		a.Success = envelope.is("success")
	case "":
		return "", errors.New("agent-browser returned invalid JSON: missing boolean success field")
	default:
		return "", errors.New("agent-browser returned invalid JSON: its success field must be boolean")
	}
	reported = complaintIn(envelope["error"])
	if code := envelope.text("code"); code != "" {
		a.Code = fault.Code(strings.ReplaceAll(code, "tab_gone", string(fault.TabGone)))
	}
	if !a.Success && envelope.text("type") != "" {
		a.Code = fault.Usage
	}
	a.takeWarnings(envelope)
	if data, there := envelope["data"]; there {
		a.Data, a.Lifecycle = withoutLifecycle(data)
		return reported, nil
	}
	for _, ours := range [...]string{"success", "error", "code", "type", "warning", "warnings"} {
		delete(envelope, ours)
	}
	if len(envelope) > 0 {
		a.Data, a.Lifecycle = envelope.withoutLifecycle()
	}
	return reported, nil
}

func (a *Answer) takeWarnings(envelope members) {
	if warning := envelope.text("warning"); warning != "" {
		a.Warnings = append(a.Warnings, warning)
	}
	for _, item := range envelope.items("warnings") {
		if bytes.HasPrefix(item, []byte(`"`)) {
			a.Warnings = append(a.Warnings, textOf(item))
		}
	}
}

// withoutLifecycle separates a command's result from the state of its browser.
func withoutLifecycle(data json.RawMessage) (rest any, lifecycle *replydata.Lifecycle) {
	if m := membersOf(data); m.object("lifecycle") != nil {
		return m.withoutLifecycle()
	}
	return decoded(data), nil
}

func (m members) withoutLifecycle() (rest any, lifecycle *replydata.Lifecycle) {
	if m.object("lifecycle") != nil {
		lifecycle = new(replydata.Lifecycle)
		_ = json.Unmarshal(m["lifecycle"], lifecycle) // members of another form are zero
		delete(m, "lifecycle")
	}
	return m.decoded(), lifecycle
}

// readRows reads the rows of a batch, which has succeeded unless one of them says that it did not.
func (a *Answer) readRows(rows []json.RawMessage) error {
	a.Success, a.Rows = true, make([]Row, 0, len(rows))
	for i, item := range rows {
		told := membersOf(item)
		if told == nil {
			return fmt.Errorf("agent-browser returned invalid JSON: row %d of the batch is not an object", i)
		}
		row := Row{Success: string(told["success"]) != "false", Error: complaintIn(told["error"])}
		if line := told.text("command"); line != "" {
			row.Command = strings.Fields(line)
		}
		for _, word := range told.items("command") {
			row.Command = append(row.Command, fmt.Sprint(decoded(word)))
		}
		row.Code = fault.Code(told.text("code"))
		row.Result, row.Lifecycle = withoutLifecycle(told["result"])
		a.Success = a.Success && row.Success
		a.Rows = append(a.Rows, row)
	}
	return nil
}

// complaintIn finds the sentence in an error that may be a text or an object around one.
func complaintIn(v json.RawMessage) string {
	if m := membersOf(v); m != nil {
		for _, key := range []string{"message", "error", "details", "cause", "stderr"} {
			if text := complaintIn(m[key]); text != "" {
				return text
			}
		}
	}
	return strings.TrimSpace(textOf(v))
}

// complaint says why the call failed: the first that there is of the watchdog, the caller, the start, the form of the
// output, what the program reported, and what it printed. It is empty for a batch, whose rows say it.
func (r *ran) complaint(a *Answer, reported string, inv Invocation) string {
	line := "agent-browser " + strings.Join(inv.Args, " ")
	switch {
	case a.TimedOut:
		return fmt.Sprintf("agent-browser timed out: it had not ended after %d ms, and the watchdog ended it.",
			inv.Timeout.Milliseconds())
	case a.Aborted:
		return "agent-browser was aborted: the caller gave the call up."
	case a.SpawnError != "":
		return "agent-browser could not be started: " + a.SpawnError
	case a.ParseError != "":
		return a.ParseError
	case reported != "":
		return reported
	case a.Rows != nil:
		return ""
	}
	if text := plainError([]byte(a.Stderr)); text != "" {
		return text
	}
	if wantsJSON(r.args) && r.out.size() > 0 {
		return fmt.Sprintf("%s reported failure (exit code %d).", line, a.ExitCode)
	}
	return fmt.Sprintf("%s exited with code %d.", line, a.ExitCode)
}
