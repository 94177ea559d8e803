package main

import (
	"errors"
	"os"

	"github.com/skua-browser/skua/session/wire"
)

// unreachable is the code of the client's own errors, as in package fault.
const unreachable = "host-unreachable"

// usage is the code of a wrong command line.
const usage = "usage"

// fail prints an error of the client itself in the form that the user asked for, and returns the exit code. The command
// did not run.
func (t *call) fail(code, sentence string) int { return t.failed(code, sentence, "none") }

// failAfter is fail for a request that the host may have received: the command may or may not have run.
func (t *call) failAfter(code, sentence string) int { return t.failed(code, sentence, "unknown") }

// failed prints an error and whether the command ran, in the words of actions.Outcome. The client does not know which
// commands change nothing.
func (t *call) failed(code, sentence, outcome string) int {
	if t.json || truthy(t.environ, "SKUA_JSON") || truthy(t.environ, "AGENT_BROWSER_JSON") {
		line := append([]byte(`{"success":false,"data":null,"error":`), quote(sentence)...)
		line = append(append(append(line, `,"code":"`...), code...), `","outcome":"`...)
		line = append(append(line, outcome...), "\"}\n"...)
		writeOutput(wire.Stdout, line)
		return 1
	}
	writeOutput(wire.Stderr, []byte("✗ "+sentence+"\n"))
	return 1
}

// truthy reports whether a variable is switched on.
func truthy(environ []string, name string) bool {
	v, _ := wire.Lookup(environ, name)
	switch v {
	case "1", "true", "yes", "on", "TRUE", "True":
		return true
	}
	return false
}

// quote returns s as a JSON string.
func quote(s string) []byte {
	const hex = "0123456789abcdef"
	b := []byte{'"'}
	for _, r := range s { // invalid UTF-8 becomes U+FFFD here
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r < 0x20:
			b = append(b, '\\', 'u', '0', '0', hex[r>>4], hex[r&15])
		default:
			b = append(b, string(r)...)
		}
	}
	return append(b, '"')
}

// reason returns the text of an error without the path, which the message already has.
func reason(err error) string {
	if p, ok := errors.AsType[*os.PathError](err); ok {
		err = p.Err
	}
	return err.Error()
}
