package copilot_test

import (
	"encoding/csv"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/internal/fault"
)

const billingPage = `<!doctype html><title>Billing</title>
	<header><nav><a href="/home">Home</a> <a href="/rechnungen">Rechnungen</a> <button>Save</button></nav></header>
	<main><h1>Invoices</h1>
	<table id="invoices"><thead><tr><th>Date<th>Amount<th>Actions</thead><tbody>
		<tr><td>2026-09-01<td>€ 10.00<td><a href="/i/9.pdf">Download</a>
		<tr><td>2026-10-01<td>=cmd()<td><a href="/i/10.pdf">Download</a>
		<tr><td>2026-11-01<td>-5,20<td><a href="/i/11.pdf">Download</a></table>
	<button>Save</button> <button data-testid="third">Save</button>
	<form id="profile" onsubmit="event.preventDefault(); document.title = 'sent ' + new FormData(this).get('mail')">
		<label>Mail <input name="mail" type="email" required></label><button>Send</button></form>
	<form id="enter" onsubmit="event.preventDefault(); document.title = 'entered'"><label>Code <input name="code"></label></form>
	<form id="nothing"><p>Nothing here</p><label><input type="checkbox"> Yes</label></form>
	<div style="height:3000px"></div><button id="far">Far away</button></main>`

func query(t *testing.T, c *sessiontest.Client, args ...string) []pcd.Candidate {
	t.Helper()
	reply := c.Do(append([]string{"capabilities", "query"}, args...)...)
	return sessiontest.Decode[struct{ Candidates []pcd.Candidate }](t, reply.Result.Data).Candidates
}

func TestCapabilitiesQuery(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, billingPage)
	found := query(t, c, "invoice|billing|statement", "--kind", "action,collection")
	labels := map[string]bool{}
	for _, f := range found {
		labels[f.Label] = true
	}
	require.True(t, labels["Rechnungen"] && labels["Download"], "%+v", found)
	require.False(t, labels["Save"], "%+v", found)
	require.Equal(t, pcd.CandidateCollection, query(t, c, "invoices", "--kind", "collection", "--top", "1")[0].Of)
	require.Len(t, query(t, c, "--top", "2"), 2)
	require.Equal(t, "Nothing on the page matches.", c.Do("capabilities", "query", "telescope").Result.Text)
	c.Fails(fault.Usage, "capabilities", "query", "--top", "0")
	c.Fails(fault.Usage, "capabilities", "query", "--kind", "links")
	// The ids are refs.
	far := query(t, c, "far away", "--top", "1")[0]
	require.Equal(t, "Far away", c.Do("get", "text", "@"+far.ID).Result.Text)
}

// Each selector that is handed out finds that one element, as the commands look for it.
func TestCapabilitiesDetails(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, billingPage)
	c.Page(`document.querySelectorAll('button, a, form, table, input').forEach((el, i) => el.dataset.nr = i) ?? 0`)
	s := sessiontest.Decode[pcd.Summary](t, c.Do("capabilities").Result.Data)
	ids := []string{}
	for _, a := range s.Actions {
		ids = append(ids, a.ID)
	}
	for _, f := range s.Forms {
		ids = append(ids, f.ID, f.Fields[0].ID)
	}
	ids = append(ids, s.Collections[0].ID)
	for _, f := range query(t, c, "save") { // of which the summary may show one only
		ids = append(ids, f.ID)
	}
	reply := c.Do(append([]string{"capabilities", "details"}, ids...)...)
	details := sessiontest.Decode[struct{ Details []pcd.Detail }](t, reply.Result.Data).Details
	kinds, nths := map[string]bool{}, 0
	for _, d := range details {
		want := c.Do("get", "attr", "@"+d.ID, "data-nr").Result.Text
		require.NotEmpty(t, want)
		for _, selector := range append([]pcd.Selector{d.Selector}, d.AltSelectors...) {
			kinds[selector.Kind] = true
			if selector.Nth != nil {
				nths++
			}
			require.Equal(t, want, c.Do("get", "attr", selector.String(), "data-nr", "--strict").Result.Text, "%s of %+v",
				selector, d)
		}
	}
	require.True(t, kinds["role"] && kinds["text"] && kinds["css"], "%v", kinds)
	require.Positive(t, nths)
	c.Fails(fault.RefUnknown, "capabilities", "details", "e9999")
	c.Fails(fault.Usage, "capabilities", "details", "button")
	c.Page(`document.querySelector('#far').remove() ?? 0`)
}

func TestDetailsOfWhatIsGone(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, billingPage)
	id := query(t, c, "far away", "--top", "1")[0].ID
	c.Page(`document.querySelector('#far').remove() ?? 0`)
	require.Contains(t, c.Fails(fault.RefStale, "capabilities", "details", id).Error(), "@"+id)
}

func TestDetailsInFrames(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<title>Top</title><button>Go</button><iframe name="inner" srcdoc="<button id=b onclick='top.document.title=1'>Go</button>"></iframe>`)
	c.Do("wait", "--stable")
	var selectors []string
	for _, f := range query(t, c, "go", "--kind", "action") {
		d := sessiontest.Decode[struct {
			Details []pcd.Detail
		}](t, c.Do("capabilities", "details", f.ID).Result.Data).Details[0]
		selectors = append(selectors, d.Selector.String())
		if len(d.FramePath) > 0 {
			require.Equal(t, []string{"inner"}, d.FramePath)
			c.Do("click", d.Selector.String())
		}
	}
	require.Len(t, selectors, 2)
	require.NotEqual(t, selectors[0], selectors[1])
	require.Equal(t, "1", c.Do("get", "title").Result.Text)
}

func TestExtract(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, billingPage)
	s := sessiontest.Decode[pcd.Summary](t, c.Do("capabilities").Result.Data)
	id := s.Collections[0].ID
	rows := sessiontest.Decode[pcd.Rows](t, c.Do("extract", "@"+id).Result.Data)
	require.Equal(t, 3, rows.Total)
	require.Equal(t, "2026-10-01", rows.Items[1].Fields["date"])
	require.Equal(t, "€ 10.00", rows.Items[0].Fields["amount"])
	require.Equal(t, "/i/11.pdf", c.Do("get", "attr", "@"+rows.Items[2].Actions["Download"], "href").Result.Text)
	require.Contains(t, c.Do("get", "text", "@"+rows.Items[2].ID).Result.Text, "2026-11-01")
	reply := c.Do("extract", id, "--fields", "amount,date", "--csv", "--limit", "3")
	lines, err := csv.NewReader(strings.NewReader(reply.Result.Text)).ReadAll()
	require.NoError(t, err)
	require.Equal(t,
		[][]string{{"amount", "date"}, {"€ 10.00", "2026-09-01"}, {"'=cmd()", "2026-10-01"}, {"-5,20", "2026-11-01"}}, lines)
	require.Len(t, sessiontest.Decode[pcd.Rows](t, c.Do("extract", id, "--limit", "2").Result.Data).Items, 2)
	err = c.Fails(fault.Usage, "extract", id, "--fields", "color")
	require.ErrorContains(t, err, `"color"`)
	c.Fails(fault.Usage, "extract", "table")
	c.Fails(fault.RefUnknown, "extract", "e9999")
	c.Fails(fault.TargetUnsuitable, "extract", s.Actions[0].ID)
	c.Page(`document.querySelector('#invoices tbody').insertRow().innerHTML = '<td>2026-12-01<td>1<td>'`)
	require.Equal(t, 4, sessiontest.Decode[pcd.Rows](t, c.Do("extract", "@"+id).Result.Data).Total)
}

func TestCaptureCandidates(t *testing.T) {
	t.Parallel()
	c := host.ShowingFresh(t, billingPage)
	home, far := query(t, c, "home", "--top", "1")[0].ID, query(t, c, "far away", "--top", "1")[0].ID
	path := filepath.Join(t.TempDir(), "both.png")
	type captured struct {
		Path   string
		Boxes  []pcd.Box
		Unseen []string
	}
	reply := c.Do("capture", "candidates", home, "@"+far, path)
	got := sessiontest.Decode[captured](t, reply.Result.Data)
	require.Equal(t, path, got.Path)
	require.Equal(t, []string{far}, got.Unseen)
	require.Len(t, got.Boxes, 1)
	place := sessiontest.Decode[map[string]float64](t, c.Do("get", "box", "@"+home).Result.Data)
	require.InDelta(t, place["x"], got.Boxes[0].X, 1)
	require.InDelta(t, place["width"], got.Boxes[0].W, 1)
	require.Equal(t, "Home", got.Boxes[0].Label)
	full := sessiontest.Decode[captured](t, c.Do("capture", "candidates", home, far, "--full", path).Result.Data)
	require.Empty(t, full.Unseen)
	require.Len(t, full.Boxes, 2)
	require.Greater(t, full.Boxes[1].Y, 3000.0)
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	picture, err := png.Decode(f)
	require.NoError(t, err)
	require.Greater(t, picture.Bounds().Dy(), 3000)
	c.Fails(fault.RefUnknown, "capture", "candidates", "e9999")
	c.Fails(fault.Usage, "capture", "candidates", home, "button")
}

func TestSubmit(t *testing.T) {
	t.Parallel()
	c := host.Showing(t, billingPage)
	err := c.Fails(fault.TargetUnsuitable, "submit", "#profile")
	require.ErrorContains(t, err, `"Mail"`)
	require.Equal(t, "Billing", c.Do("get", "title").Result.Text)
	c.Do("fill", "[name=mail]", "a@b.c")
	reply := c.Do("submit", "#profile")
	require.Equal(t, `button "Send"`, sessiontest.Decode[object](t, reply.Result.Data)["control"])
	require.Equal(t, "sent a@b.c", c.Do("get", "title").Result.Text)
	c.Do("fill", "[name=mail]", "x@y.z")
	c.Do("submit", "[name=mail]")
	require.Equal(t, "sent x@y.z", c.Do("get", "title").Result.Text)
	c.Do("submit", "#enter")
	require.Equal(t, "entered", c.Do("get", "title").Result.Text)
	require.ErrorContains(t, c.Fails(fault.TargetUnsuitable, "submit", "#nothing"), "#nothing")
	c.Fails(fault.SelectorNotFound, "submit", "#missing")
	// A form that leads elsewhere.
	c.Page(
		`(() => { const f = document.querySelector('#enter'); f.onsubmit = null; f.action = '/pages/acting-wait-moving.html'; })() ?? 0`)
	c.Do("submit", "[name=code]")
	require.Contains(t, c.Do("get", "url").Result.Text, "/pages/acting-wait-moving.html?code=")
}
