package tool_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/tool/contract"
)

func idsOf(r *contract.Result) []string {
	ids := []string{}
	for _, a := range r.Details.NextActions {
		ids = append(ids, a.ID)
	}
	return ids
}

// follow sends a follow-up unchanged.
func (c *caller) follow(r *contract.Result, id string) *contract.Result {
	c.t.Helper()
	for _, a := range r.Details.NextActions {
		if a.ID != id {
			continue
		}
		p := contract.Params{}
		p.Args = a.Params.Args
		if a.Params.Stdin != "" {
			p.Stdin = &a.Params.Stdin
		}
		p.SessionMode = a.Params.SessionMode
		if a.Params.Electron != nil {
			raw, err := json.Marshal(a.Params.Electron)
			require.NoError(c.t, err)
			p.Electron = raw
		}
		return c.call(p)
	}
	require.Fail(c.t, "no such follow-up", "%s among %v", id, idsOf(r))
	return nil
}

func TestCoveredClick(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><title>0</title>
		<button id=buy onclick="document.title++">Buy</button>
		<div id=banner role=dialog aria-label=Cookies style="position:fixed;inset:0;background:#fff">We use cookies
			<button onclick="banner.remove()">Close</button></div>`)
	r := c.try("click", "#buy")
	d := r.Details
	t.Run("11.1 6.10 nothing was clicked, and it is told", func(t *testing.T) {
		require.Equal(t, contract.Failure, d.ResultCategory)
		require.Equal(t, contract.UpstreamError, d.FailureCategory)
		require.Equal(t, "no-native-event-observed", d.ClickDispatch.Status)
		require.Equal(t, "native-click-produced-no-target-dom-event", d.ClickDispatch.Reason)
		require.Zero(t, d.ClickDispatch.NativeEventCount)
		require.Equal(t, "Buy", d.ClickDispatch.Target.Name)
		require.Equal(t, "0", textOf(c.do("get", "title")))
	})
	t.Run("11.2 7.9 what lies over it can be closed", func(t *testing.T) {
		require.Len(t, d.OverlayBlockers.Candidates, 1)
		require.Equal(t, "Close", d.OverlayBlockers.Candidates[0].Name)
		require.Equal(t, []string{
			"inspect-click-dispatch-miss", "retry-click-after-dispatch-miss", "scroll-target-into-view-after-dispatch-miss",
			"inspect-overlay-state", "try-overlay-blocker-candidate-1",
		}, idsOf(r))
		closed := c.follow(r, "try-overlay-blocker-candidate-1")
		require.False(t, closed.IsError, textOf(closed))
		again := c.follow(r, "retry-click-after-dispatch-miss")
		require.False(t, again.IsError, textOf(again))
		require.Equal(t, "1", textOf(c.do("get", "title")))
	})
}

func TestDialogOfThePage(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><title>Shop</title><button onclick="dlg.show()">Open it</button><button>Close the tab</button>
		<dialog id=dlg aria-label="Sign up"><button onclick="dlg.close()">No thanks</button><button>Sign up</button></dialog>`
	t.Run("11.2 7.9 after a click that brought one up", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		c.do("snapshot", "-i")
		r := c.do("click", "@e1")
		require.NotNil(t, r.Details.OverlayBlockers)
		require.Equal(t, "No thanks", r.Details.OverlayBlockers.Candidates[0].Name)
		require.Equal(t, []string{"inspect-after-mutation", "inspect-overlay-state", "try-overlay-blocker-candidate-1"},
			idsOf(r))
		c.follow(r, "try-overlay-blocker-candidate-1")
		require.NotContains(t, textOf(c.do("snapshot")), "dialog")
	})
	t.Run("11.2 in a snapshot", func(t *testing.T) {
		t.Parallel()
		c := showing(t, strings.Replace(page, "<dialog", "<dialog open", 1))
		r := c.do("snapshot")
		require.NotNil(t, r.Details.OverlayBlockers)
		require.Len(t, r.Details.OverlayBlockers.Candidates, 1, "buttons of the page behind do not count")
		require.Contains(t, textOf(r), "Possible overlay blockers")
	})
	t.Run("11.2 not where the page has no dialog", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		require.Nil(t, c.do("snapshot").Details.OverlayBlockers)
		require.Nil(t, c.do("click", "text=Close the tab").Details.OverlayBlockers)
	})
}

func TestScrollThatMovesNothing(t *testing.T) {
	t.Parallel()
	const pane = `<!doctype html><body style="margin:0;overflow:hidden"><p>fixed`
	t.Run("11.7 6.10 7.9 a page that does not scroll", func(t *testing.T) {
		t.Parallel()
		c := showing(t, pane)
		r := c.try("scroll", "down", "800")
		require.True(t, r.IsError)
		require.Equal(t, contract.UpstreamError, r.Details.FailureCategory)
		require.Equal(t, "no-observed-scroll-position-change", r.Details.ScrollNoop.Reason)
		require.Equal(t, r.Details.ScrollNoop.Before, r.Details.ScrollNoop.After)
		data := asJSON(r.Details.Data).(map[string]any)
		require.Equal(t, false, data["scrolled"])
		require.Equal(t, true, data["noMovement"])
		require.Equal(t, []string{"inspect-after-noop-scroll", "verify-noop-scroll-visually"}, idsOf(r))
		require.Contains(t, textOf(r), "Scroll completed with no observed movement")
		require.Contains(t, textOf(r), "Scroll diagnostic: no observed scroll movement")
	})
	t.Run("11.7 a page that scrolls", func(t *testing.T) {
		t.Parallel()
		c := showing(t, `<!doctype html><div style="height:5000px">long</div>`)
		r := c.do("scroll", "down", "800")
		require.Nil(t, r.Details.ScrollNoop)
		require.Equal(t, "800", textOf(c.do("eval", "scrollY")))
	})
	t.Run("11.7 a small step at the end is not a failure", func(t *testing.T) {
		t.Parallel()
		require.False(t, showing(t, pane).try("scroll", "down", "10").IsError)
	})
}

func TestComboboxWithoutOptions(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><input role=combobox aria-expanded=false aria-label=City id=city><ul role=listbox id=cities hidden><li role=option>Oslo</ul>`
	t.Run("11.8 7.9 it has the focus, and nothing opened", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		c.do("snapshot", "-i")
		r := c.do("click", "@e1")
		require.NotNil(t, r.Details.ComboboxFocus)
		require.Equal(t, "focused-combobox-without-visible-options", r.Details.ComboboxFocus.Reason)
		require.Equal(t, "false", r.Details.ComboboxFocus.ActiveElement.Expanded)
		require.Equal(t,
			[]string{
				"inspect-after-mutation", "inspect-focused-combobox", "try-open-combobox-with-arrow",
				"try-open-combobox-with-enter",
			}, idsOf(r))
		require.Contains(t, textOf(r), "Combobox diagnostic: focused combobox did not expose visible options")
	})
	t.Run("11.8 it shows its options", func(t *testing.T) {
		t.Parallel()
		c := showing(t, strings.Replace(page, "id=city", `id=city onfocus="cities.hidden = false"`, 1))
		require.Nil(t, c.do("find", "role", "combobox", "click", "--name", "City").Details.ComboboxFocus)
	})
	t.Run("11.8 a field that is not one", func(t *testing.T) {
		t.Parallel()
		require.Nil(t, showing(t, `<!doctype html><input id=a aria-label=Name>`).do("click", "#a").Details.ComboboxFocus)
	})
}

func TestFillThatDoesNotStick(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><div id=note contenteditable role=textbox aria-label=Note></div>
		<script>note.addEventListener('input', () => { note.textContent = 'reworded' })</script>`)
	r := c.try("fill", "#note", "as it was meant")
	t.Run("11.10 7.9 the editor rewords what it gets", func(t *testing.T) {
		require.NotNil(t, r.Details.FillVerification)
		require.Equal(t, "mismatch", r.Details.FillVerification.Status)
		require.Equal(t, "reworded", r.Details.FillVerification.Actual)
		require.Equal(t, []string{"inspect-after-fill-verification", "verify-filled-value"}, idsOf(r))
	})
	t.Run("11.10 an editor that keeps it", func(t *testing.T) {
		kept := showing(t, `<!doctype html><div id=note contenteditable role=textbox aria-label=Note></div>`)
		require.Nil(t, kept.do("fill", "#note", "as it was meant").Details.FillVerification)
	})
}

func TestTextOfOneOfSeveral(t *testing.T) {
	t.Parallel()
	c := showing(t,
		`<!doctype html><p class=x style="display:none">hidden</p><p class=x>first</p><p class=x>second</p><p id=one>one</p><b>alone</b>`)
	t.Run("11.5 7.9 the first match is hidden", func(t *testing.T) {
		r := c.do("get", "text", ".x")
		v := r.Details.SelectorTextVisibility
		require.NotNil(t, v)
		require.Equal(t, 3, v.MatchCount)
		require.Equal(t, 2, v.VisibleCount)
		require.False(t, v.FirstMatchVisible)
		require.Equal(t,
			[]contract.VisibleCandidate{
				{Index: 1, TagName: "p", TextPreview: "first"},
				{Index: 2, TagName: "p", TextPreview: "second"},
			}, v.VisibleCandidates)
		require.Contains(t, textOf(r), "Selector text visibility warning:")
		require.Contains(t, textOf(r), "first match is hidden")
		again := c.follow(r, "inspect-visible-text-candidates")
		require.False(t, again.IsError, textOf(again))
		require.Equal(t, 3.0, asJSON(again.Details.Data).(map[string]any)["result"].(map[string]any)["matchCount"])
	})
	t.Run("11.5 in a batch, hidden ones first", func(t *testing.T) {
		r := c.do("batch", "get text p", "get text .x")
		all := r.Details.SelectorTextVisibilityAll
		require.Len(t, all, 2)
		require.Equal(t, []string{"inspect-visible-text-candidates", "inspect-visible-text-candidates-2"}, idsOf(r))
	})
	t.Run("11.5 what is unambiguous", func(t *testing.T) {
		for _, selector := range []string{"#one", "b"} {
			require.Nil(t, c.do("get", "text", selector).Details.SelectorTextVisibility, selector)
		}
	})
}

func TestElementThatIsNotFound(t *testing.T) {
	t.Parallel()
	const page = `<!doctype html><title>0</title><div role=button tabindex=0 aria-label="Save  draft" style="width:90px;height:30px" onclick="document.title++"></div>
		<input aria-label=Email id=mail><button>Save</button><button>Save</button>`
	t.Run("11.3 7.8 a text that is the name of a button", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		r := c.try("find", "text", "save draft", "click")
		require.Equal(t, contract.SelectorNotFound, r.Details.FailureCategory)
		require.NotNil(t, r.Details.VisibleRefFallback)
		require.Equal(t, "Save draft", r.Details.VisibleRefFallback.Candidates[0].Name)
		require.Equal(t, []string{"refresh-interactive-refs", "try-current-visible-ref"}, idsOf(r))
		require.Contains(t, textOf(r), "Current snapshot ref fallback:")
		c.follow(r, "try-current-visible-ref")
		require.Equal(t, "1", textOf(c.do("get", "title")))
	})
	t.Run("11.3 also for a step of a batch", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		r := c.try("batch", "--bail", "get title", "find text 'save draft' click")
		require.NotNil(t, r.Details.VisibleRefFallback)
		require.Contains(t, idsOf(r), "try-current-visible-ref")
	})
	t.Run("11.3 a part of a name is not enough", func(t *testing.T) {
		t.Parallel()
		r := showing(t, page).try("find", "text", "Save dra", "click", "--exact")
		require.Nil(t, r.Details.VisibleRefFallback, textOf(r))
	})
	t.Run("11.4 7.8 9.7 a field that was looked for by its placeholder", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		r := c.try("find", "placeholder", "email", "fill", "kept-secret-text")
		require.NotNil(t, r.Details.RichInputRecovery, textOf(r))
		require.Equal(t, []string{"refresh-interactive-refs", "focus-current-editable-ref", "click-current-editable-ref"},
			idsOf(r))
		require.Equal(t, []string{"focus-current-editable-ref", "click-current-editable-ref"},
			r.Details.RichInputRecovery.NextActionIDs)
		require.Nil(t, r.Details.VisibleRefFallback.Candidates[0].Args)
		require.NotContains(t, fmt.Sprint(r.Details.NextActions, r.Details.RichInputRecovery, r.Details.VisibleRefFallback),
			"kept-secret-text")
		require.Contains(t, textOf(r), "Rich input recovery:")
		c.follow(r, "focus-current-editable-ref")
		require.Equal(t, "mail", textOf(c.do("eval", "document.activeElement.id")))
	})
	t.Run("7.8 an intent on a text may mean a button or a link", func(t *testing.T) {
		t.Parallel()
		c := showing(t, page)
		r := c.call(contract.Params{SemanticAction: []byte(`{"action":"click","locator":"text","value":"Nowhere"}`)})
		require.Equal(t, []string{"refresh-interactive-refs", "try-button-name-candidate", "try-link-name-candidate"},
			idsOf(r))
		require.Contains(t, textOf(r), "Agent-browser candidate fallbacks")
	})
}

func TestEvalHints(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><title>E</title>`)
	send := func(code string) *contract.Result {
		return c.call(contract.Params{Args: []string{"eval", "--stdin"}, Stdin: &code})
	}
	t.Run("11.9 a function that is not called", func(t *testing.T) {
		for _, code := range []string{"() => document.title", "async () => 1", "x => x", "(a, b) => a"} {
			r := send(code)
			require.NotNil(t, r.Details.EvalStdinHint, code)
			require.Contains(t, textOf(r), "Eval stdin hint", code)
		}
	})
	t.Run("11.9 values that are empty for another reason", func(t *testing.T) {
		for _, code := range []string{"({})", "[]", "(() => ({}))()", "document.title"} {
			require.Nil(t, send(code).Details.EvalStdinHint, code)
		}
	})
	t.Run("11.9 null on a page of the web", func(t *testing.T) {
		require.Nil(t, send("document.querySelector('nothing')").Details.EvalResultWarning)
	})
}

func TestRoutedRequests(t *testing.T) {
	t.Parallel()
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte(`<!doctype html><title>R</title>`))
		case "/api/slow":
			select {
			case <-release:
			case <-r.Context().Done():
			}
		}
	}))
	t.Cleanup(server.Close)
	t.Cleanup(func() { close(release) })
	c := newCaller(t)
	c.do("open", server.URL)
	c.do("network", "route", "**/api/slow", "--request-header", "X-From: tool")
	c.do("network", "requests", "--clear")
	c.do("eval", "void fetch('/api/slow')")
	r := c.do("network", "requests")
	t.Run("11.11 7.13 a request that the route holds", func(t *testing.T) {
		require.Len(t, r.Details.NetworkRouteDiagnostics, 1, "%v", r.Details.Data)
		d := r.Details.NetworkRouteDiagnostics[0]
		require.Equal(t, "pending-routed-request", d.Reason)
		require.Equal(t, "**/api/slow", d.RoutePattern)
		require.Equal(t, server.URL+"/api/slow", d.RequestURL)
		require.Equal(t, []string{"inspect-routed-network-request", "start-network-har-capture-for-route-mock"}, idsOf(r)[:2])
		require.Contains(t, textOf(r), "Network route diagnostics")
		detail := c.follow(r, "inspect-routed-network-request")
		require.False(t, detail.IsError, textOf(detail))
	})
	t.Run("11.11 without the route nothing is said", func(t *testing.T) {
		c.do("network", "unroute")
		require.Empty(t, c.do("network", "requests").Details.NetworkRouteDiagnostics)
	})
}

func TestDialogThatBlocks(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><button id=ask onclick="this.textContent = confirm('Sure?')">Ask</button>`)
	c.do("click", "#ask")
	r := c.try("click", "#ask")
	t.Run("7.9 it is named, and can be answered", func(t *testing.T) {
		require.True(t, r.IsError)
		require.Equal(t,
			[]string{
				"inspect-dialog-after-timeout", "dismiss-dialog-after-timeout",
				"recover-fresh-session-after-dialog-timeout",
			}, idsOf(r))
		require.Contains(t, textOf(c.follow(r, "inspect-dialog-after-timeout")), "Sure?")
		c.follow(r, "dismiss-dialog-after-timeout")
		require.Equal(t, "false", textOf(c.do("get", "text", "#ask")))
	})
}

func TestTracers(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><title>T</title>`)
	c.do("trace", "start")
	t.Run("11.12 the profiler is in the way of a trace", func(t *testing.T) {
		r := c.try("profiler", "start")
		require.True(t, r.IsError)
		c.do("trace", "stop", c.dir+"/trace.json")
	})
}
