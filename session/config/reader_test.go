package config

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/internal/fault"
)

// world is a home, a project and an environment.
type world struct {
	home, project string
	env           map[string]string
	registry      *actions.Registry
	reader        *Reader
}

func newWorld(t testing.TB) *world {
	dir := t.TempDir()
	w := &world{
		home: filepath.Join(dir, "home"), project: filepath.Join(dir, "project"), env: map[string]string{},
		reader: New(),
	}
	w.env["HOME"] = w.home
	require.NoError(t, os.MkdirAll(w.home, 0o700))
	require.NoError(t, os.MkdirAll(w.project, 0o700))
	w.registry = catalog.Registry()
	return w
}

// write writes a file, given by ~/path or a path in the project.
func (w *world) write(t testing.TB, path, text string) {
	t.Helper()
	path = absolute(path, w.project, w.home)
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o700))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
}

func (w *world) getenv(name string) string { return w.env[name] }

func (w *world) parse(line string) (*actions.Input, error) {
	return w.registry.Parse(strings.Fields(line),
		actions.ParseOptions{Getenv: w.getenv, Configure: w.reader.For(w.project, w.getenv)})
}

const (
	theirs = "~/.agent-browser/config.json"
	ours   = "~/.config/skua/config.json"
)

func TestPrecedence(t *testing.T) {
	t.Parallel()
	agent := func(name string) string { return fmt.Sprintf(`{"userAgent":%q}`, name) }
	all := []struct{ path, name string }{
		{theirs, "user of agent-browser"},
		{ours, "user"},
		{"agent-browser.json", "project of agent-browser"},
		{"skua.json", "project"},
	}
	w := newWorld(t)
	in, err := w.parse("open")
	require.NoError(t, err)
	require.False(t, in.Has("user-agent"))
	for _, f := range all {
		w.write(t, f.path, agent(f.name))
		in, err = w.parse("open")
		require.NoError(t, err)
		require.Equal(t, f.name, in.String("user-agent"), "each file wins over those before")
	}
	require.Equal(t, "userAgent in ./skua.json", in.Source("user-agent"))
	w.write(t, ".skua/config.json", agent("trusted project"))
	in, err = w.parse("open")
	require.NoError(t, err)
	require.Equal(t, "project", in.String("user-agent"), "the project is not trusted")
	w.env[trustVariable] = "1"
	in, err = w.parse("open")
	require.NoError(t, err)
	require.Equal(t, "trusted project", in.String("user-agent"))
	w.env["AGENT_BROWSER_USER_AGENT"] = "environment"
	in, err = w.parse("open")
	require.NoError(t, err)
	require.Equal(t, "environment", in.String("user-agent"))
	in, err = w.parse("open --user-agent words")
	require.NoError(t, err)
	require.Equal(t, "words", in.String("user-agent"))

	delete(w.env, "AGENT_BROWSER_USER_AGENT")
	w.write(t, "chosen.json", `{"proxy":"http://localhost:1"}`)
	for _, choose := range []func() (*actions.Input, error){
		func() (*actions.Input, error) { return w.parse("open --config chosen.json") },
		func() (*actions.Input, error) { w.env["AGENT_BROWSER_CONFIG"] = "chosen.json"; return w.parse("open") },
		func() (*actions.Input, error) {
			w.env["AGENT_BROWSER_CONFIG"], w.env["SKUA_CONFIG"] = "gone.json", filepath.Join(w.project, "chosen.json")
			return w.parse("open")
		},
	} {
		in, err = choose()
		require.NoError(t, err)
		require.Equal(t, "http://localhost:1", in.String("proxy"))
		require.False(t, in.Has("user-agent"), "the chosen file replaces all others")
	}
}

func TestFoldersAboveAreNotLookedAt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(t, "skua.json", `{"headed":true}`)
	w.project = filepath.Join(w.project, "sub")
	in, err := w.parse("open")
	require.NoError(t, err)
	require.False(t, in.Has("headed"))
}

func TestXDG(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.env["XDG_CONFIG_HOME"] = filepath.Join(w.home, "conf")
	w.write(t, ours, `{"headed":true}`)
	in, err := w.parse("open")
	require.NoError(t, err)
	require.False(t, in.Has("headed"))
	w.write(t, "~/conf/skua/config.json", `{"headed":true}`)
	in, err = w.parse("open")
	require.NoError(t, err)
	require.True(t, in.Bool("headed"))
	require.Equal(t, filepath.Join(w.home, "conf/skua/config.json"), UserFile(w.getenv))
}

// What an untrusted project may set is what has no hold on where a browser goes, what it loads and what runs.
func TestProjectThatNobodyVouchesFor(t *testing.T) {
	t.Parallel()
	allowed := map[string]bool{}
	for _, f := range actions.Globals() {
		if f.Project {
			allowed[f.Name] = true
		}
	}
	for _, name := range []string{
		"session", "namespace", "executable-path", "args", "extension", "init-script", "enable", "profile", "state",
		"restore", "restore-save", "restore-check-fn",
		"session-name", "headers", "proxy", "proxy-bypass", "ignore-https-errors", "ca-cert", "use-system-ca",
		"allow-file-access", "cdp", "cdp-headers", "auto-connect",
		"provider", "engine", "download-path", "screenshot-dir", "content-boundaries", "allowed-domains", "action-policy",
		"confirm-actions", "confirm-interactive",
		"no-webmcp", "webgpu", "tab", "config",
	} {
		require.False(t, allowed[name], name)
	}
	w := newWorld(t)
	w.write(t, "agent-browser.json",
		`{"proxy":"http://127.0.0.1:9","args":["--x"],"executablePath":"./evil","initScripts":["./evil.js"],"session":5,
		"plugins":[{}],"obey me":1,"userAgent":"Allowed/1"}`)
	in, err := w.parse("open")
	require.NoError(t, err)
	for _, name := range []string{"proxy", "args", "executable-path", "init-script", "session"} {
		require.False(t, in.Has(name), name)
	}
	require.Equal(t, "Allowed/1", in.String("user-agent"))
	require.Empty(t, in.Configuration().Sections)
	notes := in.Configuration().AllNotes()
	require.Len(t, notes, 1)
	require.Contains(t, notes[0],
		"ignoring 7 unsupported settings from ./agent-browser.json (args, executablePath, initScripts, proxy, session): ")
	require.NotContains(t, notes[0], "obey", "a stranger's words are not repeated")

	w.env[trustVariable] = "true"
	w.write(t, "agent-browser.json", `{"proxy":"http://127.0.0.1:9","plugins":[{}],"obey me":1}`)
	in, err = w.parse("open")
	require.NoError(t, err)
	require.Equal(t, "http://127.0.0.1:9", in.String("proxy"))
	require.Empty(t, in.Configuration().AllNotes())
	require.Contains(t, in.Configuration().Sections, "plugins")
}

func TestBrokenFiles(t *testing.T) {
	t.Parallel()
	const bad = `{"proxy":"secret-value",`
	w := newWorld(t)
	w.write(t, "agent-browser.json", bad)
	in, err := w.parse("open")
	require.NoError(t, err, "such a file must not block others")
	require.Contains(t, in.Configuration().AllNotes()[0],
		"invalid config file ./agent-browser.json: no JSON (line 1, column ")

	w = newWorld(t)
	w.write(t, ours, bad)
	_, err = w.parse("open")
	require.Equal(t, fault.ConfigInvalid, fault.CodeOf(err))
	require.ErrorContains(t, err, "invalid config file ~/.config/skua/config.json")
	require.NotContains(t, err.Error(), "secret-value")
	_, err = w.parse("close")
	require.Error(t, err, "it may say which session is meant")
	in, err = w.parse("session")
	require.NoError(t, err)
	require.Contains(t, in.Configuration().AllNotes()[0], "invalid config file")

	w.write(t, "chosen.json", bad)
	for _, line := range []string{"session --config chosen.json", "open --config=chosen.json"} {
		_, err = w.parse(line)
		require.Equal(t, fault.ConfigInvalid, fault.CodeOf(err))
	}
	_, err = w.parse("session --config gone.json")
	require.ErrorContains(t, err, "config file not found: ./gone.json")
	in, err = w.parse("open --help")
	require.NoError(t, err)
	require.Equal(t, grammar.AskHelp, in.Asks())
	require.NoError(t, os.Mkdir(filepath.Join(w.project, "folder"), 0o700))
	_, err = w.parse("session --config folder")
	require.ErrorContains(t, err, "not a regular file")
	w.write(t, "large.json", strings.Repeat(" ", maxFileBytes)+"{}")
	_, err = w.parse("session --config large.json")
	require.ErrorContains(t, err, "larger than 1 MiB")
}

func TestMergedLists(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(t, theirs, `{"initScripts":["~/a.js","b,c.js"],"enable":["react-devtools"],"args":"--a=1,2,--b"}`)
	w.write(t, ours, `{"initScripts":["d.js"],"args":["--c"]}`)
	in, err := w.parse("open")
	require.NoError(t, err)
	require.Equal(t, []string{filepath.Join(w.home, "a.js"), "b,c.js", "d.js"}, in.Strings("init-script"))
	require.Equal(t, "initScripts in ~/.agent-browser/config.json and ~/.config/skua/config.json",
		in.Source("init-script"))
	require.Equal(t, []string{"--c"}, in.Strings("args"))
	in, err = w.parse("open --init-script x.js")
	require.NoError(t, err)
	require.Equal(t, []string{"x.js"}, in.Strings("init-script"))
}

// A change is seen by the next command, also when it leaves size and time as they were.
func TestChanges(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for i := range 20 {
		w.write(t, "skua.json", fmt.Sprintf(`{"userAgent":"agent %02d"}`, i))
		in, err := w.parse("open")
		require.NoError(t, err)
		require.Equal(t, fmt.Sprintf("agent %02d", i), in.String("user-agent"))
	}
	require.NoError(t, os.Remove(filepath.Join(w.project, "skua.json")))
	in, err := w.parse("open")
	require.NoError(t, err)
	require.False(t, in.Has("user-agent"))
	for i := range 3 * maxCallers {
		w.project = filepath.Join(w.project, fmt.Sprint("x", i%3))
		_, err := w.parse("open")
		require.NoError(t, err)
	}
	require.LessOrEqual(t, len(w.reader.known), maxCallers)
}

func TestRowsOfABatchHaveTheSettingsOfTheBatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.write(t, "skua.json", `{"timeout":"3s"}`)
	in, err := w.parse("batch")
	require.NoError(t, err)
	row, err := w.registry.Parse([]string{"open"}, actions.ParseOptions{Within: in.Parsed})
	require.NoError(t, err)
	require.Equal(t, 3*time.Second, row.Duration("timeout"))
}

// What configuration costs each command when files are there and have not changed.
func BenchmarkUnchanged(b *testing.B) {
	w := newWorld(b)
	old := time.Now().Add(-time.Hour)
	for _, path := range []string{ours, "skua.json"} {
		w.write(b, path, `{"userAgent":"a","timeout":30000}`)
		require.NoError(b, os.Chtimes(absolute(path, w.project, w.home), old, old))
	}
	in := &grammar.Parsed{}
	b.ReportAllocs()
	for b.Loop() {
		if c := w.reader.read(callerOf(w.project, w.getenv, in)); len(c.Settings) != 2 {
			b.Fatal(c)
		}
	}
}
