package tool_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

func TestTabRecovery(t *testing.T) {
	t.Parallel()
	const url = "http://a.test/"
	tabs := func(active string) backend.Answer {
		return ok(object{"tabs": []any{
			object{"tabId": "t1", "url": "http://old.test/", "title": "Old", "active": active == "t1"},
			object{"tabId": "t2", "url": url, "title": "A", "active": active == "t2"},
		}})
	}
	opened := ok(object{"url": url, "title": "A"})
	t.Run("16.1 16.2 a restored tab that took the place is put back, and commands choose their tab from then on",
		func(t *testing.T) {
			t.Parallel()
			fixed := answers(map[string]backend.Answer{
				"--profile": opened, "tab list": tabs("t1"),
				"tab t2": ok(object{"tabId": "t2", "url": url}),
			})
			c, s := newScripted(t, func(line, stdin string) backend.Answer {
				if strings.HasPrefix(line, "batch") {
					return backend.Answer{Success: true, Rows: []backend.Row{
						{Command: []string{"tab", "t2"}, Success: true, Result: object{"tabId": "t2"}},
						{Command: []string{"get", "title"}, Success: true, Result: object{"title": "A"}},
					}}
				}
				return fixed(line, stdin)
			})
			r := c.do("--profile", "Default", "open", url)
			require.Equal(t,
				&contract.TabCorrection{SelectedTab: "t2", SelectionKind: "tabId", TargetTitle: "A", TargetURL: url},
				r.Details.SessionTabCorrection)
			requireRan(t, s, "--profile Default open "+url, "tab list", "tab t2")
			r = c.do("get", "title")
			require.Equal(t, object{"title": "A"}, r.Details.Data, "the answer is that of the command alone")
			requireRan(t, s, `batch --bail < [["tab","t2"],["get","title"]]`)
			r = c.do("batch", "get title")
			require.Len(t, r.Details.BatchSteps, 1)
			requireRan(t, s, `batch < [["tab","t2"],["get","title"]]`)
			c.do("batch", "--bail", "get title")
			requireRan(t, s, `batch --bail < [["tab","t2"],["get","title"]]`)
		})
	t.Run("16.2 routine calls ask for no tabs", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(map[string]backend.Answer{"open": opened, "get title": ok(object{"title": "A"})}))
		c.do("open", url)
		c.do("get", "title")
		requireRan(t, s, "open "+url, "get title")
	})
	t.Run("16.3 16.5 opens are not pinned; a tab that cannot be chosen is drift", func(t *testing.T) {
		t.Parallel()
		gone := backend.Answer{Rows: []backend.Row{{Command: []string{"tab", "t2"}, Error: "no such tab"}}}
		c, s := newScripted(t, answers(map[string]backend.Answer{
			"--profile": opened, "open": opened, "tab list": tabs("t1"), "tab t2": ok(object{"tabId": "t2"}), "batch": gone,
		}))
		c.do("--profile", "Default", "open", url)
		s.ran()
		c.do("open", url)
		requireRan(t, s, "open "+url)
		r := c.try("get", "title")
		require.Equal(t, contract.TabDrift, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "could not re-select the intended tab")
	})
	t.Run("16.4 a page that went blank is looked for among the tabs", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(map[string]backend.Answer{
			"open": opened, "eval": ok(object{"origin": "about:blank", "result": 1.0}), "tab list": tabs("t1"),
			"tab t2": ok(object{"tabId": "t2"}),
		}))
		c.do("open", url)
		s.ran()
		r := c.do("eval", "1")
		requireRan(t, s, "eval 1", "tab list", "tab t2")
		require.Equal(t, url, r.Details.SessionTabTarget.URL)
		require.Contains(t, strings.Join(r.Details.Warnings, "\n"),
			"Warning: agent_browser detected that this session returned about:blank")
	})
	t.Run("16.4 a page that is nowhere is lost, and so are its refs", func(t *testing.T) {
		t.Parallel()
		all := page(url)
		all["eval"], all["tab list"] = ok(object{"origin": "about:blank"}), ok(object{"tabs": []any{}})
		c, _ := newScripted(t, answers(all))
		c.do("open", url)
		c.do("snapshot", "-i")
		r := c.try("eval", "1")
		require.Equal(t, contract.TabDrift, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "No matching tab could be re-selected")
		require.Equal(t, "about:blank", r.Details.SessionTabTarget.URL)
		require.Equal(t, contract.StaleRef, c.try("click", "@e1").Details.FailureCategory)
	})
	t.Run("16.4 natively, going to an empty page is fine when it is asked for", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>x</title>`)
		require.Equal(t, "about:blank", c.do("open", "about:blank").Details.SessionTabTarget.URL)
	})
	t.Run("16.7 after a tab was closed the page is that of the active one", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>First</title>`)
		first := textOf(c.do("get", "url"))
		c.do("tab", "new", site.Show(`<title>Second</title>`))
		require.Equal(t, first, c.do("tab", "close").Details.SessionTabTarget.URL)
		s, _ := newScripted(t,
			answers(map[string]backend.Answer{
				"open": opened, "tab close": ok(object{"tabId": "t2", "url": url}),
				"tab list": tabs("t1"),
			}))
		s.do("open", url)
		require.Equal(t, "http://old.test/", s.do("tab", "close").Details.SessionTabTarget.URL)
	})
	t.Run("16.8 a pinned tab that is gone is told, not replaced", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>First</title>`)
		c.do("eval", "void (window.second = window.open('"+site.Show(`<title>Second</title>`)+"'))")
		c.do("--pin-tab", "tab", "t2")
		c.do("--tab", "t1", "eval", "second.close()")
		require.Eventually(t, func() bool {
			return c.try("get", "title").Details.FailureCategory == contract.TabGone
		}, callLimit, pollEvery)
		require.Equal(t, "First", textOf(c.do("--tab", "t1", "get", "title")))
	})
	t.Run("3.12 a subprocess is told when to end", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(map[string]backend.Answer{"open": opened}))
		c.do("open", url)
		require.Equal(t, "900000", s.env[0]["AGENT_BROWSER_IDLE_TIMEOUT_MS"])
	})
	t.Run("18.4 a close is about the session that was made, whatever else is said", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(map[string]backend.Answer{"open": opened, "close": ok(object{"closed": true})}))
		c.do("open", url)
		s.ran()
		c.do("--config", "other.json", "--restore", "x", "close")
		requireRan(t, s, "close")
	})
}
