package diagnose_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/sessiontest"
)

// The source of the script below, whose map has these places:
//
//	1 export function sum(cart: Cart) {
//	2   const doubled = cart.total * 2;
//	3   return doubled + 1;
//	4 }
const (
	minified = "function s(e){const n=e.total*2;return n+1}window.sum=s;\n//# sourceMappingURL=app.min.js.map\n"
	itsMap   = `{"version":3,"sources":["src/cart.ts"],"names":["sum","cart","doubled"],` +
		`"mappings":"AAAA,SAAgBA,EAAIC,GAClB,MAAMC,EAAUD,UAChB,OAAOC"}`
)

// logpointPage opens a page with that script, and one that is served as it is written.
func logpointPage(t *testing.T) *sessiontest.Client {
	t.Helper()
	folder := site.Answering(func(w http.ResponseWriter, r *http.Request) {
		switch r.PathValue("rest") {
		case "app.min.js":
			_, _ = io.WriteString(w, minified)
		case "app.min.js.map":
			_, _ = io.WriteString(w, itsMap)
		case "plain.js":
			_, _ = io.WriteString(w,
				"function plain(list) {\n\tconst own = {list};\n\town.own = own;\n\treturn list.length;\n}\n")
		default:
			sessiontest.WritePage(w, `<!doctype html><title>Cart</title>
				<script>names = Reflect.ownKeys(globalThis).length</script>
				<script src=app.min.js></script><script src=plain.js></script>`)
		}
	})
	c := host.NewClient(t)
	c.Do("open", site.URL(folder+"page"))
	return c
}

// valuesOf waits until so many values came.
func valuesOf(c *sessiontest.Client, n int) (got diagnose.LogpointValues) {
	c.T.Helper()
	require.Eventually(c.T, func() bool {
		got = sessiontest.Decode[diagnose.LogpointValues](c.T, c.Do("logpoint", "values").Result.Data)
		return len(got.Values) >= n
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	return got
}

// The value at a line of TypeScript is read in a minified script, in the names of the source.
func TestLogpointMapped(t *testing.T) {
	t.Parallel()
	c := logpointPage(t)
	before := c.Page("names")
	keys := c.Page("Reflect.ownKeys(globalThis).length")
	reply := c.Do("logpoint", "set", "src/cart.ts:3", "[doubled, cart.total, 'doubled']")
	require.Contains(t, reply.Result.Text, "✓ Logpoint [1] src/cart.ts:3")
	require.Contains(t, reply.Result.Text, "(app.min.js:1:41, as [n, e.total, 'doubled'])")
	require.Equal(t, keys, c.Page("Reflect.ownKeys(globalThis).length"), "the page has no further global")
	require.EqualValues(t, 43, c.Page("sum({total: 21})"))
	v := valuesOf(c, 1).Values[0]
	require.Equal(t, `[42,21,"doubled"]`, v.Text)
	require.False(t, v.Failed)
	require.Equal(t, "src/cart.ts", v.Stack[0].URL)
	require.Equal(t, 3, v.Stack[0].Line)
	require.Contains(t, c.Do("logpoint", "values").Result.Text, "at src/cart.ts:3:")

	c.Do("reload")
	require.Equal(t, before, c.Page("names"), "also where the page's first script looks")
	c.Do("console")
	c.Page("console.log('once'), sum({total: 1})")
	again := valuesOf(c, 2).Values[1]
	require.Equal(t, `[2,1,"doubled"]`, again.Text)
	require.Equal(t, "src/cart.ts", again.Stack[0].URL)
	require.Contains(t, c.Do("logpoint", "set", "cart.ts:2", "cart").Result.Text, "as e)", "in the script of now")
	c.Do("logpoint", "clear", "2")
	require.Equal(t, 1, strings.Count(c.Do("console").Result.Text, "once"), "the console has each message once")
	require.Equal(t, "✓ 1 logpoint removed", c.Do("logpoint", "clear").Result.Text)
	require.Equal(t, "No logpoints", c.Do("logpoint", "list").Result.Text)
	c.Page("sum({total: 2})")
	require.Equal(t, "No values", c.Do("logpoint", "values").Result.Text)
}

func TestLogpointServed(t *testing.T) {
	t.Parallel()
	c := logpointPage(t)
	c.Do("logpoint", "set", "plain.js:4", "own")
	c.Do("logpoint", "set", "plain.js:2", "missing.name")
	require.Contains(t, c.Do("logpoint", "list").Result.Text, "plain.js:4 own")
	require.EqualValues(t, 2, c.Page(`(() => { debugger; return plain(["a", 10n]) })()`), "a debugger statement does not pause")
	texts := map[string]string{}
	for _, v := range valuesOf(c, 2).Values {
		texts[v.ID] = v.Text
		require.Equal(t, v.ID == "2", v.Failed)
	}
	require.Equal(t, map[string]string{
		"1": `{"list":["a","10n"],"own":"(circular)"}`, "2": "ReferenceError: missing is not defined",
	}, texts)
	c.Page(`for (let i = 0; i < 1100; i++) plain([])`)
	require.Eventually(t, func() bool {
		return sessiontest.Decode[diagnose.LogpointValues](t, c.Do("logpoint", "values").Result.Data).Dropped >= 1200
	}, sessiontest.CommandLimit, 10*time.Millisecond)
	c.Do("logpoint", "clear", "2")
	require.NotContains(t, c.Do("logpoint", "list").Result.Text, "missing")

	for _, tt := range []struct {
		name, says string
		code       fault.Code
		args       []string
	}{
		{"no line", "file:line", fault.Usage, []string{"set", "plain.js", "x"}},
		{"line 0", "from 1", fault.Usage, []string{"set", "plain.js:0", "x"}},
		{"other file", "no script of the page", fault.TargetUnsuitable, []string{"set", "none.ts:3", "x"}},
		{"line behind the end", "", fault.TargetUnsuitable, []string{"set", "plain.js:400", "x"}},
		{"place of another", "has logpoint 1 already", fault.TargetUnsuitable, []string{"set", "plain.js:4", "list"}},
		{"no expression", "not an expression", fault.Usage, []string{"set", "plain.js:3", "a b"}},
		{"unknown id", "no logpoint 9", fault.Usage, []string{"clear", "9"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Contains(t, c.In(t).Fails(tt.code, append([]string{"logpoint"}, tt.args...)...).Error(), tt.says)
		})
	}
	require.Len(t, strings.Split(c.Do("logpoint", "list").Result.Text, "\n"), 1)
}
