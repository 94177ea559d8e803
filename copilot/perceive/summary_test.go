package perceive_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/internal/fault"
)

// action returns the action with a label.
func action(t *testing.T, s *pcd.Summary, label string) pcd.Action {
	t.Helper()
	at := slices.IndexFunc(s.Actions, func(a pcd.Action) bool { return a.Label == label })
	require.GreaterOrEqual(t, at, 0, "no action is called %q: %+v", label, s.Actions)
	return s.Actions[at]
}

// TestEachField reads one page on which every field of the types has something to say.
func TestEachField(t *testing.T) {
	t.Parallel()
	v := show(t, `<header><a href="/logout?x=1">Log out</a></header><nav><a href="/a/b">Lamps</a></nav>
<main><h1>Invoices</h1><table><tr><th>Date<th>Amount<th></tr><tr><td>2026-01-01<td>$ 1<td><button>Pay</button></tr><tr><td>2026-02-01<td>$ 2<td><button>Pay</button></tr></table>
<form method=post aria-label="Your profile"><label>Name <input name=n required autofocus></label><label>Pin <input name=pin type=password></label>
<label>Land <select name=land><option>DE<option>FR</select></label><input name=trap aria-label=Trap style="opacity:0"><button>Save</button></form>
<button disabled>Book</button><button style="opacity:0">Share</button><a href="/below" style="position:absolute;top:3000px">Below</a></main><aside>x</aside><footer>y</footer>`)
	v.eval(`document.querySelector('[name=n]').focus()`)
	s := v.summary()
	require.Equal(t, site.URL+"/written/TestEachField", s.URL)
	require.Equal(t, site.URL, s.Origin)
	require.Equal(t, "Test", s.Title)
	require.Equal(t, pcd.LoggedIn, s.LoginState)
	require.Positive(t, s.TS)
	require.Equal(t, []pcd.Landmark{pcd.Header, pcd.Nav, pcd.Main, pcd.Aside, pcd.Footer}, s.Landmarks)
	require.Equal(t, "t1", s.Tab)
	require.Equal(t, "textbox", s.FocusedRole)
	require.Nil(t, s.Omitted)
	require.Empty(t, s.Notes)
	require.Equal(t, &pcd.Metrics{ARIACoverage: 1, ViewportH: 700, ViewportW: 1000}, s.Metrics)

	out := action(t, s, "Log out")
	require.Equal(t, pcd.Action{
		ID: out.ID, Label: "Log out", Role: "link", Kind: pcd.KindLogout, Landmark: pcd.Header, AboveFold: true,
		ClusterID: out.ClusterID, URL: site.URL + "/logout?x=1",
	}, out)
	require.NotEmpty(t, out.ClusterID)
	ref, err := v.refs.Lookup(out.ID)
	require.NoError(t, err)
	require.Equal(t, "Log out", ref.Name)
	require.Equal(t, pcd.KindNavigate, action(t, s, "Lamps").Kind)
	require.True(t, action(t, s, "Book").Disabled)
	require.True(t, action(t, s, "Share").Unseen)
	require.False(t, action(t, s, "Below").AboveFold)
	require.False(t, action(t, s, "Below").Unseen)

	require.Len(t, s.Collections, 1)
	c := s.Collections[0]
	require.Equal(t, pcd.Collection{
		ID: c.ID, Name: "invoices", ItemFields: []string{"date", "amount"}, Landmark: pcd.Main, ApproxCount: 2,
		AboveFold: true,
	}, c)
	require.Equal(t, c.ID, action(t, s, "Pay").CollectionID)
	require.Equal(t, 1, countOf(s.Actions, "Pay"), "one stands for all")

	require.Len(t, s.Forms, 1)
	f := s.Forms[0]
	require.Equal(t, "Your profile", f.Label)
	require.Equal(t, "post", f.Method)
	require.Equal(t, "Save", f.SubmitLabel)
	require.Equal(t, action(t, s, "Save").ID, f.SubmitID)
	require.Equal(t, pcd.Main, f.Landmark)
	require.True(t, f.AboveFold)
	require.False(t, f.Unseen)
	require.Len(t, f.Fields, 4)
	require.Equal(t, pcd.Field{Name: "n", Label: "Name", Type: "text", Required: true, ID: f.Fields[0].ID}, f.Fields[0])
	require.Equal(t, pcd.Field{Name: "pin", Label: "Pin", Type: "password", Secret: true, ID: f.Fields[1].ID}, f.Fields[1])
	require.Equal(t,
		pcd.Field{Name: "land", Label: "Land", Type: "select", Options: []string{"DE", "FR"}, ID: f.Fields[2].ID},
		f.Fields[2])
	require.Equal(t, pcd.Field{Name: "trap", Label: "Trap", Type: "text", Unseen: true, ID: f.Fields[3].ID}, f.Fields[3])
	for _, id := range []string{f.ID, c.ID, f.Fields[0].ID} {
		_, err := v.refs.Lookup(id)
		require.NoError(t, err)
	}
}

func countOf(actions []pcd.Action, label string) (n int) {
	for _, a := range actions {
		if a.Label == label {
			n++
		}
	}
	return n
}

// TestVersion changes a page and looks whether the summary has another version. Equal versions mean equal summaries,
// whatever was changed.
func TestVersion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name   string
		change string
		bumps  bool
	}{
		{"nothing", `0`, false},
		{"a clock ticks", `document.getElementById('clock').textContent = '10:01'`, false},
		{"a class that changes nothing", `document.body.classList.add('x')`, false},
		{"a user types", `document.querySelector('[name=q]').value = 'lamp'`, false},
		{"a row is added", `document.querySelector('tbody').insertAdjacentHTML('beforeend', '<tr><td>3<td>c</tr>')`, true},
		{"a row is taken away", `document.querySelector('tbody tr').remove()`, true},
		{"a button is renamed", `document.querySelector('button').textContent = 'Look'`, true},
		{"a button is disabled", `document.querySelector('button').disabled = true`, true},
		{"a button is hidden by its style", `document.querySelector('button').style.display = 'none'`, true},
		{"a rule is added to a style sheet", `document.styleSheets[0].insertRule('button { display: none }')`, true},
		{
			"a style sheet is adopted",
			`(() => { const s = new CSSStyleSheet(); s.replaceSync('button { display: none }'); document.adoptedStyleSheets = [s] })()`, true,
		},
		{"a field is added", `document.querySelector('form').insertAdjacentHTML('beforeend', '<input name=r>')`, true},
		{"a landmark is added", `document.body.insertAdjacentHTML('beforeend', '<footer>x</footer>')`, true},
		{"another route", `history.pushState(null, '', '?page=2')`, true},
		{"the title", `document.title = 'Other'`, true},
		{"it is scrolled, and another link comes above the fold", `scrollTo(0, 3000)`, true},
		{"in a shadow tree", `document.getElementById('host').shadowRoot.innerHTML = '<button>Inner two</button>'`, true},
		{
			"a new shadow tree",
			`document.getElementById('late').attachShadow({ mode: 'open' }).innerHTML = '<button>Late</button>', document.body.classList.add('y')`, true,
		},
		{"a popover is shown", `document.getElementById('pop').showPopover()`, true},
		{"a dialog is shown", `document.querySelector('dialog').showModal()`, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			v := show(t,
				`<style>p { color: red }</style><p id=clock>10:00</p><main><h1>Things</h1><table><thead><tr><th>No<th>Name</tr></thead><tbody><tr><td>1<td>a</tr><tr><td>2<td>b</tr></tbody></table>
<form><input name=q aria-label=Search><button type=button>Go</button></form><div id=host></div><div id=late></div><div id=pop popover>Pop <button>In</button></div><dialog><button>Yes</button></dialog>
<a href=/b style="position:absolute;top:3200px">Down</a></main>`)
			v.eval(`document.getElementById('host').attachShadow({ mode: 'open' }).innerHTML = '<button>Inner</button>'`)
			first := v.summary()
			require.Equal(t, first, v.summary(), "nothing was changed yet")
			v.eval(tt.change)
			second := v.summary()
			if tt.bumps {
				require.Greater(t, second.TS, first.TS)
				require.NotEqual(t, contentOf(t, first), contentOf(t, second))
			} else {
				require.Equal(t, first, second)
			}
		})
	}
}

// contentOf is a summary without its version.
func contentOf(t *testing.T, s *pcd.Summary) string {
	t.Helper()
	c := *s
	c.TS = 0
	b, err := json.Marshal(&c)
	require.NoError(t, err)
	return string(b)
}

// What did not change is not walked: the page is the very one of before. A rule that is rewritten in place is noticed
// when it is asked for.
func TestUnchangedPageIsNotWalked(t *testing.T) {
	t.Parallel()
	v := show(t, `<style>button { color: red }</style><button>One</button><button>Two</button>`)
	first := v.read()
	require.Same(t, first, v.read())
	v.eval(`document.styleSheets[0].cssRules[0].style.display = 'none'`) // which observers may see or not
	fresh := v.readWith(perceive.Options{Fresh: true})
	require.Empty(t, fresh.Summary.Actions)
	require.Greater(t, fresh.Summary.TS, first.Summary.TS)
	require.Equal(t, fresh.Summary, v.summary())
}

func TestFrames(t *testing.T) {
	t.Parallel()
	v := visit(t, "/frames/copilot-frames.html")
	first := v.read()
	paths := map[string][]string{}
	for _, a := range first.Actions {
		paths[a.Label] = append(paths[a.Label], strings.Join(a.FramePath, ">"))
	}
	require.Equal(t, map[string][]string{
		"Pay now": {"same", elsewhere() + "/frames/copilot-inner.html"}, "Deep button": {"deep"},
	}, paths)
	require.Same(t, first, v.read(), "no frame has changed")
	frames, err := v.page.Main().Children(t.Context())
	require.NoError(t, err)
	for _, f := range frames {
		if f.Remote() {
			require.NoError(t,
				f.RunScript(t.Context(), "() => { document.querySelector('button').textContent = 'Pay later' }", nil, nil))
		}
	}
	second := v.read()
	require.Greater(t, second.Summary.TS, first.Summary.TS)
	require.Equal(t, "Pay later", action(t, second.Summary, "Pay later").Label)
	require.Equal(t, 1, countOf(second.Summary.Actions, "Pay now"))
}

// TestCaps reads a page that offers more than a summary holds.
func TestCaps(t *testing.T) {
	t.Parallel()
	v := visit(t, "/frames/copilot-many.html")
	page := v.read()
	s := page.Summary
	require.Len(t, s.Actions, pcd.MaxActions)
	require.Len(t, s.Forms, pcd.MaxForms)
	require.Equal(t, 5, s.Omitted.Forms)
	require.Positive(t, s.Omitted.Actions)
	require.Greater(t, len(page.Actions), 190)
	require.Len(t, page.Forms, 25)
	action(t, s, "Download report") // what matters is not left out for a long menu
	again := visit(t, "/frames/copilot-many.html").summary()
	require.Equal(t, contentOf(t, s), contentOf(t, again), "the choice depends on the page alone")

	lists := show(t,
		`<main>`+repeat(25, `<h2>Group %[1]d</h2><ul><li><b>a %[1]d</b> x<li><b>b %[1]d</b> y<li><b>c</b> z</ul>`)+`</main>`).
		summary()
	require.Len(t, lists.Collections, pcd.MaxCollections)
	require.Equal(t, 5, lists.Omitted.Collections)

	hidden := show(t,
		`<div id=trap style="opacity:0">`+repeat(40, `<button>Trap %d</button>`)+`</div>`+
			repeat(40, `<button>Plain %d</button>`)).summary()
	for _, a := range hidden.Actions {
		require.False(t, a.Unseen, "hidden elements come last")
	}
}

func repeat(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

func TestRows(t *testing.T) {
	t.Parallel()
	v := visit(t, "/frames/copilot-invoices.html")
	page := v.read()
	require.Len(t, page.Collections, 1)
	rows, err := page.Rows(t.Context(), v.page, &page.Collections[0], perceive.RowsOptions{})
	require.NoError(t, err)
	require.Equal(t, "invoices", rows.Name)
	require.Equal(t, []string{"number", "date", "amount", "status", "downloadUrl"}, rows.Fields)
	require.Len(t, rows.Items, 10)
	require.Equal(t, 10, rows.Total)
	require.Equal(t, map[string]string{
		"number": "INV-2003", "date": "2026-03-01", "amount": "$ 320.00", "status": "paid",
		"downloadUrl": site.URL + "/invoices/2003.pdf",
	}, rows.Items[2].Fields)
	ref, err := v.refs.Lookup(rows.Items[2].Actions["Download"])
	require.NoError(t, err)
	require.Equal(t, 2, ref.Nth, "each row has its own")

	few, err := page.Rows(t.Context(), v.page, &page.Collections[0], perceive.RowsOptions{Limit: 3})
	require.NoError(t, err)
	require.Len(t, few.Items, 3)
	require.Equal(t, 10, few.Total)

	v.eval(`document.querySelector('table').remove()`)
	_, err = page.Rows(t.Context(), v.page, &page.Collections[0], perceive.RowsOptions{})
	require.True(t, fault.Is(err, fault.RefStale), "%v", err)
}

// Pages that redefine what scripts use, or hide it behind names of their own, are read like others.
func TestHostilePages(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../../testdata/pages/perception-hostile-*.html")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			v := visit(t, "/"+filepath.Base(file))
			require.Equal(t, v.summary(), v.summary())
		})
	}
}

// A hidden list is marked as such, and never takes the name of a visible one, whatever their order.
func TestUnseenCollections(t *testing.T) {
	t.Parallel()
	const table = `<caption>Invoices</caption><tr><th>Date<th>File<tr><td>2026-01-01<td><a href="#1">Download</a><tr><td>2026-02-01<td><a href="#2">Download</a><tr><td>2026-03-01<td><a href="#3">Download</a></table>`
	for name, how := range map[string]string{
		"transparent": "opacity:0", "outside": "position:absolute;left:-9999px", "cut out": "clip-path:inset(100%)",
		"tiny": "height:1px;width:1px;overflow:hidden;position:absolute;clip:rect(0,0,0,0)",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := show(t, `<main><div style="`+how+`"><table>`+table+`</div><table>`+table+`</main>`).summary()
			require.Len(t, s.Collections, 2)
			decoy, real := s.Collections[0], s.Collections[1]
			require.True(t, decoy.Unseen)
			require.Equal(t, "invoices2", decoy.Name)
			require.False(t, real.Unseen)
			require.Equal(t, "invoices", real.Name)
		})
	}
}

// A version covers what the page offers and not the focus: taking the focus changes nothing.
func TestTheFocusIsNoChange(t *testing.T) {
	t.Parallel()
	v := show(t, `<main><button id=b>Nothing</button><label>Name <input id=i></label></main>`)
	before := v.summary()
	require.Empty(t, before.FocusedRole)
	v.eval(`document.querySelector('#b').focus()`)
	now := v.summary()
	require.Equal(t, "button", now.FocusedRole)
	require.Equal(t, before.TS, now.TS)
	v.eval(`document.querySelector('#i').focus()`)
	require.Equal(t, before.TS, v.summary().TS)
	v.eval(`document.querySelector('#b').textContent = 'Something'`)
	require.Greater(t, v.summary().TS, before.TS)
}

// Labels leave out the letters of icon fonts: what has nothing else has no name.
func TestIconsAreNoLabels(t *testing.T) {
	t.Parallel()
	s := show(t,
		`<nav><a href=/a>&#xf044; Forms &#xf104;</a></nav><main><button>&#xf0c9;</button><form><label>&#xf002; Name <input name=n></label><button>&#xf0c7; Save</button></form></main>`).summary()
	require.Equal(t, pcd.KindNavigate, action(t, s, "Forms").Kind)
	require.Equal(t, 1, s.Unnamed)
	require.Equal(t, "Name", s.Forms[0].Fields[0].Label)
	require.Equal(t, "Save", s.Forms[0].SubmitLabel)
}

// A field that searches, without a form around it, is sent by a button that says so, and by no other one beside it.
func TestSubmitOfASearchWithoutAForm(t *testing.T) {
	t.Parallel()
	for button, sends := range map[string]bool{
		"Search": true, "Go": true, "Export CSV": false, "New project": false,
		"Delete": false,
	} {
		t.Run(button, func(t *testing.T) {
			t.Parallel()
			s := show(t, `<main><div><input type=search aria-label="Filter rows"> <button>`+button+`</button></div></main>`).
				summary()
			require.Len(t, s.Forms, 1)
			require.Equal(t, pcd.PurposeSearch, s.Forms[0].Purpose)
			require.Equal(t, sends, s.Forms[0].SubmitID != "", "%+v", s.Forms[0])
			require.Equal(t, sends, s.Forms[0].SubmitLabel == button)
			require.NotEqual(t, pcd.KindSearch, map[bool]string{false: action(t, s, button).Kind}[sends])
		})
	}
}
