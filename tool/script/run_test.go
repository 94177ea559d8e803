package script_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/script"
)

// answering is a browser that answers each call with its words.
func answering(_ context.Context, c script.Call) script.Reply {
	words := make([]any, len(c.Args))
	for i, a := range c.Args {
		words[i] = a
	}
	return script.Reply{
		OK: true, Data: map[string]any{"words": words}, ResultCategory: contract.Success,
		SuccessCategory: contract.Completed, Summary: "done", Text: "done",
	}
}

func run(t *testing.T, source string) script.Outcome {
	t.Helper()
	return script.Run(t.Context(), script.Program{Source: source, Timeout: 5 * time.Minute, Browser: answering})
}

func TestWhatComesOut(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		source string
		want   any
	}{
		"2.8.5 one emission is the value": {
			`emit({a: [1, "x", null, true]})`,
			map[string]any{"a": []any{1.0, "x", nil, true}},
		},
		"2.8.5 several emissions in order": {
			`emit(1); emit("two"); emit([3]); return 4`,
			[]any{1.0, "two", []any{3.0}},
		},
		"2.8.5 the value of the body":             {`return {a: 1, gone: undefined}`, map[string]any{"a": 1.0}},
		"2.8.5 what is emitted is as it was then": {`const o = {a: 1}; emit(o); o.a = 2`, map[string]any{"a": 1.0}},
		"2.8.5 null is a value":                   {`return null`, nil},
		"2.8.1 the body is async":                 {`const x = await Promise.resolve(2); return x * 2`, 4.0},
		"2.8.1 a comment at its end":              {"return 1 // the end", 1.0},
		"2.8.3 the reply": {
			`const r = await browser({args: ["get", "title"]}); return [r.ok, r.data.words, r.summary, r.text, r.resultCategory, r.successCategory]`, []any{true, []any{"get", "title"}, "done", "done", "success", "completed"},
		},
		"2.8.4 serialized under Promise.all": {
			`const all = await Promise.all(["a", "b", "c"].map(w => browser({args: [w]}))); return all.map(r => r.data.words[0])`, []any{"a", "b", "c"},
		},
		"2.8.2 the language is there": {
			`return [new Map([[1, 2]]).get(1), /a(?=b)/.test("ab"), [3, 1, 2].sort().join("-"), "x".repeat(3), JSON.stringify({a: [1]}), new Date(0).toISOString(), [..."ab"].length, [1, [2, [3]]].flat(9).length]`, []any{2.0, true, "1-2-3", "xxx", `{"a":[1]}`, "1970-01-01T00:00:00.000Z", 2.0, 3.0},
		},
		"2.8.2 guarded functions do what they did": {
			`return ["a,b,c".split(",").join("|"), "a-b-c".replaceAll("-", "+"), "abc".replace(/b/, m => m.toUpperCase()), "x".padStart(3, "ab"), [1, 2, 3].includes(2), Math.max.apply(null, [1, 9, 3]), Array.from({length: 2}, (_, i) => i), [[1, 2], [3]] + "", JSON.stringify({a: 1, b: {a: 2}}, ["a"]), JSON.stringify([{a: 1}], null, 1), Array.prototype.slice.call("abc", 1), [,1].join()]`, []any{"a|b|c", "a+b+c", "aBc", "abx", true, 9.0, []any{0.0, 1.0}, "1,2,3", `{"a":1}`, "[\n {\n  \"a\": 1\n }\n]", []any{"b", "c"}, ",1"},
		},
		"2.8.2 a list that contains itself": {`const a = [1]; a.push(a); return String(a)`, "1,"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(t, tt.source)
			require.Empty(t, got.Failure, got.Message)
			require.True(t, got.HasData)
			require.Equal(t, tt.want, got.Data)
		})
	}
	t.Run("2.8.5 nothing", func(t *testing.T) {
		t.Parallel()
		got := run(t, `await browser({args: ["get", "title"]})`)
		require.Empty(t, got.Failure)
		require.False(t, got.HasData)
	})
}

func TestWhatFails(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		source   string
		category contract.FailureCategory
		says     string
	}{
		"2.8.13 an exception": {
			"\nthrow new TypeError('no row')", contract.ScriptError,
			"TypeError: no row (line 2)",
		},
		"2.8.13 a value that is not an error":  {`throw {code: 3}`, contract.ScriptError, "The script failed"},
		"2.8.13 a promise that is not awaited": {`Promise.reject(new Error("lost")); await 1`, contract.ScriptError, "lost"},
		"2.8.13 a promise that stays":          {`await new Promise(() => {})`, contract.ScriptError, "nothing will settle"},
		"2.8.1 what is not a script":           {`let = ;`, contract.ScriptError, "could not be read"},
		"2.8.1 what ends the function":         {`}); (async () => {`, contract.ScriptError, "body of one async function"},
		"2.8.1 too long": {
			"//" + strings.Repeat("x", script.SourceBytes), contract.ValidationError,
			"script must be 65536 bytes or less.",
		},
		"2.8.5 a function is not JSON": {`emit(() => 1)`, contract.ScriptError, "value is a function"},
		"2.8.5 undefined is not JSON":  {`emit(undefined)`, contract.ScriptError, "value is undefined"},
		"2.8.5 NaN is not JSON":        {`emit({a: [0/0]})`, contract.ScriptError, "value.a[0] is NaN"},
		"2.8.5 a promise is not JSON": {
			`emit(browser({args: ["get", "title"]}))`, contract.ScriptError,
			"await it first",
		},
		"2.8.5 a map is not JSON":    {`emit({m: new Map()})`, contract.ScriptError, "value.m is a Map"},
		"2.8.5 what contains itself": {`const a = {}; a.a = a; emit(a)`, contract.ScriptError, "contains itself"},
		"2.8.6 the output of emit": {
			`for (let i = 0; i < 7; i++) emit("x".repeat(10000))`, contract.ScriptError,
			"output must be 65536 bytes or less",
		},
		"2.8.6 the output of return": {
			`return "x".repeat(70000)`, contract.ScriptError,
			"output must be 65536 bytes or less",
		},
		"2.8.4 too many calls": {
			`for (;;) await browser({args: ["get", "title"]})`, contract.ValidationError,
			"call limit exceeded",
		},
		"2.8.4 too many at once": {
			`await Promise.all(Array.from({length: 30}, () => browser({args: ["x"]})))`,
			contract.ValidationError, "call limit exceeded",
		},
		"2.8.9 no object": {
			`await browser("get title")`, contract.ValidationError,
			"browser takes one object",
		},
		"2.8.9 no args": {
			`await browser({stdin: "x"})`, contract.ValidationError,
			"browser needs args",
		},
		"2.8.9 other words": {
			`await browser({args: ["get", 1]})`, contract.ValidationError,
			"must be strings",
		},
		"2.8.9 another parameter": {
			`await browser({args: ["get"], session: "x"})`, contract.ValidationError,
			"browser does not know session",
		},
		"2.8.9 timeoutMs": {
			`await browser({args: ["get"], timeoutMs: -1})`, contract.ValidationError,
			"timeoutMs must be a positive integer",
		},
		"2.8.2 eval":                          {`eval("1")`, contract.ScriptError, "disabled"},
		"2.8.2 eval by another name":          {`(0, globalThis.eval)("1")`, contract.ScriptError, "disabled"},
		"2.8.2 Function":                      {`new Function("return 1")()`, contract.ScriptError, "disabled"},
		"2.8.2 the constructor of a function": {`(() => 1).constructor("return 1")()`, contract.ScriptError, "disabled"},
		"2.8.2 of a built-in one": {
			`[].map.constructor.constructor("return 1")()`, contract.ScriptError,
			"disabled",
		},
		"2.8.2 of browser": {`browser.constructor("return 1")()`, contract.ScriptError, "disabled"},
		"2.8.2 of an async one": {
			`(async () => 1).constructor("return 1")()`, contract.ScriptError,
			"disabled",
		},
		"2.8.2 of a generator": {
			`(function* () {}).constructor("return 1")()`, contract.ScriptError,
			"disabled",
		},
		"2.8.2 by its prototype": {
			`Object.getPrototypeOf(async function () {}).constructor("return 1")()`,
			contract.ScriptError, "disabled",
		},
		"2.8.2 by Reflect": {
			`Reflect.construct(Function, ["return 1"])`, contract.ScriptError,
			"disabled",
		},
		"2.8.2 as a class": {
			`class F extends Function {}; new F("return 1")()`, contract.ScriptError,
			"disabled",
		},
		"2.8.2 import":         {`await import("fs")`, contract.ScriptError, ""},
		"2.8.2 deep recursion": {`const f = () => f() + 1; f()`, contract.ScriptError, "nested too deep"},
		"2.8.2 repeat":         {`"x".repeat(2 ** 30)`, contract.ScriptError, "RangeError"},
		"2.8.2 padStart":       {`"x".padStart(2 ** 30)`, contract.ScriptError, "RangeError"},
		"2.8.2 replaceAll": {
			`"x".repeat(1e6).replaceAll("x", "y".repeat(1e6))`, contract.ScriptError,
			"RangeError",
		},
		"2.8.2 replace with an expression": {
			`"x".repeat(1e6).replace(/x/g, "y".repeat(1e6))`, contract.ScriptError,
			"RangeError",
		},
		"2.8.2 join": {
			`Array(1e5).fill("x".repeat(1e6)).join()`, contract.ScriptError,
			"RangeError",
		},
		"2.8.2 arrays in arrays as text": {
			`let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; return String(a)`,
			contract.ScriptError, "RangeError",
		},
		"2.8.2 arrays in arrays as JSON": {
			`let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; return JSON.stringify(a)`, contract.ScriptError,
			"RangeError",
		},
		"2.8.2 arrays in arrays flat": {
			`let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; return a.flat(Infinity)`, contract.ScriptError,
			"RangeError",
		},
		"2.8.2 arrays in arrays come out": {
			`let a = ["x"]; for (let i = 0; i < 60; i++) a = [a, a]; return a`,
			contract.ScriptError, "more than 1048576 bytes",
		},
		"2.8.2 a long list": {`new Array(2 ** 32 - 1).fill(1)`, contract.ScriptError, "RangeError"},
		"2.8.2 what says it is long": {
			`Array.prototype.indexOf.call({length: 2 ** 53 - 1}, 1)`,
			contract.ScriptError, "RangeError",
		},
		"2.8.2 what computes its length": {
			`Array.prototype.indexOf.call({get length() { return 5 }}, 1)`,
			contract.ScriptError, "RangeError",
		},
		"2.8.2 a proxy as a list": {
			`Array.prototype.forEach.call(new Proxy({}, {get: () => 2 ** 40}), x => x)`,
			contract.ScriptError, "RangeError",
		},
		"2.8.2 apply": {
			`Math.max.apply(null, {length: 2 ** 40})`, contract.ScriptError,
			"RangeError",
		},
		"2.8.2 from":        {`Array.from({length: 2 ** 40})`, contract.ScriptError, "RangeError"},
		"2.8.2 nested JSON": {`JSON.parse("[".repeat(5e6))`, contract.ScriptError, "RangeError"},
		"2.8.2 deep JSON": {
			`let a = []; for (let i = 0; i < 1e5; i++) a = [a]; JSON.stringify(a)`,
			contract.ScriptError, "RangeError",
		},
		"2.8.2 an expression that tracks back": {
			`/^(?=a)(a+)+$/.test("a".repeat(60) + "b")`, contract.ScriptError,
			"regular expression took more than",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := run(t, tt.source)
			require.Equal(t, tt.category, got.Failure, got.Message)
			require.Contains(t, got.Message, tt.says)
			require.False(t, got.HasData)
		})
	}
}

func TestOnlyTheLanguage(t *testing.T) {
	t.Parallel()
	t.Run("2.8.2 nothing else exists", func(t *testing.T) {
		t.Parallel()
		got := run(t,
			`return ["process", "require", "module", "fetch", "setTimeout", "setInterval", "console", "XMLHttpRequest", "WebAssembly", "Deno", "Bun", "ArrayBuffer", "BigInt"]
			.filter(name => typeof globalThis[name] !== "undefined")`)
		require.Empty(t, got.Failure, got.Message)
		require.Equal(t, []any{}, got.Data)
	})
	t.Run("2.8.2 Function is still what functions are", func(t *testing.T) {
		t.Parallel()
		got := run(t,
			`return [(() => 1) instanceof Function, (async () => 1).constructor === (async () => 2).constructor, typeof Function]`)
		require.Equal(t, []any{true, true, "function"}, got.Data, got.Message)
	})
}

func TestTheEnd(t *testing.T) {
	t.Parallel()
	busy := map[string]string{
		"2.8.7 a loop":                  `while (true) {}`,
		"2.8.7 a loop that catches":     `for (;;) { try { while (true) {} } catch {} finally { while (true) {} } }`,
		"2.8.7 promises for ever":       `const f = () => Promise.resolve().then(f); await f()`,
		"2.8.7 a generator for ever":    `function* g() { for (;;) yield 1 }; [...g()].length; Math.max(...g())`,
		"2.8.7 a function that calls":   `[1].sort((a, b) => { for (;;); }); Array(1e6).fill(0).map(() => Array(1e6).fill(0).reduce((a, b) => a + b, 0))`,
		"2.8.7 texts of texts of texts": `const a = Array(2000).fill(Array(2000).fill("")); for (;;) [a, a, a, a, a].sort()`,
	}
	for name, source := range busy {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Now()
			got := script.Run(t.Context(), script.Program{Source: source, Timeout: 300 * time.Millisecond, Browser: answering})
			require.Contains(t, []contract.FailureCategory{contract.TimedOut, contract.ScriptError}, got.Failure, got.Message)
			if got.Failure == contract.ScriptError {
				require.Contains(t, got.Message, "memory")
			} else {
				require.Contains(t, got.Message, "timed out after 300 ms")
			}
			require.Less(t, time.Since(began), 30*time.Second)
		})
	}
	t.Run("2.8.7 the caller gives up", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancelCause(t.Context())
		got := script.Run(ctx,
			script.Program{
				Source: `await browser({args: ["wait", "1"]}); while (true) {}`,
				Browser: func(context.Context, script.Call) script.Reply {
					cancel(errors.New("enough"))
					return script.Reply{OK: true}
				},
			})
		require.Equal(t, contract.Aborted, got.Failure, got.Message)
	})
	t.Run("2.8.7 a call has what the script has left", func(t *testing.T) {
		t.Parallel()
		var given []time.Duration
		got := script.Run(t.Context(), script.Program{
			Source: `await browser({args: ["a"]}); await browser({args: ["b"], timeoutMs: 5}); await browser({args: ["c"], timeoutMs: 600000})`, Timeout: time.Minute,
			Browser: func(ctx context.Context, c script.Call) script.Reply {
				given = append(given, c.Timeout)
				return answering(ctx, c)
			},
		})
		require.Empty(t, got.Failure, got.Message)
		require.Len(t, given, 3)
		require.LessOrEqual(t, given[0], time.Minute)
		require.Equal(t, 5*time.Millisecond, given[1])
		require.LessOrEqual(t, given[2], time.Minute)
	})
}

func TestMemory(t *testing.T) {
	t.Parallel()
	for name, source := range map[string]string{
		"2.8.2 a text that doubles":   `let s = "x"; for (;;) s += s`,
		"2.8.2 a list that grows":     `const a = []; for (;;) a.push({a: 1})`,
		"2.8.2 a list that catches":   `const a = []; for (;;) { try { for (;;) a.push([1, 2, 3]) } catch {} }`,
		"2.8.2 properties":            `const o = {}; for (let i = 0;; i++) o["k" + i] = i`,
		"2.8.2 texts of replacements": `const s = "x".repeat(1e6); const big = "y".repeat(1e6); s.replace(/x/g, () => big)`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := script.Run(t.Context(),
				script.Program{Source: source, Timeout: time.Minute, Memory: 8 << 20, Browser: answering})
			require.Equal(t, contract.ScriptError, got.Failure, got.Message)
			require.Contains(t, got.Message, "it needs more than 8 MiB of memory")
		})
	}
	t.Run("2.8.2 the bound of those that name none", func(t *testing.T) {
		got := script.Run(t.Context(),
			script.Program{Source: `let s = "x"; for (;;) s += s`, Timeout: time.Minute, Browser: answering})
		require.Contains(t, got.Message, "it needs more than 64 MiB of memory")
	})
	t.Run("2.8.2 garbage does not count", func(t *testing.T) {
		source := `let n = 0; for (let i = 0; i < 60; i++) n += "x".repeat(1e6).length; return n`
		got := script.Run(t.Context(),
			script.Program{Source: source, Timeout: time.Minute, Memory: 8 << 20, Browser: answering})
		require.Empty(t, got.Failure, got.Message)
		require.Equal(t, 6e7, got.Data)
	})
}

func TestCalls(t *testing.T) {
	t.Parallel()
	t.Run("2.8.4 one after the other", func(t *testing.T) {
		t.Parallel()
		var inside, most atomic.Int32
		got := script.Run(t.Context(), script.Program{
			Source: `await Promise.all([1, 2, 3, 4].map(n => browser({args: ["wait", String(n)]})))`,
			Browser: func(ctx context.Context, c script.Call) script.Reply {
				most.Store(max(most.Load(), inside.Add(1)))
				defer inside.Add(-1)
				return answering(ctx, c)
			},
		})
		require.Empty(t, got.Failure, got.Message)
		require.EqualValues(t, 1, most.Load())
		require.Len(t, got.Steps, 4)
	})
	t.Run("2.8.4 also what is not awaited", func(t *testing.T) {
		t.Parallel()
		got := run(t, `browser({args: ["a"]}).then(r => emit(r.data.words)); browser({args: ["b"]})`)
		require.Empty(t, got.Failure, got.Message)
		require.Len(t, got.Steps, 2)
		require.Equal(t, []any{"a"}, got.Data)
	})
	t.Run("2.8.9 a refused call fails the whole, also when it is handled", func(t *testing.T) {
		t.Parallel()
		got := script.Run(t.Context(), script.Program{
			Source: `const r = await browser({args: ["close"]}); emit([r.ok, r.failureCategory])`,
			Browser: func(context.Context, script.Call) script.Reply {
				return script.Refusal(contract.PolicyBlocked, "close is not for scripts")
			},
		})
		require.Equal(t, contract.PolicyBlocked, got.Failure)
		require.Len(t, got.Steps, 1)
	})
	t.Run("2.8.6 an answer that is too large", func(t *testing.T) {
		t.Parallel()
		large := func(context.Context, script.Call) script.Reply {
			return script.Reply{OK: true, Data: strings.Repeat("x", script.MessageBytes), ResultCategory: contract.Success}
		}
		got := script.Run(t.Context(),
			script.Program{
				Source:  `const r = await browser({args: ["a"]}); return [r.ok, r.failureCategory, r.error]`,
				Browser: large,
			})
		require.Empty(t, got.Failure, got.Message)
		list := got.Data.([]any)
		require.Equal(t, []any{false, "upstream-error"}, list[:2])
		require.Contains(t, list[2], "IPC response limit")
	})
	t.Run("2.8.6 all answers together", func(t *testing.T) {
		t.Parallel()
		large := func(context.Context, script.Call) script.Reply {
			return script.Reply{OK: true, Data: strings.Repeat("x", script.MessageBytes-1000), ResultCategory: contract.Success}
		}
		got := script.Run(t.Context(),
			script.Program{
				Source:  `const ok = []; for (let i = 0; i < 10; i++) ok.push((await browser({args: ["a"]})).ok); return ok`,
				Browser: large,
			})
		require.Empty(t, got.Failure, got.Message)
		require.Equal(t, []any{true, true, true, true, true, true, true, true, false, false}, got.Data)
	})
	t.Run("2.8.3 summary and text are cut", func(t *testing.T) {
		t.Parallel()
		long := func(context.Context, script.Call) script.Reply {
			return script.Reply{OK: true, Summary: strings.Repeat("s", 5000), Text: strings.Repeat("t", 50000)}
		}
		got := script.Run(t.Context(),
			script.Program{
				Source:  `const r = await browser({args: ["a"]}); return [r.summary.length, r.text.length]`,
				Browser: long,
			})
		require.Equal(t, []any{1024.0, 8192.0}, got.Data, got.Message)
	})
}

func TestWhatTheScriptDoesToReplies(t *testing.T) {
	t.Parallel()
	data := map[string]any{"__proto__": map[string]any{"ok": "polluted"}, "then": "x", "list": []any{1.0}}
	browser := func(context.Context, script.Call) script.Reply {
		return script.Reply{OK: true, Data: data, ResultCategory: contract.Success}
	}
	got := script.Run(t.Context(), script.Program{Browser: browser, Source: `
		const a = (await browser({args: ["a"]})).data
		a.list.push(2); a.added = 1
		Object.prototype.polluted = 1; JSON.parse = () => "mine"; Array.prototype.toJSON = function () { return "x" }
		delete Array.prototype.toJSON
		const b = (await browser({args: ["b"]})).data
		return [b.list.length, b.added === undefined, Object.prototype.hasOwnProperty.call(b, "__proto__"), {}.ok === undefined, await b === b]`})
	require.Empty(t, got.Failure, got.Message)
	require.Equal(t, []any{1.0, true, true, true, true}, got.Data, "2.8.2 2.8.3")
	require.Equal(t, []any{1.0}, data["list"], "the tool's own data is not the script's")
}

func BenchmarkCall(b *testing.B) {
	source := `for (let i = 0; i < 25; i++) await browser({args: ["get", "title"]})`
	for b.Loop() {
		if got := script.Run(b.Context(), script.Program{Source: source, Browser: answering}); got.Failure != "" {
			b.Fatal(got.Message)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/float64(b.N)/25, "us/call")
}
