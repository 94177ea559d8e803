package session_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

// hold is a way in which a page keeps commands from an end for as long as the test wants.
type hold struct {
	name string
	page string
	by   string   // a script that has the page held up, by the gate GATE; empty: it answers
	also []string // more command lines for it, one a line
}

var holds = []hold{
	{
		"a blocked main thread", `<title>T</title><button id=target>Go</button><button id=other>Go</button>`,
		`setTimeout(() => { const x = new XMLHttpRequest(); x.open('GET', 'GATE', false); x.send() }, 0); 0`,
		[]string{
			"wait --text never", "wait --fn window.never", "wait --stable", "snapshot -i", "snapshot -s #target",
			"screenshot #target", "click @e1",
			"get text @e1", "click #target --observe", "click #target --settle", "find text Go click",
		},
	},
	{
		"a server that does not answer", `<title>T</title><button id=target>Go</button><button id=other>Go</button>`,
		`setTimeout(() => { location.href = 'GATE' }, 0); 0`,
		[]string{
			"open GATE --wait-until domcontentloaded", "open GATE --wait-until networkidle", "read", "wait --load load",
			"snapshot -i", "click @e1",
			"get text @e1",
		},
	},
	{
		"a target that does not come", `<title>T</title><button>Go</button>`, "",
		[]string{
			"wait --text never", "wait --url **/never", "wait --fn window.never", "wait --response **/never",
			"wait --url-change", "wait --download x.bin",
			"screenshot #target", "find text never click", "find label never fill x", "eval new Promise(() => {})",
			"snapshot -s #target",
		},
	},
}

// unswept are commands that are not about a page of the session, or whose --timeout is documented as one of each of
// their parts.
var unswept = []string{
	"batch", "chat", "connect", "electron launch", "electron probe", "electron cleanup",
	"journal replay", "skill run", "task run", "task confirm", "task replay", "task resume",
}

// argumentsFor are words that a command takes where those that its kinds give do not do.
var argumentsFor = map[string]string{
	"cookies set": "a b", "drag": "#target #other", "eval": "1", "extract": "@e1", "capabilities details": "@e1",
	"capture candidates": "@e1", "find role": "button click",
	"keydown": "a", "keyup": "a", "press": "Enter", "scroll to": "bottom", "set credentials": "a b", "set cpu": "2",
	"set device": "iPhone 15", "set geo": "1 2",
	"set headers": `{"a":"b"}`, "set locale": "de-CH", "set media": "dark", "set network": "slow-3g",
	"set permissions": "camera", "set timezone": "Asia/Tokyo",
	"select": "#target a", "fill": "#target a", "type": "#target a", "wait": "#target", "highlight": "#target",
	"network route": "**/x --abort", "pushstate": "/x",
	"removeinitscript": "1", "download": "#target OUT", "diff screenshot": "--baseline FILE", "explore": "payment",
	"record start": "OUT.webm GATE", "clipboard write": "a", "state load": "FILE",
}

// sweptLines are command lines for all commands of the registry that work in a page.
func sweptLines(t *testing.T, h hold) (lines []string) {
	t.Helper()
	for _, cmd := range catalog.Commands() {
		if cmd.Program || cmd.Effect.Has(actions.NoBrowser) || slices.Contains(unswept, cmd.Name) {
			continue
		}
		line := cmd.Name
		if words, ok := argumentsFor[cmd.Name]; ok {
			lines = append(lines, line+" "+words)
			continue
		}
		for _, a := range cmd.Args {
			if a.Optional && a.Kind != actions.URL {
				continue
			}
			switch a.Kind {
			case actions.Selector:
				line += " #target"
			case actions.URL:
				line += " GATE"
			case actions.Int, actions.Number:
				line += " 7"
			case actions.Path:
				line += " OUT"
			default:
				line += " " +
					map[bool]string{true: "FILE", false: cmp.Or(slices.Concat(a.OneOf, []string{"x"})...)}[a.Name == "files"]
			}
		}
		lines = append(lines, line)
	}
	return append(lines, h.also...)
}

// Every command ends with its --timeout, although what it waits for is held back until the test's end, and one that did
// not come to its end says so. With SKUA_TEST_LATENESS=1, on a machine that does nothing else, it must end within 100
// ms.
func TestDeadlines(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("deep tier: it runs each command")
	}
	measure := os.Getenv("SKUA_TEST_LATENESS") != ""
	const limit, late = 300 * time.Millisecond, 100 * time.Millisecond
	m := host.StartManager(t, session.Options{Grace: 80 * time.Millisecond}) // as hosts have
	keeper := host.NewClient(t)
	keeper.Manager = m
	keeper.Do("open") // the browser is there when time is taken
	for _, h := range holds {
		for _, line := range sweptLines(t, h) {
			t.Run(h.name+"/"+line, func(t *testing.T) {
				if !measure {
					t.Parallel()
				}
				c := host.NewClient(t)
				c.Manager = m
				file := filepath.Join(c.Dir, "up.json")
				require.NoError(t, os.WriteFile(file, []byte("{}"), 0o600))
				g := site.Gate(t, "")
				c.Do("open", site.URL(site.Write(h.page)))
				c.Do("snapshot")
				if h.by != "" {
					// the page may be gone before it answers, or wait for the gate
					_ = c.Try("--timeout", "1000", "eval", strings.ReplaceAll(h.by, "GATE", g.Path))
					g.WaitAsked(t)
				}
				words := strings.NewReplacer("GATE", site.URL(g.Path), "FILE", file, "OUT", filepath.Join(c.Dir, "out")).
					Replace(line)
				args := append([]string{"--timeout", "300"}, strings.Fields(words)...)
				began := time.Now()
				reply := c.Try(args...) // that it ends is what is tested
				took := time.Since(began)
				if measure {
					require.Less(t, took, limit+late, "%v", reply.Err)
				}
				if reply.Err != nil {
					require.NotContains(t, []fault.Code{fault.Internal, fault.Protocol, fault.PageGone, fault.BrowserGone},
						fault.CodeOf(reply.Err), "%v", reply.Err)
				}
			})
		}
	}
}
