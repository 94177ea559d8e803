package tool_test

import (
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/backend"
	"github.com/skua-browser/skua/tool/contract"
)

const twoButtons = `<!doctype html><title>Form</title>
<button onclick="document.title = 'one'">One</button><button onclick="document.title = 'two'">Two</button>
<label><input type=checkbox> Agree</label>`

func TestRefsNative(t *testing.T) {
	t.Parallel()
	t.Run("5.1 a snapshot hands out its refs", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		r := c.do("snapshot", "-i")
		s := r.Details.RefSnapshot
		require.Equal(t, []string{"e1", "e2", "e3"}, s.RefIDs)
		require.Equal(t, contract.Ref{Role: "button", Name: "Two"}, s.Refs["e2"])
		require.Equal(t, r.Details.SessionTabTarget.URL, s.Target.URL)
		c.do("open", site.Show(`<title>Empty</title>`))
		require.Equal(t, []string{}, c.do("snapshot", "-i").Details.RefSnapshot.RefIDs)
	})
	t.Run("5.4 refs of a page that was left are refused, and nothing is hit", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		c.do("snapshot", "-i")
		c.do("open", site.Show(twoButtons))
		r := c.try("click", "@e1", "--timeout", "1000")
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
		require.Equal(t, "Form", textOf(c.do("get", "title")))
	})
	t.Run("5.4 refs that were never handed out are refused", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		c.do("snapshot", "-i")
		require.Equal(t, contract.StaleRef, c.try("click", "@e99").Details.FailureCategory)
	})
	t.Run("5.5 another fragment is the same page", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		c.do("snapshot", "-i")
		c.do("eval", "location.hash = 'there'")
		c.do("click", "@e2")
		require.Equal(t, "two", textOf(c.do("get", "title")))
	})
	t.Run("5.6 in a batch, what the engine proves to be the same element is used", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		c.do("snapshot", "-i")
		c.do("batch", "--bail", "click @e1", "click @e2")
		require.Equal(t, "two", textOf(c.do("get", "title")))
	})
	t.Run("5.6 5.7 in a batch, refs of a page that an earlier step left hit nothing", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons)
		c.do("snapshot", "-i")
		r := c.try("batch", "--bail", "--timeout", "3000", "open "+site.Show(twoButtons), "click @e1")
		require.True(t, r.IsError)
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
		require.Equal(t, "Form", textOf(c.do("get", "title")))
	})
	t.Run("5.7 an element that became another item is not hit", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<title>List</title><ul><li>Ann <button onclick="document.title = 'deleted'">Delete</button></li>
			<li>Bob <button>Delete</button></li></ul>`)
		c.do("snapshot", "-i")
		c.do("eval", "document.querySelectorAll('li').forEach((li, i) => li.firstChild.data = ['Bob ', 'Cid '][i])")
		require.Equal(t, contract.StaleRef, c.try("click", "@e1", "--timeout", "1000").Details.FailureCategory)
		require.Equal(t, "List", textOf(c.do("get", "title")))
	})
	t.Run("5.11 the last snapshot of a batch counts", func(t *testing.T) {
		t.Parallel()
		c := newCaller(t)
		r := c.do("batch", "open "+site.Show(twoButtons), "snapshot -i", "click @e3", "snapshot -i")
		require.Equal(t, []string{"e1", "e2", "e3"}, r.Details.RefSnapshot.RefIDs)
		c.do("click", "@e2")
		require.Equal(t, "two", textOf(c.do("get", "title")))
	})
	t.Run("5.12 requests, cookies and what is read elsewhere do not change the page", func(t *testing.T) {
		t.Parallel()
		c := showing(t, twoButtons+`<script>fetch('/elsewhere')</script>`)
		url := textOf(c.do("get", "url"))
		c.do("snapshot", "-i")
		for _, args := range [][]string{
			{"network", "requests"},
			{"console"},
			{"errors"},
			{"cookies"},
			{"storage", "local"},
			{"read", site.Show(`<p>Else`)},
		} {
			require.Equal(t, url, c.do(args...).Details.SessionTabTarget.URL, "%v", args)
		}
		c.do("click", "@e1")
		require.Equal(t, "one", textOf(c.do("get", "title")))
	})
}

// page is what agent-browser answers of a page with two buttons and a checkbox.
func page(url string) map[string]backend.Answer {
	return map[string]backend.Answer{
		"open":    ok(object{"url": url, "title": "Form"}),
		"get url": ok(object{"url": url}),
		"snapshot": ok(object{"origin": url, "snapshot": "- button", "refs": object{
			"e1": object{"role": "button", "name": "One"}, "e2": object{"role": "button", "name": "Two"},
			"e3": object{"role": "checkbox", "name": "Agree"},
		}}),
	}
}

func TestRefsSubprocess(t *testing.T) {
	t.Parallel()
	const url = "http://a.test/form"
	table := func(more map[string]backend.Answer) map[string]backend.Answer {
		all := page(url)
		maps.Copy(all, more)
		return all
	}
	t.Run("5.4 refs of a page that was left are refused before anything runs", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t,
			answers(table(map[string]backend.Answer{"open http://b": ok(object{"url": "http://b.test/", "title": "B"})})))
		c.do("open", url)
		c.do("snapshot", "-i")
		c.do("open", "http://b.test/")
		s.ran()
		r := c.try("click", "@e1")
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "came from a snapshot for "+url+", but the current session target is http://b.test/")
		require.Empty(t, s.ran())
	})
	t.Run("5.4 absent refs are refused before anything runs", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(table(nil)))
		c.do("open", url)
		c.do("snapshot", "-i")
		s.ran()
		r := c.try("click", "@e9")
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "was not present in the latest snapshot")
		require.Empty(t, s.ran())
		require.False(t, c.try("wait", "@e9").IsError, "5.2 waiting is not guarded")
	})
	t.Run("5.4 5.10 a snapshot without a page, and a recording, take the refs", func(t *testing.T) {
		t.Parallel()
		c, _ := newScripted(t, answers(table(map[string]backend.Answer{"record start": ok(object{"path": "a.webm"})})))
		c.do("open", url)
		c.do("snapshot", "-i")
		r := c.try("record", "start", "a.webm")
		require.Equal(t, "page-transition", r.Details.RefSnapshotInvalidation.Reason)
		r = c.try("click", "@e1")
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "cannot be used yet.")
		c.do("snapshot", "-i")
		require.NotEqual(t, contract.StaleRef, c.try("click", "@e1").Details.FailureCategory,
			"a new snapshot makes them right again")
	})
	t.Run("5.6 5.9 a batch is refused whole when a step may have changed the page", func(t *testing.T) {
		t.Parallel()
		c, s := newScripted(t, answers(table(nil)))
		c.do("open", url)
		c.do("snapshot", "-i")
		s.ran()
		stdin := `[["click","@e1"],["click","@e2"]]`
		for _, p := range []contract.Params{
			{Args: []string{"batch", "click @e1", "click @e2"}},
			{Args: []string{"batch"}, Stdin: &stdin},
		} {
			r := c.call(p)
			require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
			require.Contains(t, textOf(r), "after an earlier batch step can navigate or mutate")
		}
		require.Empty(t, s.ran())
		c.try("batch", "check @e3", "click @e1")
		require.NotEmpty(t, s.ran(), "5.8 a checkbox changes nothing else")
	})
	t.Run("5.4 getters after a change look whether their elements are the same", func(t *testing.T) {
		t.Parallel()
		changed := false
		fixed := answers(table(nil))
		c, s := newScripted(t, func(line, stdin string) backend.Answer {
			if changed && strings.HasPrefix(line, "snapshot") {
				return ok(object{
					"origin": url,
					"refs":   object{"e1": object{"role": "button", "name": "Other"}, "e2": object{"role": "button", "name": "Two"}},
				})
			}
			return fixed(line, stdin)
		})
		c.do("open", url)
		c.do("snapshot", "-i")
		changed = true
		c.try("click", "@e1")
		s.ran()
		r := c.try("batch", "get text @e1", "get text @e2")
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory)
		require.Contains(t, textOf(r), "no longer matches the latest same-page snapshot")
		require.NotContains(t, strings.Join(s.ran(), "\n"), "get text")
		r = c.try("click", "@e1")
		require.Equal(t, contract.StaleRef, r.Details.FailureCategory,
			"refs that the caller was not shown again are compared, whatever uses them")
		c.do("snapshot", "-i")
		require.NotEqual(t, contract.StaleRef, c.try("click", "@e1").Details.FailureCategory)
	})
	t.Run("5.10 a batch that ran out of time counts with its recording", func(t *testing.T) {
		t.Parallel()
		c, _ := newScripted(t, answers(table(map[string]backend.Answer{"batch": {TimedOut: true, Error: "timed out"}})))
		c.do("open", url)
		c.do("snapshot", "-i")
		r := c.try("batch", "record start a.webm", "wait 100")
		require.Equal(t, "page-transition", r.Details.RefSnapshotInvalidation.Reason)
	})
}
