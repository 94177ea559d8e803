package showing

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/skua-browser/skua/actions/look"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/contract"
)

// shown shows a command whose answer is JSON, as a subprocess gives it.
func shown(t testing.TB, line, data string) (*Command, View) {
	t.Helper()
	w := argv.Read(strings.Fields(line))
	c := &Command{Words: &w, Success: true, Known: "http://a.test/", Keep: func(kind, ext, _ string) (string, error) {
		return "/spills/" + kind + ext, nil
	}}
	if data != "" {
		require.NoError(t, json.Unmarshal([]byte(data), &c.Data))
	}
	return c, Show(c)
}

func TestShow(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line, data string
		text       []string // pieces
		not        []string
		summary    string
	}{
		"8.1 small snapshot": {
			line:    "snapshot -i",
			data:    `{"origin":"http://a.test/","refs":{"e1":{"name":"Go","role":"button"}},"snapshot":"- button \"Go\" [ref=e1]"}`,
			text:    []string{"Origin: http://a.test/\nRefs: 1\n\n- button \"Go\" [ref=e1]"},
			summary: "Snapshot: 1 refs on http://a.test/",
		},
		"8.1 empty snapshot": {
			line: "snapshot -i", data: `{"origin":"about:blank","refs":{},"snapshot":""}`,
			text:    []string{"Refs: 0\n\n(no interactive elements)"},
			summary: "Snapshot: 0 refs on about:blank",
		},
		"8.8 title": {
			line: "get title", data: `{"title":"Shop"}`, text: []string{"Shop"},
			summary: "Title: Shop",
		},
		"8.8 empty title": {
			line: "get title", data: `{"title":""}`, text: []string{"(the page has no title)"},
			not: []string{"{"}, summary: "Title: (none)",
		},
		"8.8 eval": {
			line: "eval 1+1", data: `{"origin":"http://a.test/","result":2}`, text: []string{"2"},
			not: []string{"Origin"}, summary: "Eval result: 2",
		},
		"8.8 eval of another page": {
			line: "eval 1+1", data: `{"origin":"http://b.test/","result":2}`,
			text: []string{"2\nOrigin: http://b.test/"}, summary: "Eval result: 2",
		},
		"8.8 empty eval": {
			line: "eval ''", data: `{"origin":"http://a.test/","result":""}`,
			text: []string{`(empty text: "")`}, not: []string{"{"}, summary: `Eval result: (empty text: "")`,
		},
		"8.8 eval of nothing": {
			line: "eval x",
			data: `{"origin":"http://a.test/","result":null,"unserializable":"undefined"}`, text: []string{"undefined"},
			summary: "Eval result: undefined",
		},
		"8.8 eval of an object": {
			line: "eval x", data: `{"result":{"a":1}}`, text: []string{"{\n  \"a\": 1\n}"},
			summary: "Eval result: {",
		},
		"8.8 text": {
			line: "get text #p", data: `{"origin":"http://b.test/x","text":"Hello"}`,
			text: []string{"Hello\nOrigin: http://b.test/x"}, summary: "Text: Hello",
		},
		"8.8 count": {
			line: "get count a", data: `{"count":3,"selector":"a"}`, text: []string{"3"},
			summary: "Count: 3",
		},
		"8.8 data attribute": {
			line: "get dataset #i userId", data: `{"origin":"http://b.test/x","value":"u7"}`,
			text: []string{"u7\nOrigin: http://b.test/x"}, summary: "Dataset: u7",
		},
		"8.8 empty value": {
			line: "get value #i", data: `{"value":""}`, text: []string{"(empty value)"},
			summary: "Value: (empty)",
		},
		"8.8 question": {
			line: "is visible #p", data: `{"visible":true}`, text: []string{"true"},
			summary: "Visible: true",
		},
		"8.9 back": {
			line: "back", data: `{"title":"A","url":"http://a.test/1"}`,
			text: []string{"Went back: A — http://a.test/1"}, summary: "Went back: A — http://a.test/1",
		},
		"8.9 reload": {
			line: "reload", data: `{"url":"http://a.test/1"}`,
			text: []string{"Reloaded: http://a.test/1"}, summary: "Reloaded: http://a.test/1",
		},
		"8.9 click that led on": {
			line: "click #go",
			data: `{"clicked":"#go","href":"/two","url":"http://a.test/two","title":"Two"}`,
			text: []string{"Clicked: #go", "Href: /two", "Navigated: Two — http://a.test/two"}, summary: "Clicked: #go",
		},
		"8.9 click that stayed": {
			line: "click #go", data: `{"clicked":"#go","url":"http://a.test/","title":"A"}`,
			text: []string{"Clicked: #go", "Page: A — http://a.test/"}, not: []string{"Navigated"}, summary: "Clicked: #go",
		},
		"8.10 read": {
			line: "read",
			data: `{"content":"# Head\n\nText","contentType":"text/html","finalUrl":"http://a.test/","source":"active-tab-html","url":"http://a.test/"}`, text: []string{"# Head\n\nText\n\nSource: http://a.test/\nRead as: active-tab-html\nType: text/html"}, summary: "Read http://a.test/",
		},
		"8.11 8.18 tabs": {
			line: "tab list",
			data: `{"tabs":[{"active":true,"tabId":"t1","label":"main","title":"A","url":"http://a.test/","targetId":"0CAFE"},{"tabId":"t2","label":null,"title":"","url":"about:blank"}]}`, text: []string{"→ [t1] main: A — http://a.test/", "  [t2] about:blank"}, not: []string{"0CAFE"}, summary: "Tabs: 2",
		},
		"8.11 managed states": {
			line: "state list",
			data: `{"directory":"/d","files":[{"filename":"mine.json"},{"filename":"piab-r2-0123.json"}]}`,
			text: []string{"mine.json", "1 kept by the tool itself"}, not: []string{"piab"}, summary: "States: 1",
		},
		"11.6 scroll": {
			line: "scroll to end",
			data: `{"from":{"x":0,"y":0},"scrolled":true,"to":{"x":0,"y":70}}`, text: []string{"Scrolled from 0,0 to 0,70"},
			summary: "Scrolled from 0,0 to 0,70",
		},
		"8.18 tab closed": {
			line: "tab close", data: `{"closed":true,"tabId":"t2","activeTabId":"t1"}`,
			text: []string{"Tab closed: t2", "Active now: t1"}, summary: "Tab closed: t2",
		},
		"8.18 9.4 cookies": {
			line: "cookies",
			data: `{"cookies":[{"name":"sid","value":"[REDACTED]","domain":"a.test","path":"/","httpOnly":true}]}`,
			text: []string{"- sid (a.test/, httpOnly)"}, not: []string{"REDACTED"}, summary: "Cookies: 1",
		},
		"8.18 cookies cleared": {
			line: "cookies clear", data: `{"cleared":true}`, text: []string{"Cookies cleared"},
			summary: "Cookies cleared",
		},
		"8.18 storage": {
			line: "storage local", data: `{"data":{"theme":"dark","a":"b"}}`,
			text: []string{"a: b\ntheme: dark"}, summary: "Storage entries: 2",
		},
		"8.18 storage set": {
			line: "storage local set k v", data: `{"set":true}`, text: []string{"Storage set: k"},
			not: []string{" v"}, summary: "Storage set: k",
		},
		"8.18 storage cleared": {
			line: "storage session clear", data: `{"cleared":true}`,
			text: []string{"Storage cleared"}, summary: "Storage cleared",
		},
		"8.18 stream": {
			line: "stream enable", data: `{"enabled":true,"port":1234,"connected":true}`,
			text: []string{"Stream enabled", "ws://127.0.0.1:1234"}, summary: "Stream enabled",
		},
		"8.18 stream with a secret": {
			line: "stream enable",
			data: `{"enabled":true,"port":1234,"url":"ws://127.0.0.1:1234/ABC","connected":true}`,
			text: []string{"WebSocket: ws://127.0.0.1:1234/ABC ("}, summary: "Stream enabled",
		},
		"8.18 stream off": {
			line: "stream disable", data: `{"disabled":true}`, text: []string{"Stream disabled"},
			summary: "Stream disabled",
		},
		"8.12 8.18 stream as before": {
			line: "stream enable", data: `{"alreadyEnabled":true,"enabled":true,"port":1234}`,
			text: []string{"idempotent no-op", "1234"}, summary: "Stream already enabled (idempotent no-op)",
		},
		"8.18 doctor": {
			line: "doctor", data: `{"status":"ok","checks":[{"name":"chrome","status":"ok"}]}`,
			text: []string{"- name: chrome, status: ok"}, summary: "Doctor: ok",
		},
		"8.17 8.18 requests": {
			line: "network requests",
			data: `{"requests":[{"method":"GET","url":"data:image/png;base64,xx","status":200},{"method":"GET","requestId":"7","url":"http://a.test/api","status":500,"resourceType":"Fetch","responseBody":"no  way"},{"method":"GET","url":"http://a.test/favicon.ico","status":404}]}`,
			text: []string{
				"(of the whole session, not only of this page)",
				"[7] GET http://a.test/api (Fetch) 500\n    no way", "Failed: 1 actionable, 1 benign", "favicon.ico 404 (benign)",
				"Diagnostic noise hidden from preview: 1",
			},
			not:     []string{"data:image"},
			summary: "Network requests: 3",
		},
		"8.17 console": {
			line: "console",
			data: `{"messages":[{"type":"error","text":"bad","url":"http://a.test/a.js","line":3}]}`,
			text: []string{"[error] bad (http://a.test/a.js:3)"}, summary: "Console messages: 1",
		},
		"8.17 errors": {
			line: "errors", data: `{"errors":[{"text":"` + strings.Repeat("x", 300) + `"}]}`,
			text: []string{"xxx…"}, not: []string{strings.Repeat("x", 221)}, summary: "Page errors: 1",
		},
		"8.19 other data has no bookkeeping": {
			line: "set viewport 800 600", data: `{"height":600,"lifecycle":{"launched":true},"targetId":"0CAFE","width":800}`,
			text: []string{"height: 600\nwidth: 800"},
			not:  []string{"lifecycle", "0CAFE"}, summary: "height: 600",
		},
		"8.16 skills": {
			line: "skills get core",
			data: `{"name":"core","content":"Use it:\n` +
				"```bash\\n# first\\nagent-browser open https://a.test # now\\nagent-browser fill @e1 \\\"a " +
				"b\\\"\\nagent-browser eval --stdin <<'EOF'\\ndocument.title\\nEOF\\ncurl x | sh\\n```" + `\nThen ` +
				"`agent-browser snapshot -i`" + `."}`,
			text: []string{
				`{ "args": ["open","https://a.test"] }`, `{ "args": ["fill","@e1","a b"] }`,
				`{ "args": ["eval","--stdin"], "stdin": "document.title" }`, "curl x | sh",
				"Then `{ \"args\": [\"snapshot\",\"-i\"] }`.",
			},
			not:     []string{"# first", "# now", "EOF", "agent-browser"},
			summary: "Skill: core",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, v := shown(t, tt.line, tt.data)
			for _, piece := range tt.text {
				require.Contains(t, v.Text, piece)
			}
			for _, piece := range tt.not {
				require.NotContains(t, v.Text, piece)
			}
			require.Equal(t, tt.summary, v.Summary)
		})
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	for name, line := range map[string]string{"8.3 small": "get title --json", "8.3 failed": "click #x --json"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(line))
			c := &Command{
				Words: &w, JSON: true, Success: strings.HasPrefix(line, "get"), Data: map[string]any{"title": "A"},
				Error: "Element not found",
			}
			var got map[string]any
			require.NoError(t, json.Unmarshal([]byte(Show(c).Text), &got))
			require.Equal(t, c.Success, got["success"])
		})
	}
}

// bigPage is the snapshot of a page with much around what it is about.
func bigPage(rows int) string {
	var b strings.Builder
	refs := map[string]any{}
	n := 0
	line := func(depth int, role, name string) {
		n++
		refs[fmt.Sprintf("e%d", n)] = map[string]any{"role": role, "name": name}
		fmt.Fprintf(&b, "%s- %s %q [ref=e%d]\n", strings.Repeat("  ", depth), role, name, n)
	}
	b.WriteString("- banner\n")
	for i := range 20 {
		line(1, "link", fmt.Sprintf("Top %d", i))
	}
	b.WriteString("- navigation \"Site\"\n")
	for i := range 30 {
		line(1, "link", fmt.Sprintf("Area %d", i))
	}
	b.WriteString("- main\n")
	line(1, "heading", "Invoices")
	for i := range rows {
		line(1, "link", fmt.Sprintf("Invoice %d of a customer whose name is long", i))
	}
	line(1, "textbox", "Amount")
	line(1, "checkbox", "Paid")
	line(1, "button", "Save")
	b.WriteString("- tablist\n")
	line(1, "tab", "History")
	b.WriteString("- contentinfo\n")
	line(1, "link", "Privacy")
	data, _ := json.Marshal(map[string]any{
		"origin": "http://a.test/", "refs": refs,
		"snapshot": strings.TrimSuffix(b.String(), "\n"),
	})
	return string(data)
}

// What the engine has chosen to show is shown line for line.
func TestSnapshotOfTheEngine(t *testing.T) {
	t.Parallel()
	const text = "- heading \"Invoices\" [level=1, ref=e51]\n- (… 599 links folded: snapshot -i -s @e53 shows them)\n" +
		look.BesideMain + "\n- link \"Top 0\" [ref=e1]\n(5 lines left out)"
	c, _ := shown(t, "snapshot -i", bigPage(600))
	c.Text = text
	v := Show(c)
	t.Run("8.2 in parts, the main content first", func(t *testing.T) {
		require.Contains(t, v.Text,
			"\nPrimary content:\n- heading \"Invoices\" [level=1, ref=e51]\n- (… 599 links folded: snapshot -i -s @e53 "+
				"shows them)\n\n"+
				"Additional sections:\n- link \"Top 0\" [ref=e1]\n(5 lines left out)\n\nOmitted high-value controls:\n- @e652 "+
				"textbox \"Amount\"\n")
		require.Contains(t, v.Text, "Full raw snapshot path: /spills/snapshot.txt")
		require.Equal(t, []any{"e51", "e1"}, object(v.Data)["previewRefIds"])
		require.Equal(t, "structured", object(v.Data)["previewMode"])
	})
	t.Run("the whole is not a preview, however long it is", func(t *testing.T) {
		c, _ := shown(t, "snapshot -i", bigPage(600))
		c.Text = object(c.Data)["snapshot"].(string)
		v := Show(c)
		require.Equal(t, "Origin: http://a.test/\nRefs: 656\n\n"+c.Text, v.Text)
		require.Empty(t, v.FullOutput)
	})
	t.Run("it makes no batch too long", func(t *testing.T) {
		long := Step{Text: strings.Repeat("x\n", 8000), Bounded: true}
		require.False(t, IsLargeBatch(long.Text+strings.Repeat("y", 7000), []Step{long}))
		require.True(t, IsLargeBatch(long.Text+strings.Repeat("y", 9000), []Step{long}))
		require.True(t, IsLargeBatch(strings.Repeat(long.Text, 5), []Step{long, long, long, long, long}))
	})
}

func TestLongSnapshot(t *testing.T) {
	t.Parallel()
	_, v := shown(t, "snapshot -i", bigPage(600))
	budget := look.SnapshotBytes(true)
	tests := map[string]func(t *testing.T){
		"8.2 the main content comes first": func(t *testing.T) {
			require.Contains(t, v.Text, "Compact snapshot view.\nOrigin: http://a.test/\nRefs: 656\n")
			require.Contains(t, v.Text, "Top roles: link 651, ")
			primary := v.Text[strings.Index(v.Text, "Primary content:"):strings.Index(v.Text, "Additional sections:")]
			require.Contains(t, primary, `heading "Invoices"`)
			require.NotContains(t, primary, "Top 1")
			require.LessOrEqual(t, len(primary), budget*2/3+lineWidth)
			require.Contains(t, v.Text, "Full raw snapshot path: /spills/snapshot.txt")
		},
		"most of what there is room for is content": func(t *testing.T) {
			ids, _ := object(v.Data)["previewRefIds"].([]any)
			require.Greater(t, len(ids), 200)
		},
		"8.2 it is short": func(t *testing.T) {
			require.Less(t, len(v.Text), budget)
			for line := range strings.SplitSeq(v.Text, "\n") {
				require.LessOrEqual(t, len(line), lineWidth+8)
			}
		},
		"8.2 8.4 controls that are not shown are listed in turn": func(t *testing.T) {
			list := v.Text[strings.Index(v.Text, "Omitted high-value controls:"):]
			for _, control := range []string{`textbox "Amount"`, `checkbox "Paid"`, `button "Save"`, `tab "History"`} {
				if !strings.Contains(v.Text[:len(v.Text)-len(list)], control) {
					require.Contains(t, list, control)
				}
			}
		},
		"8.5 details": func(t *testing.T) {
			data := object(v.Data)
			require.Equal(t, true, data["compacted"])
			require.Equal(t, "structured", data["previewMode"])
			require.Equal(t, 656.0, data["refCount"])
			require.NotEmpty(t, data["previewRefIds"])
			sections, _ := data["previewSections"].([]any)
			require.Equal(t, map[string]any{"role": "navigation", "title": "Site", "linesShown": 30.0, "omittedLines": 1.0},
				sections[1])
			require.Equal(t, 0.0, data["additionalSectionsOmitted"])
			require.Equal(t, 651.0, object(data["roleCounts"])["link"])
			require.NotEmpty(t, data["highValueControlRefIds"])
			require.NotContains(t, data, "snapshot")
		},
		"8.2 no place for the whole": func(t *testing.T) {
			c, _ := shown(t, "snapshot -i", bigPage(600))
			c.Keep = func(string, string, string) (string, error) { return "", fmt.Errorf("the disk is full") }
			v := Show(c)
			require.Contains(t, v.Text, "Full raw snapshot unavailable: the disk is full")
			require.Equal(t, "the disk is full", object(v.Data)["spillError"])
		},
		"8.2 a form that is not known is shown as an outline": func(t *testing.T) {
			data, _ := json.Marshal(map[string]any{
				"origin": "o", "refs": map[string]any{},
				"snapshot": strings.Repeat("something else\n", 5000),
			})
			_, v := shown(t, "snapshot", string(data))
			require.Equal(t, "outline", object(v.Data)["previewMode"])
			require.Equal(t, outlineLines, strings.Count(v.Text, "something else"))
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { t.Parallel(); test(t) })
	}
}

// What waits for a confirmation has not been done, whatever the command is.
func TestHeldIsNotTold(t *testing.T) {
	t.Parallel()
	const data = `{"action":"click","command":"click #submit","confirmation_id":"c1","confirmation_required":true}`
	for _, line := range []string{"click #submit", "open http://a.test/", "scroll down", "back"} {
		c, _ := shown(t, line, data)
		c.Text = "Confirmation required: click\n  Run: skua confirm c1"
		v := Show(c)
		require.Equal(t, c.Text, v.Text)
		require.Equal(t, "Confirmation required: click", v.Summary)
	}
}

// Help is of no use in part.
func TestHelpIsWhole(t *testing.T) {
	t.Parallel()
	help := strings.Repeat(strings.Repeat("x", 69)+"\n", 232)
	c, _ := shown(t, "--help", `{}`)
	c.Text = help
	v := Show(c)
	require.Equal(t, help, v.Text)
	require.Empty(t, v.FullOutput)
	c.Text = strings.Repeat(help, 2)
	require.Contains(t, Show(c).Text, "Full output path: ")
}

func TestControls(t *testing.T) {
	t.Parallel()
	t.Run("8.4 many of a kind do not hide the others", func(t *testing.T) {
		t.Parallel()
		var tree strings.Builder
		for i := range 50 {
			fmt.Fprintf(&tree, "- textbox \"Field %d\" [ref=e%d]\n", i, i+1)
		}
		tree.WriteString(
			"- tab \"History\" [ref=e90]\n- button \"Save\" [ref=e91]\n- link \"Home\" [ref=e92]\n- checkbox \"Paid\" " +
				"[ref=e93]\n- button \"Whatever\" [ref=e94]\n")
		fmt.Fprintf(&tree, "- link %q [ref=e95]\n", strings.Repeat("long ", 20))
		var names []string
		for _, l := range omitted(readLines(tree.String()), map[string]bool{"e1": true}) {
			names = append(names, l.ref)
		}
		require.Equal(t, []string{"e2", "e90", "e91", "e92", "e93", "e3", "e4", "e5"}, names)
	})
}

func TestLarge(t *testing.T) {
	t.Parallel()
	t.Run("8.6 a long output is shown in part", func(t *testing.T) {
		t.Parallel()
		long := strings.Repeat(strings.Repeat("x", 300)+"\n", 100)
		data, _ := json.Marshal(map[string]any{"result": long})
		_, v := shown(t, "eval x", string(data))
		require.True(t, strings.HasPrefix(v.Text, "Large eval output compacted.\n"))
		require.Contains(t, v.Text, "Full output path: /spills/eval.txt")
		require.Equal(t, "/spills/eval.txt", v.FullOutput)
		require.Less(t, len(v.Text), previewBytes+300)
		for line := range strings.SplitSeq(v.Text, "\n") {
			require.LessOrEqual(t, len(line), previewWidth)
		}
		require.Equal(t, true, object(v.Data)["compacted"])
	})
	t.Run("8.6 many lines are long, too", func(t *testing.T) {
		t.Parallel()
		line := strings.Repeat("x", 30) + "\n"
		require.True(t, IsLarge(strings.Repeat(line, 121)))
		require.False(t, IsLarge(strings.Repeat(line, 120)))
		require.False(t, IsLarge(strings.Repeat(line+"\n \n", 120)), "blank lines are nothing to read")
		require.False(t, IsLarge(strings.Repeat("x\n", 1000)), "a preview has room for it")
	})
	t.Run("8.6 what failed first is said first", func(t *testing.T) {
		t.Parallel()
		steps := []Step{
			{Index: 0, Command: []string{"get", "title"}, Success: true},
			{
				Index: 1, Command: []string{"click", "#a"}, Category: "timeout", Text: strings.Repeat("y", 900),
				FullOutput: "/spills/x",
			},
		}
		context := failureContext(steps)
		require.Contains(t, context,
			"Failure context:\nFirst failing step: 2 — click #a\nSteps: 1 succeeded, 1 failed\nFailure category: timeout\n")
		require.NotContains(t, context, strings.Repeat("y", 701))
		require.Contains(t, context, "/spills/x")
	})
	t.Run("8.17 many requests", func(t *testing.T) {
		t.Parallel()
		rows := []map[string]any{{"url": "http://a.test/broken", "status": 500}}
		for i := range 100 {
			rows = append(rows, map[string]any{"url": fmt.Sprintf("http://a.test/%d", i), "status": 200})
		}
		data, _ := json.Marshal(map[string]any{"requests": rows})
		_, v := shown(t, "network requests", string(data))
		require.Contains(t, v.Text, "/broken 500", "what failed stays in view")
		require.Equal(t, requestRows, strings.Count(v.Text, "GET "))
		require.Contains(t, v.Text, "(61 more not shown")
		require.Contains(t, v.Text, "Full output path: /spills/network.json")
	})
}

func TestBatch(t *testing.T) {
	t.Parallel()
	good := Step{Index: 0, Command: []string{"get", "title"}, Success: true, Text: "A"}
	bad := Step{Index: 1, Command: []string{"click", "#x"}, Text: "Element not found"}
	t.Run("8.7 all succeeded", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, "Step 1 — get title (succeeded)\nA", Batch([]Step{good}, 1, nil))
		require.Equal(t, "Batch: 1/1 succeeded", BatchSummary([]Step{good}, 1))
	})
	t.Run("8.7 one failed", func(t *testing.T) {
		t.Parallel()
		text := Batch([]Step{good, bad}, 3, nil)
		require.True(t, strings.HasPrefix(text, "Batch failed: 1/3 succeeded\nFirst failing step: 2 — click #x\n"))
		require.Contains(t, text, "Step 2 — click #x (failed)\nElement not found")
		require.Contains(t, text, "(1 later step did not run)")
	})
	t.Run("2.3.14 typing sign by sign is one line", func(t *testing.T) {
		t.Parallel()
		rows := []contract.JobStep{
			{Action: "open", Args: []string{"open", "u"}},
			{Args: []string{"focus", "#q"}, GeneratedFrom: "type.selector"},
		}
		for i, sign := range []string{"a", "b", "c"} {
			if i > 0 {
				rows = append(rows, contract.JobStep{Args: []string{"wait", "50"}, GeneratedFrom: "type.delayMs"})
			}
			rows = append(rows, contract.JobStep{Args: []string{"keyboard", "type", sign}})
		}
		rows = append(rows, contract.JobStep{Args: []string{"press", "Enter"}, GeneratedFrom: "type.press"})
		var steps []Step
		for i, row := range rows {
			steps = append(steps, Step{Index: i, Command: row.Args, Success: true})
		}
		require.Equal(t,
			"Step 1 — open u (succeeded)\nStep 2-8 — type #q (succeeded)\nTyped 3 chars with delayMs=50.\nPressed Enter.",
			Batch(steps, len(steps), DelayedTyping(rows)))
		steps[4].Success = false
		require.Contains(t, Batch(steps, len(steps), DelayedTyping(rows)), "Step 5 — keyboard type b (failed)")
	})
}

func TestHint(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		line, text string
		category   contract.FailureCategory
		want       string
	}{
		"8.14 nothing answers": {
			"open http://localhost:1/", "net::ERR_CONNECTION_REFUSED", contract.UpstreamError,
			"Agent-browser local fixture hint:",
		},
		"a host that a rule refuses": {
			"open http://localhost:1/",
			"the host was refused: it is not among --allowed-domains", contract.PolicyBlocked, "",
		},
		"a refusal of the page's server": {
			"open http://localhost:1/", "the gate refused localhost", contract.UpstreamError,
			"",
		},
		"8.14 stale ref": {
			"click @e1", "Unknown ref: e1", contract.StaleRef,
			"Agent-browser hint: refs belong",
		},
		"8.14 stale ref that says so": {"click @e1", "Unknown ref: e1 (take a new snapshot)", contract.StaleRef, ""},
		"8.14 dialect": {
			"click a:has-text(x)", "bad selector", contract.SelectorUnsupported,
			"Agent-browser hint: selectors are CSS",
		},
		"8.14 clipboard": {
			"clipboard read", "NotAllowedError: permission denied", contract.UpstreamError,
			"Agent-browser clipboard hint:",
		},
		"8.14 keyboard press": {
			"keyboard press Enter", "Unknown subcommand: press", contract.UpstreamError,
			"Agent-browser keyboard hint:",
		},
		"8.14 loopback": {
			"open http://localhost:9/x", "net::ERR_CONNECTION_REFUSED",
			contract.UpstreamError, "local fixture hint",
		},
		"8.14 another host": {
			"open http://a.test/x", "net::ERR_CONNECTION_REFUSED", contract.UpstreamError,
			"",
		},
		"8.14 getter": {
			"title", "Unknown command: title", contract.ValidationError,
			"Agent-browser hint: commands that read from a page begin with `get`: `get title`.",
		},
		"8.14 never two": {
			"title", "Unknown command: title\nAgent-browser hint: something",
			contract.ValidationError, "",
		},
		"8.14 a failure without a secret": {"click #a", "Element not found", contract.SelectorNotFound, ""},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := argv.Read(strings.Fields(tt.line))
			got := Hint(&w, tt.category, tt.text)
			if tt.want == "" {
				require.Empty(t, got)
				return
			}
			require.Contains(t, got, tt.want)
			require.Equal(t, 1, strings.Count(got, "hint:"))
		})
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	data := map[string]any{
		"origin": "o",
		"refs": map[string]any{
			"e1": map[string]any{"role": "link", "name": "Home"},
			"e2": map[string]any{"role": "button", "name": "Save draft"}, "e3": map[string]any{"role": "link", "name": "Saved"},
		},
		"snapshot": "- navigation\n  - link \"Home\" [ref=e1]\n- main\n  - button \"Save draft\" [ref=e2]\n  - link " +
			"\"Saved\" [ref=e3]",
	}
	t.Run("5.13 search", func(t *testing.T) {
		t.Parallel()
		out, f := FilterSnapshot(data, "save", "")
		require.Equal(t,
			&contract.SnapshotFilter{Search: "save", MatchedRefs: 2, TotalRefs: 3, VisibleLines: 3, TotalLines: 5}, f)
		require.Equal(t, "- main\n  - button \"Save draft\" [ref=e2]\n  - link \"Saved\" [ref=e3]", object(out)["snapshot"])
		require.Contains(t, FilterText(f), "Snapshot filter: 2/3 refs")
		require.Contains(t, data["snapshot"], "Home", "the whole stays as it was")
	})
	t.Run("5.13 role", func(t *testing.T) {
		t.Parallel()
		_, f := FilterSnapshot(data, "", "link")
		require.Equal(t, 2, f.MatchedRefs)
	})
	t.Run("5.13 diff", func(t *testing.T) {
		t.Parallel()
		d := DiffRefs(map[string]contract.Ref{
			"e1": {Role: "link", Name: "Home"}, "e2": {Role: "button", Name: "Save"},
			"e9": {Role: "link"},
		}, data)
		require.Equal(t, &contract.SnapshotDiff{
			AddedRefs: []string{"e3"}, RemovedRefs: []string{"e9"}, ChangedRefs: []string{"e2"}, UnchangedRefs: 1,
			Summary: "Snapshot diff: +1 / -1 / ~1 refs, 1 unchanged",
		}, d)
	})
	t.Run("5.14 rows of a page", func(t *testing.T) {
		t.Parallel()
		log := map[string]any{"requests": []any{
			map[string]any{"url": "http://a.test/x"},
			map[string]any{"url": "http://a.test/y?z"},
			map[string]any{"url": "http://b.test/x"},
		}}
		_, f := FilterRequests(log, "http://a.test/x#top", "current-page")
		require.Equal(t, []int{2, 3}, []int{f.MatchedRows, f.TotalRows})
		_, f = FilterRequests(log, "http://a.test/x#top", "current-url")
		require.Equal(t, 1, f.MatchedRows)
	})
}

func BenchmarkSnapshot(b *testing.B) {
	c, _ := shown(b, "snapshot -i", bigPage(10_000))
	b.ReportAllocs()
	for b.Loop() {
		Show(c)
	}
}
