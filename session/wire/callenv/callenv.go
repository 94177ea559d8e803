package callenv

// Names are variables that are always sent.
var Names = [...]string{
	"HOME", "PATH", "DISPLAY", "DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "XAUTHORITY", "NO_COLOR", "CI", "TMPDIR",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"USERPROFILE", "LOCALAPPDATA", "TEMP", "TMP",
	// where other programs look for guides; a test of the client compares them with the table of those programs
	"CLAUDE_CONFIG_DIR", "CODEX_HOME",
}

// Beginnings are the beginnings of further variables that are always sent.
var Beginnings = [...]string{"SKUA_", "AGENT_BROWSER_", "XDG_"}

// ProviderBeginnings are the beginnings of variables that configure a browser provider. They contain keys, and are sent
// with a command line that uses a provider.
var ProviderBeginnings = [...]string{
	"AGENTCORE_", "AWS_", "BROWSERBASE_", "BROWSERLESS_", "BROWSER_USE_", "KERNEL_",
	"SELENIUM_REMOTE_",
}

// ModelBeginnings are the beginnings of variables that configure a language model. They contain keys, and are sent with
// a command that asks a model.
var ModelBeginnings = [...]string{"AI_GATEWAY_", "OPENAI_", "ANTHROPIC_"}

// ProviderNames are variables that choose a provider.
var ProviderNames = [...]string{"SKUA_PROVIDER", "AGENT_BROWSER_PROVIDER"}

// GrantMark comes, in an argument, before the name of a variable that the command line grants: `--grant
// name=env:VARIABLE`. That variable is sent.
const GrantMark = "=env:"
