package tool_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/lease"
)

const tablePage = `<!doctype html><title>Stock</title><table>
<tr><td class=name>Bolts</td><td class=count>12</td></tr><tr><td class=name>Nuts</td><td class=count>7</td></tr><tr><td class=name>Gears</td><td class=count>0</td></tr>
</table><input aria-label=Search><button onclick="document.title = 'Pressed ' + document.querySelector('input').value">Go</button>`

// script runs a script.
func (c *caller) script(source string) *contract.Result {
	c.t.Helper()
	return c.call(contract.Params{Script: &source})
}

func TestScripts(t *testing.T) {
	t.Parallel()
	t.Run("2.8.3 2.8.5 open, look, loop over rows, emit", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script(`
			const run = async (...args) => {
				const r = await browser({args})
				if (!r.ok) throw new Error(args.join(" ") + ": " + r.error)
				return r
			}
			await run("open", "` + site.Show(tablePage) + `")
			const seen = await run("snapshot", "-i")
			const rows = []
			for (let i = 1; i <= 3; i++) {
				const name = await run("get", "text", "tr:nth-child(" + i + ") .name")
				const count = await run("get", "text", "tr:nth-child(" + i + ") .count")
				rows.push({name: name.data.text, count: Number(count.data.text)})
			}
			emit({rows, empty: rows.filter(r => r.count === 0).map(r => r.name), button: seen.text.includes("button")})`)
		require.False(t, r.IsError, textOf(r))
		d := r.Details
		require.Equal(t, map[string]any{
			"rows": []any{
				map[string]any{"name": "Bolts", "count": 12.0},
				map[string]any{"name": "Nuts", "count": 7.0},
				map[string]any{"name": "Gears", "count": 0.0},
			},
			"empty": []any{"Gears"}, "button": true,
		}, d.Data)
		require.Contains(t, textOf(r), `"Gears"`)
		require.Equal(t, contract.Completed, d.SuccessCategory)
		require.Equal(t,
			&contract.ScriptRun{
				CallCount: 8, SuccessfulCallCount: 8, EmitCount: 1, DurationMs: d.ScriptRun.DurationMs,
				TimeoutMs: 120_000,
			}, d.ScriptRun, "2.8.12 2.8.7")
		require.Len(t, d.ScriptSteps, 8)
		require.Equal(t, []string{"snapshot", "-i"}, d.ScriptSteps[1].Args)
		require.True(t, lease.IsName(d.ScriptSession.SessionName), "2.8.8")
		require.Equal(t, "closed", d.ScriptSession.Cleanup)
		require.Equal(t, []string{"--session", d.ScriptSession.SessionName, "close"}, d.ScriptSession.CloseCommandArgs)
		require.True(t, d.ScriptSession.LaunchAttempted)
	})
	t.Run("2.8.8 the caller's session is not touched, and the script's is gone", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<!doctype html><title>Mine</title>`)
		before := c.do("get", "title").Details.SessionName
		r := c.script(`await browser({args: ["open", "` + site.Show(tablePage) +
			`"]}); return (await browser({args: ["get", "title"]})).data.title`)
		require.Equal(t, "Stock", r.Details.Data, textOf(r))
		require.Nil(t, r.Details.ManagedSessionOutcome)
		after := c.do("get", "title")
		require.Equal(t, "Mine", textOf(after))
		require.Equal(t, before, after.Details.SessionName)
		list := c.do("session", "list")
		require.NotContains(t, textOf(list), r.Details.ScriptSession.SessionName)
	})
	t.Run("2.8.3 it acts with refs, and sees what it led to", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script(`
			await browser({args: ["open", "` + site.Show(tablePage) + `"]})
			const s = await browser({args: ["snapshot", "-i"]})
			const ref = name => "@" + Object.keys(s.data.refs).find(k => s.data.refs[k].name === name)
			await browser({args: ["fill", ref("Search"), "bolts"]})
			const c = await browser({args: ["click", ref("Go")]})
			const e = await browser({args: ["eval", "--stdin"], stdin: "document.title"})
			return [c.ok, c.successCategory, e.data.result]`)
		require.Equal(t, []any{true, "completed", "Pressed bolts"}, r.Details.Data, textOf(r))
	})
	t.Run("2.8.3 a call that fails is told, and the script may go on", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script(`
			await browser({args: ["open", "` + site.Show(tablePage) + `"]})
			const r = await browser({args: ["click", "#nothing"], timeoutMs: 20000})
			return [r.ok, r.resultCategory, r.failureCategory, r.error.length > 0, Array.isArray(r.nextActions)]`)
		require.Equal(t, []any{false, "failure", "selector-not-found", true, true}, r.Details.Data, textOf(r))
		require.Equal(t, contract.Success, r.Details.ResultCategory)
		require.Equal(t, 1, r.Details.ScriptRun.FailedCallCount)
	})
	t.Run("2.8.13 an exception", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script("const r = await browser({args: ['get', 'title']})\nthrow new Error('no ' + typeof r)")
		require.Equal(t, contract.ScriptError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "no object (line 2)")
		require.Nil(t, r.Details.Data)
		require.Equal(t, "closed", r.Details.ScriptSession.Cleanup)
	})
	t.Run("2.8.12 no call, no session", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script(`return 1 + 1`)
		require.Equal(t, 2.0, r.Details.Data, textOf(r))
		require.Nil(t, r.Details.ScriptSession)
		require.Zero(t, r.Details.ScriptRun.CallCount)
	})
	t.Run("10.5 2.8.12 files of its calls are told", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script(`await browser({args: ["open", "` + site.Show(tablePage) +
			`"]}); const s = await browser({args: ["screenshot", "shot.png"]}); return s.details.artifacts.length`)
		require.Equal(t, 1.0, r.Details.Data, textOf(r))
		require.Equal(t, contract.ArtifactSaved, r.Details.SuccessCategory)
		require.True(t, r.Details.ArtifactVerification.Verified)
		require.FileExists(t, filepath.Join(c.dir, "shot.png"))
	})
	t.Run("2.8.6 what is too long for a model is whole for a script", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		url := site.Show("<!doctype html><title>Large</title>" + strings.Repeat("<button>One of many</button>", 1400))
		r := c.script(`await browser({args: ["open", "` + url +
			`"]}); const s = await browser({args: ["snapshot", "-i"]}); return [Object.keys(s.data.refs).length, s.data.snapshot.length > 8192, s.text.length <= 8192]`)
		require.Equal(t, []any{1400.0, true, true}, r.Details.Data, textOf(r))
	})
	t.Run("2.9.2 its value goes to outputPath", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.call(contract.Params{Script: new(`emit({a: [1]})`), OutputPath: new("out/value.json")})
		require.Equal(t, "saved", r.Details.OutputFile.Status, textOf(r))
		content, err := os.ReadFile(filepath.Join(c.dir, "out", "value.json"))
		require.NoError(t, err)
		require.JSONEq(t, `{"a": [1]}`, string(content))
	})
	t.Run("2.8.7 the time of the whole", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.call(contract.Params{
			Script:    new(`await browser({args: ["open"]}); await browser({args: ["wait", "600000"]})`),
			TimeoutMs: new(3000.0),
		})
		require.Equal(t, contract.TimedOut, r.Details.FailureCategory, textOf(r))
		require.Equal(t, "closed", r.Details.ScriptSession.Cleanup)
	})
	t.Run("2.8.7 given up", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		ctx, cancel := context.WithCancel(t.Context())
		began := make(chan struct{})
		var once sync.Once
		go func() { // ends with the test's call
			<-began
			cancel()
		}()
		r := c.tool.Call(ctx, tool.Request{
			Params: contract.Params{Script: new(`await browser({args: ["open"]}); await browser({args: ["wait", "600000"]})`)},
			Progress: func(text string) {
				if strings.Contains(text, "600000") {
					once.Do(func() { close(began) })
				}
			},
		})
		require.Equal(t, contract.Aborted, r.Details.FailureCategory, textOf(r))
		require.Equal(t, "closed", r.Details.ScriptSession.Cleanup)
	})
}

func TestWhatScriptsMayNot(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"attach"},
		{"auth", "list"},
		{"batch", "open x"},
		{"run", "x.js"},
		{"connect", "9222"},
		{"script", "1"},
		{"session"},
		{"session", "list"},
		{"state", "save", "x"},
		{"state", "list"},
		{"close"},
		{"quit"},
		{"exit"},
		{"profiles"},
		{"doctor"},
		{"install"},
		{"skills", "list"},
		{"dashboard", "start"},
		{"plugin"},
		{"--session", "mine", "get", "title"},
		{"get", "title", "--session", "mine"},
		{"--namespace", "n", "get", "title"},
		{"--headed", "open"},
		{"--profile", "p", "open"},
		{"--cdp", "9222", "open"},
		{"--restore", "open"},
		{"--state", "s.json", "open"},
		{"--executable-path", "/bin/true", "open"},
		{"--idle-timeout", "1", "open"},
	} {
		t.Run("2.8.9 "+strings.Join(args, " "), func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			r := c.script(`const r = await browser({args: ` + *jsonOf(t, args) + `}); emit([r.ok, r.failureCategory])`)
			require.Equal(t, contract.PolicyBlocked, r.Details.FailureCategory, textOf(r))
			require.Equal(t, 1, r.Details.ScriptRun.PreDispatchRejectedCallCount)
			require.Nil(t, r.Details.ScriptSession, "2.8.12 no call was accepted")
		})
	}
	t.Run("2.8.9 the domains may be given", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script(`const r = await browser({args: ["--allowed-domains", "127.0.0.1", "open", "` + site.Show(tablePage) +
			`"]}); return r.ok`)
		require.Equal(t, true, r.Details.Data, textOf(r))
	})
	t.Run("2.8.9 a call of the wrong form", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.script(`await browser({args: ["press", "a", "b"]}); emit(1)`)
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory, textOf(r))
	})
}

// stuck is a backend whose sessions cannot be closed.
type stuck struct {
	backend.Backend
	refuses func(args []string) bool
	env     map[string]string
	lines   [][]string
}

func (s *stuck) Run(ctx context.Context, inv backend.Invocation) backend.Answer {
	s.lines, s.env = append(s.lines, inv.Args), inv.Env
	if s.refuses != nil && s.refuses(inv.Args) {
		return backend.Answer{Started: true, ExitCode: 1, Error: "no"}
	}
	return s.Backend.Run(ctx, inv)
}

func TestTheEndOfScripts(t *testing.T) {
	t.Parallel()
	t.Run("2.8.13 2.8.11 a session that cannot be closed outranks everything, and its lease stays", func(t *testing.T) {
		t.Parallel()
		state := t.TempDir()
		b := &stuck{Backend: backend.OnManager(host()), refuses: func(args []string) bool {
			return args[len(args)-1] == "close"
		}}
		opened, err := tool.Open(tool.Options{
			Backend: b, Cwd: t.TempDir(), Env: map[string]string{"HOME": state},
			StateDir: state,
		})
		require.NoError(t, err)
		r := opened.Call(t.Context(),
			tool.Request{Params: contract.Params{Script: new(`await browser({args: ["get", "url"]}); throw new Error("mine")`)}})
		require.NoError(t, opened.Close(context.Background()))
		d := r.Details
		require.Equal(t, contract.CleanupFailed, d.FailureCategory)
		require.Equal(t, "failed", d.ScriptSession.Cleanup)
		require.Equal(t, "close-script-session-after-cleanup-failure", d.NextActions[0].ID)
		require.Equal(t, []string{"--session", d.ScriptSession.SessionName, "close"}, d.NextActions[0].Params.Args)
		require.Contains(t, textOf(r), "mine")
		left := lease.Abandoned(filepath.Join(state, "script-leases"))
		require.Len(t, left, 1)
		require.Equal(t, d.ScriptSession.SessionName, left[0].Session)
		left[0].Leave()
		require.True(t, host().Do(context.Background(), session.Request{Args: left[0].CloseArgs}).Err == nil)
	})
	t.Run("2.8.11 what a killed process has left is closed by the next one", func(t *testing.T) {
		t.Parallel()
		state := t.TempDir()
		dir := filepath.Join(state, "script-leases")
		name := lease.Name()
		held, err := lease.Take(dir,
			lease.Lease{Session: name, Backend: "subprocess", CloseArgs: lease.CloseArgs(name), LaunchAttempted: true})
		require.NoError(t, err)
		held.Leave()
		b := &program{run: func(backend.Invocation) backend.Answer { return backend.Answer{Success: true, Started: true} }}
		opened, err := tool.Open(tool.Options{Backend: b, Cwd: t.TempDir(), Env: map[string]string{}, StateDir: state})
		require.NoError(t, err)
		require.Eventually(t, func() bool {
			_, err := os.Stat(filepath.Join(dir, name+".json"))
			return errors.Is(err, os.ErrNotExist)
		}, time.Minute, time.Millisecond)
		require.NoError(t, opened.Close(context.Background()))
		require.Equal(t, [][]string{{"--json", "--session", name, "close"}}, b.args())
	})
	t.Run("2.8.8 nothing of the environment reaches its calls", func(t *testing.T) {
		t.Parallel()
		b := &program{run: func(backend.Invocation) backend.Answer {
			return backend.Answer{Success: true, Started: true, Data: map[string]any{}}
		}}
		env := map[string]string{
			"AGENT_BROWSER_SESSION": "x", "AGENT_BROWSER_PROFILE": "p", "AGENT_BROWSER_NAMESPACE": "n", "SKUA_PROXY": "p",
			"HTTPS_PROXY": "p", "http_proxy": "p", "PATH": "/bin",
		}
		opened, err := tool.Open(tool.Options{Backend: b, Cwd: t.TempDir(), Env: env})
		require.NoError(t, err)
		r := opened.Call(t.Context(),
			tool.Request{Params: contract.Params{Script: new(`await browser({args: ["get", "url"]})`)}})
		require.NoError(t, opened.Close(context.Background()))
		require.False(t, r.IsError, textOf(r))
		b.mu.Lock()
		defer b.mu.Unlock()
		require.NotEmpty(t, b.calls)
		for _, inv := range b.calls {
			require.Equal(t, "/bin", inv.Env["PATH"])
			for name := range env {
				if name != "PATH" {
					require.NotContains(t, inv.Env, name)
				}
			}
		}
	})
}

// program is a stand-in for the agent-browser program.
type program struct {
	run func(backend.Invocation) backend.Answer

	mu    sync.Mutex
	calls []backend.Invocation
}

func (*program) Name() backend.Name          { return backend.NameSubprocess }
func (*program) Can() backend.Abilities      { return new(backend.Subprocess).Can() }
func (*program) Close(context.Context) error { return nil }

func (*program) Place(_ backend.Invocation, file string) (policy.Destination, error) {
	return policy.Roots{}.Destination(file)
}

func (p *program) Run(_ context.Context, inv backend.Invocation) backend.Answer {
	p.mu.Lock()
	p.calls = append(p.calls, inv)
	p.mu.Unlock()
	a := p.run(inv)
	a.ReadFacts(inv.Args)
	return a
}

func (p *program) args() [][]string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list [][]string
	for _, inv := range p.calls {
		list = append(list, inv.Args)
	}
	return list
}

func BenchmarkScriptCall(b *testing.B) {
	c := newCaller(b)
	source := `await browser({args: ["open", "` + site.Show(tablePage) + `"]})
		const began = Date.now()
		for (let i = 0; i < 24; i++) await browser({args: ["get", "title"]})
		return Date.now() - began`
	ms := 0.0
	for b.Loop() {
		r := c.script(source)
		if r.IsError {
			b.Fatal(textOf(r))
		}
		ms += r.Details.Data.(float64)
	}
	b.ReportMetric(ms/24/float64(b.N), "ms/call")
}
