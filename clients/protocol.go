package clients

import (
	"fmt"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/wire"
	"github.com/skua-browser/skua/session/wire/callenv"
	"github.com/skua-browser/skua/session/wire/hostdir"
)

// constant is a value of the protocol that the libraries use, with what it says.
type constant struct {
	name, about string
	value       any
}

func constants() []constant {
	return []constant{
		{"version", "The version of skua that the library was made with.", session.Version},
		{"wire_version", "The version of the protocol between client and host.", wire.Version},
		{"max_request", "The largest request in bytes.", wire.MaxRequest},
		{"run", "The kind of a request that runs a command line.", wire.Run},
		{"ping", "The kind of a request that asks the host who it is.", wire.Ping},
		{"stdout", "The kind of a frame with output.", wire.Stdout},
		{"stderr", "The kind of a frame with messages.", wire.Stderr},
		{"exit", "The kind of the last frame of a command.", wire.Exit},
		{"pong", "The kind of the answer to a ping.", wire.Pong},
		{"retry", "The kind of a frame that says that the host is ending and ran nothing.", wire.Retry},
		{"refused", "The kind of a frame that says why nothing was run.", wire.Refused},
		{"ask", "The kind of a frame with a question to a person.", wire.Ask},
		{"ready", "What a host writes when clients can connect.", wire.Ready},
		{"socket", "The file of the host's socket.", hostdir.Socket},
		{"log", "The file of the host's log.", hostdir.Log},
		{"max_socket_path", "The longest path of a socket that all systems take.", hostdir.MaxSocketPath},
		{"host_stamp_variable", "The variable by which a host is told which build it is.", hostdir.HostStampVar},
		{"env_names", "Variables that are sent to the host.", callenv.Names},
		{"env_beginnings", "Beginnings of further ones.", callenv.Beginnings},
		{"provider_names", "Variables that choose a provider of browsers.", callenv.ProviderNames},
		{
			"provider_beginnings", "Beginnings of variables that are sent with a command line that uses a provider.",
			callenv.ProviderBeginnings,
		},
		{
			"model_beginnings", "Beginnings of variables that are sent with a command that asks a language model.",
			callenv.ModelBeginnings,
		},
		{"grant_mark", "What comes before the name of a variable that an argument grants.", callenv.GrantMark},
		{"canceled", "The code of a call that was canceled.", fault.Canceled},
		{"host_unreachable", "The code of a host that cannot be used.", fault.HostUnreachable},
		{"confirmation_required", "The code of a command that waits for a confirmation.", fault.ConfirmationRequired},
		{"usage", "The code of a wrong command line.", fault.Usage},
		{"internal", "The code of a mistake in skua.", fault.Internal},
	}
}

func (m *Model) protocolScript() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n", generatedBy)
	for _, c := range constants() {
		fmt.Fprintf(&b, "\n/** %s */\nexport const %s = %s;\n", c.about, camel(strings.Split(c.name, "_")), compact(c.value))
	}
	return b.String()
}

// codesTS declares the codes of errors.
func codesTS() string {
	var b strings.Builder
	fmt.Fprintf(&b, "// %s\n\n/** The stable code of an error. */\nexport type ErrorCode =\n", generatedBy)
	for _, meaning := range fault.CodeInfos() {
		fmt.Fprintf(&b, "  /** %s */\n  | %s\n", meaning.Text, compact(meaning.Code))
	}
	return strings.TrimSuffix(b.String(), "\n") + ";\n"
}
