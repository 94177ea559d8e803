package copilot_test

import (
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/scout"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testmodel"
)

const scoutPage = `<title>Account</title><nav><a href="/invoices">Invoices</a> <a href="/account">Account</a></nav>
	<main><section><h2>Address</h2><button onclick="document.title='address'">Edit</button></section>
	<section><h2>Card</h2><button onclick="document.title='card'">Edit</button></section>
	<button onclick="document.title='deleted'">Delete account</button><button style="display:none">Delete account quickly</button>
	<form><label>Email <input name=email type=email></label><button>Subscribe</button></form></main>`

func runScout(c *sessiontest.Client, args ...string) *scout.Bundle {
	c.T.Helper()
	b, ok := c.Do(append([]string{"scout"}, args...)...).Result.Data.(*scout.Bundle)
	require.True(c.T, ok)
	return b
}

// Each selector of a bundle finds the element that it is about, and nothing was done to the page.
func TestScoutByRules(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, scoutPage)
	b := runScout(c, "edit")
	require.True(t, b.Ambiguous)
	require.Len(t, b.Candidates, 2)
	for i, title := range []string{"address", "card"} {
		x := b.Candidates[i]
		require.Equal(t, "Edit", x.Label)
		require.InDelta(t, 0.5, x.Confidence, 0.01)
		require.NotEmpty(t, x.AltSelectors)
		for _, s := range append(x.AltSelectors, x.Selector) {
			c.Page("document.title = 'Account'")
			c.Do("click", "--strict", s.String())
			require.Equal(t, title, c.Page("document.title"), "%s", s)
		}
	}
	c.Page("document.title = 'Account'")
	b = runScout(c, "delete my account")
	require.False(t, b.Ambiguous)
	require.Equal(t, "Delete account", b.Candidates[0].Label)
	require.EqualValues(t, "high", b.Candidates[0].Risk)
	for _, x := range b.Candidates {
		require.NotContains(t, x.Label, "quickly")
	}
	require.Equal(t, "Account", c.Page("document.title"))
	require.Equal(t, "Email", runScout(c, "email", "--kind", "field", "--top", "1").Candidates[0].Label)
	require.Contains(t, c.Do("scout", "edit").Result.Text, "ambiguous")
	require.Contains(t, c.Do("scout", "frobnicate").Result.Text, "Nothing on the page")
	c.Fails(fault.Usage, "scout", " ")
	c.Fails(fault.Usage, "scout", "edit", "--top", "6")
	c.Fails(fault.ModelFailed, "scout", "edit", "--by", "model")
}

// A configured model chooses, with pictures, and what it says of the page is checked.
func TestScoutByModel(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for _, api := range []string{"openai", "anthropic"} {
		t.Run(api, func(t *testing.T) {
			t.Parallel()
			c := host.ShowingFresh(t, scoutPage)
			edits := runScout(c, "edit", "--by", "rules").Candidates
			first, second := edits[0].ID, edits[1].ID
			s := chatting(c, api, testmodel.Say(t,
				testmodel.Answer{Calls: []testmodel.Call{
					{Name: "pcd_query", Args: object{"text": "edit"}},
					{Name: "capture_candidates", Args: object{"ids": []string{first, second}}},
				}},
				testmodel.Answer{Calls: []testmodel.Call{{Name: "dom_click", Args: object{"selector": first}}}},
				testmodel.Answer{Calls: []testmodel.Call{{
					Name: "answer",
					Args: object{"candidates": []object{{"id": "e999", "confidence": 1, "risk": "low", "why": "invented"}}},
				}}},
				testmodel.Answer{Calls: []testmodel.Call{{Name: "answer", Args: object{"candidates": []object{
					{"id": second, "confidence": 0.9, "risk": "high", "why": "it is below Card"},
					{
						"selector": object{"kind": "role", "role": "button", "name": "Edit"}, "confidence": 0.5, "risk": "low",
						"why": "one of two",
					},
					{
						"selector": object{"kind": "role", "role": "button", "name": "Delete account"}, "confidence": 0.2, "risk": "low",
						"why": "not likely",
					},
				}}}}},
			))
			b := runScout(c, "change the card")
			require.Equal(t, "model:"+s.Turns()[0].Model, b.By)
			require.Len(t, b.Candidates, 2)
			require.Equal(t, second, b.Candidates[0].ID)
			require.EqualValues(t, "high", b.Candidates[0].Risk)
			require.Equal(t, "Delete account", b.Candidates[1].Label)
			require.EqualValues(t, "high", b.Candidates[1].Risk, "a model cannot lower it")
			require.Len(t, b.Dropped, 1)
			require.Contains(t, b.Dropped[0], "finds 2 elements")
			turns := s.Turns()
			require.Len(t, turns, 4)
			require.Equal(t, 1, turns[1].Pictures)
			require.True(t, turns[0].Forced)
			require.Contains(t, turns[0].User[0], "Goal: change the card")
			require.Contains(t, turns[2].Last[0].Text, "only looks")
			require.Contains(t, turns[3].Last[0].Text, "e999")
			require.Equal(t, "Account", c.Page("document.title"))
		})
	}
}

// A model that cannot see gets no pictures, and one that fails leaves the choice to the rules.
func TestScoutWithoutModel(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, scoutPage)
	id := runScout(c, "invoices").Candidates[0].ID
	s := chatting(c, "openai", func(turn testmodel.Turn) testmodel.Answer {
		switch {
		case turn.Pictures > 0:
			return testmodel.Answer{Status: 400, Body: `{"error":{"message":"no pictures"}}`}
		case strings.Contains(turn.User[0], "blind") && len(turn.Results) == 0:
			return testmodel.Answer{Calls: []testmodel.Call{{
				Name: "capture_candidates",
				Args: map[string]any{"ids": []string{id}},
			}}}
		case strings.Contains(turn.User[0], "blind"):
			return testmodel.Answer{Calls: []testmodel.Call{{Name: "answer", Args: map[string]any{"candidates": []any{}}}}}
		}
		return testmodel.Answer{Status: 401}
	})
	b := runScout(c, "blind")
	require.Empty(t, b.Candidates)
	require.Equal(t, "model:"+s.Turns()[0].Model, b.By)
	b = runScout(c, "invoices")
	require.Equal(t, scout.ByRules, b.By)
	require.Equal(t, "Invoices", b.Candidates[0].Label)
	require.Contains(t, b.Notes[0], "401")
	require.NotContains(t, b.Notes[0], modelKey)
	c.Fails(fault.ModelFailed, "scout", "invoices", "--by", "model")
}

const scoutRows = `<title>Bills</title><main><h1>Bills</h1><table><caption>Bills</caption><thead><tr><th>Number<th>Name<th>Date<th>File<th></thead><tbody>
	<tr><td>INV-100<td>Alpha<td>2026-08-01<td><a href="/100.bin" download>Download</a><td><button onclick="document.title='alpha'">Delete</button>
	<tr><td>INV-101<td>Beta<td>2026-09-01<td><a href="/101.bin" download>Download</a><td><button onclick="document.title='beta'">Delete</button>
	<tr><td>INV-102<td><a href="/c">Gamma</a><td>2026-10-01<td><a href="/102.bin" download>Download</a><td><button onclick="document.title='gamma'">Delete</button>
	</tbody></table></main>`

// The items of a list rival each other, and what the goal says of an item decides among them.
func TestScoutAmongRows(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, scoutRows)
	for _, goal := range []string{"delete", "download", "delete Zeta"} {
		b := runScout(c, goal)
		require.True(t, b.Ambiguous, goal)
		require.GreaterOrEqual(t, len(b.Candidates), 3, goal)
		require.Less(t, b.Candidates[0].Confidence, 0.5, "%s: %+v", goal, b.Candidates)
	}
	for goal, title := range map[string]string{
		"delete Beta": "beta", "delete Gamma": "gamma", "delete INV-100": "alpha",
		"delete the bill of September 2026": "beta",
	} {
		b := runScout(c, goal)
		require.False(t, b.Ambiguous, "%s: %+v", goal, b.Candidates)
		c.Page("document.title = 'Bills'")
		c.Do("click", "--strict", b.Candidates[0].Selector.String())
		require.Equal(t, title, c.Page("document.title"), "%s: %+v", goal, b.Candidates)
	}
	b := runScout(c, "download INV-101")
	require.False(t, b.Ambiguous)
	require.Contains(t, c.Do("get", "attr", b.Candidates[0].Selector.String(), "href").Result.Text, "101.bin")
}

// What a scout says of an item holds when other items have come before it. Where nothing tells items apart but their
// place, it says so.
func TestScoutBesideLiveFeeds(t *testing.T) {
	t.Parallel()
	_, c := atSkillSite(t, "/deaf-live")
	c.Page(
		`addEventListener('click', (e) => { document.title = e.target.closest('tr').cells[0].textContent; e.preventDefault(); e.stopImmediatePropagation() }, true)`)
	const place = `[...rows.rows].findIndex((row) => row.cells[0].textContent === 'Beta lamp')`
	for _, goal := range []string{"delete Beta lamp", "download Beta lamp", "add Beta lamp to the cart"} {
		b := runScout(c, goal)
		require.NotEqual(t, "Beta lamp", b.Candidates[0].Label, "what is done with it")
		require.False(t, b.Ambiguous, "%s: %+v", goal, b.Candidates)
		c.Page("window.before = " + place)
		c.Do("wait", "--fn", "before !== "+place)
		c.Page("document.title = ''")
		c.Do("click", "--strict", b.Candidates[0].Selector.String())
		require.Equal(t, "Beta lamp", c.Page("document.title"), "%s: %+v", goal, b.Candidates)
	}

	// Equal items.
	c = host.Showing(t, strings.ReplaceAll(scoutRows, "<a href", "<a title"))
	b := runScout(c, "delete Beta")
	require.NotNil(t, b.Candidates[0].Selector.Nth)
	require.Contains(t, b.Candidates[0].Why, "count places among equal ones")
	require.Contains(t, b.Candidates[0].Why, "@"+b.Candidates[0].ID+" stays")
	c.Page("document.querySelector('tbody tr').remove()")
	c.Do("click", "@"+b.Candidates[0].ID)
	require.Equal(t, "beta", c.Page("document.title"))

	// What tells them apart.
	for name, row := range map[string]string{
		"an id of the item":       `<tr id="bill-%s"><td>Bill<td><button>Delete</button>`,
		"a test id in the item":   `<tr><td data-testid="bill-%s">Bill<td><button>Delete</button>`,
		"a link deep in the item": `<tr><td><p><b><a href="/bill/%s">Bill</a></b></p><td><button>Delete</button>`,
	} {
		c := host.Showing(t,
			"<title>Bills</title><main><h1>Bills</h1><table><tbody>"+strings.ReplaceAll(row, "%s", "alpha")+
				strings.ReplaceAll(row, "%s", "beta")+strings.ReplaceAll(row, "%s", "gamma")+"</tbody></table></main>")
		c.Page(
			`for (const b of document.querySelectorAll('button')) b.onclick = () => { document.title = b.closest('tr').outerHTML.match(/alpha|beta|gamma/)[0] }`)
		b := runScout(c, "delete")
		c.Page("document.querySelector('tbody').insertAdjacentHTML('afterbegin', '<tr><td>Bill<td><button>Delete</button>')")
		c.Do("click", "--strict", b.Candidates[1].Selector.String())
		require.Equal(t, "beta", c.Page("document.title"), "%s: %+v", name, b.Candidates)
	}
}
