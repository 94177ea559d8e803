package tool_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/input"
)

// shop is a server with a page, an icon and an API that may fail.
func shop(t *testing.T, page string, iconStatus int) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(page))
		case "/favicon.ico":
			w.WriteHeader(iconStatus)
		default:
			w.WriteHeader(http.StatusInternalServerError)
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/"
}

// qa runs a check of a page.
func (c *caller) qa(params string) *contract.Result {
	c.t.Helper()
	return c.call(contract.Params{QA: json.RawMessage(params)})
}

const shopHead = `<!doctype html><title>Shop</title>`

func TestQAOnAPage(t *testing.T) {
	t.Parallel()
	tests := map[string]struct {
		page   string
		icon   int
		params string // besides the url
		failed []string
		warned []string
	}{
		"2.4.9 2.4.10 2.4.15 all is well": {
			`<h1>Hello <b>World</b></h1><p>Prices</p><input value="In a field">`, 200,
			`"expectedText":["Hello World","In a field"],"expectedSelector":"h1"`,
			[]string{},
			[]string{},
		},
		"2.4.13 a missing icon is ignored": {
			`<img src=/favicon.ico>`, 404, ``,
			[]string{},
			[]string{"1 benign network request failure(s) ignored"},
		},
		"2.4.13 an icon that the server fails to make": {
			`<img src=/favicon.ico>`, 500, ``,
			[]string{"1 actionable failed network request(s)"},
			[]string{},
		},
		"2.4.12 the page logs an error": {
			`<script>console.error('boo'); console.log('fine'); console.warn('hm')</script>`, 200, ``,
			[]string{"1 console error message(s)"},
			[]string{},
		},
		"2.4.11 the page throws": {
			`<script>setTimeout(() => { throw new Error('bad') }, 1)</script>`, 200, ``,
			[]string{"1 page error(s)"},
			[]string{},
		},
		"2.4.13 2.4.14 a request fails": {
			`<script>fetch('/api/fail')</script>`, 200, ``,
			[]string{"1 actionable failed network request(s)"},
			[]string{},
		},
		"2.4.14 what is not asked for does not count": {
			`<script>fetch('/api/fail'); console.error('x')</script>`, 200,
			`"checkNetwork":false,"checkConsole":false`,
			[]string{},
			[]string{},
		},
		"2.4.9 2.4.16 a text is missing": {
			`<script>const t = "Secret price"</script><p hidden>Secret price</p><p style="visibility:hidden">Secret price</p>`,
			200,
			`"expectedText":"Secret price"`,
			[]string{`expected text not found: "Secret price"`},
			[]string{},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := newCaller(t)
			address := shop(t, shopHead+tt.page, tt.icon)
			params := fmt.Sprintf(`{"url":%q`, address)
			if tt.params != "" {
				params += "," + tt.params
			}
			r := c.qa(params + "}")
			require.NotNil(t, r.Details.QAPreset, textOf(r))
			v := r.Details.QAPreset
			require.Equal(t, tt.failed, v.FailedChecks, textOf(r))
			require.Equal(t, tt.warned, v.Warnings)
			require.Equal(t, len(tt.failed) == 0, v.Passed)
			if len(tt.failed) > 0 {
				require.NotContains(t, textOf(r), "=>", "scripts of the tool are not for reading")
				require.NotEmpty(t, r.Details.NextActions)
				for _, a := range r.Details.NextActions {
					if args := a.Params.Args; args != nil {
						require.False(t, c.try(args...).IsError, "%v", args)
					}
				}
				require.True(t, r.IsError)
				require.Equal(t, contract.QAFailure, r.Details.FailureCategory)
				require.Contains(t, textOf(r), "Failed checks:\n- "+tt.failed[0])
				require.Contains(t, v.Summary, "QA preset failed: ")
				return
			}
			require.False(t, r.IsError, textOf(r))
			require.Contains(t, textOf(r), v.Summary)
			require.Contains(t, textOf(r), "Page: Shop — "+address)
			require.Contains(t, textOf(r), "Full diagnostic matrix: see details.qaPreset and details.batchSteps.")
			require.Len(t, r.Details.BatchSteps, len(r.Details.CompiledQAPreset.Steps))
		})
	}
}

func TestAfterAFailedQA(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	r := c.qa(fmt.Sprintf(`{"url":%q}`,
		shop(t, shopHead+`<script>fetch('/api/fail'); console.error('boo')</script>`, 200)))
	require.Len(t, r.Details.QAPreset.FailedChecks, 2, textOf(r))
	require.Equal(t, []string{"inspect-page-after-qa-failure", "inspect-actionable-network-request"}, idsOf(r)[:2])
	require.Contains(t, idsOf(r), "inspect-console-after-qa-failure")
	require.Contains(t, textOf(r), "Next actions:\n- inspect-page-after-qa-failure: ")
	require.Contains(t, textOf(c.qa(`{"attached":true,"expectedText":"Never"}`)), `assertText "Never" (failed)`)
}

func TestQAOfThePageThatIsThere(t *testing.T) {
	t.Parallel()
	t.Run("2.4.5 2.4.7 2.4.15 an open page", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", shop(t, shopHead+`<h1>Here</h1><script>console.error('before')</script>`, 200))
		r := c.qa(`{"attached":true,"expectedText":"Here"}`)
		require.False(t, r.IsError, textOf(r))
		require.NotContains(t, textOf(r), "preserved", "no diagnostics are asked for")
		r = c.qa(`{"attached":true,"checkConsole":true}`)
		require.Equal(t, []string{"1 console error message(s)"}, r.Details.QAPreset.FailedChecks)
		require.Contains(t, textOf(r), "Existing diagnostic buffers were preserved")
	})
	t.Run("2.4.6 no session", func(t *testing.T) {
		t.Parallel()
		r := newCaller(t).qa(`{"attached":true}`)
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "qa.attached requires an active attached session")
		require.Nil(t, r.Details.ExitCode)
	})
	t.Run("2.4.7 a page that is not one", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", "about:blank")
		r := c.qa(`{"attached":true}`)
		require.Equal(t, contract.ValidationError, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "qa.attached requires an http(s) page URL")
		var ids []string
		for _, a := range r.Details.NextActions {
			ids = append(ids, a.ID)
		}
		require.Equal(t, []string{"list-tabs-before-qa-attached", "snapshot-before-qa-attached"}, ids)
		for _, a := range r.Details.NextActions {
			args := a.Params.Args
			next := c.try(args...)
			require.False(t, next.IsError, textOf(next))
		}
	})
}

func TestQAThatRunsOutOfTime(t *testing.T) {
	t.Parallel()
	t.Run("2.4.14 a text that is waited for", func(t *testing.T) {
		t.Parallel()
		c, address, limit := newCaller(t), shop(t, shopHead+"<h1>Hello</h1>", 200), 4500.0
		c.do("open", address)
		r := c.call(contract.Params{
			QA:        json.RawMessage(`{"attached":true,"expectedText":["Hello","Never"]}`),
			TimeoutMs: &limit,
		})
		require.Equal(t, contract.QAFailure, r.Details.FailureCategory, textOf(r))
		require.Equal(t, []string{`expected text was not verified before timeout: "Never"`}, r.Details.QAPreset.FailedChecks)
		require.True(t, r.Details.TimedOut)
		require.NotContains(t, textOf(r), "=>", "scripts of the tool are not for reading")
		require.Contains(t, textOf(r), `assertText "Never"`)
	})
}

// What the expression for a text sees of a page.
func TestVisibleText(t *testing.T) {
	t.Parallel()
	c := showing(t,
		`<!doctype html><title>In the title</title><style>.in-the-style{}</style><noscript>In noscript</noscript>
		<h1>Split <b>into</b>   several
		parts</h1><p>One</p><p>Two</p><p hidden>Marked hidden</p><div style="display:none"><p>Below none</p></div><div style="visibility:hidden">Invisible
		<span style="visibility:visible">but not this</span></div><div aria-hidden=true>For eyes only</div><svg><text>In a drawing</text></svg>
		<input value="A value"><input type=password value="A password"><textarea>Written down</textarea><select><option>First choice<option>Second choice</select>
		<div id=host></div><script>const inTheScript = "In the script"</script>`)
	tests := map[string]struct {
		text string
		want bool
	}{
		"2.4.16 a text over several elements":  {"Split into several parts", true},
		"2.4.16 its blanks do not count":       {"  Split  into several ", true},
		"2.4.16 two paragraphs are not text":   {"OneTwo", false},
		"2.4.16 a hidden element":              {"Marked hidden", false},
		"2.4.16 below one that is not shown":   {"Below none", false},
		"2.4.16 invisible":                     {"Invisible", false},
		"2.4.16 visible within the invisible":  {"but not this", true},
		"2.4.16 hidden from assistive devices": {"For eyes only", false},
		"2.4.16 script":                        {"In the script", false},
		"2.4.16 style":                         {"in-the-style", false},
		"2.4.16 noscript":                      {"In noscript", false},
		"2.4.16 svg":                           {"In a drawing", false},
		"2.4.16 the value of a field":          {"A value", true},
		"2.4.16 a password":                    {"A password", false},
		"2.4.16 a text area":                   {"Written down", true},
		"2.4.16 the option that is chosen":     {"First choice", true},
		"2.4.16 one that is not":               {"Second choice", false},
		"2.4.16 the title is not on the page":  {"In the title", false},
		"2.4.16 quotes and slashes":            {"\"it's\" </script>", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			require.Contains(t, textOf(c.do("eval", input.VisibleText(tt.text))), fmt.Sprint(tt.want))
		})
	}
}

func TestQAScreenshot(t *testing.T) {
	t.Parallel()
	t.Run("2.4.15 a picture as evidence", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.qa(fmt.Sprintf(`{"url":%q,"screenshotPath":"shot.png"}`, shop(t, shopHead, 200)))
		require.False(t, r.IsError, textOf(r))
		require.FileExists(t, filepath.Join(c.dir, "shot.png"))
		require.Contains(t, textOf(r), "Screenshot: shot.png")
	})
}

func TestSourceLookupOnAPage(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><title>App</title><div id=app data-source-file="src/App.tsx" data-source-line=3 data-source-column=5>
		<button data-file='src/Save.tsx:12:9' id=save>Save</button></div>`
	lookup := func(c *caller, params string) *contract.Result {
		return c.call(contract.Params{SourceLookup: json.RawMessage(params)})
	}
	t.Run("2.5.5 2.5.6 2.5.7 attributes of the element and of those within it", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		r := lookup(c, `{"selector":"#app"}`)
		require.False(t, r.IsError, textOf(r))
		l := r.Details.SourceLookup
		require.Equal(t, "candidates-found", l.Status)
		require.Equal(t, []contract.SourceCandidate{
			{
				Source: "dom-attribute", Confidence: "medium", Evidence: []string{"data-source-file of the element"},
				File: "src/App.tsx", Line: 3, Column: 5,
			},
			{
				Source: "dom-attribute", Confidence: "medium", Evidence: []string{"data-file of a <button> inside the element"},
				File: "src/Save.tsx", Line: 12, Column: 9,
			},
		}, l.Candidates)
		require.Contains(t, textOf(r), l.Summary)
		require.Less(t, 0, len(l.Limitations))
	})
	t.Run("2.5.2 without hints of the page", func(t *testing.T) {
		t.Parallel()
		r := lookup(showing(t, page), `{"selector":"#app","includeDomHints":false}`)
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, "no-candidates", r.Details.SourceLookup.Status)
	})
	t.Run("2.5.4 2.5.7 the workspace, and a page without React", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		for path, text := range map[string]string{
			"src/SaveButton.tsx":           "import x from 'y'\n\nexport function SaveButton() { return null }\n",
			"node_modules/a/SaveButton.js": "function SaveButton() {}",
			"src/Other.tsx":                "function SaveButtons() {}",
			"src/notes.md":                 "function SaveButton",
		} {
			require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(c.dir, path)), 0o755))
			require.NoError(t, os.WriteFile(filepath.Join(c.dir, path), []byte(text), 0o600))
		}
		r := lookup(c, `{"componentName":"SaveButton"}`)
		l := r.Details.SourceLookup
		require.NotNil(t, l, textOf(r))
		require.Equal(t, []contract.SourceCandidate{
			{
				Source: "workspace-search", Confidence: "low", Evidence: []string{"declares SaveButton"},
				File: "src/SaveButton.tsx", Line: 3, ComponentName: "SaveButton",
			},
		}, l.Candidates)
		require.Equal(t, "candidates-found", l.Status)
		r = lookup(c, `{"componentName":"Missing"}`)
		require.Equal(t, "unsupported", r.Details.SourceLookup.Status)
	})
}

func TestNetworkSourceLookupOnAPage(t *testing.T) {
	t.Parallel()
	lookup := func(c *caller, params string) *contract.Result {
		return c.call(contract.Params{NetworkSourceLookup: json.RawMessage(params)})
	}
	t.Run("2.6.2 2.6.4 2.6.5 a failed request, what made it, and a file that has its address", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		require.NoError(t,
			os.WriteFile(filepath.Join(c.dir, "client.ts"),
				[]byte("// one\nexport const orders = () => fetch('/api/orders?limit=5')\n"), 0o600))
		require.NoError(t, os.WriteFile(filepath.Join(c.dir, "far.ts"), []byte("fetch('/api/orders-archive')\n"), 0o600))
		address := shop(t, shopHead+`<script>fetch('/api/orders?token=s3cretvalue99')</script>`, 200)
		c.do("open")
		c.do("network", "requests", "--clear")
		c.do("open", address)
		c.do("snapshot", "-i")
		c.do("wait", "--load", "networkidle")
		r := lookup(c, `{"url":"/api/orders"}`)
		require.False(t, r.IsError, textOf(r))
		l := r.Details.NetworkSourceLookup
		require.Equal(t, "failed-requests-found", l.Status, textOf(r))
		require.Len(t, l.FailedRequests, 1)
		require.Equal(t, 500, l.FailedRequests[0].Status)
		require.NotContains(t, textOf(r)+fmt.Sprint(l), "s3cretvalue99")
		var files []string
		for _, candidate := range l.Candidates {
			if candidate.Source == "workspace-search" {
				files = append(files, fmt.Sprintf("%s:%d", candidate.File, candidate.Line))
			}
		}
		require.Equal(t, []string{"client.ts:2"}, files)
		require.Contains(t, textOf(r), l.Summary)
		require.Equal(t, address, textOf(c.do("get", "url")))
		require.Equal(t, address, r.Details.SessionTabTarget.URL)
	})
	t.Run("2.6.4 nothing failed", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		c.do("open", shop(t, shopHead, 200))
		r := lookup(c, `{"url":"/"}`)
		require.Equal(t, "no-failed-requests", r.Details.NetworkSourceLookup.Status, textOf(r))
		r = lookup(c, `{"filter":"/never"}`)
		require.Equal(t, "no-candidates", r.Details.NetworkSourceLookup.Status)
	})
}

func TestJobOnAPage(t *testing.T) {
	t.Parallel()
	page := `<!doctype html><title>Start</title><label>Name <input id=name></label><button id=go onclick="document.title = 'Hi ' + document.getElementById('name').value; document.body.append('Done')">Go</button>`
	job := func(c *caller, params string) *contract.Result {
		return c.call(contract.Params{Job: json.RawMessage(params)})
	}
	t.Run("2.3.2 2.3.7 2.3.9 2.3.10 a form from its opening to its end", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := job(c,
			fmt.Sprintf(
				`{"steps":[{"action":"open","url":%q,"loadState":"load"},{"action":"type","selector":"#name","text":"Ann","delayMs":1},
			{"action":"click","locator":"role","role":"button","name":"Go"},{"action":"assertText","text":"Done"},{"action":"screenshot","path":"end.png"}]}`, site.Show(page)))
		require.False(t, r.IsError, textOf(r))
		require.Equal(t, "Hi Ann", textOf(c.do("get", "title")))
		require.FileExists(t, filepath.Join(c.dir, "end.png"))
		require.Len(t, r.Details.BatchSteps, len(r.Details.CompiledJob.Steps))
	})
	t.Run("2.3.1 2.3.2 the first failure ends it", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		steps := `"steps":[{"action":"click","selector":"#nothing"},{"action":"click","selector":"#go"}]`
		r := job(c, `{`+steps+`}`)
		require.True(t, r.IsError)
		require.Equal(t, contract.SelectorNotFound, r.Details.FailureCategory)
		require.Equal(t, "Start", textOf(c.do("get", "title")))
		r = job(c, `{"failFast":false,`+steps+`}`)
		require.True(t, r.IsError)
		require.Equal(t, "Hi", textOf(c.do("get", "title")))
	})
	t.Run("2.3.11 a page that the address is not of", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		r := job(c, `{"steps":[{"action":"assertUrl","url":"**/page-*"},{"action":"snapshot"}]}`)
		require.False(t, r.IsError, textOf(r))
	})
}
