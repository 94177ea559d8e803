package backend

import (
	"errors"
	"testing"
	"time"

	"github.com/skua-browser/skua/session/replydata"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// ranWith is a process that printed this.
func ranWith(stdout, stderr string, exit int, args ...string) *ran {
	r := &ran{args: append([]string{"--json"}, args...), out: &output{}, stderr: &tail{}, exit: exit}
	_, _ = r.out.Write([]byte(stdout))
	_, _ = r.stderr.Write([]byte(stderr))
	return r
}

func TestEnvelopes(t *testing.T) {
	t.Parallel()
	data := func(pairs ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i].(string)] = pairs[i+1]
		}
		return m
	}
	titled := fact.Facts{Page: fact.Shown{Title: "T"}}
	tests := map[string]struct {
		stdout string
		exit   int
		want   Answer
	}{
		"4.8 19.4 data": {
			`{"success":true,"data":{"title":"T"},"error":null}`, 0,
			Answer{Success: true, Data: data("title", "T"), ResultFacts: titled},
		},
		"4.8 the browser's life is apart": {
			`{"success":true,"data":{"url":"u","lifecycle":{"launched":true}},"error":null}`, 0,
			Answer{Success: true, Data: data("url", "u"), Lifecycle: &replydata.Lifecycle{Launched: true}},
		},
		"4.8 no data": {`{"success":true}`, 0, Answer{Success: true}},
		"4.8 the rest is the data": {
			`{"success":true,"tools":[1],"n":2}`, 0,
			Answer{Success: true, Data: data("tools", []any{1.0}, "n", 2.0)},
		},
		"4.8 plugins": {`{"plugins":[]}`, 0, Answer{Success: true, Data: data("plugins", []any{})}},
		"4.8 a plugin": {
			`{"plugin":{"name":"p"}}`, 0,
			Answer{Success: true, Data: data("plugin", data("name", "p"))},
		},
		"4.8 plugins and more":         {`{"plugins":[],"x":1}`, 0, Answer{ParseError: "missing boolean success field"}},
		"4.8 no success field":         {`{"data":{}}`, 0, Answer{ParseError: "missing boolean success field"}},
		"4.8 success is not a boolean": {`{"success":"yes"}`, 0, Answer{ParseError: "success field must be boolean"}},
		"4.8 a text":                   {`"done"`, 0, Answer{ParseError: "neither an object nor an array"}},
		"4.8 two values":               {`{"success":true} {"success":true}`, 0, Answer{ParseError: "more follows"}},
		"4.8 no JSON":                  {`✓ Done`, 0, Answer{ParseError: "invalid JSON"}},
		"4.8 nothing":                  {"\n", 0, Answer{ParseError: "returned no JSON output"}},
		"4.8 a batch": {
			`[{"command":["get","title"],"success":true,"result":{"title":"T"},"error":null}]`, 0,
			Answer{
				Success: true,
				Rows:    []Row{{Command: []string{"get", "title"}, Success: true, Result: data("title", "T"), ResultFacts: titled}},
			},
		},
		"4.8 a batch without rows": {`[]`, 0, Answer{Success: true, Rows: []Row{}}},
		"4.8 4.10 a batch with a row that failed": {
			`[{"command":["click","#a"],"success":false,"result":null,"error":"Nope"},{"success":true}]`, 1,
			Answer{ExitCode: 1, Rows: []Row{{Command: []string{"click", "#a"}, Error: "Nope"}, {Success: true}}},
		},
		"4.8 a batch with a row that is not an object": {`[1]`, 0, Answer{ParseError: "row 0"}},
		"4.8 a code": {
			`{"success":false,"data":{"targetId":"x"},"error":"tab_gone: x","code":"tab_gone"}`, 1,
			Answer{ExitCode: 1, Data: data("targetId", "x"), Error: "tab_gone: x", Code: fault.TabGone},
		},
		"4.8 bad usage": {
			`{"error":"Unknown command: x","success":false,"type":"unknown_command"}`, 1,
			Answer{ExitCode: 1, Error: "Unknown command: x", Code: fault.Usage},
		},
		"4.8 a success that ended badly": {
			`{"success":true,"data":{}}`, 2,
			Answer{ExitCode: 2, Data: data(), Error: "agent-browser get title reported failure (exit code 2)."},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := ranWith(tt.stdout, "", tt.exit, "get", "title").answer(Invocation{Args: []string{"get", "title"}})
			if tt.want.ParseError != "" {
				require.False(t, a.Success)
				require.Contains(t, a.ParseError, tt.want.ParseError)
				require.Equal(t, a.ParseError, a.Error)
				return
			}
			tt.want.Started = true
			require.Equal(t, tt.want, a)
		})
	}
}

// Each case also has everything that comes later in the order.
func TestErrorsInTheirOrder(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		change func(*ran)
		stdout string
		stderr string
		want   string
	}{
		"4.9 the watchdog": {func(r *ran) {
			r.timedOut = true
		}, "x", "✗ E", "agent-browser timed out: it had not ended after 35000 ms, and the watchdog ended it."},
		"4.9 the caller": {func(r *ran) {
			r.aborted = true
		}, "x", "✗ E", "agent-browser was aborted: the caller gave the call up."},
		"4.9 the start": {func(r *ran) {
			r.spawnErr = errors.New("no fork")
		}, "x", "✗ E", "agent-browser could not be started: no fork"},
		"4.9 the form": {
			nil, `{"success":1}`, "✗ E",
			"agent-browser returned invalid JSON: its success field must be boolean",
		},
		"4.9 the envelope's text": {nil, `{"success":false,"error":"Nope"}`, "✗ E", "Nope"},
		"4.9 the envelope's object": {
			nil, `{"success":false,"error":{"code":1,"cause":{"message":"Deep"},"stderr":"S"}}`,
			"✗ E", "Deep",
		},
		"4.9 its details":  {nil, `{"success":false,"error":{"details":"D","cause":"C"}}`, "", "D"},
		"4.9 stderr":       {nil, `{"success":false,"error":null}`, "✗ Gone wrong\n", "Gone wrong"},
		"4.9 stderr alone": {nil, ``, "Unknown command: x", "Unknown command: x"},
		"4.9 a failure":    {nil, `{"success":false}`, "", "agent-browser click #a reported failure (exit code 1)."},
		"4.9 an exit":      {nil, ``, "", "agent-browser click #a exited with code 1."},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := ranWith(tt.stdout, tt.stderr, 1, "click", "#a")
			if tt.change != nil {
				tt.change(r)
			}
			a := r.answer(Invocation{Args: []string{"click", "#a"}, Timeout: 35 * time.Second})
			require.False(t, a.Success)
			require.Equal(t, tt.want, a.Error)
		})
	}
	t.Run("4.9 text without --json", func(t *testing.T) {
		t.Parallel()
		r := ranWith("", "✗ Element not found: #a\n", 1)
		r.args = []string{"click", "#a"}
		require.Equal(t, "Element not found: #a", r.answer(Invocation{}).Error)
		r = ranWith("agent-browser 0.41.2\n", "", 0)
		r.args = []string{"--version"}
		a := r.answer(Invocation{})
		require.True(t, a.Success)
		require.Equal(t, "agent-browser 0.41.2", a.Text)
	})
}

func TestChoose(t *testing.T) {
	t.Parallel()
	native := OnManager(nil)
	env := func(pairs ...string) func(string) string {
		return func(name string) string {
			for i := 0; i < len(pairs); i += 2 {
				if pairs[i] == name {
					return pairs[i+1]
				}
			}
			return ""
		}
	}
	tests := map[string]struct {
		choice Choice
		want   Name
		path   string
	}{
		"nothing is said": {Choice{}, NameNative, ""},
		"a flag":          {Choice{Flag: "subprocess", AgentBrowser: "/a"}, NameSubprocess, "/a"},
		"the environment": {
			Choice{Getenv: env("SKUA_BACKEND", "subprocess", "SKUA_AGENT_BROWSER", "/b")},
			NameSubprocess, "/b",
		},
		"a configuration":             {Choice{Config: "subprocess", ConfiguredPath: "/c"}, NameSubprocess, "/c"},
		"a flag over the environment": {Choice{Flag: "native", Getenv: env("SKUA_BACKEND", "subprocess")}, NameNative, ""},
		"the environment over a config": {
			Choice{Config: "subprocess", Getenv: env("SKUA_BACKEND", "native")},
			NameNative,
			"",
		},
		"paths by themselves": {Choice{
			Flag: "subprocess", Getenv: env("SKUA_AGENT_BROWSER", "/b"),
			ConfiguredPath: "/c",
		}, NameSubprocess, "/b"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tt.choice.Native = native
			chosen, err := Choose(tt.choice)
			require.NoError(t, err)
			require.Equal(t, tt.want, chosen.Name())
			if s, ok := chosen.(*Subprocess); ok {
				require.Equal(t, tt.path, s.options.Path)
			}
		})
	}
	_, err := Choose(Choice{Getenv: env("SKUA_BACKEND", "chrome")})
	require.ErrorContains(t, err, `SKUA_BACKEND names an unknown backend "chrome"`)
	require.Equal(t, fault.Usage, fault.CodeOf(err))
}
