package diagnose_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// consoleText is what `console` prints once it has so many lines.
func consoleText(c *sessiontest.Client, lines int, args ...string) string {
	c.T.Helper()
	var text string
	c.Until(fmt.Sprintf("%d lines of the console", lines), func() bool {
		text = c.Do(append([]string{"console"}, args...)...).Result.Text
		return text != "" && strings.Count(text, "\n") >= lines-1
	})
	return text
}

// entries are the messages, or the errors, that a command tells in its data.
func entries(c *sessiontest.Client, command string, atLeast int, args ...string) []object {
	c.T.Helper()
	key := map[string]string{"console": "messages", "errors": "errors"}[command]
	var list []object
	c.Until(command, func() bool {
		list = nil
		for _, e := range c.Data(append([]string{command}, args...)...)[key].([]any) {
			list = append(list, e.(object))
		}
		return len(list) >= atLeast
	})
	return list
}

func TestConsoleText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ script, want string }{
		"strings": {`console.log("a", "b c")`, `[log] a b c`},
		"values": {
			`console.log(1, -0, NaN, true, null, undefined, 10n, Symbol("s"))`,
			`[log] 1 -0 NaN true null undefined 10n Symbol(s)`,
		},
		"objects":          {`console.log("a", {x: 1}, [1])`, `[log] a {x: 1} [1]`},
		"nested":           {`console.log({a: {b: [1, "two"]}, f() {}, n: null})`, `[log] {a: {…}, f: ƒ, n: null}`},
		"array of strings": {`console.log(["a", 'b"c'])`, `[log] ["a", "b\"c"]`},
		"map":              {`console.log(new Map([["k", 1]]))`, `[log] Map(1) {"k" => 1}`},
		"set":              {`console.log(new Set([1, "x"]))`, `[log] Set(2) {1, "x"}`},
		"class":            {`class P { constructor() { this.x = 1 } }; console.log(new P)`, `[log] P {x: 1}`},
		"types": {
			`console.info("i"); console.debug("d"); console.warn("w"); console.error("e")`,
			"[info] i\n[debug] d\n[warning] w\n[error] e",
		},
		"strings in them": {
			`console.log("%s is %d, %i, %f of 100%% %x", "it", 3.7, "8", 1.5, "rest")`,
			`[log] it is 3, 8, 1.5 of 100% %x rest`,
		},
		"style":            {`console.log("%cred%c plain", "color: red", "")`, `[log] red plain`},
		"object specifier": {`console.log("%o and %O", {a: 1}, [2])`, `[log] {a: 1} and [2]`},
		"no number":        {`console.log("%d %d", "x", {})`, `[log] NaN NaN`},
		"missing":          {`console.log("%s %s", "one")`, `[log] one %s`},
		"percent alone":    {`console.log("100%", 5)`, `[log] 100% 5`},
		"not a format":     {`console.log(1, "%s", 2)`, `[log] 1 %s 2`},
		"count":            {`console.count(); console.count("x")`, "[count] default: 1\n[count] x: 1"},
		"assert":           {`console.assert(true, "no"); console.assert(false, "yes")`, `[assert] yes`},
		"group": {
			`console.group("g"); console.log("in"); console.groupEnd()`,
			"[startGroup] g\n[log] in\n[endGroup] console.groupEnd",
		},
		"regexp and date": {`console.log(/a+/g, new Date(NaN))`, `[log] /a+/g Invalid Date`},
		"function":        {`console.log(function f() { return 1 })`, `[log] function f() { return 1 }`},
		"element":         {`console.log(document.createElement("p"))`, `[log] p`},
	}
	asked := host.NewClient(t)
	asked.Do("open")
	require.Empty(t, asked.Do("console").Result.Text)
	for name, test := range tests {
		page, lines := site.Write("<script>"+test.script+"</script>"), strings.Count(test.want, "\n")+1
		t.Run(name+" after", func(t *testing.T) {
			c := asked.In(t)
			c.Do("console", "--clear")
			c.Do("open", site.URL(page))
			require.Equal(t, test.want, consoleText(c, lines))
		})
		t.Run(name+" before", func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			c.Do("open", site.URL(page))
			require.Equal(t, test.want, consoleText(c, lines))
		})
	}
}

// What was logged before anybody asked has the same texts, objects included, as what comes after.
func TestConsoleOfBeforeAndAfter(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<script>console.log("before", {a: [1, 2]}, new Error("bad"))
		function later() { console.log("after", {b: 2}) }</script>`)
	text := consoleText(c, 2)
	require.True(t, strings.HasPrefix(text, "[log] before {a: Array(2)} Error: bad\n    at http://"), text)
	c.Page("later()")
	messages := entries(c, "console", 2)
	last := messages[len(messages)-1]
	require.Equal(t, "after {b: 2}", last["text"])
	require.Equal(t, "log", last["type"])
	require.Equal(t, c.Page("location.href"), last["url"])
	require.Equal(t, []any{2.0, 30.0}, []any{last["line"], last["column"]}, "counted from 1")
	require.Contains(t, last["stack"], "at later (")
	require.Equal(t, "t1", last["tab"])
	require.Equal(t, "object", last["args"].([]any)[1].(object)["type"])
	require.InDelta(t, c.Page("Date.now()"), last["timestamp"], 120_000)
}

func TestConsoleTypes(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<script>console.log("l"); console.warn("w"); console.error("e"); console.assert(false, "a")</script>`)
	for types, want := range map[string]string{
		"error,warning": "[warning] w\n[error] e\n[assert] a", "warn": "[warning] w", "log": "[log] l", "debug": "",
	} {
		require.Equal(t, want, c.Do("console", "--type", types).Result.Text)
	}
	require.Equal(t, "[log] l\n[warning] w", c.Do("console", "--type", "log", "--type", "warn").Result.Text)
	err := c.Fails(fault.Usage, "console", "--type", "bogus")
	require.Contains(t, err.Error(), "--type does not know 'bogus'. Types are: assert, clear,")
}

func TestConsoleClear(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<script>console.log("old"); addEventListener("error", () => log.push("error")); setTimeout(() => { throw "thrown" })</script>`)
	c.Do("wait", "--fn", "log.length == 1")
	reply := c.Do("console", "--clear")
	require.Equal(t, "✓ Console log cleared", reply.Result.Text)
	require.Empty(t, c.Do("console").Result.Text)
	require.Len(t, entries(c, "errors", 1), 1, "errors are not messages")
	require.Equal(t, "✓ Page errors cleared", c.Do("errors", "--clear").Result.Text)
	require.Empty(t, c.Do("errors").Result.Text)
	c.Page(`console.log("new")`)
	require.Equal(t, "[log] new", consoleText(c, 1))
}

func TestConsoleOfTabs(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, `<script>console.log("one")</script>`)
	c.Do("tab", "new", site.URL(site.Write(`<script>console.log("two")</script>`)))
	require.Equal(t, "[log] one\n[log] two", consoleText(c, 2))
	require.Equal(t, "[log] one", c.Do("console", "--tab", "t1").Result.Text)
	require.Equal(t, "[log] two", c.Do("console", "--tab", "t2").Result.Text)
	c.Do("--tab", "t1", "console", "--clear")
	require.Equal(t, "[log] two", c.Do("console").Result.Text)
}

func TestConsoleOfFramesAndWorkers(t *testing.T) {
	t.Parallel()
	frame := site.Write(
		`<script>console.log("in a frame", {deep: 1}); setTimeout(() => { throw new Error("of the frame") })</script>`)
	const worker = `<script>const worker = new Worker(URL.createObjectURL(new Blob(["console.log('in a worker', {w: 1});` +
		`onmessage = () => { console.log('asked', {w: 2}); throw new Error('of the worker') }; postMessage(1)"])));
		worker.onmessage = () => log.push("ready"); worker.onerror = () => log.push("failed")</script>`
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			if when == "after" {
				c.Do("open")
				require.Empty(t, c.Do("console").Result.Text)
			}
			c.Do("open", site.URL(site.Write(`<iframe src="`+site.Elsewhere(frame)+`"></iframe>`+worker)))
			c.Do("wait", "--fn", "log.includes('ready')")
			consoleText(c, 2)
			c.Page("worker.postMessage(1), 1")
			c.Do("wait", "--fn", "log.includes('failed')")
			consoleText(c, 3)
			texts := map[any]object{}
			for _, m := range entries(c, "console", 3) {
				texts[m["text"]] = m
			}
			require.Len(t, texts, 3, "each is told once")
			require.Equal(t, site.Elsewhere(frame), texts["in a frame {deep: 1}"]["url"])
			require.Contains(t, texts["in a worker {w: 1}"]["worker"], "blob:")
			require.NotEmpty(t, texts["asked {w: 2}"])
			errs := map[any]object{}
			for _, e := range entries(c, "errors", 2) {
				text, _, _ := strings.Cut(e["text"].(string), "\n")
				errs[text] = e
			}
			require.Len(t, errs, 2)
			require.Contains(t, errs["Error: of the worker"]["worker"], "blob:")
		})
	}
}

// The browser tells of the in-page script as of any other; its messages are not the page's.
func TestConsoleIsThePages(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<button onclick="console.log('clicked')">Go</button>`)
	c.Do("console")
	c.Do("snapshot")
	c.Do("click", "button")
	c.Do("wait", "button")
	require.Equal(t, "[log] clicked", consoleText(c, 1))
}

func TestConsoleIsBounded(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<p>Loud`)
	c.Env["SKUA_CONSOLE_ENTRIES"] = "10"
	c.Do("console")
	c.Page(`for (let i = 0; i < 100; i++) console.log("m" + i), 0`)
	c.Until("the last message", func() bool { return strings.HasSuffix(c.Do("console").Result.Text, "m99") })
	data := c.Data("console")
	require.Len(t, data["messages"], 10)
	require.Equal(t, 90.0, data["dropped"])
	c.Page(`console.log("x".repeat(5e6), {long: "y".repeat(5e6)})`)
	var last object
	c.Until("the long message", func() bool {
		messages := entries(c, "console", 1)
		last = messages[len(messages)-1]
		return last["truncated"] == true
	})
	require.Less(t, len(last["text"].(string)), 70_000)
	require.True(t, strings.HasPrefix(last["text"].(string), "xxxx"))
	c.Env["SKUA_CONSOLE_BYTES"] = "1"
	require.Len(t, c.Data("console")["messages"], 1, "the newest one always stays")
	c.Env["SKUA_CONSOLE_BYTES"] = "much"
	require.Contains(t, c.Fails(fault.Usage, "console").Error(),
		"SKUA_CONSOLE_BYTES must be a whole number of 1 or more, got 'much'")
}

func TestErrors(t *testing.T) {
	t.Parallel()
	broken := site.Answering(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusNotFound) })
	for _, when := range []string{"before", "after"} {
		t.Run(when, func(t *testing.T) {
			t.Parallel()
			c := host.NewClient(t)
			if when == "after" {
				c.Do("open")
				require.Empty(t, c.Do("errors").Result.Text)
			}
			path := site.Write("<!doctype html><script>log = []\n  setTimeout(() => { throw new Error('thrown') })\n" +
				"  Promise.reject(new TypeError('rejected'))\n  setTimeout(() => { throw 'a string' }, 1)</script><img src='" +
				broken + "x.png' onerror='log.push(1)'>")
			c.Do("open", site.URL(path))
			errs := map[string]object{}
			for _, e := range entries(c, "errors", 4) {
				text, _, _ := strings.Cut(e["text"].(string), "\n")
				errs[text] = e
			}
			url := site.URL(path)
			place := func(e object) []any { return []any{e["source"], e["url"], e["line"], e["column"]} }
			require.Equal(t, []any{"exception", url, 2.0, 28.0}, place(errs["Error: thrown"]))
			require.Equal(t, []any{"rejection", url, 3.0, 18.0}, place(errs["TypeError: rejected"]))
			require.Equal(t, []any{"exception", url, 4.0, 22.0}, place(errs["Uncaught a string"]))
			require.Contains(t, errs["Error: thrown"]["stack"], url+":2:")
			failed := errs["Failed to load resource: the server responded with a status of 404 (Not Found)"]
			require.Equal(t, []any{"network", site.URL(broken + "x.png"), nil, nil}, place(failed))
			require.Equal(t, "t1", failed["tab"])

			text := c.Do("errors").Result.Text
			require.Contains(t, text, "✗ Error: thrown\n    at "+url+":2:")
			require.Contains(t, text, "✗ (in promise) TypeError: rejected\n    at "+url+":3:")
			require.Contains(t, text, "✗ Uncaught a string\n    at "+url+":4:22")
			require.Contains(t, text,
				"✗ [network] Failed to load resource: the server responded with a status of 404 (Not Found)\n    at "+
					site.URL(broken))
		})
	}
}

// A rejection that is handled in time after all is not an error.
func TestErrorsThatAreTakenBack(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<p>Late`)
	c.Do("errors")
	c.Page(
		`addEventListener("unhandledrejection", () => log.push("unhandled")); addEventListener("rejectionhandled", () => log.push("handled"));
		window.late = Promise.reject(new Error("late")), 0`)
	c.Do("wait", "--fn", "log.includes('unhandled')")
	require.Len(t, entries(c, "errors", 1), 1)
	c.Page("late.catch(() => {}), 0")
	c.Do("wait", "--fn", "log.includes('handled')")
	c.Until("the error to go", func() bool { return c.Do("errors").Result.Text == "" })
}

// A question that comes while a dialog keeps the page from answering says so, and costs nothing.
func TestConsoleBehindADialog(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<script>console.log("first")</script><button onclick="confirm('Sure?')">Ask</button>`)
	c.Do("--no-auto-dialog", "click", "button")
	c.Fails(fault.DialogOpen, "console")
	c.Do("dialog", "accept")
	require.Equal(t, "[log] first", consoleText(c, 1))
}

// Another tab whose main thread is stuck does not keep the first question waiting, and tells what it has when it comes
// round.
func TestConsoleBesideAStuckTab(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, `<script>console.log("one")</script>`)
	gate := site.Gate(t, "")
	c.Do("tab", "new", site.URL(site.Write(`<script>console.log("two"); function stick() {
		setTimeout(() => { const ask = new XMLHttpRequest(); ask.open("GET", "`+gate.Path+
		`", false); ask.send() }) }</script>`)))
	c.Page("stick()")
	gate.WaitAsked(t)
	require.Equal(t, "[log] one", c.Do("--tab", "t1", "console").Result.Text)
	gate.Open()
	require.Equal(t, "[log] one\n[log] two", consoleText(c, 2))
}
