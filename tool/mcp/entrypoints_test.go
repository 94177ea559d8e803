package mcp_test

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skua-browser/skua/actions/catalog"

	"github.com/stretchr/testify/require"

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

// refusals are the words by which an entry point tells that a rule has kept it from doing something.
var refusals = []string{
	"denied by policy", "is not in the allowed domains", "does not allow", "outside the roots",
	"onfirmation", "cannot confirm", "a rule of the session holds click", "policy-blocked", "not for a model",
}

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
		{name: "run", lines: func(b *bench, line []string) string {
			return b.run("run", "--code", "const [method, ...rest] = "+jsonOf(line)+"; return await page[method](...rest)")
		}},
		{
			name: "journal replay", lines: (*bench).replay, without: map[string]string{
				ruleDownload:  "a screenshot is not replayed",
				"environment": onlyWhatWasLet, "flag of the serving process": onlyWhatWasLet,
				"owner's configuration": onlyWhatWasLet,
			},
		},
		{
			name: "task", each: map[string]func(b *bench) string{
				ruleConfirm: func(b *bench) string { return b.run("task", "run", `open "Elsewhere"`) },
			}, without: map[string]string{
				ruleAction: sameAsBatch, ruleHost: "its click on a link to another host is held first", ruleUpload: sameAsBatch,
				ruleDownload: sameAsBatch,
			},
		},
		{name: "args", managed: true, lines: func(b *bench, line []string) string {
			return b.tool(map[string]any{"args": line})
		}},
		{
			name: "script", managed: true,
			without: map[string]string{"session": "a script has a session of its own, and its calls take no flags of rules"},
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
			}, without: map[string]string{
				ruleAction: takesNoLines, ruleUpload: takesNoLines, ruleDownload: takesNoLines,
				ruleConfirm: takesNoLines,
			},
		},
		{
			name: "semanticAction", managed: true, each: map[string]func(b *bench) string{
				ruleConfirm: func(b *bench) string {
					return b.tool(map[string]any{"semanticAction": map[string]any{
						"action": "click", "locator": "role",
						"role": "button", "name": "Press",
					}})
				},
			}, without: map[string]string{
				ruleAction: takesNoLines, ruleHost: takesNoLines, ruleUpload: takesNoLines,
				ruleDownload: takesNoLines,
			},
		},
		{
			name: "electron", managed: true, each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string {
					return b.tool(map[string]any{"electron": map[string]any{"action": "launch", "executablePath": "/bin/true"}})
				},
			}, without: map[string]string{
				ruleHost: "it starts a program, which is refused", ruleUpload: "the same", ruleDownload: "the same",
				ruleConfirm: "the same",
				"session":   "it works in no session until the program runs; the session's rules judge `electron launch`",
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
				ruleConfirm: func(b *bench) string {
					return textOf(b.client.call("browser_click", map[string]any{"selector": "#h"}))
				},
			}, without: map[string]string{ruleUpload: takesNoLines},
		},
		{
			name: "dom_*", managed: true, each: map[string]func(b *bench) string{
				ruleHost: func(b *bench) string {
					return textOf(b.client.call("tabs_open", map[string]any{"url": b.elsewhere()}))
				},
				ruleConfirm: func(b *bench) string { return textOf(b.client.call("dom_click", map[string]any{"selector": "#h"})) },
			}, without: map[string]string{ruleAction: takesNoLines, ruleUpload: takesNoLines, ruleDownload: takesNoLines},
		},
		{
			name: "skill_*", managed: true, each: map[string]func(b *bench) string{
				ruleUpload: func(b *bench) string {
					return textOf(b.client.call("skill_upload", map[string]any{"files": []string{filepath.Join(b.out, "secret.txt")}}))
				},
			}, without: map[string]string{
				ruleAction: sameAsBatch, ruleHost: sameAsBatch, ruleDownload: sameAsBatch,
				ruleConfirm: sameAsBatch,
			},
		},
		{
			name: "inspect", managed: true, each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string { return b.tool(map[string]any{"args": []string{"inspect"}}) },
				ruleUpload: func(b *bench) string { return b.tool(map[string]any{"args": []string{"get", "cdp-url"}}) },
			}, without: map[string]string{
				ruleHost: "refused as a whole", ruleDownload: "refused as a whole",
				ruleConfirm: "refused as a whole",
			},
		},
		{
			name: "plugins", managed: true, each: map[string]func(b *bench) string{
				ruleAction: func(b *bench) string {
					return b.tool(map[string]any{"args": []string{"plugin", "add", "/bin/true", "--capability", "command.run"}})
				},
			}, without: map[string]string{
				"session": "the tool runs it in no session, so that rules which only a session has do not reach it",
				ruleHost:  "adding one is refused", ruleUpload: "the same", ruleDownload: "the same", ruleConfirm: "the same",
			},
		},
		{
			name: "dashboard", managed: true, each: map[string]func(b *bench) string{
				ruleConfirm: func(b *bench) string { return b.tool(map[string]any{"args": []string{"dashboard", "start"}}) },
			}, without: map[string]string{
				"session":  "the tool runs it in no session, so that rules which only a session has do not reach it",
				ruleAction: "a person's", ruleHost: "a person's", ruleUpload: "a person's", ruleDownload: "a person's",
			},
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
			}, without: map[string]string{
				ruleAction: "it confirms", ruleHost: "it confirms", ruleUpload: "it confirms",
				ruleDownload: "it confirms",
			},
		},
		{
			name: "explore", each: map[string]func(b *bench) string{
				ruleHost: func(b *bench) string {
					b.run("explore", "Settings", "--timeout", "5000")
					return b.run("open", b.elsewhere())
				},
			}, without: map[string]string{
				ruleAction: sameAsBatch, ruleUpload: sameAsBatch, ruleDownload: sameAsBatch,
				ruleConfirm: sameAsBatch,
			},
		},
	}
}

const sameAsBatch = "its command lines are rows, which run where those of a batch do"

// rowCommands are the commands that run command lines of their own. They all do so by Call.Exec, as batch does, which
// asks the rules.
var rowCommands = []string{
	"batch", "chat", "journal replay", "run", "skill run", "task confirm", "task replay",
	"task resume", "task run",
}

// Every entry point leads past the rules, wherever these were set: nothing forbidden reaches page, server or disk, and
// the reply says what kept it.
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
						if entry.without[kind] != "" {
							continue
						}
						run := entry.each[kind]
						if entry.lines != nil {
							run = func(b *bench) string { return entry.lines(b, b.forbidden(kind)) }
						}
						require.NotNil(t, run, "no cell for %s, and no reason", kind)
						said := run(&b)
						b.untouched(said)
						require.True(t, slices.ContainsFunc(refusals, func(word string) bool {
							return strings.Contains(said, word)
						}), "%s: %s", kind, said)
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
	for _, c := range catalog.Commands() {
		if c.Rows {
			rows = append(rows, c.Name)
		}
	}
	slices.Sort(rows)
	require.Equal(t, rowCommands, rows, "a command that runs others: see that it does so by Call.Exec, and add it")
	names := map[string]bool{}
	for _, e := range entryPoints() {
		names[e.name] = true
	}
	for _, mode := range contract.Modes() {
		require.True(t,
			names[string(mode)] ||
				slices.Contains([]contract.Mode{contract.ModeSourceLookup, contract.ModeNetworkSourceLookup}, mode),
			"the input mode %s has no row; the lookups only read", mode)
	}
	s, _ := newServer(t, mcp.Options{Sets: []mcp.Set{mcp.SetAgent, mcp.SetBrowser, mcp.SetCopilot}})
	for _, offered := range listed(t, connect(t, s, nil)) {
		family, _, _ := strings.Cut(offered.Name, "_")
		require.Contains(t,
			[]string{
				"agent", "browser", "dom", "get", "pcd", "tabs", "wait", "explore", "capture", "extract", "skill",
				"skills",
			}, family, "the tool %s belongs to no row", offered.Name)
	}
}
