package mcp_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/testmodel"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/rules"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/mcp"
)

// ruledPage tells by its title what was done to it, so that no command has to look.
const ruledPage = `<!doctype html><title>clean</title><input type=file id=f onchange="document.title = 'got a file'">
<button id=h onclick="document.title = 'clicked'">Press</button><a href="/">Settings</a><a id=e>Elsewhere</a>
<script>document.querySelector("#e").href = location.href.replace("127.0.0.1", "elsewhere.localhost")</script>`

// bench is a host whose owner has set rules in one way, and a client of the tool.
type bench struct {
	t        *testing.T
	manager  *session.Manager
	client   *client
	flags    []string // with which calls open their page; of rules that only the session has
	session  string   // of the entry point that is tried
	ruled    *bool    // the tool's session has its rules: flags of a browser that runs are refused
	page     string
	dir, out string // out is outside of all roots
}

// ruleSources are the ways in which rules are set: what makes the owner's rules, and what the first call of a session
// carries.
var ruleSources = map[string]func(t *testing.T, b *bench, flags []string) *policy.Owner{
	"environment": func(t *testing.T, b *bench, flags []string) *policy.Owner {
		env := map[string]string{"HOME": b.dir}
		names := map[string]string{}
		for _, g := range actions.Globals() {
			names["--"+g.Name] = "SKUA_" + g.Env
		}
		for i := 0; i < len(flags); i += 2 {
			env[names[flags[i]]] = flags[i+1]
		}
		return ownerOf(t, b, env, nil)
	},
	"flag of the serving process": func(t *testing.T, b *bench, flags []string) *policy.Owner {
		return ownerOf(t, b, map[string]string{"HOME": b.dir}, append([]string{"mcp"}, flags...))
	},
	"owner's configuration": func(t *testing.T, b *bench, flags []string) *policy.Owner {
		keys, said := map[string]string{}, map[string]string{}
		for _, g := range actions.Globals() {
			keys["--"+g.Name] = g.ConfigKey()
		}
		for i := 0; i < len(flags); i += 2 {
			said[keys[flags[i]]] = flags[i+1]
		}
		text, err := json.Marshal(said)
		require.NoError(t, err)
		require.NoError(t, os.MkdirAll(filepath.Join(b.dir, ".config/skua"), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(b.dir, ".config/skua/config.json"), text, 0o600))
		defer os.RemoveAll(filepath.Join(b.dir, ".config")) // the owner's value is made once, and requests read none
		return ownerOf(t, b, map[string]string{"HOME": b.dir}, nil)
	},
	"session": func(_ *testing.T, b *bench, flags []string) *policy.Owner {
		b.flags = flags
		return nil
	},
}

func ownerOf(t *testing.T, b *bench, env map[string]string, argv []string) *policy.Owner {
	t.Helper()
	source := rules.OwnerSource{Registry: catalog.Registry(), Getenv: func(name string) string {
		return env[name]
	}, Cwd: b.dir}
	if argv != nil {
		var err error
		source.Input, err = catalog.Registry().Parse(argv, actions.ParseOptions{Getenv: source.Getenv})
		require.NoError(t, err)
	}
	owner, err := rules.ReadOwner(source)
	require.NoError(t, err)
	require.True(t, owner.Any())
	return owner
}

func newBench(t *testing.T, source string) *bench {
	t.Helper()
	b := &bench{t: t, ruled: new(bool), dir: t.TempDir(), out: t.TempDir(), page: site.Show(ruledPage)}
	for _, name := range []string{"in", "out"} {
		require.NoError(t, os.Mkdir(filepath.Join(b.dir, name), 0o700))
	}
	require.NoError(t, os.WriteFile(filepath.Join(b.out, "secret.txt"), []byte("secret"), 0o600))
	rules := filepath.Join(b.dir, "policy.json")
	require.NoError(t, os.WriteFile(rules, []byte(`{"deny":["eval"]}`), 0o600))
	host := strings.TrimPrefix(b.page, "http://")
	host, _, _ = strings.Cut(host, ":")
	owner := ruleSources[source](t, b, []string{
		"--action-policy", rules, "--confirm-actions", "click", "--allowed-domains", host,
		"--upload-root", filepath.Join(b.dir, "in"), "--download-root", filepath.Join(b.dir, "out"),
	})
	var err error
	b.manager, err = session.New(session.Options{Registry: catalog.Registry(), Browsers: browsers(), Owner: owner})
	require.NoError(t, err)
	t.Cleanup(func() { b.manager.Close(context.Background()) })
	over := backend.OnManager(b.manager)
	s, _ := newServer(t,
		mcp.Options{
			Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser, mcp.SetCopilot},
			Open: func(string) (*tool.Tool, func(context.Context), error) {
				opened, err := tool.Open(tool.Options{
					Backend: over, SessionID: t.Name(), Cwd: b.dir,
					Env: map[string]string{"HOME": b.dir},
				})
				return opened, func(ctx context.Context) { _ = opened.Close(ctx) }, err
			},
		})
	b.client = connect(t, s, nil)
	return b
}

// begin shows the page in the session that an entry point works in.
func (b *bench) begin(entry *entryPoint) {
	b.t.Helper()
	b.session = "entry-" + strings.ReplaceAll(entry.name, " ", "-")
	if entry.managed {
		var flags []string
		if !*b.ruled {
			flags, *b.ruled = b.flags, true
		}
		r := b.client.call("agent_browser", map[string]any{"args": append(slices.Clone(flags), "open", b.page)})
		require.False(b.t, r.IsError, textOf(r))
		tabs := b.manager.Tabs()
		b.session = tabs[len(tabs)-1].Session
		return
	}
	b.run(append(slices.Clone(b.flags), "open", b.page)...)
}

// dashboard starts the dashboard as a person does, by no tool, and returns its address and its token.
func (b *bench) dashboard() (address, token string) {
	b.t.Helper()
	text := b.run("dashboard", "start")
	i := strings.Index(text, "http://localhost:")
	require.GreaterOrEqual(b.t, i, 0, text)
	board := strings.FieldsFunc(text[i:], func(r rune) bool { return strings.ContainsRune("\"{\n \\", r) })[0]
	address, token, _ = strings.Cut(board, "/?token=")
	return address, token
}

// run runs a command line as a client of the host does.
func (b *bench) run(args ...string) string { return b.runWith("", args...) }

func (b *bench) runWith(stdin string, args ...string) string {
	b.t.Helper()
	return b.runIn(map[string]string{"HOME": b.dir}, stdin, args...)
}

func (b *bench) runIn(env map[string]string, stdin string, args ...string) string {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), callLimit)
	defer cancel()
	r := b.manager.Do(ctx, session.Request{
		Args: append([]string{"--session", b.session}, args...), Cwd: b.dir, Stdin: []byte(stdin),
		Getenv: func(name string) string { return env[name] },
	})
	text := r.Text + r.Result.Text
	if data, err := json.Marshal(r.Result.Data); err == nil {
		text += string(data)
	}
	if r.Err != nil {
		text += r.Err.Error()
	}
	return text
}

func (b *bench) tool(params map[string]any) string {
	b.t.Helper()
	return textOf(b.client.call("agent_browser", params))
}

// forbidden is what breaks a rule, as a command line.
func (b *bench) forbidden(kind string) []string {
	switch kind {
	case ruleAction:
		return []string{"eval", "document.title = 'script ran'"}
	case ruleHost:
		return []string{"open", b.elsewhere()}
	case ruleUpload:
		return []string{"upload", "#f", filepath.Join(b.out, "secret.txt")}
	case ruleDownload:
		return []string{"screenshot", filepath.Join(b.out, "picture.png")}
	}
	return []string{"click", "#h"}
}

// elsewhere is the same server by a name that the rules do not have.
func (b *bench) elsewhere() string {
	_, rest, _ := strings.Cut(strings.TrimPrefix(b.page, "http://"), ":")
	return "http://elsewhere.localhost:" + rest
}

// untouched fails when something forbidden was done.
func (b *bench) untouched(said string) {
	b.t.Helper()
	for _, tab := range b.manager.Tabs() {
		require.NotContains(b.t, tab.URL, "elsewhere.localhost", said)
		if strings.HasPrefix(tab.URL, b.page) {
			require.Equal(b.t, "clean", tab.Title, said)
		}
	}
	require.NoFileExists(b.t, filepath.Join(b.out, "picture.png"), said)
}

// chat has a model ask for a command line.
func (b *bench) chat(line []string) string {
	b.t.Helper()
	model := testmodel.Start(b.t, testmodel.Say(b.t,
		testmodel.Answer{Calls: []testmodel.Call{{Name: "skua", Args: map[string]any{"argv": line}}}},
		testmodel.Answer{Text: "That is all."},
	))
	// --yes: only the rules hold it back
	return b.runIn(map[string]string{"HOME": b.dir, "AI_GATEWAY_API_KEY": "key", "AI_GATEWAY_URL": model.URL}, "", "chat",
		"--yes", "help me")
}

// replay has a session without rules do what is forbidden, and the one with rules do that again from its journal.
func (b *bench) replay(line []string) string {
	b.t.Helper()
	free := *b
	free.session = b.session + "-free-" + line[0]
	free.run("open", b.page)
	free.run(line...)
	said := b.run("journal", "replay", "--of", free.session)
	free.run("close")
	return said
}

func (b *bench) job(step map[string]any) string {
	b.t.Helper()
	return b.tool(map[string]any{"job": map[string]any{"steps": []any{step}}})
}
