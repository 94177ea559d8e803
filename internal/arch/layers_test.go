package arch

// pkg is a package, and what it may import beside the packages of the layers below its own.
type pkg struct {
	name    string
	library []string // import paths of libraries, those below them included
	tests   []string // packages of its own layer or above that its tests may import
}

// Libraries by what they are for. docs/decisions/2026-11-21-dependencies.md says why these and not others.
const (
	cdproto      = "github.com/chromedp/cdproto"
	textDiff     = "github.com/aymanbagabas/go-udiff"
	keyTable     = "github.com/chromedp/chromedp/kb"
	devices      = "github.com/chromedp/chromedp/device"
	websocket    = "github.com/coder/websocket"
	toMarkdown   = "github.com/JohannesKaufmann/html-to-markdown/v2"
	readability  = "github.com/go-shiori/go-readability"
	images       = "golang.org/x/image"
	parseHTML    = "golang.org/x/net/html"
	proxies      = "golang.org/x/net/http/httpproxy"
	idna         = "golang.org/x/net/idna"
	suffixes     = "golang.org/x/net/publicsuffix"
	socks        = "golang.org/x/net/proxy"
	cobra        = "github.com/spf13/cobra"
	pflag        = "github.com/spf13/pflag"
	flock        = "github.com/gofrs/flock"
	sysUnix      = "golang.org/x/sys/unix"
	sysWindows   = "golang.org/x/sys/windows"
	terminal     = "golang.org/x/term"
	jsEngine     = "github.com/dop251/goja"
	foldNames    = "golang.org/x/text/unicode/norm"
	backtracking = "github.com/dlclark/regexp2/v2" // of goja's regular expressions, whose time is bounded
	plists       = "howett.net/plist"
	unpackZstd   = "github.com/klauspost/compress/zstd"
	unpackXZ     = "github.com/ulikunitz/xz/lzma"
	archives     = "golang.org/x/tools/txtar"
	mcpSDK       = "github.com/modelcontextprotocol/go-sdk"
	hujson       = "github.com/tailscale/hujson"
	toml         = "github.com/pelletier/go-toml/v2"
	tomlParser   = "github.com/pelletier/go-toml/v2/unstable"
	jsonSchema   = "github.com/google/jsonschema-go"
)

// layers lists every package, the lowest layer first. A package imports packages of the layers below its own, and none
// of its own layer.
func layers() [][]pkg {
	return [][]pkg{
		{ // Nothing here knows a browser.
			{name: "actions/trait"},
			{name: "engine/pagetext"},
			{name: "session/identity"},
			{name: "session/wire/callenv"},
			{name: "internal/addressee"},
			{name: "internal/invisible"},
			{name: "internal/agents"},
			{name: "internal/agreement"},
			{name: "internal/annotate"},
			{name: "internal/arch"},
			{name: "internal/atomicfile"},
			{name: "internal/childenv"},
			{name: "internal/demoshop"},
			{name: "internal/diskspace", library: []string{sysUnix, sysWindows}},
			{name: "guard/flow"},
			{name: "internal/fault"},
			{name: "internal/har"},
			{name: "electron/fuses"},
			{name: "internal/lazyregexp"},
			{name: "internal/limits"},
			{name: "internal/loopback"},
			{name: "internal/markdown", library: []string{toMarkdown, readability, parseHTML}},
			{name: "internal/metrics"},
			{name: "internal/notifier"},
			{name: "internal/nssdb"},
			{name: "internal/passkey"},
			{name: "internal/pagescript"},
			{name: "internal/pause"},
			{name: "internal/pixels", library: []string{images}},
			{name: "internal/plainjson"},
			{name: "internal/private"},
			{name: "internal/sourcemap"},
			{name: "internal/procgroup", library: []string{sysUnix, sysWindows}},
			{name: "internal/product"},
			{name: "internal/retry"},
			{name: "internal/ring"},
			{name: "internal/sealed"},
			{name: "internal/shape"},
			{name: "internal/squashfs", library: []string{unpackZstd, unpackXZ}},
			{name: "internal/terminal"},
			{name: "internal/testapps"},
			{name: "internal/testgolden"},
			{name: "internal/testmodel"},
			{name: "internal/testpasskey"},
			{name: "internal/testport"},
			{name: "internal/testterminal"},
			{name: "internal/testprogram"},
			{name: "internal/testprovider"},
			{name: "internal/testsite"},
			{name: "internal/wording"},
			{name: "internal/userfile"},
			{name: "internal/visible"},
			{name: "scripts/benchmark/apps"},
			{name: "scripts/benchmark/replies"},
			{name: "scripts/benchmark/stats"},
			{name: "scripts/terminalsvg"},
			{name: "guides"},
		},
		{
			{name: "electron/appfiles", library: []string{plists}},
			{name: "engine/monitor"},
			{name: "engine/urls"},
			{name: "internal/fetch", library: []string{proxies}},
			{name: "internal/insights", library: []string{suffixes}},
			{name: "internal/configedit", library: []string{hujson, toml, tomlParser}},
			{name: "internal/home"},
			{name: "internal/pagescript/bundle"},
			{name: "scripts/runtests"},
			{name: "internal/profile", library: []string{flock}},
			{name: "internal/sandbox", library: []string{jsEngine, backtracking}},
			{name: "internal/video", library: []string{images}},
			{name: "session/journal"},
			{name: "session/notices"},
			{name: "guard/plugin"},
			{name: "guard/policy", library: []string{idna}},
			{name: "browsers/provider", library: []string{proxies}},
			{name: "scripts/benchmark", library: []string{mcpSDK}},
			{name: "session/wire"},
			{name: "internal/manifests", library: []string{jsonSchema}},
			{name: "guides/installer"},
		},
		{ // The client ends here: it must weigh nothing.
			{name: "guard/gate", library: []string{proxies, socks}},
			{name: "session/build"},
			{name: "session/wire/hostdir"},
			{name: "guard/vault", library: []string{sysWindows}},
			{name: "internal/agents/setup"},
			{name: "scripts/manifests"},
		},
		{
			{name: "cmd/skua", tests: []string{"actions", "actions/catalog", "session", "session/daemon"}},
			{name: "engine/downloads"},
			{name: "engine/cdp", library: []string{cdproto, websocket}, tests: []string{"engine/chrome"}},
			{name: "engine/chrome", library: []string{flock, sysUnix, sysWindows}, tests: []string{"engine/cdp"}},
			{name: "engine/inpage", library: []string{cdproto}, tests: []string{"engine/cdp", "engine/chrome"}},
			{name: "session/daemon", library: []string{flock, sysUnix, sysWindows}},
		},
		{
			{name: "engine/endpoint", tests: []string{"internal/testengine"}},
			{name: "engine/interception"},
			{name: "engine/world", library: []string{cdproto}},
			{name: "scripts/measurement"},
		},
		{ // What the engine's pages are made of.
			{name: "engine/crash"},
			{name: "engine/dialogs"},
			{name: "engine/leaving"},
			{name: "engine/liveness"},
			{name: "engine/traffic", library: []string{cdproto}},
			{name: "engine/neterror"},
		},
		{
			{
				name: "engine", library: []string{cdproto},
				tests: []string{"engine/input", "engine/placement", "internal/testengine"},
			},
		},
		{
			{name: "internal/testengine"},
			{name: "engine/embedder"},
		},
		{ // Areas of the protocol on top of a page: none knows another one.
			{name: "engine/capture", library: []string{cdproto}},
			{name: "engine/console", library: []string{cdproto}},
			{name: "engine/devtools", library: []string{cdproto}},
			{name: "engine/emulation", library: []string{cdproto, devices}},
			{name: "engine/edits"},
			{name: "engine/highlight", library: []string{cdproto}},
			{name: "engine/logpoint", library: []string{cdproto}},
			{name: "engine/initscript", library: []string{cdproto}},
			{name: "engine/input", library: []string{cdproto, keyTable}},
			{name: "engine/network", library: []string{cdproto}},
			{name: "engine/placement"},
			{name: "engine/storage", library: []string{cdproto}, tests: []string{"internal/pagescript"}},
			{name: "snapshot/phrase"},
			{name: "snapshot/walls"},
			{name: "engine/upload", library: []string{cdproto}},
			{name: "engine/webauthn", library: []string{cdproto}},
			{name: "engine/webmcp", library: []string{cdproto}},
		},
		{
			{name: "snapshot/axtree", library: []string{cdproto}},
		},
		{
			{name: "snapshot/description"},
		},
		{ // On top of a browser, none knowing another.
			{name: "electron", library: []string{flock, sysUnix, sysWindows}},
			{name: "electron/inspector", library: []string{cdproto}},
			{name: "electron/running"},
			{name: "browsers/install", library: []string{flock, sysUnix, sysWindows}},
			{name: "session/inspect", library: []string{websocket}},
			{name: "session/stream", library: []string{websocket}},
			{name: "snapshot"},
			{name: "session/state"},
		},
		{
			{name: "actions/fact", library: []string{cdproto}},
			{name: "browsers/doctor", library: []string{flock, sysUnix}},
			{name: "electron/lifecycle"},
			{name: "session/dashboard"},
		},
		{
			// What plans are made of. Its commands are in the one registry, so that it is below actions, and acts by command
			// lines.
			{name: "copilot/relevance"},
			{name: "copilot/unprompted"},
		},
		{
			{name: "copilot/pcd"},
		},
		{
			{name: "copilot/explore", library: []string{suffixes}},
			{name: "copilot/goal"},
			{name: "copilot/perceive"},
			{name: "copilot/toolbox"},
		},
		{
			{name: "copilot/risk"},
			{name: "copilot/skill"},
		},
		{
			{name: "copilot/scout"},
		},
		{
			{name: "copilot/task/phrase"},
		},
		{
			{name: "copilot/task", library: []string{flock}},
			{name: "copilot/task/removal"},
		},
		{ // The parts of a task's work.
			{name: "copilot/task/tab"},
			{name: "copilot/task/rules"},
		},
		{
			{name: "copilot/task/proof"},
		},
		{
			{name: "copilot/task/runner"},
		},
		{
			{name: "actions/grammar"},
			{name: "copilot/model", library: []string{proxies, jsonSchema}},
		},
		{
			{name: "actions", library: []string{cdproto, jsonSchema}, tests: []string{"actions/manual"}},
		},
		{ // How a command runs, and what it led to; what help tells of commands.
			{name: "actions/files"},
			{name: "actions/header"},
			{name: "actions/manual"},
			{name: "actions/plugins"},
		},
		{
			{name: "actions/run"},
		},
		{ // What commands about elements are made of.
			{name: "actions/element"},
		},
		{ // The families of commands, which know those below them only.
			{name: "actions/admin"},
			{name: "actions/batch"},
			{name: "actions/emulate"},
			{name: "actions/handoff"},
			{name: "actions/history"},
			{name: "actions/live"},
			{name: "actions/look"},
			{name: "actions/navigate", tests: []string{"internal/pagescript"}},
			{name: "actions/routine"},
			{name: "actions/states"},
			{name: "actions/webmcp"},
		},
		{
			{name: "actions/capture"},
			{name: "actions/network"},
			{name: "actions/pointer"},
			{name: "actions/read"},
			{name: "actions/storage", tests: []string{"internal/pagescript"}},
			{name: "actions/tabs"},
		},
		{
			{name: "actions/annotations"},
			{name: "actions/desktop"},
			{name: "actions/diagnose", library: []string{textDiff}, tests: []string{"internal/pagescript"}},
			{name: "actions/download"},
			{name: "actions/forms"},
		},
		{
			{name: "actions/copilot", tests: []string{"internal/pagescript"}},
			{name: "actions/find"},
			{name: "actions/login", tests: []string{"internal/pagescript"}},
			{name: "actions/wait", tests: []string{"internal/pagescript"}},
		},
		{
			{name: "session/config", tests: []string{"actions/catalog", "tool/config"}},
			{name: "session/counters"},
			{name: "session/replydata"},
			{name: "session/restore"},
			{name: "session/turn"},
		},
		{
			{name: "session/handoff"},
			{name: "session/launch", library: []string{flock}, tests: []string{"actions/catalog"}},
		},
		{
			{name: "session/rules", tests: []string{"actions/catalog"}},
		},
		{
			{name: "session/lease"},
			{name: "session/ledger"},
		},
		{
			{name: "session/handover"},
			{name: "session/lifecycle"},
		},
		{
			{name: "session", tests: []string{"actions/catalog", "internal/sessiontest"}},
		},
		{
			{name: "internal/sessiontest"},
		},
		{ // All families together, which the programs hand to the sessions.
			{name: "actions/catalog"},
		},
		{ // The Go library, and the contract of the tool, from its parts to the whole.
			{name: "."},
			{name: "tool/config"},
			{name: "tool/contract"},
			{name: "tool/lease", library: []string{flock, sysUnix, sysWindows}},
			{name: "tool/limits"},
			{name: "tool/promptguard"},
			{name: "tool/traffic"},
		},
		{
			{name: "tool/argv"},
			{name: "tool/guide"},
			{name: "tool/script"},
			{name: "tool/search", library: []string{parseHTML}},
		},
		{
			{name: "tool/redact"},
			{name: "tool/refguard"},
		},
		{
			{name: "tool/backend"},
			{name: "tool/input"},
		},
		{
			{name: "internal/testbackend"},
			{name: "tool/artifacts", library: []string{foldNames, sysUnix, sysWindows}},
			{name: "tool/lookup"},
			{name: "tool/parity", library: []string{archives}},
		},
		{
			{name: "scripts/comparison"},
			{name: "tool/judging"},
			{name: "tool/showing"},
		},
		{
			{name: "tool/conversation"},
			{name: "tool/forms"},
		},
		{
			{name: "tool/desktop"},
			{name: "tool/planning"},
		},
		{
			{name: "tool/diagnosis"},
			{name: "tool/running"},
		},
		{
			{name: "tool/verdict"},
		},
		{
			{name: "tool/reply"},
		},
		{
			{name: "tool"},
		},
		{
			{name: "tool/mcp", library: []string{mcpSDK, jsonSchema}},
		},
		{
			{name: "scripts/clientflags"},
			{name: "cmd/skuad", library: []string{cobra, pflag, terminal}},
			{name: "clients"},
			{name: "clients/go/examples/agent"},
			{name: "tool/owncommand", library: []string{mcpSDK}},
		},
		{
			{name: "clients/generate"},
		},
	}
}

// testLibraries may be imported by test files only, in any package.
var testLibraries = []string{
	"github.com/stretchr/testify",
	"github.com/google/go-cmp",
	"github.com/rogpeppe/go-internal",
	"github.com/go-rod/rod",
	"github.com/orisano/pixelmatch",
	"github.com/chromedp/chromedp", // its core; kb and device are the product's
}

// alsoInTests are libraries of the product that the tests of any package may import.
var alsoInTests = []string{cdproto, websocket, images, keyTable, devices, sysUnix, sysWindows, websocket}
