package actions

import (
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/engine/endpoint"
	"github.com/skua-browser/skua/guard/vault"
)

// Globals returns the flags that every command takes, before or after its name, in the order of the help.
func Globals() []Flag {
	return []Flag{
		{
			Name:  "session",
			Value: "name",
			Env:   "SESSION",
			Help:  "The session to work in (default: that of the git worktree, else default)",
		},
		{Name: "namespace", Value: "name", Env: "NAMESPACE", Help: "A host, sessions and files of their own under this name"},
		{
			Name:   "lock",
			Value:  "token",
			Env:    "LOCK",
			Key:    grammar.NoKey,
			Secret: true,
			Shown:  conceal,
			Help:   "The token of your lock of the session; see `session lock`",
		},
		{
			Name:    "wait-lock",
			Value:   "time",
			Kind:    Duration,
			Default: "0",
			Env:     "WAIT_LOCK",
			Help:    "Wait this long for a session that another caller has locked",
		},
		{
			Name:  "config",
			Value: "path",
			Kind:  Path,
			Env:   "CONFIG",
			Key:   grammar.NoKey,
			Help:  "Read this configuration file instead of the usual ones; see `config`",
		},
		{
			Name:         "json",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "JSON",
			Project:      true,
			Help:         "Print one line of JSON",
		},
		{
			Name:         "short",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "SHORT",
			Key:          grammar.NoKey,
			Help:         "With --json: only the printed form of snapshots; notes and texts of actions in the data",
		},
		{
			Name:    "timeout",
			Value:   "ms",
			Kind:    Duration,
			Env:     "DEFAULT_TIMEOUT",
			Default: "25000",
			PerRow:  true,
			Project: true,
			Help:    "How long the command may take",
		},
		{
			Name:   "tab",
			Value:  "id|label",
			Env:    "TAB",
			PerRow: true,
			Key:    grammar.NoKey,
			Help:   "Run the command in this tab and leave the active one as it is",
		},
		{
			Name:         "pin-tab",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "PIN_TAB",
			Help:         "From now on, if a page closes the active tab, fail until you choose another one",
		},
		{
			Name: "no-pin-tab",
			Kind: Bool,
			Key:  grammar.NoKey,
			Help: "If a page closes the active tab, continue in another one, and say so",
		},
		{
			Name:         "debug",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "DEBUG",
			Project:      true,
			Help:         "Write more to the host's log, the file skua.log beside its socket",
		},
		{
			Name:         "verbose",
			Short:        "v",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "VERBOSE",
			Project:      true,
			Help:         "Say which browser serves the command, and how it runs",
		},
		{
			Name:         "headed",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "HEADED",
			Project:      true,
			Help:         "Show the browser's window",
		},
		{
			Name:         "no-xvfb",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "NO_XVFB",
			Help:         "Start no virtual display (Xvfb) for the window if there is no display",
		},
		{
			Name:         "hide-scrollbars",
			Value:        "bool",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "HIDE_SCROLLBARS",
			Project:      true,
			Help:         "Hide the scrollbars of pages in a headless browser, unless this is false",
		},
		{
			Name:    "isolate",
			Value:   "how",
			Default: "context",
			OneOf:   []string{"context", "process"},
			Env:     "ISOLATE",
			Help:    "Give the session a context of its own in a shared browser, or a browser of its own",
		},
		{
			Name: "profile", Value: "name|path", Env: "PROFILE",
			Help: "Use a copy of the profile of this name (see `profiles`), or a persistent profile in this folder",
		},
		{
			Name:         "profile-live",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "PROFILE_LIVE",
			Help:         "Use the profile that --profile names itself, not a copy",
		},
		{
			Name:   "extension",
			Value:  "path",
			Kind:   List,
			Env:    "EXTENSIONS",
			Key:    "extensions",
			Merges: true,
			Help:   "Load the unpacked extension in this folder; the session gets a full browser of its own",
		},
		{
			Name:  "ca-cert",
			Value: "path",
			Kind:  List,
			Env:   "CA_CERT",
			Help:  "Also trust the authority with this certificate; Linux only",
		},
		{
			Name:         "no-ca-cert",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "CLEAR_CA_CERT",
			Help:         "Trust only the authorities that the browser trusts",
		},
		{
			Name:         "use-system-ca",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "USE_SYSTEM_CA",
			Help:         "Also trust the authorities that the system trusts",
		},
		{
			Name:    "engine",
			Value:   "name",
			Default: "chrome",
			Env:     "ENGINE",
			Help:    "The kind of browser: chrome, which is any Chromium",
		},
		{
			Name:  "executable-path",
			Value: "path",
			Kind:  Path,
			Env:   "EXECUTABLE_PATH",
			Help:  "The browser to start",
		},
		{
			Name:      "args",
			Value:     "args",
			Kind:      List,
			DashValue: true,
			Split:     splitSwitches,
			Env:       "ARGS",
			Help:      "More switches for the browser, separated by commas or newlines",
		},
		{
			Name:         "no-auto-dialog",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "NO_AUTO_DIALOG",
			Help:         "Also leave alerts open, from now on in this session; `dialog policy` has more choices",
		},
		{
			Name:         "no-restore-tabs",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "NO_RESTORE_TABS",
			Help:         "After a crash, begin with an empty tab instead of restoring the session's tabs",
		},
		{
			Name:   "init-script",
			Value:  "path",
			Kind:   List,
			Env:    "INIT_SCRIPTS",
			Key:    "initScripts",
			Merges: true,
			Help:   "Run the script in each new document, before the page's own; see `removeinitscript`",
		},
		{
			Name:  "enable",
			Value: "feature",
			Kind:  List,
			Env:   "ENABLE",
			Help:  "Prepare new documents for a feature: react-devtools",
		},
		{
			Name:  "download-path",
			Value: "path",
			Kind:  Path,
			Env:   "DOWNLOAD_PATH",
			Help:  "Save downloads of pages in this folder, from now on in this session",
		},
		{
			Name:    "user-agent",
			Value:   "ua",
			Env:     "USER_AGENT",
			Project: true,
			Help:    "The user agent that pages see",
		},
		{
			Name:  "state",
			Value: "path",
			Env:   "STATE",
			Help:  "Start the browser with a state that `state save` wrote: a path, or the name of a saved state",
		},
		{
			Name:          "restore",
			Value:         "name",
			OptionalValue: true,
			Env:           "RESTORE",
			Help:          "Start with the state saved under this key, or the session's name, and save it from then on",
		},
		{Name: "session-name", Value: "name", Env: "SESSION_NAME", Help: "The same as --restore, by its older name"},
		{
			Name:    "restore-save",
			Value:   "policy",
			Default: SaveAuto,
			OneOf: []string{
				SaveAuto, SaveAlways,
				SaveNever,
			},
			Env:  "RESTORE_SAVE",
			Help: "When --restore saves the state: unless a check failed (auto), always, or never",
		},
		{
			Name:  "restore-check-url",
			Value: "glob",
			Env:   "RESTORE_CHECK_URL",
			Help:  "Count the restored state as good only if the page has this address",
		},
		{
			Name:  "restore-check-text",
			Value: "txt",
			Env:   "RESTORE_CHECK_TEXT",
			Help:  "Count the restored state as good only if the page shows this text",
		},
		{
			Name:  "restore-check-fn",
			Value: "js",
			Env:   "RESTORE_CHECK_FN",
			Help:  "Count the restored state as good only if this script's value is true",
		},
		{
			Name:    "input-mode",
			Value:   "mode",
			Default: InputInstant,
			OneOf: []string{
				InputInstant, InputSmooth,
				InputHuman,
			},
			Env:     "INPUT_MODE",
			PerRow:  true,
			Project: true,
			Help:    "How the pointer gets to where it clicks and drags: at once, in a line, or as a hand moves it",
		},
		{
			Name:   "proxy",
			Value:  "server",
			Env:    "PROXY",
			Secret: true,
			Shown:  endpoint.ShownAddress,
			Help:   "The proxy for pages",
		},
		{Name: "proxy-bypass", Value: "hosts", Env: "PROXY_BYPASS", Help: "Hosts that are reached without the proxy"},
		{
			Name:  "allowed-domains",
			Rule:  true,
			Value: "list",
			Kind:  List,
			Env:   "ALLOWED_DOMAINS",
			Help:  "The only hosts that tabs may show and pages may reach: a.com,*.b.com,localhost:3000",
		},
		{
			Name:  "allowed-resources",
			Rule:  true,
			Value: "list",
			Kind:  List,
			Env:   "ALLOWED_RESOURCES",
			Help:  "More hosts that pages may load from",
		},
		{
			Name:         "block-private",
			Rule:         true,
			Kind:         Bool,
			OptionalBool: true,
			Env:          "BLOCK_PRIVATE",
			Help:         "Pages may not reach loopback, private, link-local and metadata addresses",
		},
		{
			Name:  "allow-private",
			Rule:  true,
			Value: "list",
			Kind:  List,
			Env:   "ALLOW_PRIVATE",
			Help:  "Hosts and networks that --block-private lets through",
		},
		{
			Name:         "ignore-https-errors",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "IGNORE_HTTPS_ERRORS",
			Help:         "Accept any certificate",
		},
		{
			Name:    "color-scheme",
			Value:   "scheme",
			OneOf:   []string{"dark", "light", "no-preference"},
			Env:     "COLOR_SCHEME",
			Project: true,
			Help:    "The color scheme that pages see",
		},
		{
			Name:         "allow-file-access",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "ALLOW_FILE_ACCESS",
			Help:         "Pages of file: addresses may read other files",
		},
		{
			Name:         "webgpu",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "WEBGPU",
			Help:         "Allow WebGPU in pages, on the graphics card or its software fallback",
		},
		{
			Name:         "no-webmcp",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "NO_WEBMCP",
			Help:         "Pages cannot offer tools to agents (document.modelContext)",
		},
		{
			Name:  "cdp",
			Value: "port|url",
			Env:   "CDP",
			Shown: endpoint.ShownAddress,
			Help:  "Use the running browser that listens there",
		},
		{
			Name:   "cdp-headers",
			Value:  "json",
			Env:    "CDP_HEADERS",
			Secret: true,
			Shown:  conceal,
			Help:   `Headers for --cdp and connect, such as {"Authorization":"Bearer ..."}`,
		},
		{
			Name:         "auto-connect",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "AUTO_CONNECT",
			Help:         "Use a running browser of this machine that allows debugging; see `connect`",
		},
		{
			Name:  "provider",
			Short: "p",
			Value: "name",
			Env:   "PROVIDER",
			Shown: endpoint.ShownAddress,
			Help:  "Use a browser of a provider, or of the WebDriver server at an address; `connect --help` names them",
		},
		{
			Name:  "action-policy",
			Rule:  true,
			Value: "path",
			Kind:  Path,
			Env:   "ACTION_POLICY",
			Help:  "Allow, deny and hold actions as this JSON file says, until the session is closed; see `policy`",
		},
		{
			Name:  "confirm-actions",
			Rule:  true,
			Value: "list",
			Kind:  List,
			Env:   "CONFIRM_ACTIONS",
			Help:  "Hold these actions until `confirm` or `deny`, from now on in this session: click,eval,network",
		},
		{
			Name:  "flows",
			Rule:  true,
			Value: "mode",
			OneOf: []string{"log", "ask", "deny"},
			Env:   "FLOWS",
			Help:  "Note, hold or refuse text of one site that would go to another, in this session; see `policy`",
		},
		{
			Name: "known", Value: "text", Env: "KNOWN",
			Help: "A text that the task gave, which may go to every site; for the call that brings --flows",
		},
		{
			Name:         "confirm-interactive",
			Kind:         Bool,
			OptionalBool: true,
			Env:          "CONFIRM_INTERACTIVE",
			Help:         "Ask at the terminal about actions that must be confirmed, instead of holding them",
		},
		{
			Name:  "upload-root",
			Rule:  true,
			Value: "folder",
			Kind:  List,
			Env:   "UPLOAD_ROOTS",
			Key:   "uploadRoots",
			Help:  "Read files for pages and the session from below this folder only, until the session is closed",
		},
		{
			Name:  "download-root",
			Rule:  true,
			Value: "folder",
			Kind:  List,
			Env:   "DOWNLOAD_ROOTS",
			Key:   "downloadRoots",
			Help:  "Write files below this folder only, until the session is closed; see `policy`",
		},
		{
			Name:         "content-boundaries",
			Rule:         true,
			Kind:         Bool,
			OptionalBool: true,
			Env:          "CONTENT_BOUNDARIES",
			Help:         "Mark text from pages with a number that a page cannot guess",
		},
		{
			Name:    "max-output",
			Value:   "chars",
			Kind:    Int,
			Env:     "MAX_OUTPUT",
			Project: true,
			Help:    "Print at most this many characters of a result; JSON stays valid",
		},
		{
			Name:    "idle-timeout",
			Value:   "time",
			Kind:    Duration,
			Env:     "IDLE_TIMEOUT_MS",
			Default: "3600000",
			Project: true,
			Help:    "End the host after this time without a command (ms, 10s, 3m, 1h; 0: never); set before sessions open",
		},
		{
			Name:  grammar.FlagHelp,
			Short: "h",
			Kind:  Bool,
			Key:   grammar.NoKey,
			Help:  "Show this help, or that of the command",
		},
		{
			Name:  grammar.FlagVersion,
			Short: "V",
			Kind:  Bool,
			Key:   grammar.NoKey,
			Help:  "Print the version",
		},
	}
}

// RuleVariables returns the variables by which an owner sets rules: they are passed on wherever an environment is.
func RuleVariables() []string {
	names := []string{legacyPolicyVariable, "CONFIG"}
	for _, f := range Globals() {
		if f.Rule {
			names = append(names, f.Env)
		}
	}
	var all []string
	for _, name := range names {
		all = append(all, "SKUA_"+name, "AGENT_BROWSER_"+name)
	}
	return all
}

// legacyPolicyVariable is the older name of the variable for --action-policy, after SKUA_ or AGENT_BROWSER_.
const legacyPolicyVariable = "POLICY"

// splitSwitches splits at newlines, and at commas that are followed by a dash: `--window-size=800,600` is one switch.
func splitSwitches(s string) []string {
	var switches []string
	add := func(s string) {
		if s = strings.TrimSpace(s); s != "" {
			switches = append(switches, s)
		}
	}
	for line := range strings.SplitSeq(s, "\n") {
		start := 0
		for i, c := range line {
			if c == ',' && strings.HasPrefix(strings.TrimLeft(line[i+1:], " \t"), "-") {
				add(line[start:i])
				start = i + 1
			}
		}
		add(strings.TrimSuffix(strings.TrimSpace(line[start:]), ","))
	}
	return switches
}

// Bound returns a bound that the caller's environment may set, by a variable without its prefix.
func (c *Call) Bound(suffix string, fallback int) int {
	given, _ := grammar.FromEnv(suffix, c.Getenv)
	if n, err := strconv.Atoi(given); err == nil && n > 0 {
		return n
	}
	return fallback
}

// ConfigVariable returns the configuration file that the environment names, or empty.
func ConfigVariable(getenv func(string) string) string {
	path, _ := grammar.FromEnv("CONFIG", getenv)
	return path
}

// When --restore keeps the state at the end of a session.
const (
	SaveAuto   = "auto" // unless a check failed
	SaveAlways = "always"
	SaveNever  = "never"
)

// The manners in which the pointer gets to where it acts.
const (
	InputInstant = "instant"
	InputSmooth  = "smooth"
	InputHuman   = "human"
)

// OpenVault opens the caller's vault.
func OpenVault(c *Call) (*vault.Vault, error) {
	return vault.Open(vault.Options{Getenv: c.Getenv, Namespace: c.String("namespace")})
}

// conceal is the Flag.Shown of what is a secret as a whole.
func conceal(string) string { return grammar.Hidden }
