package look_test

import (
	"encoding/base64"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

func TestEvalValues(t *testing.T) {
	t.Parallel()
	path := site.Write(`<title>Page</title><script>shared = 'page'</script>`)
	c := host.Opened(t, path)
	origin := site.URL(path)
	tests := []struct {
		name   string
		script []string
		text   string
		data   object // beside origin
	}{
		{"string", []string{"document.title"}, `"Page"`, object{"result": "Page"}},
		{"string with signs", []string{`'a"b\\<&\n'`}, `"a\"b\\<&\n"`, object{"result": "a\"b\\<&\n"}},
		{"number", []string{"6 * 7"}, "42", object{"result": 42.0}},
		{"boolean", []string{"1 > 2"}, "false", object{"result": false}},
		{"null", []string{"null"}, "null", object{"result": nil}},
		{
			"object",
			[]string{"({ a: 1, b: [] })"},
			"{\n  \"a\": 1,\n  \"b\": []\n}",
			object{"result": object{"a": 1.0, "b": []any{}}},
		},
		{"list", []string{"[1, 'two']"}, "[\n  1,\n  \"two\"\n]", object{"result": []any{1.0, "two"}}},
		{"undefined", []string{"undefined"}, "undefined", object{"result": nil, "unserializable": "undefined"}},
		{"NaN", []string{"NaN"}, "NaN", object{"result": nil, "unserializable": "NaN"}},
		{"minus zero", []string{"-0"}, "-0", object{"result": nil, "unserializable": "-0"}},
		{"infinity", []string{"0 - Infinity"}, "-Infinity", object{"result": nil, "unserializable": "-Infinity"}},
		{"big integer", []string{"10n"}, "10n", object{"result": nil, "unserializable": "10n"}},
		{"element", []string{"document.body"}, "{}", object{"result": object{}}},
		{"promise", []string{"Promise.resolve(3)"}, "3", object{"result": 3.0}},
		{"await", []string{"await Promise.resolve(3) + 1"}, "4", object{"result": 4.0}},
		{"await in statements", []string{"let r = await fetch(location.href); r.status"}, "200", object{"result": 200.0}},
		{"several words", []string{"1", "+", "1"}, "2", object{"result": 2.0}},
		{"statements", []string{"let x = 3; x * 2"}, "6", object{"result": 6.0}},
		{"names declared again", []string{"let x = 4; x * 2"}, "8", object{"result": 8.0}},
		{"names declared again, with await", []string{"const x = await 5; x * 2 // ends so"}, "10", object{"result": 10.0}},
		{"names declared before", []string{"x"}, "3", object{"result": 3.0}},
		{"the page's own world", []string{"shared"}, `"page"`, object{"result": "page"}},
		{"base64", []string{"-b", base64.StdEncoding.EncodeToString([]byte("'ü' + 1"))}, `"ü1"`, object{"result": "ü1"}},
		{"many characters", []string{"'x'.repeat(3e6).length"}, "3000000", object{"result": 3e6}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			reply := c.In(t).Do(append([]string{"eval"}, tt.script...)...)
			require.Equal(t, tt.text, reply.Result.Text)
			tt.data["origin"] = origin
			require.Empty(t, cmp.Diff(tt.data, sessiontest.WithoutEffect(t, reply)))
		})
	}
}

func TestEvalFromStdin(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "")
	require.Equal(t, "3", c.DoWith("// a comment\n1 +\n2\n", "eval", "--stdin").Result.Text)
	require.Equal(t, "5",
		c.DoWith(base64.StdEncoding.EncodeToString([]byte("2 + 3")), "eval", "--stdin", "-b").Result.Text)
	c.Failed(c.TryWith("1", "eval", "--stdin", "2"), fault.Usage)
	c.Failed(c.TryWith("", "eval", "--stdin"), fault.Usage)
}

func TestEvalChangesThePage(t *testing.T) {
	t.Parallel()
	there := site.Write(`<title>There</title>`)
	c := host.Showing(t, `<p id=p>Before</p>`)
	c.Do("eval", "p.textContent = 'After'")
	require.Equal(t, "After", c.Do("get", "text", "#p").Result.Text)
	reply := c.Do("eval", "location = '"+there+"'; 1")
	require.Contains(t, sessiontest.Told(reply), "the page is now "+site.URL(there))
	require.Equal(t, "There", c.Do("get", "title").Result.Text)
}

func TestEvalFailures(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "")
	tests := []struct {
		name   string
		script []string
		code   fault.Code
		says   string
	}{
		{"exception", []string{"throw new Error('boom')"}, fault.EvalFailed, "Evaluation error: Error: boom"},
		{"exception of a value", []string{"throw 'boom'"}, fault.EvalFailed, `boom`},
		{"unknown name", []string{"nosuch"}, fault.EvalFailed, "Evaluation error: ReferenceError: nosuch is not defined"},
		{
			"rejected promise",
			[]string{"Promise.reject(new TypeError('no'))"},
			fault.EvalFailed,
			"Evaluation error: TypeError: no",
		},
		{"rejected await", []string{"await Promise.reject(new TypeError('no'))"}, fault.EvalFailed, "TypeError: no"},
		{"no script", []string{"if ("}, fault.EvalFailed, "Evaluation error: SyntaxError"},
		{"symbol", []string{"Symbol('s')"}, fault.EvalFailed, "cannot be turned into JSON"},
		{"cycle", []string{"var o = {}; o.o = o; o"}, fault.EvalFailed, "Return a string, a number, or a plain object"},
		{"window", []string{"window"}, fault.EvalFailed, "cannot be turned into JSON"},
		{"bad base64", []string{"-b", "%%"}, fault.Usage, "Invalid base64 encoding"},
		{"nothing", nil, fault.Usage, "Missing arguments for: eval"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := c.In(t).Fails(tt.code, append([]string{"eval"}, tt.script...)...)
			require.Contains(t, err.Error(), tt.says)
		})
	}
}

// A script that never ends is ended by the deadline, and the session goes on with another page.
func TestEvalWithoutEnd(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, "<title>Page</title>")
	err := c.Fails(fault.Timeout, "eval", "--timeout", "200", "new Promise(() => {})")
	require.Contains(t, err.Error(), "eval")
	require.Equal(t, "Page", c.Page("document.title"))
}

func TestEvalWhileThePageLeaves(t *testing.T) {
	t.Parallel()
	there := site.Write(`<title>There</title>`)
	c := host.Showing(t, "")
	err := c.Fails(fault.EvalFailed, "eval", "location = '"+there+"'; new Promise(() => {})")
	require.Contains(t, err.Error(), "the page navigated away while the script ran")
	require.Equal(t, "There", c.Do("get", "title").Result.Text)
}

// A script whose tab another caller closes has not ended.
func TestEvalInATabThatIsClosed(t *testing.T) {
	t.Parallel()
	g := site.Gate(t, "")
	c := host.ShowingFresh(t, "")
	c.Do("tab", "new", site.URL(site.Write("")))
	reply := c.Start("eval", "fetch('"+g.Path+"').then(() => 'done')")
	g.WaitAsked(t)
	c.Do("tab", "close", "t2")
	err := c.Failed(<-reply, fault.PageGone, "eval")
	require.Contains(t, err.Error(), "another command closed the tab")
}
