package backend

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/session/replydata"

	"github.com/skua-browser/skua/internal/fault"
)

// answer reads what the process left behind.
func (r *ran) answer(inv Invocation) Answer {
	a := Answer{
		ExitCode: r.exit, Stderr: string(r.stderr.bytes()), Started: r.spawnErr == nil, TimedOut: r.timedOut, Aborted: r.aborted,
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
	var value any
	if err := dec.Decode(&value); err != nil {
		if errors.Is(err, io.EOF) {
			return "", errNoOutput
		}
		return "", fmt.Errorf("agent-browser returned invalid JSON: %w", err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return "", errors.New("agent-browser returned invalid JSON: more follows after the first value")
	}
	switch v := value.(type) {
	case []any:
		return "", a.readRows(v)
	case map[string]any:
		return a.readObject(v)
	}
	return "", errors.New("agent-browser returned JSON that is neither an object nor an array")
}

func (a *Answer) readObject(envelope map[string]any) (reported string, err error) {
	success, there := envelope["success"]
	if !there && len(envelope) == 1 {
		if _, ok := envelope["plugins"].([]any); ok {
			a.Success, a.Data = true, envelope
			return "", nil
		}
		if _, ok := envelope["plugin"].(map[string]any); ok {
			a.Success, a.Data = true, envelope
			return "", nil
		}
	}
	if !there {
		return "", errors.New("agent-browser returned invalid JSON: missing boolean success field")
	}
	ok := false
	if a.Success, ok = success.(bool); !ok {
		return "", errors.New("agent-browser returned invalid JSON: its success field must be boolean")
	}
	reported = complaintIn(envelope["error"])
	if code, ok := envelope["code"].(string); ok {
		a.Code = fault.Code(strings.ReplaceAll(code, "tab_gone", string(fault.TabGone)))
	}
	if kind, ok := envelope["type"].(string); ok && !a.Success && kind != "" {
		a.Code = fault.Usage
	}
	a.takeWarnings(envelope)
	data, there := envelope["data"]
	if !there {
		rest := map[string]any{}
		for key, value := range envelope {
			switch key {
			case "success", "error", "code", "type", "warning", "warnings":
			default:
				rest[key] = value
			}
		}
		if len(rest) > 0 {
			data = rest
		}
	}
	a.Data, a.Lifecycle = withoutLifecycle(data)
	return reported, nil
}

func (a *Answer) takeWarnings(envelope map[string]any) {
	if warning, ok := envelope["warning"].(string); ok && warning != "" {
		a.Warnings = append(a.Warnings, warning)
	}
	list, _ := envelope["warnings"].([]any)
	for _, item := range list {
		if text, ok := item.(string); ok {
			a.Warnings = append(a.Warnings, text)
		}
	}
}

// withoutLifecycle separates a command's result from the state of its browser.
func withoutLifecycle(data any) (rest any, lifecycle *replydata.Lifecycle) {
	members, ok := data.(map[string]any)
	if !ok {
		return data, nil
	}
	if told, ok := members["lifecycle"].(map[string]any); ok {
		lifecycle = new(fact.Read[replydata.Lifecycle](told))
		delete(members, "lifecycle")
	}
	return members, lifecycle
}

// readRows reads the rows of a batch, which has succeeded unless one of them says that it did not.
func (a *Answer) readRows(rows []any) error {
	a.Success, a.Rows = true, make([]Row, 0, len(rows))
	for i, item := range rows {
		members, ok := item.(map[string]any)
		if !ok {
			return fmt.Errorf("agent-browser returned invalid JSON: row %d of the batch is not an object", i)
		}
		row := Row{Success: members["success"] != false, Error: complaintIn(members["error"])}
		switch command := members["command"].(type) {
		case string:
			row.Command = strings.Fields(command)
		case []any:
			for _, word := range command {
				row.Command = append(row.Command, fmt.Sprint(word))
			}
		}
		if code, ok := members["code"].(string); ok {
			row.Code = fault.Code(code)
		}
		row.Result, row.Lifecycle = withoutLifecycle(members["result"])
		a.Success = a.Success && row.Success
		a.Rows = append(a.Rows, row)
	}
	return nil
}

// complaintIn finds the sentence in an error that may be a text or an object around one.
func complaintIn(v any) string {
	switch v := v.(type) {
	case string:
		return strings.TrimSpace(v)
	case map[string]any:
		for _, key := range []string{"message", "error", "details", "cause", "stderr"} {
			if text := complaintIn(v[key]); text != "" {
				return text
			}
		}
	}
	return ""
}

// complaint says why the call failed: the first that there is of the watchdog, the caller, the start, the form of the output, what the
// program reported, and what it printed. It is empty for a batch, whose rows say it.
func (r *ran) complaint(a *Answer, reported string, inv Invocation) string {
	line := "agent-browser " + strings.Join(inv.Args, " ")
	switch {
	case a.TimedOut:
		return fmt.Sprintf("agent-browser timed out: it had not ended after %d ms, and the watchdog ended it.", inv.Timeout.Milliseconds())
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
