package tool_test

import (
	"context"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// prose is our engine with all taken out of its answers that agent-browser does not say: codes, facts, effects and the
// page. So the tool has to find out by itself, on real pages.
type prose struct {
	*backend.Native
	claims bool   // clicks that reach nothing are reported as done
	dumb   bool   // it never knows an address
	at     string // the address that it says it is at; empty: the real one

	mu    sync.Mutex
	lines [][]string
}

func (p *prose) Name() backend.Name   { return backend.NameSubprocess }
func (*prose) Can() backend.Abilities { return new(backend.Subprocess).Can() }

func (p *prose) Run(ctx context.Context, inv backend.Invocation) (a backend.Answer) {
	p.mu.Lock()
	p.lines = append(p.lines, inv.Args)
	p.mu.Unlock()
	a = p.Native.Run(ctx, inv)
	a.Code, a.Facts, a.Page, a.Warnings = "", nil, nil, nil
	a.Data = asJSON(a.Data)
	defer func() { a.ReadFacts(inv.Args) }()
	if m, ok := a.Data.(map[string]any); ok {
		delete(m, "effect")
		delete(m, "matched")
	}
	if p.claims && slices.Contains(inv.Args, "click") && !a.Success {
		a.Success, a.ExitCode, a.Error, a.Data = true, 0, "", map[string]any{"clicked": inv.Args[len(inv.Args)-1]}
	}
	if p.claims && slices.Contains(inv.Args, "fill") && !a.Success {
		a.Success, a.ExitCode, a.Error, a.Data = true, 0, "", map[string]any{"filled": "x"}
	}
	if p.at != "" && slices.Contains(inv.Args, "url") {
		return backend.Answer{Started: true, Success: true, Data: map[string]any{"url": p.at}}
	}
	if p.dumb {
		if slices.Contains(inv.Args, "url") {
			return backend.Answer{Started: true, Error: "no answer"}
		}
		if m, ok := a.Data.(map[string]any); ok {
			delete(m, "url")
		}
	}
	return a
}

// ran counts the command lines that hold a word.
func (p *prose) ran(word string) (n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, line := range p.lines {
		if slices.Contains(line, word) {
			n++
		}
	}
	return n
}

func proseOn(t *testing.T, p *prose, html string) *caller {
	t.Helper()
	p.Native = backend.OnManager(host())
	dir := t.TempDir()
	opened, err := tool.Open(tool.Options{Backend: p, SessionID: t.Name(), Cwd: dir, Env: map[string]string{"HOME": dir}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
	c := &caller{t: t, tool: opened, dir: dir}
	c.do("open", site.Show(html))
	return c
}

func TestProse(t *testing.T) {
	t.Parallel()
	const covered = `<!doctype html><title>0</title><button onclick="document.title++">Buy</button>
		<div style="position:fixed;inset:0;background:#fff">in the way</div>`
	t.Run("11.1 6.10 a click of which the page saw nothing", func(t *testing.T) {
		t.Parallel()
		p := &prose{claims: true}
		c := proseOn(t, p, covered)
		c.do("snapshot", "-i")
		r := c.try("click", "@e1")
		require.True(t, r.IsError, textOf(r))
		require.Equal(t, contract.UpstreamError, r.Details.FailureCategory)
		require.Equal(t, "no-native-event-observed", r.Details.ClickDispatch.Status)
		require.Equal(t, "button", r.Details.ClickDispatch.Target.Role)
		require.Contains(t, textOf(r), "Click dispatch diagnostic")
		require.Equal(t, 1, p.ran("click"), "it is not repeated")
		left := c.do("eval", "Object.getOwnPropertySymbols(window).map(String).includes('Symbol(skua.click)')")
		require.Equal(t, false, asJSON(left.Details.Data).(map[string]any)["result"], "the watch is gone")
	})
	t.Run("11.1 a click that arrives", func(t *testing.T) {
		t.Parallel()
		c := proseOn(t, &prose{}, `<!doctype html><title>0</title><button onclick="document.title++">Buy</button>`)
		c.do("snapshot", "-i")
		for _, target := range []string{"@e1", "xpath=//button"} {
			require.Nil(t, c.do("click", target).Details.ClickDispatch, target)
		}
		require.Equal(t, "2", textOf(c.do("get", "title")))
	})
	t.Run("11.1 what a find clicks is not watched", func(t *testing.T) {
		t.Parallel()
		c := proseOn(t, &prose{claims: true}, covered)
		require.Nil(t, c.try("find", "role", "button", "click", "--name", "Buy").Details.ClickDispatch)
	})
	t.Run("11.7 a scroll that moves nothing", func(t *testing.T) {
		t.Parallel()
		c := proseOn(t, &prose{},
			`<!doctype html><body style="overflow:hidden"><div style="height:90px;overflow:auto" class=secret-class><p style="height:900px">x`)
		r := c.try("scroll", "down", "800", "--selector", "body")
		require.Nil(t, r.Details.ScrollNoop, "only the page's own scroll is compared")
		still := proseOn(t, &prose{}, `<!doctype html><p>short`).try("scroll", "down", "800")
		require.True(t, still.IsError)
		require.NotNil(t, still.Details.ScrollNoop)
		require.Contains(t, asJSON(still.Details.ScrollNoop.Before), "containers")
	})
	t.Run("11.8 a combobox without options", func(t *testing.T) {
		t.Parallel()
		c := proseOn(t, &prose{}, `<!doctype html><input role=combobox aria-expanded=false aria-label=City>`)
		require.NotNil(t, c.do("find", "role", "combobox", "click", "--name", "City").Details.ComboboxFocus)
	})
	t.Run("11.10 an editor that rewords: the success stays", func(t *testing.T) {
		t.Parallel()
		c := proseOn(t, &prose{claims: true},
			`<!doctype html><div id=note contenteditable></div><script>note.addEventListener('input', () => { note.textContent = 'reworded' })</script>`)
		r := c.do("fill", "#note", "as meant")
		require.NotNil(t, r.Details.FillVerification)
		require.Equal(t, "reworded", r.Details.FillVerification.Actual)
	})
	t.Run("11.5 a text of several elements", func(t *testing.T) {
		t.Parallel()
		c := proseOn(t, &prose{}, `<!doctype html><p hidden>a</p><p>b</p>`)
		require.False(t, c.do("get", "text", "p").Details.SelectorTextVisibility.FirstMatchVisible)
	})
	t.Run("11.12 a second tracer is refused before it runs", func(t *testing.T) {
		t.Parallel()
		p := &prose{}
		c := proseOn(t, p, `<!doctype html><p>t`)
		c.do("trace", "start")
		r := c.try("profiler", "start")
		require.True(t, r.IsError)
		require.Contains(t, textOf(r), "Wrapper believes trace tracing is active")
		require.Zero(t, p.ran("profiler"))
		c.do("trace", "stop", c.dir+"/t.json")
	})
	t.Run("11.13 the address is asked for after a click, the title only when it is another page", func(t *testing.T) {
		t.Parallel()
		p := &prose{}
		next := site.Show(`<!doctype html><title>Next</title>`)
		c := proseOn(t, p, `<!doctype html><title>First</title><a href="`+next+`">on</a><button>stay</button>`)
		c.do("click", "text=stay")
		require.Zero(t, p.ran("title"))
		r := c.do("click", "text=on")
		require.Equal(t, next, r.Details.SessionTabTarget.URL)
		require.Equal(t, "Next", r.Details.SessionTabTarget.Title)
		require.Equal(t, 1, p.ran("title"))
	})
	t.Run("11.14 a page that was not seen yet", func(t *testing.T) {
		t.Parallel()
		p := &prose{}
		c := proseOn(t, p, `<!doctype html><title>First</title>`)
		c.do("open", site.Show(`<!doctype html><title>Second</title>`))
		p.dumb = true
		r := c.do("back")
		require.True(t, r.Details.SessionTabTargetUnknown)
		refused := c.try("get", "title")
		require.True(t, refused.IsError)
		require.Contains(t, textOf(refused), "active page became unverified")
		p.dumb = false
		require.False(t, c.do("get", "url").Details.SessionTabTargetUnknown)
		require.Equal(t, "First", textOf(c.do("get", "title")))
	})
	t.Run("12.7 12.5 after a local file's time is over its title is not asked for", func(t *testing.T) {
		t.Parallel()
		p := &prose{}
		c := proseOn(t, p, `<!doctype html><title>First</title>`)
		limit := 500.0
		for at, titles := range map[string]int{"file:///home/me/notes.html": 0, "http://a/": 1} {
			p.at = at
			before := p.ran("title")
			r := c.call(contract.Params{Args: []string{"wait", "60000"}, TimeoutMs: &limit})
			require.Equal(t, contract.TimedOut, r.Details.FailureCategory, textOf(r))
			require.Equal(t, at, r.Details.TimeoutPartialProgress.CurrentPage.URL)
			require.True(t, r.Details.TimeoutPartialProgress.LiveURLRecovered)
			require.Equal(t, titles, p.ran("title")-before)
		}
	})
}
