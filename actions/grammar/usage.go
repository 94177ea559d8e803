package grammar

import (
	"errors"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/plainjson"
)

// UsageType says what is wrong with a command line. It is the fact "type" of the error, and `type` of its JSON.
type UsageType string

// The types, spelled as agent-browser spells its own; UnknownFlag and UnexpectedArgument are ours.
const (
	MissingArguments   UsageType = "missing_arguments"
	UnknownSubcommand  UsageType = "unknown_subcommand"
	UnknownCommand     UsageType = "unknown_command"
	InvalidValue       UsageType = "invalid_value"
	UnknownFlag        UsageType = "unknown_flag"
	UnexpectedArgument UsageType = "unexpected_argument"
	InvalidSessionName UsageType = "invalid_session_name"
)

// UsageTypeOf returns the type of a usage error, and "" for every other error.
func UsageTypeOf(err error) UsageType {
	e, ok := errors.AsType[*fault.Error](err)
	switch {
	case ok && e.Code == fault.Usage:
		t, _ := e.Facts["type"].(UsageType)
		return t
	case ok && e.Code == fault.SessionInvalid:
		return InvalidSessionName
	}
	return ""
}

// UsageJSON returns the JSON line for a usage error, without newline: {"error":…,"success":false,"type":…,"code":…}. It
// has no data, and its keys are in this order, because callers of agent-browser know the first three so. Of other
// errors it returns nil.
func UsageJSON(err error) []byte {
	t := UsageTypeOf(err)
	if t == "" {
		return nil
	}
	text, encodeErr := plainjson.Marshal(struct {
		Error   string     `json:"error"`
		Success bool       `json:"success"`
		Type    UsageType  `json:"type"`
		Code    fault.Code `json:"code"`
	}{err.Error(), false, t, fault.CodeOf(err)})
	if encodeErr != nil {
		return nil
	}
	return text
}

// UsageError returns a usage error whose message is the lines; empty ones are left out. They all stand in the message,
// one below the other, since that is how people and programs read them with agent-browser.
func UsageError(t UsageType, subject string, lines ...string) *fault.Error {
	kept := make([]string, 0, len(lines))
	for _, line := range lines {
		if line != "" {
			kept = append(kept, line)
		}
	}
	return fault.New(fault.Usage, "%s", strings.Join(kept, "\n")).About(subject).With("type", t)
}

// Missing returns the error for a command line that lacks arguments. It is for rules that the grammar can't express;
// the usage line shows the optional arguments that are named as required.
func (p *Parsed) Missing(required ...string) error {
	return UsageError(MissingArguments, p.name,
		"Missing arguments for: "+p.name,
		"Usage: "+p.program+" "+p.entry.cmd.synopsis(p.name, required...))
}

// Invalid returns the error for values that parse and still make no sense, with the usage line below it. It is for
// rules that the grammar can't express.
func (p *Parsed) Invalid(message string) error {
	return UsageError(InvalidValue, p.name, message, "Usage: "+p.program+" "+p.entry.cmd.synopsis(p.name))
}

// UsageErrorf marks an error about what the caller typed.
func UsageErrorf(format string, args ...any) *fault.Error {
	return fault.New(fault.Usage, format, args...).With("type", InvalidValue)
}
