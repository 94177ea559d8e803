package judging

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/limits"
)

func TestWatchdog(t *testing.T) {
	t.Parallel()
	l := limits.Defaults()
	const s = time.Second
	tests := map[string]struct {
		line  []string
		stdin string
		hangs bool
		want  time.Duration
	}{
		"12.1 nothing asked":    {line: []string{"click", "@e1"}, want: 35 * s},
		"12.2 a wait of a time": {line: []string{"wait", "60000"}, want: 35*s + 61*s + 5*s},
		"12.2 a wait with a limit": {
			line: []string{"wait", "#a", "--timeout", "40000"},
			want: 35*s + 40*s + 5*s,
		},
		"12.2 with a unit": {
			line: []string{"wait", "#a", "--timeout", "2m"},
			want: 35*s + 120*s + 5*s,
		},
		"12.2 a wait that is help": {line: []string{"wait", "60000", "--help"}, want: 35 * s},
		"12.2 read, which asks again and again": {
			line: []string{"read", "http://a/b/c", "--timeout", "1000"},
			want: 35*s + 6*s + 5*s,
		},
		"12.2 read of an index": {line: []string{
			"read", "http://a/b/c", "--llms", "index", "--timeout",
			"1000",
		}, want: 35*s + 3*s + 5*s},
		"12.2 read as it is": {
			line: []string{"read", "http://a/b/c", "--raw", "--timeout", "1000"},
			want: 35*s + 1*s + 5*s,
		},
		"12.2 what the registry says": {
			line: []string{"mouse", "move", "1", "2", "--duration", "9000"},
			want: 35*s + 9*s + 5*s,
		},
		"12.2 a batch sums up": {
			line:  []string{"batch"},
			stdin: `[["wait","1000"],["click","@e1"],["wait","#a","--timeout","3000"]]`, want: 35*s + 2*s + 3*s + 5*s,
		},
		"12.2 a batch of strings": {
			line: []string{"batch", "wait 1000", "wait 1000"},
			want: 35*s + 4*s + 5*s,
		},
		"12.2 a batch that cannot be read":          {line: []string{"batch"}, stdin: `[`, want: 35 * s},
		"12.3 dialog":                               {line: []string{"dialog", "accept"}, want: 5 * s},
		"12.3 dialog, natively":                     {line: []string{"dialog", "status"}, hangs: false, want: 5 * s},
		"12.3 a click that may open one":            {line: []string{"click", "#open-dialog"}, hangs: true, want: 8 * s},
		"12.3 script that opens one":                {line: []string{"eval", "confirm('x')"}, hangs: true, want: 8 * s},
		"12.3 a click on something else":            {line: []string{"click", "#save"}, hangs: true, want: 35 * s},
		"12.3 reading is not a trigger":             {line: []string{"get", "text", "#dialog"}, hangs: true, want: 35 * s},
		"12.3 where dialogs are seen nothing hangs": {line: []string{"click", "#open-dialog"}, want: 35 * s},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(tt.line)
			var stdin []byte
			if tt.stdin != "" {
				stdin = []byte(tt.stdin)
			}
			rows, _ := argv.Batch(&w, stdin)
			require.Equal(t, tt.want, Watchdog(&w, rows, l, tt.hangs))
		})
	}
}

func TestProgress(t *testing.T) {
	t.Parallel()
	rows := func(lines ...string) (planned []argv.Words) {
		for _, l := range lines {
			planned = append(planned, argv.Read(strings.Fields(l)))
		}
		return planned
	}
	batch := argv.Read([]string{"batch", "--bail"})
	open := argv.Read([]string{"open", "http://a/"})
	live := &contract.PageTarget{URL: "http://a/", Title: "A"}
	none := func(string) (int64, bool) { return 0, false }
	done := func(words ...string) backend.Row { return backend.Row{Command: words, Success: true} }
	tests := map[string]struct {
		e       Expired
		steps   []string // the state of each
		want    []string // ids
		params  contract.NextParams
		page    *contract.PageTarget
		live    bool
		opened  bool
		nothing bool
	}{
		"12.5 12.6 natively the rows that ended are known": {
			e: Expired{Planned: rows("open http://a/", "click @e1", "wait --text Done", "get title"), Rows: []backend.Row{
				done("open"), done("click"), {Code: fault.Timeout, Error: "late"}, {Skipped: true},
			}, Live: live, Session: Session{Name: "s"}},
			steps: []string{"completed", "completed", "unknown", "pending"}, want: []string{"retry-timeout-step"},
			params: contract.NextParams{Args: []string{"--session", "s", "wait", "--text", "Done"}}, page: live, live: true,
			opened: true,
		},
		"12.6 what may have happened is not repeated": {
			e: Expired{
				Planned: rows("open http://a/", "click @e1"),
				Rows:    []backend.Row{done("open"), {Code: fault.Timeout}}, Live: live,
			},
			steps: []string{"completed", "unknown"}, want: []string{"inspect-current-page-after-timeout"},
			params: contract.NextParams{Args: []string{"snapshot", "-i"}}, page: live, live: true, opened: true,
		},
		"12.5 a row that had failed before": {
			e: Expired{
				Planned: rows("click #no", "wait 99999"),
				Rows:    []backend.Row{{Code: fault.SelectorNotFound, Error: "no"}, {Code: fault.Canceled}}, Live: live,
			},
			steps: []string{"failed", "unknown"}, want: []string{"inspect-current-page-after-timeout"}, page: live, live: true,
		},
		"12.5 a subprocess has said nothing: what the page and the disk show": {
			e: Expired{
				Planned: rows("open http://a", "screenshot a.png", "get title"), Live: live,
				Stat: func(p string) (int64, bool) { return 9, p == "/w/a.png" }, Cwd: "/w",
			},
			steps: []string{"completed", "completed", "unknown"}, want: []string{"retry-timeout-step"}, page: live, live: true,
			opened: true,
		},
		"12.5 12.6 a fresh session that never answered": {
			e:     Expired{Planned: rows("open http://a/", "get title"), Fresh: true, Session: Session{Name: "piab-x-fresh-1"}},
			steps: []string{"unknown", "unknown"}, want: []string{"retry-timeout-step"},
			params: contract.NextParams{Args: []string{"open", "http://a/"}, SessionMode: contract.Fresh},
			page:   &contract.PageTarget{URL: "http://a/"},
		},
		"12.5 one command has a page and no steps": {e: Expired{Line: &open, Live: live}, page: live, live: true},
		"12.5 one command of a session that says nothing": {
			e:    Expired{Line: &open},
			page: &contract.PageTarget{URL: "http://a/"},
		},
		"12.5 nothing is known": {e: Expired{Line: &batch}, nothing: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if tt.e.Line == nil {
				tt.e.Line = &batch
			}
			if tt.e.Stat == nil {
				tt.e.Stat = none
			}
			p, list := Progress(&tt.e)
			if tt.nothing {
				require.Nil(t, p)
				require.Nil(t, list)
				return
			}
			var steps []string
			for i, s := range p.Steps {
				require.Equal(t, i+1, s.Index)
				steps = append(steps, s.Status)
			}
			require.Equal(t, tt.steps, steps)
			require.Equal(t, append([]string{}, tt.want...), ids(list))
			if !tt.params.IsZero() {
				require.Equal(t, tt.params, list[0].Params)
			}
			require.Equal(t, tt.page, p.CurrentPage)
			require.Equal(t, tt.live, p.LiveURLRecovered)
			require.Equal(t, tt.opened, p.OpenedButPostOpenTimeout)
			require.True(t, strings.HasPrefix(ProgressText(p, func(int) string { return "" }), "Timeout partial progress:"))
		})
	}
	t.Run("12.6 only steps that can do no harm say how to repeat them", func(t *testing.T) {
		t.Parallel()
		for line, want := range map[string]bool{
			"wait #a": true, "snapshot -i": true, "screenshot a.png": true, "open http://a/": true, "get url": true,
			"console": true, "cookies set a b": true,
			"click @e1": false, "fill @e1 x": false, "keyboard type x": false, "press Enter": false, "select @e1 x": false,
			"check @e1": false,
			"eval 1":    false, "reload": false, "close": false, "record start a.webm": false, "unheard of": false,
		} {
			w := argv.Read(strings.Fields(line))
			require.Equal(t, want, repeatable(&w), line)
		}
	})
	t.Run("12.5 the text lists six steps", func(t *testing.T) {
		t.Parallel()
		e := Expired{
			Planned: rows("wait 1", "wait 2", "wait 3", "wait 4", "wait 5", "wait 6", "wait 7", "wait 8"),
			Line:    &batch, Stat: none, Generated: []string{"", "open.loadState"},
		}
		p, _ := Progress(&e)
		text := ProgressText(p, func(int) string { return "" })
		require.Contains(t, text, "6. wait 6")
		require.NotContains(t, text, "7. wait 7")
		require.Contains(t, text, "2 more")
		require.Equal(t, "open.loadState", p.Steps[1].GeneratedFrom)
	})
	t.Run("12.5 planned files", func(t *testing.T) {
		t.Parallel()
		e := Expired{
			Planned: rows("screenshot #a shots/a.png", "pdf /d/b.pdf", "download #a c.csv", "wait --download d.csv",
				"screenshot"), Line: &batch, Cwd: "/w",
			Stat: func(p string) (int64, bool) { return 7, p == "/d/b.pdf" },
		}
		p, _ := Progress(&e)
		require.Equal(t, []contract.PlannedArtifact{
			{Path: "shots/a.png", AbsolutePath: "/w/shots/a.png", State: "missing", StepIndex: 1},
			{Path: "/d/b.pdf", AbsolutePath: "/d/b.pdf", Exists: true, State: "present", SizeBytes: new(int64(7)), StepIndex: 2},
			{Path: "c.csv", AbsolutePath: "/w/c.csv", State: "missing", StepIndex: 3},
			{Path: "d.csv", AbsolutePath: "/w/d.csv", State: "missing", StepIndex: 4},
		}, p.Artifacts)
	})
}
