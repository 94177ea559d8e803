package tool_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

// bigShop is a page with a lot around what it is about.
func bigShop() string {
	var b strings.Builder
	b.WriteString(`<!doctype html><title>Shop</title><nav aria-label="Top">`)
	for i := range 40 {
		fmt.Fprintf(&b, `<a href="#n%d">Area %d</a> `, i, i)
	}
	b.WriteString(`</nav><main><h1>Invoices</h1><input aria-label="Search invoices">`)
	for i := range 800 {
		fmt.Fprintf(&b, `<p><a href="#i%d">Invoice number %d</a></p>`, i, i)
	}
	b.WriteString(
		`<form aria-label="New"><input aria-label="Customer"><button type=button onclick="document.title='Saved'">Save</button></form></main>`)
	return b.String()
}

func TestLongOutput(t *testing.T) {
	t.Parallel()
	t.Run("8.2 8.5 10.18 a long snapshot is shown in part and kept whole", func(t *testing.T) {
		t.Parallel()
		c := showing(t, bigShop())
		r := c.do("snapshot", "-i")
		text := textOf(r)
		require.Contains(t, text, "Compact snapshot view.\nOrigin: "+site.URL())
		require.Contains(t, text, "Primary content:")
		require.Contains(t, text, `h1 "Invoices"`)
		require.Contains(t, text, "Full raw snapshot path: "+r.Details.FullOutputPath)
		whole, err := os.ReadFile(r.Details.FullOutputPath)
		require.NoError(t, err)
		require.Contains(t, string(whole), `link "Invoice number 799"`)
		own := host().Do(context.Background(),
			session.Request{Args: []string{"--session", r.Details.SessionName, "snapshot", "-i", "--no-header"}}).Result.Text
		main, beside, found := strings.Cut(own, "\n(beside the main content:)\n")
		require.True(t, found, own)
		require.Contains(t, text, "\nPrimary content:\n"+main+"\n\nAdditional sections:\n"+beside+"\n",
			"what the engine shows, line for line")
		require.Greater(t, len(asJSON(r.Details.Data).(map[string]any)["previewRefIds"].([]any)), 80)
		info, err := os.Stat(r.Details.FullOutputPath)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
		folder, err := os.Stat(filepath.Dir(r.Details.FullOutputPath))
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), folder.Mode().Perm())
		require.Equal(t, true, asJSON(r.Details.Data).(map[string]any)["compacted"])
		require.Equal(t, asJSON(r.Details.Data).(map[string]any)["refCount"], float64(len(r.Details.RefSnapshot.RefIDs)),
			"the session's refs are all there")
		c.do("click", "@"+refIn(t, lineWith(t, text, `button "Save"`)))
		require.Equal(t, "Saved", textOf(c.do("get", "title")))

		require.NoError(t, c.tool.Close(context.Background()))
		require.NoFileExists(t, r.Details.FullOutputPath)
	})
	t.Run("8.1 one that the engine shows whole needs no file", func(t *testing.T) {
		t.Parallel()
		c := showing(t, "<!doctype html><title>x</title>"+strings.Repeat("<button>One of many</button>", 300))
		r := c.do("snapshot", "-i")
		require.Equal(t, 300, strings.Count(textOf(r), `"One of many" @e`))
		require.Empty(t, r.Details.FullOutputPath)
		require.Contains(t, textOf(c.do("batch", "get title", "snapshot -i")), "@e300", "nor does a batch")
	})
	t.Run("8.6 a long value", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>x</title>`)
		r := c.do("eval", `"word ".repeat(4000) + "end"`)
		require.Contains(t, textOf(r), "Large eval output compacted.")
		require.Less(t, len(textOf(r)), 3000)
		whole, err := os.ReadFile(r.Details.FullOutputPath)
		require.NoError(t, err)
		require.Equal(t, strings.Repeat("word ", 4000)+"end", string(whole))
	})
	t.Run("8.6 2.9.2 outputPath gets the whole of what is shown in part", func(t *testing.T) {
		t.Parallel()
		c := showing(t, bigShop())
		path := filepath.Join(c.dir, "snap.json")
		r := c.call(contract.Params{Args: []string{"snapshot", "-i"}, OutputPath: &path})
		require.False(t, r.IsError, textOf(r))
		raw, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(raw), "Invoice number 799")
	})
	t.Run("10.18 spills of a conversation outlive the process", func(t *testing.T) {
		t.Parallel()
		dir := t.TempDir()
		opened, err := tool.Open(tool.Options{
			Backend: backend.OnManager(host()), SessionID: t.Name(), Cwd: dir,
			Env: map[string]string{"HOME": dir}, StateDir: filepath.Join(dir, "state"),
		})
		require.NoError(t, err)
		c := &caller{t: t, tool: opened, dir: dir}
		c.do("open", site.Show(bigShop()))
		r := c.do("snapshot", "-i")
		require.True(t, strings.HasPrefix(r.Details.FullOutputPath, filepath.Join(dir, "state")))
		require.NoError(t, opened.Close(context.Background()))
		require.FileExists(t, r.Details.FullOutputPath)
	})
}

func lineWith(t *testing.T, text, part string) string {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if strings.Contains(line, part) {
			return line
		}
	}
	require.Fail(t, "no line with "+part, text)
	return ""
}

// refIn is the ref that a line names, as `ref=e4` or `@e4`.
func refIn(t *testing.T, line string) string {
	t.Helper()
	for _, mark := range []string{"ref=", "@"} {
		if _, rest, ok := strings.Cut(line, mark); ok {
			return strings.TrimRight(strings.FieldsFunc(rest, func(r rune) bool {
				return r == ']' || r == ' ' || r == ','
			})[0], "]")
		}
	}
	require.Fail(t, "no ref in "+line)
	return ""
}

func TestPresentation(t *testing.T) {
	t.Parallel()
	c := showing(t,
		`<!doctype html><title>One</title><button onclick="document.title='Two'">Go</button><a href="#there">There</a>`)
	t.Run("8.1 small snapshot", func(t *testing.T) {
		r := c.do("snapshot", "-i")
		require.Regexp(t, `^Origin: http://\S+\nPage: "One" \[tab t1\]\nRefs: 2\n\n- button "Go" @e1\n- link "There" @e2$`,
			textOf(r))
		require.Regexp(t, `^Snapshot: 2 refs on http`, r.Details.Summary)
	})
	t.Run("8.3 JSON alone", func(t *testing.T) {
		for _, args := range [][]string{
			{"get", "title", "--json"},
			{"click", "#none", "--json"},
			{"batch", "get title", "click #none", "--json"},
		} {
			var got map[string]any
			require.NoError(t, json.Unmarshal([]byte(textOf(c.try(args...))), &got), "%v", args)
			require.Contains(t, got, "success")
		}
	})
	t.Run("8.7 batch", func(t *testing.T) {
		r := c.try("batch", "--bail=false", "get title", "click #none", "get url")
		require.True(t, r.IsError)
		require.Contains(t, textOf(r), "Batch failed: 2/3 succeeded\nFirst failing step: 2 — click #none")
		require.Contains(t, textOf(r), "Step 1 — get title (succeeded)\nOne")
		require.Contains(t, textOf(r), "Next actions:")
		rows := asJSON(r.Details.Data).([]any)
		require.Len(t, rows, 3)
		require.Equal(t,
			map[string]any{"success": true, "command": []any{"get", "title"}, "result": map[string]any{"title": "One"}}, rows[0])
		require.Contains(t, rows[1].(map[string]any)["error"], "Element not found")
		require.Equal(t, "One", r.Details.BatchSteps[0].Text)
		require.Equal(t, "Title: One", r.Details.BatchSteps[0].Summary)
	})
	t.Run("8.8 origin is told where it is news", func(t *testing.T) {
		require.Equal(t, "2", textOf(c.do("eval", "1+1")))
	})
	t.Run("8.9 where a click led", func(t *testing.T) {
		r := c.do("click", "text=There")
		require.Contains(t, textOf(r), "Clicked: text=There")
		require.Regexp(t, `Navigated: One — http://\S+#there`, textOf(r))
		require.Contains(t, r.Details.NavigationSummary.URL, "#there")
	})
	t.Run("8.12 a stream that is on already", func(t *testing.T) {
		c.do("stream", "enable")
		r := c.do("stream", "enable")
		require.Contains(t, textOf(r), "idempotent no-op")
		data := asJSON(r.Details.Data).(map[string]any)
		require.Equal(t, true, data["alreadyEnabled"])
		require.Regexp(t, `^ws://127\.0\.0\.1:\d+/[A-Z2-7]{26}$`, data["url"],
			"redaction leaves the secret to who asked for the stream")
		c.do("stream", "disable")
	})
	t.Run("8.14 8.18 getter that is taken for a command", func(t *testing.T) {
		r := c.try("title")
		require.True(t, r.IsError)
		require.Equal(t, 1, strings.Count(textOf(r), "Agent-browser hint:"))
	})
	t.Run("8.19 no bookkeeping in the text", func(t *testing.T) {
		for _, args := range [][]string{
			{"open", site.Show("<title>x</title>")},
			{"tab", "list"},
			{"tab", "new"},
			{"tab", "close"},
		} {
			text := textOf(c.do(args...))
			require.NotContains(t, text, "lifecycle")
			require.NotRegexp(t, `[0-9A-F]{32}`, text)
		}
	})
}

func TestInlineImages(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><title>One</title><body style="background: teal">`)
	images := func(r *contract.Result) (list []contract.Content) {
		for _, item := range r.Content {
			if item.Type == "image" {
				list = append(list, item)
			}
		}
		return list
	}
	t.Run("8.15 a screenshot is shown, byte for byte", func(t *testing.T) {
		path := filepath.Join(c.dir, "a.png")
		got := images(c.do("screenshot", path))
		require.Len(t, got, 1)
		require.Equal(t, "image/png", got[0].MIMEType)
		file, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, base64.StdEncoding.EncodeToString(file), got[0].Data)
	})
	t.Run("8.15 the details say which files are shown", func(t *testing.T) {
		path := filepath.Join(c.dir, "d.png")
		d := c.do("screenshot", "d.png").Details
		require.Equal(t, path, d.ImagePath)
		require.Equal(t, []string{path}, d.ImagePaths)
		require.Empty(t, c.do("get", "title").Details.ImagePaths)
	})
	t.Run("8.15 in a batch, too", func(t *testing.T) {
		r := c.do("batch", "get title", "screenshot "+filepath.Join(c.dir, "b.png"), "screenshot e.png")
		require.Len(t, images(r), 2)
		require.Equal(t, filepath.Join(c.dir, "b.png"), r.Details.ImagePath)
		require.Equal(t, []string{filepath.Join(c.dir, "b.png"), filepath.Join(c.dir, "e.png")}, r.Details.ImagePaths)
	})
	t.Run("8.15 other results with a path show none", func(t *testing.T) {
		require.Empty(t, images(c.do("eval", `({path: `+string(must(json.Marshal(filepath.Join(c.dir, "a.png"))))+`})`)))
	})
	t.Run("8.15 one that is too large is not shown", func(t *testing.T) {
		dir := t.TempDir()
		opened, err := tool.Open(tool.Options{
			Backend: backend.OnManager(host()), SessionID: t.Name(), Cwd: dir,
			Env: map[string]string{"HOME": dir, "SKUA_TOOL_INLINE_IMAGE_MAX_BYTES": "100"},
		})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, opened.Close(context.Background())) })
		small := &caller{t: t, tool: opened, dir: dir}
		small.do("open", site.Show("<title>x</title>"))
		require.Empty(t, images(small.do("screenshot", filepath.Join(dir, "c.png"))))
		require.FileExists(t, filepath.Join(dir, "c.png"))
	})
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

func TestOwnViews(t *testing.T) {
	t.Parallel()
	c := showing(t,
		`<!doctype html><title>One</title><h1>Head</h1><button onclick="document.body.append(Object.assign(document.createElement('button'), {textContent: 'New'}))">Add</button><a href=#>Other</a><p style="height: 3000px">`)
	t.Run("5.13 snapshot --search", func(t *testing.T) {
		r := c.do("snapshot", "-i", "--search", "add")
		require.Contains(t, textOf(r), "Snapshot filter: 1/3 refs match")
		require.Contains(t, textOf(r), `button "Add"`)
		require.NotContains(t, textOf(r), `link "Other"`)
		require.Equal(t, []string{"snapshot", "-i"}, r.Details.SnapshotFilter.CleanArgs)
		require.Len(t, r.Details.RefSnapshot.RefIDs, 3, "the session's refs are all there")
		require.NotContains(t, r.Details.EffectiveArgs, "--search")
	})
	t.Run("5.13 snapshot --filter", func(t *testing.T) {
		r := c.do("snapshot", "-i", "--filter", "role=link")
		require.Contains(t, textOf(r), `link "Other"`)
		require.NotContains(t, textOf(r), `button "Add"`)
	})
	t.Run("5.13 snapshot --viewport", func(t *testing.T) {
		c.do("eval", "scrollTo(0, 500)")
		r := c.do("snapshot", "-i", "--viewport")
		require.Regexp(t, `Viewport: \d+x\d+, scroll 0,500 `, textOf(r))
		require.Equal(t, 500.0, r.Details.SnapshotViewport.ScrollY)
		c.do("eval", "scrollTo(0, 0)")
	})
	t.Run("5.13 snapshot --diff", func(t *testing.T) {
		c.do("snapshot", "-i")
		c.do("click", "text=Add")
		r := c.do("snapshot", "-i", "--diff")
		require.Contains(t, textOf(r), "Snapshot diff: +1 / -0 / ~0 refs, 3 unchanged")
		require.Len(t, r.Details.SnapshotDiff.AddedRefs, 1)
	})
	t.Run("5.14 network requests --current-origin", func(t *testing.T) {
		other := httptest.NewServer(http.NotFoundHandler())
		defer other.Close()
		c.do("network", "requests", "--clear")
		c.do("eval", `Promise.allSettled([fetch("/mine"), fetch("`+other.URL+`/theirs", {mode: "no-cors"})]).then(() => 1)`)
		r := c.do("network", "requests", "--current-origin")
		require.Contains(t, textOf(r), "/mine")
		require.NotContains(t, textOf(r), "/theirs")
		require.Equal(t, "current-origin", r.Details.NetworkRequestsPageFilter.Mode)
		require.Greater(t, r.Details.NetworkRequestsPageFilter.TotalRows, r.Details.NetworkRequestsPageFilter.MatchedRows)
	})
}

func TestScrollForms(t *testing.T) {
	t.Parallel()
	c := showing(t,
		`<!doctype html><title>One</title><div id=list style="height: 100px; overflow: auto"><div style="height: 2000px">x</div></div><p style="height: 3000px">`)
	t.Run("11.6 to an edge", func(t *testing.T) {
		r := c.do("scroll", "to", "end")
		require.Equal(t, 0, *r.Details.ExitCode)
		require.Equal(t, map[string]any{"to": "end"}, asJSON(r.Details.ScrollPage.Request))
		require.Equal(t, "true", textOf(c.do("eval", "scrollY + innerHeight >= document.documentElement.scrollHeight - 1")))
		c.do("scroll", "to", "top")
		require.Equal(t, "0", textOf(c.do("eval", "scrollY")))
	})
	t.Run("11.6 an element", func(t *testing.T) {
		r := c.do("scroll", "#list", "down", "300")
		require.Equal(t, "#list", r.Details.ScrollContainer.Request.Selector)
		require.Equal(t, "300", textOf(c.do("eval", "list.scrollTop")))
		require.Equal(t, "0", textOf(c.do("eval", "scrollY")))
	})
	t.Run("11.6 an element by a share of what it shows", func(t *testing.T) {
		c.do("eval", "list.scrollTop = 0")
		r := c.do("scroll", "#list", "down", "50%")
		require.Equal(t, map[string]any{"selector": "#list", "direction": "down", "percent": "50"},
			asJSON(r.Details.ScrollContainer.Request))
		require.Equal(t, "50", textOf(c.do("eval", "list.scrollTop")))
	})
}

func TestSecretsOfCalls(t *testing.T) {
	t.Parallel()
	const secret = "Pl4nted-s3cret-Value"
	c := showing(t,
		`<!doctype html><title>One</title><label>Password <input type=password id=password></label><script>localStorage.authToken = "`+secret+`"; localStorage.theme = "dark"</script>`)
	calls := map[string][]contract.Params{
		"9.2 9.4 cookies": {
			{Args: []string{"cookies", "set", "sid", secret}},
			{Args: []string{"cookies"}},
			{Args: []string{"cookies", "get", "sid", "--json"}},
		},
		"9.2 9.4 storage": {
			{Args: []string{"storage", "local"}},
			{Args: []string{"storage", "local", "get", "authToken"}},
			{Args: []string{"storage", "session", "set", "k", secret}},
		},
		"9.2 9.3 addresses": {
			{Args: []string{"open", site.URL() + "/page-1?token=" + secret}},
			{Args: []string{"get", "url"}},
			{Args: []string{"tab", "list"}},
		},
		"9.2 headers": {
			{Args: []string{"set", "headers", `{"Authorization":"Bearer ` + secret + `"}`}},
			{Args: []string{"set", "headers", `{"Authorization" "` + secret + `"}`}},
		},
		"9.2 credentials": {{Args: []string{"set", "credentials", "me", secret}}},
		"9.2 9.5 rows of a batch": {{
			Args: []string{"batch"},
			Stdin: new(`[["cookies","set","a","` + secret + `"],["storage","local","set","k","` + secret + `","` + secret +
				`"],["fill","#nowhere-password","` + secret + `","--timeout","50"]]`),
		}},
		"9.2 9.5 rows that are words": {{Args: []string{"batch", "cookies set a " + secret, "clipboard write " + secret}}},
		"9.5 unknown commands": {
			{Args: []string{"auth", "save", "x", "--password-stdin"}, Stdin: new(secret)},
			{Args: []string{"auth", "save", "x", "--password", secret}},
		},
		"9.7 password fields": {
			{Args: []string{"fill", "#password", secret}},
			{Args: []string{"find", "label", "Password", "fill", secret}},
			{SemanticAction: json.RawMessage(`{"action":"fill","locator":"label","value":"Password","text":"` + secret + `"}`)},
		},
		"9.4 what pages hand back": {
			{Args: []string{"eval", `({user: {apiKey: localStorage.authToken}})`}},
			{Args: []string{"eval", `"Bearer " + localStorage.authToken`}},
		},
		"9.4 9.5 10.18 long output": {{Args: []string{
			"eval",
			`JSON.stringify({password: localStorage.authToken}) + "x".repeat(20000)`,
		}}},
	}
	for name, list := range calls {
		t.Run(name, func(t *testing.T) {
			for _, p := range list {
				r := c.call(p)
				all, err := json.Marshal(r)
				require.NoError(t, err)
				require.NotContains(t, string(all), secret, "%v", p.Args)
				for _, path := range r.Details.FullOutputPaths {
					kept, err := os.ReadFile(path)
					require.NoError(t, err)
					require.NotContains(t, string(kept), secret)
					require.NotEmpty(t, kept)
				}
			}
		})
	}
	t.Run("9.7 a password field by its ref", func(t *testing.T) {
		c.do("open",
			site.Show(`<!doctype html><title>x</title><label>Password <input type=password></label><label>City <input></label>`))
		snapshot := textOf(c.do("snapshot", "-i"))
		ref := "@" + refIn(t, lineWith(t, snapshot, "Password"))
		for _, p := range []contract.Params{
			{Args: []string{"fill", ref, secret}},
			{Args: []string{"batch"}, Stdin: new(`[["fill","` + ref + `","` + secret + `"]]`)},
		} {
			all, err := json.Marshal(c.call(p))
			require.NoError(t, err)
			require.NotContains(t, string(all), secret)
		}
		require.Equal(t, "true", textOf(c.do("eval", `document.querySelector("[type=password]").value.length > 5`)))
		city := "@" + refIn(t, lineWith(t, snapshot, "City"))
		require.Equal(t, []string{"fill", city, "Rome"}, c.do("fill", city, "Rome").Details.Args)
	})
	t.Run("9.4 9.6 values that are not secrets stay", func(t *testing.T) {
		require.Contains(t, textOf(c.do("storage", "local", "get", "theme")), "dark")
	})
	t.Run("1.6 1.9 progress has none", func(t *testing.T) {
		var told []string
		r := c.tool.Call(context.Background(),
			tool.Request{Params: contract.Params{Args: []string{"cookies", "set", "sid", "x1"}}, Progress: func(text string) {
				told = append(told, text)
			}})
		require.False(t, r.IsError)
		require.Contains(t, told, "Running agent-browser cookies set sid [REDACTED]")
		require.Equal(t, []string{"cookies", "set", "sid", "[REDACTED]"}, r.Details.Args)
	})
}
