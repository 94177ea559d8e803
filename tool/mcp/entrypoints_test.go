package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/internal/testmodel"
	"github.com/skua-browser/skua/policy"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/mcp"
)

// The kinds of rules. Each bench has one of each.
const (
	ruleAction   = "action"
	ruleHost     = "host"
	ruleUpload   = "upload root"
	ruleDownload = "download root"
	ruleConfirm  = "confirmation"
)

var ruleKinds = []string{ruleAction, ruleHost, ruleUpload, ruleDownload, ruleConfirm}

// ruledPage tells by its title what was done to it, so that no command has to look.
const ruledPage = `<!doctype html><title>clean</title><input type=file id=f onchange="document.title = 'got a file'">
<button id=h onclick="document.title = 'clicked'">Press</button><a href="/">Settings</a>`

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

// ruleSources are the ways in which rules are set: what makes the owner's rules, and what the first call of a session carries.
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
	source := session.OwnerSource{Getenv: func(name string) string { return env[name] }, Cwd: b.dir}
	if argv != nil {
		registry, err := actions.NewRegistry(actions.Commands())
		require.NoError(t, err)
		source.Input, err = registry.Parse(argv, actions.ParseOptions{Getenv: source.Getenv})
		require.NoError(t, err)
	}
	owner, err := session.OwnerRules(source)
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
	b.manager, err = session.New(session.Options{Browsers: browsers(), Owner: owner})
	require.NoError(t, err)
	t.Cleanup(func() { b.manager.Close(context.Background()) })
	over := backend.OnManager(b.manager)
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser, mcp.SetCopilot}, Open: func(string) (*tool.Tool, func(context.Context), error) {
		opened, err := tool.Open(tool.Options{Backend: over, SessionID: t.Name(), Cwd: b.dir, Env: map[string]string{"HOME": b.dir}})
		return opened, func(ctx context.Context) { _ = opened.Close(ctx) }, err
	}})
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

// refusals are the words by which an entry point tells that a rule has kept it from doing something.
var refusals = []string{"denied by policy", "is not in the allowed domains", "does not allow", "outside the roots", "onfirmation", "cannot confirm", "policy-blocked", "not for a model"}

// entryPoint is a way by which something is done in a session.
type entryPoint struct {
	name    string
	managed bool // it works in the session that the tool keeps
	lines   func(b *bench, line []string) string
	each    map[string]func(b *bench) string // by kind, of what takes no command lines
	without map[string]string                // why there is no cell for a kind or a source
}

func jsonOf(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}

const onlyWhatWasLet = "the owner's rules are those of each session, so that no journal holds what they forbid"

const takesNoLines = "it takes no command lines, and has no form of its own for this"

func entryPoints() []entryPoint {
	return []entryPoint{
		{name: "command line", lines: func(b *bench, line []string) string { return b.run(line...) }},
		{name: "batch", lines: func(b *bench, line []string) string { return b.runWith(jsonOf([][]string{line}), "batch") }},
		{name: "chat", lines: (*bench).chat},
		{
			name: "journal replay", each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string { return b.replay(ruleAction) }, ruleHost: func(b *bench) string { return b.replay(ruleHost) },
				ruleUpload: func(b *bench) string { return b.replay(ruleUpload) }, ruleConfirm: func(b *bench) string { return b.replay(ruleConfirm) },
			}, without: map[string]string{
				ruleDownload:  "a picture is no part of what is done again",
				"environment": onlyWhatWasLet, "flag of the serving process": onlyWhatWasLet, "owner's configuration": onlyWhatWasLet,
			},
		},
		{name: "args", managed: true, lines: func(b *bench, line []string) string { return b.tool(map[string]any{"args": line}) }},
		{
			name: "script", managed: true, without: map[string]string{"session": "a script has a session of its own, and its calls take no flags of rules"},
			lines: func(b *bench, line []string) string {
				return b.tool(map[string]any{"script": `await browser({args: ["open", ` + jsonOf(b.page) + `]})
					const r = await browser({args: ` + jsonOf(line) + `})
					emit({ok: r.ok, title: (await browser({args: ["get", "title"]})).data, error: r.error, text: r.text})`})
			},
		},
		{
			name: "job", managed: true, each: map[string]func(b *bench) string{
				ruleHost: func(b *bench) string { return b.job(map[string]any{"action": "open", "url": b.elsewhere()}) },
				ruleDownload: func(b *bench) string {
					return b.job(map[string]any{"action": "screenshot", "path": filepath.Join(b.out, "picture.png")})
				},
				ruleConfirm: func(b *bench) string { return b.job(map[string]any{"action": "click", "selector": "#h"}) },
			}, without: map[string]string{ruleAction: takesNoLines, ruleUpload: takesNoLines},
		},
		{
			name: "qa", managed: true, each: map[string]func(b *bench) string{
				ruleHost: func(b *bench) string { return b.tool(map[string]any{"qa": map[string]any{"url": b.elsewhere()}}) },
			}, without: map[string]string{ruleAction: takesNoLines, ruleUpload: takesNoLines, ruleDownload: takesNoLines, ruleConfirm: takesNoLines},
		},
		{
			name: "semanticAction", managed: true, each: map[string]func(b *bench) string{
				ruleConfirm: func(b *bench) string {
					return b.tool(map[string]any{"semanticAction": map[string]any{"action": "click", "locator": "role", "role": "button", "name": "Press"}})
				},
			}, without: map[string]string{ruleAction: takesNoLines, ruleHost: takesNoLines, ruleUpload: takesNoLines, ruleDownload: takesNoLines},
		},
		{
			name: "electron", managed: true, each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string {
					return b.tool(map[string]any{"electron": map[string]any{"action": "launch", "executablePath": "/bin/true"}})
				},
			}, without: map[string]string{
				ruleHost: "it starts a program, which is refused", ruleUpload: "the same", ruleDownload: "the same", ruleConfirm: "the same",
				"session": "it works in no session until the program runs; the session's rules judge `electron launch`",
			},
		},
		{
			name: "browser_*", managed: true, each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string {
					return textOf(b.client.call("browser_evaluate", map[string]any{"script": "document.title = 'script ran'"}))
				},
				ruleHost: func(b *bench) string {
					return textOf(b.client.call("browser_open", map[string]any{"url": b.elsewhere()}))
				},
				ruleDownload: func(b *bench) string {
					return textOf(b.client.call("browser_screenshot", map[string]any{"path": filepath.Join(b.out, "picture.png")}))
				},
				ruleConfirm: func(b *bench) string { return textOf(b.client.call("browser_click", map[string]any{"selector": "#h"})) },
			}, without: map[string]string{ruleUpload: takesNoLines},
		},
		{
			name: "dom_*", managed: true, each: map[string]func(b *bench) string{
				ruleHost:    func(b *bench) string { return textOf(b.client.call("tabs_open", map[string]any{"url": b.elsewhere()})) },
				ruleConfirm: func(b *bench) string { return textOf(b.client.call("dom_click", map[string]any{"selector": "#h"})) },
			}, without: map[string]string{ruleAction: takesNoLines, ruleUpload: takesNoLines, ruleDownload: takesNoLines},
		},
		{
			name: "inspect", managed: true, each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string { return b.tool(map[string]any{"args": []string{"inspect"}}) },
				ruleUpload: func(b *bench) string { return b.tool(map[string]any{"args": []string{"get", "cdp-url"}}) },
			}, without: map[string]string{ruleHost: "refused as a whole", ruleDownload: "refused as a whole", ruleConfirm: "refused as a whole"},
		},
		{
			name: "plugins", managed: true, each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string {
					return b.tool(map[string]any{"args": []string{"plugin", "add", "/bin/true", "--capability", "command.run"}})
				},
			}, without: map[string]string{"session": "the tool runs it in no session, so that rules which only a session has do not reach it", ruleHost: "adding one is refused", ruleUpload: "the same", ruleDownload: "the same", ruleConfirm: "the same"},
		},
		{
			name: "dashboard", managed: true, each: map[string]func(b *bench) string{
				ruleConfirm: func(b *bench) string { return b.tool(map[string]any{"args": []string{"dashboard", "start"}}) },
			}, without: map[string]string{"session": "the tool runs it in no session, so that rules which only a session has do not reach it", ruleAction: "a person's", ruleHost: "a person's", ruleUpload: "a person's", ruleDownload: "a person's"},
		},
		{
			name: "confirmation", managed: true, each: map[string]func(b *bench) string{
				ruleConfirm: func(b *bench) string {
					r := b.client.call("agent_browser", map[string]any{"args": []string{"click", "#h"}})
					_, id, _ := strings.Cut(textOf(r), "Pending confirmation id: ")
					id, _, _ = strings.Cut(id, "\n")
					require.NotEmpty(b.t, id, textOf(r))
					require.NotContains(b.t, jsonOf(r.StructuredContent), "approve-confirmation")
					said := b.tool(map[string]any{"args": []string{"confirm", id}})
					said += b.tool(map[string]any{"args": []string{"batch"}, "stdin": jsonOf([][]string{{"confirm", id}})})
					require.Contains(b.t, said, "cannot confirm")
					return said
				},
			}, without: map[string]string{ruleAction: "it confirms", ruleHost: "it confirms", ruleUpload: "it confirms", ruleDownload: "it confirms"},
		},
		{
			name: "explore", each: map[string]func(b *bench) string{
				ruleHost: func(b *bench) string {
					b.run("explore", "Settings", "--timeout", "5000")
					return b.run("open", b.elsewhere())
				},
			}, without: map[string]string{ruleAction: sameAsBatch, ruleUpload: sameAsBatch, ruleDownload: sameAsBatch, ruleConfirm: sameAsBatch},
		},
	}
}

const sameAsBatch = "its command lines are rows, which run where those of a batch do"

// rowCommands are the commands that run command lines of their own. They all do so by Call.Exec, as batch does, which asks the rules.
var rowCommands = []string{"batch", "chat", "journal replay", "task confirm", "task replay", "task run"}

// chat has a model ask for a command line.
func (b *bench) chat(line []string) string {
	b.t.Helper()
	model := testmodel.Start(b.t, testmodel.Say(b.t,
		testmodel.Answer{Calls: []testmodel.Call{{Name: "skua", Args: map[string]any{"argv": line}}}}, testmodel.Answer{Text: "That is all."},
	))
	return b.runIn(map[string]string{"HOME": b.dir, "AI_GATEWAY_API_KEY": "key", "AI_GATEWAY_URL": model.URL}, "", "chat", "--yes", "help me") // --yes: only the rules hold it back
}

// replay has a session without rules do what is forbidden, and the one with rules do that again from its journal.
func (b *bench) replay(kind string) string {
	b.t.Helper()
	free := *b
	free.session = b.session + "-free-" + strings.ReplaceAll(kind, " ", "-")
	free.run("open", b.page)
	free.run(b.forbidden(kind)...)
	said := b.run("journal", "replay", "--of", free.session)
	free.run("close")
	return said
}

func (b *bench) job(step map[string]any) string {
	b.t.Helper()
	return b.tool(map[string]any{"job": map[string]any{"steps": []any{step}}})
}

// Every entry point leads past the rules, wherever these were set: nothing forbidden reaches page, server or disk, and the reply says what kept it.
func TestEntryPointsKeepTheRules(t *testing.T) {
	t.Parallel()
	for source := range ruleSources {
		t.Run(source, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, source)
			for _, entry := range entryPoints() {
				if entry.without[source] != "" {
					continue
				}
				t.Run(entry.name, func(t *testing.T) {
					b := *b
					b.t = t
					b.begin(&entry)
					for _, kind := range ruleKinds {
						run := entry.each[kind]
						if entry.lines != nil {
							run = func(b *bench) string { return entry.lines(b, b.forbidden(kind)) }
						}
						if run == nil {
							require.NotEmpty(t, entry.without[kind], "no cell for %s, and no reason", kind)
							continue
						}
						said := run(&b)
						b.untouched(said)
						require.True(t, slices.ContainsFunc(refusals, func(word string) bool { return strings.Contains(said, word) }), "%s: %s", kind, said)
					}
				})
			}
		})
	}
}

// A new way to do something has a row above, or is known here.
func TestEntryPointsAreAllKnown(t *testing.T) {
	t.Parallel()
	var rows []string
	for _, c := range actions.Commands() {
		if c.Rows {
			rows = append(rows, c.Name)
		}
		require.True(t, actions.Classified(c.Name), "`%s` says nowhere what it does: add it to actions/families.go", c.Name)
	}
	slices.Sort(rows)
	require.Equal(t, rowCommands, rows, "a command that runs others: see that it does so by Call.Exec, and add it")
	names := map[string]bool{}
	for _, e := range entryPoints() {
		names[e.name] = true
	}
	for _, mode := range contract.Modes() {
		require.True(t, names[string(mode)] || slices.Contains([]contract.Mode{contract.ModeSourceLookup, contract.ModeNetworkSourceLookup}, mode),
			"the input mode %s has no row; the lookups only read", mode)
	}
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser, mcp.SetCopilot}})
	for _, offered := range listed(t, connect(t, s, nil)) {
		family, _, _ := strings.Cut(offered.Name, "_")
		require.Contains(t, []string{"agent", "browser", "dom", "get", "pcd", "tabs", "wait", "explore", "capture", "extract", "skills"}, family, "the tool %s belongs to no row", offered.Name)
	}
}

// Where the client can ask its user, he decides, and the model that asked does not.
func TestConfirmationByElicitation(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		answer sdk.ElicitResult
		title  string
	}{
		"allowed":       {sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": true}}, "clicked"},
		"not allowed":   {sdk.ElicitResult{Action: "accept", Content: map[string]any{"allow": false}}, "clean"},
		"declined":      {sdk.ElicitResult{Action: "decline"}, "clean"},
		"not decided":   {sdk.ElicitResult{Action: "cancel"}, "clean"},
		"without a say": {sdk.ElicitResult{Action: "accept"}, "clean"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, _ := newServer(t, mcp.Options{})
			asked := make(chan string, 1)
			c := connectBy(t, s, &sdk.ClientOptions{ElicitationHandler: func(_ context.Context, req *sdk.ElicitRequest) (*sdk.ElicitResult, error) {
				asked <- req.Params.Message
				return &tc.answer, nil
			}}, &sdk.ClientSessionOptions{ProtocolVersion: "2025-06-18"})
			r := c.try("--confirm-actions", "click", "open", site.Show(ruledPage))
			require.False(t, r.IsError, textOf(r))
			r = c.try("click", "#h")
			require.Len(t, asked, 1, textOf(r))
			require.Contains(t, <-asked, "click #h")
			require.Equal(t, tc.title == "clicked", !r.IsError, textOf(r))
			require.Contains(t, c.do("get", "title"), tc.title)
		})
	}
}

// A person at the dashboard confirms what the agent asked for, and the agent is told.
func TestConfirmationAtTheDashboard(t *testing.T) {
	t.Parallel()
	b := newBench(t, "environment")
	entry := entryPoint{name: "args", managed: true}
	b.begin(&entry)
	text := b.run("dashboard", "start") // by a person: it came by no tool
	i := strings.Index(text, "http://localhost:")
	require.GreaterOrEqual(t, i, 0, text)
	board := strings.FieldsFunc(text[i:], func(r rune) bool { return r == '"' || r == '{' || r == '\n' || r == ' ' || r == '\\' })[0]
	address, token, _ := strings.Cut(board, "/?token=")
	r := b.client.call("agent_browser", map[string]any{"args": []string{"click", "#h"}})
	_, id, _ := strings.Cut(textOf(r), "Pending confirmation id: ")
	id, _, _ = strings.Cut(id, "\n")
	post := func(id, token string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, fmt.Sprintf("%s/api/sessions/%s/confirm/%s", address, b.session, id), nil)
		require.NoError(t, err)
		req.Header.Set("Origin", address)
		_, port, _ := strings.Cut(strings.TrimPrefix(address, "http://"), ":")
		req.AddCookie(&http.Cookie{Name: "skua_dashboard_" + port, Value: token})
		answer, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		return answer.StatusCode
	}
	require.Equal(t, http.StatusUnauthorized, post(id, "guessed"))
	require.Equal(t, http.StatusOK, post(id, token))
	require.NotEqual(t, http.StatusOK, post(id, token), "it was done once")
	require.Contains(t, b.tool(map[string]any{"args": []string{"get", "title"}}), "a person confirmed `click #h`")
	require.Contains(t, b.tool(map[string]any{"args": []string{"get", "title"}}), "clicked")
}
