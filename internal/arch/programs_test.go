package arch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// budget is what a program may carry, with everything that it imports and what that imports in turn.
type budget struct {
	program   string
	systems   []string // nil: all
	packages  int      // how many packages, those of the standard library and its internals included
	libraries []string // modules outside the standard library; nil: none
	barred    []string // packages of the standard library that cost too much there
}

// budgets lists every program of the product. A figure here is raised by a change that says what the packages are for
// and what they cost at start-up, measured; that they are few is what keeps the client near the cost of a process
// start.
func budgets() []budget {
	slow := []string{
		"net/http", "encoding/json", "fmt", "os/exec", "reflect", "log/slog", "text/template", "regexp",
		"crypto/tls",
	}
	return []budget{
		// internal/limits, which has nothing to start
		{program: "cmd/skua", systems: []string{"linux", "darwin"}, packages: 63, barred: append([]string{"net"}, slow...)},
		{program: "cmd/skua", systems: []string{"windows"}, packages: 78, barred: slow},
		{
			program:  "cmd/skuad",
			packages: 589, // the newest are internal/sourcemap and engine/logpoint, which compile three short patterns
			libraries: []string{
				"github.com/chromedp/cdproto",
				"github.com/go-json-experiment/json", // by way of cdproto
				"github.com/chromedp/chromedp",       // kb and device; never its core, see barredLibraries
				"github.com/coder/websocket",
				"github.com/gofrs/flock",
				"github.com/dop251/goja",
				"github.com/dlclark/regexp2/v2", // by way of goja, as the two that follow
				"github.com/go-sourcemap/sourcemap",
				"github.com/google/pprof",
				"howett.net/plist",
				"github.com/klauspost/compress",
				"github.com/ulikunitz/xz",
				"github.com/tailscale/hujson",
				"github.com/pelletier/go-toml/v2",
				"github.com/modelcontextprotocol/go-sdk",
				"github.com/google/jsonschema-go", // by way of go-sdk, as the six that follow
				"github.com/segmentio/encoding",
				"github.com/segmentio/asm",
				"github.com/yosida95/uritemplate/v3",
				"golang.org/x/oauth2",
				"golang.org/x/sync",
				"golang.org/x/time",
				"github.com/spf13/cobra",
				"github.com/spf13/pflag",
				"github.com/inconshreveable/mousetrap", // by way of cobra, on Windows
				"golang.org/x/sys",
				"golang.org/x/term",
				"golang.org/x/image", // its webp
				"github.com/JohannesKaufmann/html-to-markdown/v2",
				"github.com/JohannesKaufmann/dom", // by way of html-to-markdown
				"github.com/aymanbagabas/go-udiff",
				"github.com/go-shiori/go-readability",
				"github.com/go-shiori/dom", // by way of go-readability, as the three that follow
				"github.com/andybalholm/cascadia",
				"github.com/araddon/dateparse",
				"github.com/gogs/chardet",
				"golang.org/x/net",
				"golang.org/x/text", // by way of x/net
				"github.com/dop251/goja",
				"github.com/dlclark/regexp2/v2", // by way of goja, as the two that follow
				"github.com/go-sourcemap/sourcemap",
				"github.com/google/pprof",
			},
		},
	}
}

// barredLibraries are never in a program, whatever pkg imports them: for the reason given.
func barredLibraries() map[string]string {
	const testsOnly = "it is for tests only"
	return map[string]string{
		"github.com/stretchr/testify":           testsOnly,
		"github.com/google/go-cmp":              testsOnly,
		"github.com/rogpeppe/go-internal":       testsOnly,
		"github.com/go-rod/rod":                 testsOnly + ", and its helpers embed prebuilt executables",
		"github.com/orisano/pixelmatch":         testsOnly,
		"github.com/chromedp/chromedp":          testsOnly + " (its packages kb and device are the product's)",
		"testing":                               testsOnly,
		"github.com/santhosh-tekuri/jsonschema": "its initialization alone takes 8 ms",
		"github.com/mark3labs/mcp-go":           "it imports santhosh-tekuri/jsonschema; the official SDK does not",
		"github.com/ysmood/leakless":            "it embeds prebuilt executables",
		"github.com/spf13/viper":                "the configuration is encoding/json and flags",
		"go.opentelemetry.io/otel/sdk":          "14 MB and 5 ms",
		"honnef.co/go/tools":                    "scripts/check runs linters by their version",
		"github.com/golangci/golangci-lint":     "scripts/check runs linters by their version",
	}
}

// sparedPackages are those of a barred library that a program may carry.
var sparedPackages = []string{keyTable, devices}

// systems are what the product is built for.
var systems = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}

// dependency is what go list says about a package of a program.
type dependency struct {
	ImportPath string
	Standard   bool
	Module     *struct{ Path string }
	Imports    []string
}

func TestProgramsKeepTheirBudgets(t *testing.T) {
	t.Parallel()
	for _, b := range budgets() {
		for _, system := range systems {
			if goos, _, _ := strings.Cut(system, "/"); b.systems != nil && !slices.Contains(b.systems, goos) {
				continue
			}
			t.Run(b.program+" "+system, func(t *testing.T) {
				t.Parallel()
				for _, problem := range budgetProblems(b, system, closure(t, b.program, system)) {
					t.Error(problem)
				}
			})
		}
	}
}

// closure returns all packages of a program on a system.
func closure(t testing.TB, program, system string) []dependency {
	goos, goarch, _ := strings.Cut(system, "/")
	cmd := exec.Command("go", "list", "-deps", "-json=ImportPath,Standard,Module,Imports", "./"+program)
	cmd.Dir = root(t)
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	text, err := cmd.Output()
	require.NoError(t, err, stderr.String())
	var found []dependency
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var d dependency
		err := decoder.Decode(&d)
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		found = append(found, d)
	}
	require.NotEmpty(t, found)
	return found
}

// budgetProblems returns everything in a program's packages that its budget does not allow.
func budgetProblems(b budget, system string, packages []dependency) []string {
	var problems []string
	report := func(imported, format string, args ...any) {
		problems = append(problems, fmt.Sprintf("%s on %s carries %s (%s): %s", b.program, system, imported,
			strings.Join(chain(packages, imported), " <- "), fmt.Sprintf(format, args...)))
	}
	if len(packages) > b.packages {
		problems = append(problems,
			fmt.Sprintf(
				"%s on %s has %d packages, its budget is %d. Find what brought the new ones; if they are worth their start-up, "+
					"raise the figure in internal/arch/programs_test.go and say what was measured",
				b.program, system, len(packages), b.packages))
	}
	for _, p := range packages {
		if slices.Contains(b.barred, p.ImportPath) {
			report(p.ImportPath, "barred there, for what it costs at start-up")
		}
		for library, reason := range barredLibraries() {
			if under(p.ImportPath, []string{library}) && !under(p.ImportPath, sparedPackages) {
				report(p.ImportPath, "never in a program: %s", reason)
			}
		}
		if p.Standard || isOurs(p.ImportPath) {
			continue
		}
		if p.Module == nil || !slices.Contains(b.libraries, p.Module.Path) {
			report(p.ImportPath, "not among its libraries. Adding one is a decision: docs/decisions/2026-11-21-dependencies.md")
		}
	}
	return problems
}

// chain returns how a package came in: itself, who imports it, who imports that, up to the program.
func chain(packages []dependency, imported string) []string {
	line := []string{imported}
	for range packages {
		i := slices.IndexFunc(packages, func(d dependency) bool {
			return slices.Contains(d.Imports, line[len(line)-1]) && !slices.Contains(line, d.ImportPath)
		})
		if i < 0 {
			break
		}
		line = append(line, packages[i].ImportPath)
	}
	return line
}

func TestBudgetProblems(t *testing.T) {
	t.Parallel()
	module := func(path string) *struct{ Path string } { return &struct{ Path string }{path} }
	program := dependency{
		ImportPath: modulePath + "/cmd/x", Imports: []string{"net", "github.com/good/lib"},
		Module: module(modulePath),
	}
	b := budget{
		program: "cmd/x", packages: 3, libraries: []string{"github.com/good/lib", "github.com/chromedp/chromedp"},
		barred: []string{"net"},
	}
	tests := []struct {
		name     string
		packages []dependency
		want     []string // parts of the problems, one each
	}{
		{name: "fine", packages: []dependency{
			program,
			{ImportPath: "io", Standard: true},
			{ImportPath: "github.com/good/lib/sub", Module: module("github.com/good/lib")},
		}},
		{
			name: "barred", packages: []dependency{program, {ImportPath: "net", Standard: true}},
			want: []string{"carries net (net <- " + modulePath + "/cmd/x): barred there"},
		},
		{
			name:     "new library",
			packages: []dependency{program, {ImportPath: "github.com/new/lib", Module: module("github.com/new/lib")}},
			want:     []string{"github.com/new/lib (github.com/new/lib): not among its libraries"},
		},
		{
			name: "test library",
			packages: []dependency{
				program,
				{ImportPath: "github.com/chromedp/chromedp", Module: module("github.com/chromedp/chromedp")},
			},
			want: []string{"never in a program: it is for tests only"},
		},
		{
			name:     "spared package",
			packages: []dependency{program, {ImportPath: keyTable, Module: module("github.com/chromedp/chromedp")}},
		},
		{
			name: "too many", packages: []dependency{
				program,
				{ImportPath: "io", Standard: true},
				{ImportPath: "os", Standard: true},
				{ImportPath: "fmt", Standard: true},
			},
			want: []string{"has 4 packages, its budget is 3"},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			problems := budgetProblems(b, "linux/amd64", test.packages)
			require.Len(t, problems, len(test.want), problems)
			for i, want := range test.want {
				require.Contains(t, problems[i], want)
			}
		})
	}
}

// The main module may require what the table of layers and this file know, and nothing else.
func TestModuleRequiresOnlyWhatIsKnown(t *testing.T) {
	t.Parallel()
	cmd := exec.Command("go", "mod", "edit", "-json")
	cmd.Dir = root(t)
	text, err := cmd.Output()
	require.NoError(t, err)
	var mod struct {
		Require []struct {
			Path     string
			Indirect bool
		}
		Tool []struct{ Path string }
	}
	require.NoError(t, json.Unmarshal(text, &mod))
	require.Empty(t, mod.Tool, "tools have a module of their own, scripts/packaging/go.mod")
	for _, requirement := range mod.Require {
		known := requirement.Indirect || slices.ContainsFunc(testLibraries, func(path string) bool {
			return under(path, []string{requirement.Path})
		})
		for _, r := range slices.Concat(layers()...) {
			known = known || slices.ContainsFunc(r.library, func(path string) bool {
				return under(path, []string{requirement.Path})
			})
		}
		for _, b := range budgets() {
			known = known || slices.Contains(b.libraries, requirement.Path)
		}
		if !known {
			t.Errorf(
				"go.mod requires %s, which no package, no program's budget and no list of test libraries names. Adding one is a "+
					"decision: docs/decisions/2026-11-21-dependencies.md", requirement.Path)
		}
	}
}
