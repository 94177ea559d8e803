package arch

// room is a package and what it may import: less is always fine, more is a decision that changes this table.
type room struct {
	name    string
	imports []string // rooms of this house; each stands above the importing one in the table
	library []string // import paths of libraries, those below them included
	tests   []string // rooms that its tests may import beyond those that the room can reach
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
	jsonSchema   = "github.com/google/jsonschema-go"
)

// rooms lists every package, from the ground up. A room imports only rooms that stand before it, so that no edge can point upwards.
func rooms() []room {
	return []room{
		{name: "engine/fault"},
		{name: "internal/wording"},
		{name: "internal/lazyregexp"},
		{name: "internal/testgolden"},
		{name: "internal/testprogram"},
		{name: "internal/private"},
		{name: "internal/sealed"},
		{name: "identity"},
		{name: "internal/home", imports: []string{"internal/private"}},
		// The language between client and host stands aside: both speak it, and it must weigh nothing.
		{name: "session/wire"},
		{name: "session/wire/hostdir", imports: []string{"session/wire"}},
		{name: "internal/profile", imports: []string{"engine/fault", "internal/private"}, library: []string{flock}},
		{name: "internal/pagescript"},
		{name: "internal/pagescript/bundle", imports: []string{"internal/pagescript"}},
		{name: "internal/procgroup", library: []string{sysUnix, sysWindows}},
		{name: "internal/atomicfile"},
		{name: "internal/terminal"},
		{name: "internal/loopback"},
		{name: "policy", imports: []string{"internal/wording", "engine/fault", "internal/atomicfile"}, library: []string{idna}},
		{
			name: "vault", imports: []string{"internal/lazyregexp", "engine/fault", "internal/atomicfile", "internal/home", "internal/sealed"}, library: []string{sysWindows},
			tests: []string{"internal/procgroup"},
		},
		{name: "plugin", imports: []string{"engine/fault", "internal/atomicfile", "internal/procgroup"}, tests: []string{"internal/testprogram"}},
		{name: "internal/annotate"},
		{name: "internal/ring"},
		{name: "internal/squashfs", library: []string{unpackZstd, unpackXZ}},
		{name: "internal/metrics"},
		{name: "journal", imports: []string{"internal/ring"}},
		{name: "internal/testsite"},
		{name: "internal/testrental"},
		{name: "internal/testmodel"},
		{name: "skills"},
		{name: "internal/product"},
		{name: "internal/nssdb"},
		{name: "gate", imports: []string{"engine/fault", "internal/loopback", "policy"}, library: []string{proxies, socks}},
		{name: "internal/har"},
		{name: "internal/pixels"},
		{name: "internal/video", imports: []string{"internal/pixels"}, library: []string{images}},
		{name: "internal/markdown", library: []string{toMarkdown, readability, parseHTML}},
		{name: "internal/fetch", imports: []string{"engine/fault", "internal/markdown"}, library: []string{proxies}},
		{name: "engine/cdp", imports: []string{"engine/fault"}, library: []string{cdproto, websocket}, tests: []string{"engine/chrome"}},
		{name: "engine/chrome", imports: []string{"internal/lazyregexp", "engine/fault", "internal/nssdb", "internal/profile", "internal/procgroup"}, library: []string{flock, sysUnix, sysWindows}, tests: []string{"engine/cdp", "internal/testprogram"}},
		{
			name: "engine/inpage", imports: []string{"engine/fault"}, library: []string{cdproto},
			tests: []string{"engine/cdp", "engine/chrome", "internal/pagescript"},
		},
		{
			name:    "engine",
			imports: []string{"engine/fault", "internal/ring", "engine/cdp", "engine/chrome", "engine/inpage"},
			library: []string{cdproto, keyTable, devices},
			tests:   []string{"internal/pagescript"},
		},
		{name: "state", imports: []string{"engine/fault", "internal/private", "internal/atomicfile", "internal/sealed", "internal/home", "engine"}},
		{name: "snapshot", imports: []string{"internal/wording", "engine/fault", "engine/inpage", "engine"}, library: []string{cdproto}, tests: []string{"engine/cdp"}},
		{
			name:    "electron",
			imports: []string{"internal/wording", "engine/fault", "internal/profile", "internal/atomicfile", "internal/squashfs", "internal/procgroup", "engine/chrome", "engine"},
			library: []string{plists, flock, sysUnix, sysWindows},
			tests:   []string{"internal/testprogram"},
		},
		{name: "provider", imports: []string{"engine/fault", "internal/procgroup"}, library: []string{proxies}, tests: []string{"internal/testrental"}},
		{
			name:    "install",
			imports: []string{"engine/fault", "internal/atomicfile", "internal/home", "internal/fetch", "engine/chrome", "engine"},
			library: []string{flock, sysUnix, sysWindows},
			tests:   []string{"internal/testprogram"},
		},
		{
			name: "doctor",
			imports: []string{
				"internal/wording",
				"engine/fault", "internal/home", "internal/sealed", "internal/loopback", "internal/fetch", "engine/chrome", "engine", "install", "session/wire", "session/wire/hostdir",
			},
			library: []string{flock, sysUnix},
			tests:   []string{"internal/testprogram"},
		},
		// What plans are made of. The commands that offer it are of the one registry, so that it stands below actions, and acts by command lines.
		{name: "copilot/pcd", imports: []string{"engine/fault"}},
		{name: "copilot/perceive", imports: []string{"engine/fault", "engine", "snapshot", "copilot/pcd"}, tests: []string{"engine/chrome"}},
		{name: "copilot/toolbox", imports: []string{"internal/wording", "engine/fault", "copilot/pcd"}},
		{name: "copilot/goal", imports: []string{"internal/lazyregexp", "engine/fault", "copilot/pcd"}},
		{name: "copilot/explore", imports: []string{"engine/fault", "copilot/pcd"}, library: []string{suffixes}},
		{name: "copilot/skill", imports: []string{"engine/fault", "copilot/pcd", "copilot/goal", "copilot/toolbox"}},
		{
			name:    "copilot/task",
			imports: []string{"internal/lazyregexp", "internal/wording", "engine/fault", "internal/home", "copilot/pcd", "copilot/toolbox", "copilot/goal", "copilot/skill"},
			library: []string{flock},
		},
		{name: "copilot/model", imports: []string{"engine/fault", "copilot/pcd", "copilot/toolbox", "copilot/skill", "copilot/task"}, library: []string{proxies}, tests: []string{"internal/testmodel"}},
		{
			name: "actions",
			imports: []string{
				"internal/wording",
				"copilot/pcd",
				"copilot/perceive",
				"copilot/toolbox",
				"copilot/goal",
				"copilot/explore",
				"copilot/skill",
				"copilot/task",
				"copilot/model",
				"engine/fault",
				"identity",
				"internal/home",
				"internal/atomicfile",
				"internal/annotate",
				"internal/pixels",
				"internal/video",
				"internal/product",
				"internal/har",
				"internal/markdown",
				"internal/fetch",
				"policy",
				"engine/chrome",
				"engine/inpage",
				"engine",
				"state",
				"snapshot",
				"skills",
				"electron",
				"provider",
				"engine/chrome",
				"install",
				"journal",
				"vault",
				"plugin",
				"doctor",
			},
			library: []string{cdproto, textDiff, images},
			tests:   []string{"internal/testgolden", "internal/pagescript"},
		},
		// The families of commands: none knows another one.
		{name: "actions/network", imports: []string{"engine/fault", "internal/har", "internal/lazyregexp", "internal/product", "internal/wording", "policy", "engine", "actions"}},
		{name: "actions/catalog", imports: []string{"actions", "actions/network"}, tests: []string{"internal/testgolden", "skills"}},
		{name: "config", imports: []string{"engine/fault", "internal/home", "actions"}, tests: []string{"actions/catalog", "tool/config"}},
		{name: "session/inspect", imports: []string{"engine/fault", "internal/loopback", "engine"}, library: []string{websocket}},
		{name: "session/stream", imports: []string{"engine/fault", "internal/loopback", "engine"}, library: []string{websocket}},
		{name: "session/dashboard", imports: []string{"engine/fault", "internal/loopback", "session/stream"}},
		{
			name: "session",
			imports: []string{
				"engine/fault",
				"config",
				"identity",
				"internal/atomicfile",
				"internal/product",
				"internal/ring",
				"policy",
				"gate",
				"engine",
				"engine/chrome",
				"state",
				"snapshot",
				"electron",
				"provider",
				"plugin", "actions", "actions/catalog",
				"internal/metrics",
				"journal",
				"session/wire",
				"session/wire/hostdir",
				"session/stream",
				"session/dashboard",
				"session/inspect",
			},
			library: []string{flock, sysUnix, sysWindows},
			tests:   []string{"vault", "copilot/task", "internal/testrental", "internal/testmodel", "internal/testprogram", "internal/procgroup"},
		},
		{name: "tool/contract"},
		{name: "tool/limits"},
		{name: "tool/traffic"},
		{name: "tool/argv", imports: []string{"engine/fault", "actions", "actions/catalog"}},
		{name: "tool/redact", imports: []string{"actions", "tool/contract", "tool/argv"}},
		{
			name:    "tool/backend",
			imports: []string{"engine/fault", "internal/product", "policy", "actions", "actions/catalog", "session", "tool/contract", "tool/limits", "tool/argv", "tool/redact"},
			tests:   []string{"internal/testprogram"},
		},
		{name: "tool/parity", imports: []string{"identity", "policy", "tool/backend"}, library: []string{archives}},
		{name: "tool/input", imports: []string{"engine/fault", "electron", "actions", "tool/contract", "tool/limits", "tool/argv", "tool/redact"}},
		{name: "tool/planning", imports: []string{"engine/fault", "actions", "tool/contract", "tool/limits", "tool/argv", "tool/redact"}, tests: []string{"actions/catalog"}},
		{name: "tool/promptguard", imports: []string{"internal/lazyregexp"}},
		{name: "tool/refguard", imports: []string{"actions", "tool/contract", "tool/argv"}},
		{
			name:    "tool/artifacts",
			imports: []string{"engine/fault", "internal/atomicfile", "actions", "tool/contract", "tool/limits", "tool/argv", "tool/redact", "tool/backend"},
			library: []string{foldNames, sysUnix, sysWindows},
		},
		{
			name:    "tool/judging",
			imports: []string{"internal/wording", "engine/fault", "actions", "tool/traffic", "tool/contract", "tool/limits", "tool/argv", "tool/redact", "tool/backend", "tool/input", "tool/artifacts"},
		},
		{
			name:    "tool/lookup",
			imports: []string{"internal/wording", "engine/fault", "tool/contract", "tool/traffic", "tool/argv", "tool/redact", "tool/backend", "tool/input"},
		},
		{
			name:    "tool/showing",
			imports: []string{"engine/fault", "actions", "tool/traffic", "tool/contract", "tool/limits", "tool/argv", "tool/redact", "tool/backend", "tool/artifacts"},
		},
		{name: "tool/lease", imports: []string{"internal/atomicfile"}, library: []string{flock, sysUnix, sysWindows}},
		{name: "tool/script", imports: []string{"engine/fault", "tool/contract"}, library: []string{jsEngine, backtracking}},
		{name: "tool/guide", imports: []string{"skills", "tool/contract"}},
		{name: "tool/config"},
		{name: "tool/search", imports: []string{"tool/config"}, library: []string{parseHTML}},
		{
			name: "tool",
			imports: []string{
				"engine/fault", "internal/atomicfile", "policy", "snapshot", "actions", "session", "electron", "tool/contract", "tool/limits", "tool/argv", "tool/redact", "tool/backend", "tool/input",
				"tool/planning", "tool/promptguard", "tool/refguard", "tool/artifacts", "tool/judging", "tool/lookup", "tool/showing", "tool/lease", "tool/script", "tool/guide",
			},
			tests: []string{"internal/testsite", "internal/testprogram"},
		},
		{
			name: "tool/mcp",
			imports: []string{
				"engine/fault", "internal/loopback", "skills", "internal/product", "copilot/toolbox", "actions", "session", "tool/contract", "tool/limits", "tool/argv", "tool/backend", "tool/input", "tool/guide", "tool/config", "tool/search", "tool",
			},
			library: []string{mcpSDK, jsonSchema},
			tests:   []string{"actions/catalog", "internal/testsite", "internal/testmodel"},
		},
		{
			name: "cmd/skua", imports: []string{"internal/terminal", "session/wire", "session/wire/hostdir"},
			tests: []string{"session"},
		},
		{
			name: "cmd/skuad",
			imports: []string{
				"engine/fault", "policy",
				"config",
				"internal/terminal",
				"internal/loopback",
				"internal/metrics",
				"actions", "actions/catalog",
				"session",
				"session/wire",
				"session/wire/hostdir",
				"electron",
				"tool/limits",
				"tool/backend",
				"tool/config",
				"tool/search",
				"tool",
				"tool/mcp",
			},
			library: []string{cobra, pflag, terminal},
			tests:   []string{"engine", "engine/chrome", "internal/testrental"},
		},
		// Beside the house: what watches over it and what measures it.
		{name: "internal/arch"},
		{name: "scripts/benchmark/stats"},
		{name: "scripts/benchmark", imports: []string{"scripts/benchmark/stats"}, library: []string{mcpSDK}},
		{name: "scripts/runtests"},
		{name: "scripts/comparison", imports: []string{"tool/parity"}},
	}
}

// testLibraries may be imported by test files only, in any room.
var testLibraries = []string{
	"github.com/stretchr/testify",
	"github.com/google/go-cmp",
	"github.com/rogpeppe/go-internal",
	"github.com/go-rod/rod",
	"github.com/orisano/pixelmatch",
	"github.com/chromedp/chromedp", // its core; kb and device are the product's
}

// alsoInTests are libraries of the product that the tests of any room may import.
var alsoInTests = []string{cdproto, websocket, images, keyTable, devices, sysUnix, sysWindows, websocket}
