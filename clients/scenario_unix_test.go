//go:build unix

package clients_test

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/clients"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/contract"
)

// step is one command of the scenario with its outcome: data that has at least these members, or an error.
type step struct {
	About   string         `json:"about"`
	Command string         `json:"command"`
	Args    []any          `json:"args,omitempty"`
	Flags   map[string]any `json:"flags,omitempty"`

	Data    any    `json:"data,omitempty"`
	Rows    []any  `json:"rows,omitempty"` // of a batch: the data of each
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"` // a part of it
}

// came is the outcome of a step.
type came struct {
	Data    any    `json:"data"`
	Code    string `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// scenarioLimit bounds a run of the scenario, which takes about 2 seconds.
const scenarioLimit = 2 * time.Minute

// scenario reads the steps for a site.
func scenario(t *testing.T) (steps []step, file string) {
	t.Helper()
	site := httptest.NewServer(http.FileServer(http.Dir("../testdata/pages")))
	t.Cleanup(site.Close)
	text, err := os.ReadFile("testdata/scenario.json")
	require.NoError(t, err)
	text = bytes.ReplaceAll(text, []byte("{site}"), []byte(site.URL))
	require.NoError(t, json.Unmarshal(text, &steps))
	file = filepath.Join(t.TempDir(), "scenario.json")
	require.NoError(t, os.WriteFile(file, text, 0o600))
	return steps, file
}

// check compares the outcomes of the steps with those that they must have.
func check(t *testing.T, steps []step, got []came) {
	t.Helper()
	for i, s := range steps {
		require.Less(t, i, len(got), "the run ended before step %d: %s", i, s.About)
		what := fmt.Sprintf("step %d, %s: %s %v, came %+v", i, s.About, s.Command, s.Args, got[i])
		require.Equal(t, s.Code, got[i].Code, what)
		switch {
		case s.Code != "":
			require.Contains(t, got[i].Message, s.Message, what)
			if got[i].Hint != "" {
				require.Contains(t, got[i].Message, got[i].Hint, what)
			}
		case s.Rows != nil:
			rows, _ := got[i].Data.([]any)
			require.Len(t, rows, len(s.Rows), what)
			for j, row := range s.Rows {
				require.Empty(t, lacks(rows[j], map[string]any{"success": true, "result": row}), what)
			}
		default:
			require.Empty(t, lacks(got[i].Data, s.Data), what)
		}
	}
	require.Len(t, got, len(steps))
}

// lacks says where a value does not have what is wanted; an object may have more members. {"$length": n} is any text of
// n bytes. A library may return the only member that is wanted by itself.
func lacks(value, wanted any) string {
	members, is := wanted.(map[string]any)
	if !is {
		if same, _ := json.Marshal(value); string(same) == string(must(json.Marshal(wanted))) {
			return ""
		}
		return fmt.Sprintf(": %v, not %v", value, wanted)
	}
	if n, is := members["$length"].(float64); is {
		if s, _ := value.(string); len(s) == int(n) {
			return ""
		}
		return fmt.Sprintf(": is not a text of %v bytes", n)
	}
	have, is := value.(map[string]any)
	if !is && len(members) == 1 {
		for _, member := range members {
			return lacks(value, member)
		}
	}
	for name, member := range members {
		if one, has := have[name]; !has {
			return "." + name + ": is missing"
		} else if said := lacks(one, member); said != "" {
			return "." + name + said
		}
	}
	return ""
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// built is the folder with the host program. TestMain removes it.
var built = sync.OnceValues(func() (string, error) {
	if given := os.Getenv("SKUA_PROGRAMS"); given != "" { // they are built already
		return filepath.Abs(given)
	}
	out, err := exec.Command("go", "build", "-o", programFolder, "../cmd/skuad").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("%w: %s", err, out)
	}
	return programFolder, err
})

var programFolder string

func TestMain(m *testing.M) { os.Exit(withFolder(m.Run)) }

func withFolder(run func() int) int {
	var err error
	if programFolder, err = os.MkdirTemp("", "sk"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(programFolder)
	return run()
}

// place has the host program and its socket; what the tests start ends with them.
func place(t *testing.T) []string {
	t.Helper()
	readLibraries(t)
	bin, err := built()
	require.NoError(t, err)
	run, err := os.MkdirTemp("", "sk") // short, since a socket's path must be
	require.NoError(t, err)
	env := append(os.Environ(), "SKUA_PATH="+bin, "SKUA_SOCKET_DIR="+filepath.Join(run, "run"), "HOME="+run, "TMPDIR="+run,
		"XDG_RUNTIME_DIR=", "PYTHONDONTWRITEBYTECODE=1")
	t.Cleanup(func() {
		stop := exec.Command(filepath.Join(bin, "skuad"), "stop")
		stop.Env = env
		out, err := stop.CombinedOutput()
		require.NoError(t, err, "%s", out)
		require.NoError(t, os.RemoveAll(run))
	})
	return env
}

// generated writes the generated files of the libraries, as scripts/clients does.
var generated = sync.OnceValue(func() error {
	m, err := clients.New(catalog.Registry(), "..")
	if err != nil {
		return err
	}
	return m.Write(".")
})

// readLibraries reads the files that other programs run here: go test takes results from its cache as long as the files
// that a test itself has read are the same. Unless the libraries are those of packages, the generated files are made
// current.
func readLibraries(t *testing.T) {
	t.Helper()
	if os.Getenv("SKUA_TEST_PROJECT") == "" {
		require.NoError(t, generated())
	}
	for _, folder := range []string{"typescript", "python"} {
		require.NoError(t, fs.WalkDir(os.DirFS(folder), ".", func(name string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || strings.HasSuffix(name, ".pyc") {
				return err
			}
			_, err = os.ReadFile(filepath.Join(folder, name))
			return err
		}))
	}
	for _, program := range []string{"node", "npm", "python3"} {
		_, err := exec.LookPath(program)
		require.NoError(t, err, "run scripts/need node python")
	}
}

// skuad is the host program of a place.
func skuad(env []string) string { return filepath.Join(variable(env, "SKUA_PATH"), "skuad") }

func variable(env []string, name string) (value string) {
	for _, e := range env {
		if v, is := strings.CutPrefix(e, name+"="); is {
			value = v
		}
	}
	return value
}

// runner runs the scenario as a program and returns what it printed.
func runner(t *testing.T, env []string, words ...string) (got []came) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), scenarioLimit)
	defer cancel()
	cmd := exec.CommandContext(ctx, words[0], words[1:]...)
	var out, errOut bytes.Buffer
	cmd.Env, cmd.Stdout, cmd.Stderr = append(env, "PYTHONPATH="+importPath(), "PYTHONWARNINGS=error"), &out, &errOut
	require.NoError(t, cmd.Run(), "%s", &errOut)
	require.Empty(t, errOut.String())
	for line := range strings.Lines(out.String()) {
		var one came
		require.NoError(t, json.Unmarshal([]byte(line), &one))
		got = append(got, one)
	}
	return got
}

// programs are the runners of the other languages: with a host of this machine, and with a service.
var programs = []struct {
	name  string
	words []string
	rest  []string
}{
	{
		"TypeScript",
		[]string{"node", filepath.Join(cmp.Or(os.Getenv("SKUA_TEST_PROJECT"), "typescript/test"), "scenario.js")},
		nil,
	},
	{"Python", []string{cmp.Or(os.Getenv("SKUA_TEST_PYTHON"), "python3"), "python/test/scenario.py"}, nil},
	{
		"Python with asyncio",
		[]string{cmp.Or(os.Getenv("SKUA_TEST_PYTHON"), "python3"), "python/test/scenario.py"},
		[]string{"async"},
	},
}

// importPath is where Python finds the library of the sources. SKUA_TEST_PYTHON is an interpreter that has the library
// of a package, and SKUA_TEST_PROJECT a folder with a copy of scenario.js and, in node_modules, the library of a
// package.
func importPath() string {
	if os.Getenv("SKUA_TEST_PYTHON") != "" {
		return ""
	}
	return "python"
}

// The same steps have the same results in each language, in a host that each starts by itself.
func TestScenario(t *testing.T) {
	t.Parallel()
	steps, file := scenario(t)
	t.Run("Go", func(t *testing.T) {
		t.Parallel()
		check(t, steps, inGo(t, steps))
	})
	t.Run("the tool", func(t *testing.T) {
		t.Parallel()
		check(t, steps, inTool(t, steps))
	})
	for _, p := range programs {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			check(t, steps, runner(t, place(t), append(append(p.words, file, "{}"), p.rest...)...))
		})
	}
}

// The steps have the same results at a service.
func TestScenarioAtService(t *testing.T) {
	t.Parallel()
	steps, file := scenario(t)
	env := place(t)
	service := exec.Command(skuad(env), "serve", "--http", "127.0.0.1:0", "--profile-dir", t.TempDir())
	service.Env = append(env, "SKUA_MCP_TOKEN=4711-of-the-test")
	said, err := service.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, service.Start())
	t.Cleanup(func() {
		require.NoError(t, service.Process.Signal(os.Interrupt))
		require.NoError(t, service.Wait())
	})
	line := make([]byte, 4096)
	n, err := said.Read(line)
	require.NoError(t, err)
	address := regexp.MustCompile(`http://[^/]+`).FindString(string(line[:n]))
	require.NotEmpty(t, address, "%s", line[:n])
	ask := func(path, token, body string) int {
		req, err := http.NewRequest(http.MethodPost, address+path, strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("Authorization", "Bearer "+token)
		r, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		return r.StatusCode
	}
	require.Equal(t, http.StatusUnauthorized, ask("/tasks/shop/run", "guessed", `{"args": ["session", "list"]}`))
	require.Equal(t, http.StatusBadRequest, ask("/tasks/shop/run", "4711-of-the-test", "no JSON"))
	require.Equal(t, http.StatusBadRequest, ask("/tasks/..%2Fx/run", "4711-of-the-test", `{"args": ["session", "list"]}`))
	for i, p := range programs {
		t.Run(p.name, func(t *testing.T) { // one after the other: the pages share cookies and storage
			options := fmt.Sprintf(`{"serve": {"url": %q, "task": "shop-%d"}}`, address, i)
			if p.words[0] == "python3" {
				options = fmt.Sprintf(`{"serve": %q, "task": "shop-%d"}`, address, i)
			}
			check(t, steps,
				runner(t, append(env, "SKUA_MCP_TOKEN=4711-of-the-test"), append(append(p.words, file, options), p.rest...)...))
		})
	}
}

// inTool runs the scenario with the package of the tool.
func inTool(t *testing.T, steps []step) (got []came) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), scenarioLimit)
	defer cancel()
	browser, err := tool.Open(tool.Options{Cwd: t.TempDir()})
	require.NoError(t, err)
	defer func() { require.NoError(t, browser.Close(context.Background())) }()
	refs := map[string]any{}
	for _, s := range steps {
		r := browser.Call(ctx, tool.Request{Params: contract.Params{Args: commandLine(t, s, refs)}})
		d := r.Details
		one := came{Data: throughJSON(t, d.Data), Code: d.Code, Message: d.Error}
		if d.BatchSteps != nil {
			var rows []map[string]any
			for _, row := range d.BatchSteps {
				rows = append(rows, map[string]any{"success": row.Success, "result": row.Data})
			}
			one.Data = throughJSON(t, rows)
		}
		if data, is := one.Data.(map[string]any); is && data["refs"] != nil {
			refs, _ = data["refs"].(map[string]any)
		}
		got = append(got, one)
	}
	return got
}

func throughJSON(t *testing.T, v any) (out any) {
	t.Helper()
	text, err := json.Marshal(v)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, &out))
	return out
}

var refWanted = regexp.MustCompile(`^\{ref:(.*?):(.*)\}$`)

// commandLine is a step as words.
func commandLine(t *testing.T, s step, refs map[string]any) []string {
	t.Helper()
	words := strings.Fields(s.Command)
	for flag, value := range s.Flags {
		words = append(words, fmt.Sprintf("--%s=%v", flag, value))
	}
	if len(s.Args) > 0 {
		words = append(words, "--")
	}
	for _, arg := range s.Args {
		list, is := arg.([]any)
		if !is {
			list = []any{arg}
		}
		for _, one := range list {
			words = append(words, filled(t, one, refs))
		}
	}
	return words
}

// filled is an argument as a word, with the ref that it describes.
func filled(t *testing.T, arg any, refs map[string]any) string {
	t.Helper()
	word := fmt.Sprint(arg)
	wanted := refWanted.FindStringSubmatch(word)
	if wanted == nil {
		return word
	}
	for ref, about := range refs {
		if a, _ := about.(map[string]any); a["role"] == wanted[1] && a["name"] == wanted[2] {
			return "@" + ref
		}
	}
	require.Fail(t, "no snapshot had "+wanted[0])
	return ""
}

// What the libraries do around commands is tested in their own languages.
func TestBehavior(t *testing.T) {
	t.Parallel()
	for name, words := range map[string][]string{
		"TypeScript": {"node", "--test", "--test-reporter=tap", "typescript/test/behavior.test.js"},
		"Python":     {"python3", "-W", "error::ResourceWarning", "python/test/test_behavior.py"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), scenarioLimit)
			defer cancel()
			cmd := exec.CommandContext(ctx, words[0], words[1:]...)
			cmd.Env = append(place(t), "PYTHONPATH=python")
			if !testing.Short() {
				cmd.Env = append(cmd.Env, "SKUA_TEST_DEEP=1")
			}
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
		})
	}
}

// agentInGo builds the example in Go, and returns the program.
func agentInGo(t *testing.T) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "agent")
	out, err := exec.Command("go", "build", "-o", program, "./go/examples/agent").CombinedOutput()
	require.NoError(t, err, "%s", out)
	return program
}

// The examples of agents do their task with the stub in place of a model.
func TestAgents(t *testing.T) {
	t.Parallel()
	site := httptest.NewServer(http.FileServer(http.Dir("../testdata/pages")))
	t.Cleanup(site.Close)
	for name, words := range map[string][]string{
		"TypeScript": {"node", "typescript/examples/agent.js"},
		"Python":     {"python3", "python/examples/agent.py"},
		"Go":         {agentInGo(t)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithTimeout(context.Background(), scenarioLimit)
			defer cancel()
			shop := site.URL + "/acting-effect-shop.html"
			cmd := exec.CommandContext(ctx, words[0], append(words[1:], shop, "Add the kettle to the cart")...)
			cmd.Env = append(place(t), "PYTHONPATH=python")
			out, err := cmd.CombinedOutput()
			require.NoError(t, err, "%s", out)
			require.Equal(t, "✓ Done · appeared: status \"Kettle is in your cart\"\n", string(out))
		})
	}
}
