package input

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestJobSteps(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		step, rows string
		from       string // the fields that rows were added for
	}{
		"2.3.6 open": {`{"action":"open","url":"https://x"}`, `[["open","https://x"]]`, ""},
		"2.3.6 open and wait": {
			`{"action":"open","url":"x","loadState":"networkidle"}`,
			`[["open","x"],["wait","--load","networkidle"]]`, ",open.loadState",
		},
		"2.3.7 click a selector": {`{"action":"click","selector":"#a"}`, `[["click","#a"]]`, ""},
		"2.3.7 click what it is": {
			`{"action":"click","locator":"role","role":"button","name":"Search"}`,
			`[["find","role","button","click","--name","Search"]]`, "",
		},
		"2.3.7 fill a selector": {`{"action":"fill","selector":"#a","text":"<b>&"}`, `[["fill","#a","<b>&"]]`, ""},
		"2.3.7 fill what it is": {
			`{"action":"fill","locator":"role","role":"searchbox","name":"Search","text":"a b"}`,
			`[["find","role","searchbox","fill","a b","--name","Search"]]`, "",
		},
		"2.3.8 type": {`{"action":"type","text":"hi"}`, `[["keyboard","type","hi"]]`, ""},
		"2.3.8 type into": {
			`{"action":"type","selector":"#a","text":"hi","press":"Enter"}`,
			`[["type","#a","hi"],["press","Enter"]]`, ",type.press",
		},
		"2.3.9 type slowly": {
			`{"action":"type","selector":"#a","text":"h😀i","delayMs":20,"press":"Enter"}`,
			`[["focus","#a"],["keyboard","type","h"],["wait","20"],["keyboard","type","😀"],["wait","20"],["keyboard","type","i"],["press","Enter"]]`, "type.selector,type.delayMs,type.delayMs,type.delayMs,type.delayMs,type.delayMs,type.press",
		},
		"2.3.9 one character has no wait": {
			`{"action":"type","text":"h","delayMs":20}`, `[["keyboard","type","h"]]`,
			"type.delayMs",
		},
		"2.3.10 select": {
			`{"action":"select","selector":"#a","values":["x","y"]}`,
			`[["select","#a","x","y"]]`, "",
		},
		"2.3.10 select one": {`{"action":"select","selector":"#a","value":"x"}`, `[["select","#a","x"]]`, ""},
		"2.3.10 wait":       {`{"action":"wait","milliseconds":250}`, `[["wait","250"]]`, ""},
		"2.3.10 assertText": {`{"action":"assertText","text":"Hello"}`, `[["wait","--text","Hello"]]`, ""},
		"2.3.10 waitForDownload": {
			`{"action":"waitForDownload","path":"a.zip"}`, `[["wait","--download","a.zip"]]`,
			"",
		},
		"2.3.10 screenshot": {`{"action":"screenshot","path":"a.png"}`, `[["screenshot","a.png"]]`, ""},
		"2.3.10 snapshot":   {`{"action":"snapshot"}`, `[["snapshot","-i"]]`, ""},
		"2.3.11 assertUrl": {
			`{"action":"assertUrl","url":"https://x/?a=b"}`,
			`[["wait","--url","https://x/?a=b"]]`, "",
		},
		"press": {`{"action":"press","key":"Enter"}`, `[["press","Enter"]]`, ""},
		"press on an element": {
			`{"action":"press","key":"Control+a","selector":"@e5"}`,
			`[["press","Control+a","@e5"]]`, "",
		},
		"check": {`{"action":"check","selector":"@e8"}`, `[["check","@e8"]]`, ""},
		"uncheck what it is": {
			`{"action":"uncheck","locator":"label","value":"I accept"}`,
			`[["find","label","I accept","uncheck"]]`, "",
		},
		"hover what it is": {
			`{"action":"hover","locator":"role","role":"row","name":"Order 7"}`,
			`[["find","role","row","hover","--name","Order 7"]]`, "",
		},
		"upload": {
			`{"action":"upload","selector":"@e9","path":"a b.pdf"}`,
			`[["upload","@e9","a b.pdf"]]`, "",
		},
		"upload several": {
			`{"action":"upload","selector":"@e9","values":["a.pdf","b.pdf"]}`,
			`[["upload","@e9","a.pdf","b.pdf"]]`, "",
		},
		"read":            {`{"action":"read"}`, `[["read"]]`, ""},
		"read an address": {`{"action":"read","url":"https://x/a"}`, `[["read","https://x/a"]]`, ""},
		"get":             {`{"action":"get","selector":"@e7"}`, `[["get","text","@e7"]]`, ""},
		"get an attribute": {
			`{"action":"get","value":"attr","selector":"@e7","name":"href"}`,
			`[["get","attr","@e7","href"]]`, "",
		},
		"get the address": {`{"action":"get","value":"url"}`, `[["get","url"]]`, ""},
		"waitForText": {
			`{"action":"waitForText","text":"Thank you"}`, `[["wait","--text","Thank you"]]`,
			"",
		},
		"waitForText, at most": {
			`{"action":"waitForText","text":"Thank you","milliseconds":60000}`,
			`[["wait","--text","Thank you","--timeout","60000"]]`, "",
		},
		"2.3.11 assertUrl, a pattern": {
			`{"action":"assertUrl","url":"**/shipping"}`, `[["wait","--url","**/shipping"]]`,
			"",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := compile(`{"job":{"steps":[` + tt.step + `]}}`)
			require.NoError(t, err)
			job := c.Details.CompiledJob
			require.Equal(t, tt.rows, job.Stdin)
			require.Equal(t, tt.rows, string(c.Stdin))
			var from []string
			for _, s := range job.Steps {
				from = append(from, s.GeneratedFrom)
			}
			require.Equal(t, tt.from, strings.Join(from, ","))
			require.Len(t, c.Rows, len(job.Steps))
		})
	}
}

func TestJob(t *testing.T) {
	t.Parallel()
	t.Run("2.3.1 2.3.2 2.3.12 a job is a batch, and nothing is added to it", func(t *testing.T) {
		t.Parallel()
		c, err := compile(
			`{"job":{"steps":[{"action":"open","url":"x"},{"action":"click","selector":"a"},{"action":"screenshot","path":"p.png"}]}}`)
		require.NoError(t, err)
		require.JSONEq(t,
			`{"args":["batch","--bail"],"failFast":true,"stdin":"[[\"open\",\"x\"],[\"click\",\"a\"],[\"screenshot\",\"p.png\"]]","steps":[
			{"action":"open","args":["open","x"]},{"action":"click","args":["click","a"]},{"action":"screenshot","args":["screenshot","p.png"]}]}`,
			marshal(t, c.Details.CompiledJob))
		require.Equal(t, []string{"batch", "--bail"}, c.Args)
	})
	t.Run("2.3.1 2.3.2 failFast off", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"job":{"failFast":false,"steps":[{"action":"open","url":"x"},{"action":"snapshot"}]}}`)
		require.NoError(t, err)
		require.Equal(t, []string{"batch"}, c.Args)
		require.False(t, c.Details.CompiledJob.FailFast)
	})
	t.Run("2.3.9 the longest text", func(t *testing.T) {
		t.Parallel()
		c, err := compile(`{"job":{"steps":[{"action":"type","delayMs":1,"text":"` + strings.Repeat("é", 200) + `"}]}}`)
		require.NoError(t, err)
		require.Len(t, c.Details.CompiledJob.Steps, 399)
	})
}

func TestWrongJobs(t *testing.T) {
	t.Parallel()
	one := func(step string) string { return `{"steps":[{"action":"snapshot"},` + step + `]}` }
	tests := map[string]struct{ params, message string }{
		"2.3.1 no steps":    {`{}`, "job.steps must be a non-empty array"},
		"2.3.1 empty steps": {`{"steps":[]}`, "job.steps must be a non-empty array"},
		"2.3.1 failFast": {
			`{"failFast":"no","steps":[{"action":"snapshot"}]}`,
			"job.failFast must be true or false",
		},
		"2.3.1 an unknown field": {
			`{"bail":true,"steps":[{"action":"snapshot"}]}`,
			`job does not support field "bail"`,
		},
		"2.3.3 2.3.5 an unknown action": {
			one(`{"action":"drag"}`),
			"job.steps[1].action must be one of open, click, fill, type, press, select, check, uncheck, hover, upload, read, " +
				"get, wait, waitForText, assertText, assertUrl, waitForDownload, screenshot, or snapshot",
		},
		"2.3.3 no action": {one(`{}`), "job.steps[1].action must be one of open, click"},
		"2.3.4 assertText": {
			one(`{"action":"assertText","text":"x","selector":"a"}`),
			"job step assertText does not support selector; it supports text",
		},
		"2.3.4 assertUrl": {
			one(`{"action":"assertUrl","url":"x","text":"a"}`),
			"job step assertUrl does not support text; it supports url",
		},
		"2.3.4 click": {
			one(`{"action":"click","selector":"x","text":"a"}`),
			"job step click does not support text; it supports locator, name, role, selector, and value",
		},
		"2.3.4 fill": {
			one(`{"action":"fill","selector":"x","text":"a","press":"Enter"}`),
			"job step fill does not support press; it supports locator, name, role, selector, value, and text",
		},
		"2.3.4 open": {
			one(`{"action":"open","url":"x","path":"a"}`),
			"job step open does not support path; it supports loadState and url",
		},
		"2.3.4 screenshot": {
			one(`{"action":"screenshot","path":"x","url":"a"}`),
			"job step screenshot does not support url; it supports path",
		},
		"2.3.4 select": {
			one(`{"action":"select","selector":"x","value":"a","name":"b"}`),
			"job step select does not support name; it supports selector, value, and values",
		},
		"2.3.4 snapshot": {
			one(`{"action":"snapshot","selector":"x"}`),
			"job step snapshot does not support selector; it supports no other field",
		},
		"2.3.4 type": {
			one(`{"action":"type","text":"x","value":"a"}`),
			"job step type does not support value; it supports delayMs, press, selector, and text",
		},
		"2.3.4 wait": {
			one(`{"action":"wait","milliseconds":5,"text":"a"}`),
			"job step wait does not support text; it supports milliseconds",
		},
		"2.3.4 waitForDownload": {
			one(`{"action":"waitForDownload","path":"x","url":"a"}`),
			"job step waitForDownload does not support url; it supports path",
		},
		"2.3.5 2.3.4 the step is named":      {one(`{"action":"wait","text":"a"}`), "job.steps[1]: job step wait"},
		"2.3.5 a step that is not an object": {one(`["open","x"]`), "job.steps[1] must be an object"},
		"2.3.6 an unknown load state": {
			one(`{"action":"open","url":"x","loadState":"idle"}`),
			"job.steps[1].loadState must be one of domcontentloaded, load, or networkidle",
		},
		"2.3.6 no url": {one(`{"action":"open"}`), "job.steps[1].url is required"},
		"2.3.7 both forms": {
			one(`{"action":"click","selector":"a","locator":"text","value":"x"}`),
			"job.steps[1].selector cannot be combined",
		},
		"2.3.7 neither form": {
			one(`{"action":"click"}`),
			"job.steps[1].selector or job.steps[1].locator is required",
		},
		"2.3.7 no text": {
			one(`{"action":"fill","selector":"a"}`),
			"job.steps[1].text is required for fill",
		},
		"2.3.8 no text to type": {one(`{"action":"type","selector":"a"}`), "job.steps[1].text is required"},
		"2.3.9 no delay": {
			one(`{"action":"type","text":"a","delayMs":0}`),
			"job.steps[1].delayMs must be a positive integer",
		},
		"2.3.9 a text that is too long": {
			one(`{"action":"type","delayMs":5,"text":"` + strings.Repeat("x", 201) + `"}`),
			"delayMs supports at most 200 characters",
		},
		"2.3.10 select without an option": {
			one(`{"action":"select","selector":"a"}`),
			"job.steps[1].value or job.steps[1].values is required for select",
		},
		"2.3.10 no time": {
			one(`{"action":"wait"}`),
			"job.steps[1].milliseconds must be a positive integer",
		},
		"2.3.10 half a millisecond": {
			one(`{"action":"wait","milliseconds":0.5}`),
			"job.steps[1].milliseconds must be a positive integer",
		},
		"press without a key": {one(`{"action":"press","selector":"@e1"}`), "job.steps[1].key is required"},
		"press has no press": {
			one(`{"action":"press","press":"Enter"}`),
			"job step press does not support press; it supports key and selector",
		},
		"upload nothing": {
			one(`{"action":"upload","selector":"@e1"}`),
			"job.steps[1].path or job.steps[1].values is required for upload",
		},
		"upload twice": {
			one(`{"action":"upload","selector":"@e1","path":"a","values":["b"]}`),
			"cannot both be given for upload",
		},
		"upload to nothing": {one(`{"action":"upload","path":"a"}`), "job.steps[1].selector is required"},
		"get what": {
			one(`{"action":"get","selector":"@e1","value":"color"}`),
			"job.steps[1].value must be one of text, value, attr, html, count, title, or url",
		},
		"get of nothing": {one(`{"action":"get"}`), "job.steps[1].selector is required"},
		"get the title of an element": {
			one(`{"action":"get","value":"title","selector":"@e1"}`),
			"job.steps[1].selector is not supported for get title",
		},
		"get no attribute": {
			one(`{"action":"get","value":"attr","selector":"@e1"}`),
			"job.steps[1].name is required",
		},
		"get an attribute's text": {
			one(`{"action":"get","selector":"@e1","name":"href"}`),
			"job.steps[1].name is the attribute of get attr",
		},
		"check with a text": {
			one(`{"action":"check","selector":"@e1","text":"x"}`),
			"job step check does not support text",
		},
		"hover neither form": {
			one(`{"action":"hover"}`),
			"job.steps[1].selector or job.steps[1].locator is required for hover",
		},
		"wait for no text": {one(`{"action":"waitForText"}`), "job.steps[1].text is required"},
		"2.3.13 a local page behind it": {
			`{"failFast":false,"steps":[{"action":"open","url":"file:///a.html"},{"action":"open","url":"https://x"},{"action":"snapshot"}]}`, "Leave failFast on (batch --bail), or split the job",
		},
	}
	for name, tt := range tests {
		tt.params = `{"job":` + tt.params + `}`
		tests[name] = tt
	}
	wrongs(t, tests)
}
