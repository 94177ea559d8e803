package copilot_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/copilot"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
)

// skill runs a skill, and returns what it says by way of JSON, as callers have it.
func runSkill(c *sessiontest.Client, argv ...string) copilot.SkillResult {
	c.T.Helper()
	reply := c.Try(append([]string{"skill", "run"}, argv...)...)
	require.NoError(c.T, reply.Err)
	return skillOf(c, reply.Result.Data)
}

func skillOf(c *sessiontest.Client, data any) copilot.SkillResult {
	c.T.Helper()
	raw, err := json.Marshal(data)
	require.NoError(c.T, err)
	var got copilot.SkillResult
	require.NoError(c.T, json.Unmarshal(raw, &got))
	return got
}

const (
	prices = "[...document.querySelectorAll('.price')].map(x => x.textContent).join(' ')"
	names  = "[...document.querySelectorAll('h3')].map(x => x.textContent.split(' ')[0]).join(' ')"
)

// Each skill on pages of several shapes. The effect is read in the page, by a script, or in the log of the site.
func TestSkillRuns(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, page, skill, params string
		script, want              string // what the page says then
		log                       string // what has come to the site
		saw                       string // what the skill says that it saw
		deep                      bool
	}{
		{"sort by a choice", "/sort-select", "sort", `{"by":"price"}`, prices, "$5.00 $8.00 $12.50", "", "ascending", false},
		{
			"sort by a choice, downward", "/sort-select", "sort", `{"by":"price","order":"descending"}`, prices,
			"$99.00 $45.00 $30.00", "", "descending", true,
		},
		{
			"sort by a menu", "/sort-menu", "sort", `{"by":"price","order":"descending"}`, prices, "$99.00 $45.00 $30.00", "",
			"descending", false,
		},
		{
			"sort by the head of a column, pressed twice", "/sort-heads", "sort", `{"by":"price","order":"descending"}`,
			"t.rows[1].cells[2].textContent", "$99.00", "", "descending", false,
		},
		{
			"sort by a head that says what a click does", "/sort-named", "sort", `{"by":"price","order":"descending"}`,
			"t.rows[1].cells[2].textContent", "$99.00", "", "descending", true,
		},
		{"filter by a box", "/filter-boxes", "filter", `{"by":{"Color":"Red"}}`, names, "Alpha Gamma", "", "2 rows", false},
		{
			"filter by a choice and a button", "/filter-select", "filter", `{"by":{"Color":"Blue"}}`, names, "Beta Delta", "",
			"2 rows", true,
		},
		{"filter by a link", "/filter-links", "filter", `{"by":{"Color":"Red"}}`, names, "Alpha Gamma", "", "2 rows", true},
		{
			"filter in the head of a column", "/filter-heads", "filter", `{"by":{"Color":"Red"}}`,
			"[...t.tBodies[0].rows].map(r => r.cells[1].textContent).join(' ')", "Red Red", "", "2 rows", false,
		},
		{
			"filter in a closed panel", "/filter-panel", "filter", `{"by":{"Blue":"true"}}`, names, "Beta Delta", "", "2 rows",
			false,
		},
		{"next page", "/pages-next", "paginate", `{}`, names, "Delta Eta Zeta", "", "other rows", false},
		{"page by number", "/pages-numbers", "paginate", `{"to":"2"}`, names, "Delta Eta Zeta", "", "other rows", true},
		{
			"page by a button that says its number", "/pages-said", "paginate", `{"to":"2"}`, names, "Delta Eta Zeta", "",
			"other rows", true,
		},
		{
			"pages until what is wanted is there", "/pages-next", "paginate", `{"until":"text:\"Zeta lamp\""}`, names,
			"Delta Eta Zeta", "", "Zeta lamp", false,
		},
		{
			"more of a list", "/pages-more", "paginate", `{"to":"more"}`, names, "Alpha Beta Gamma Delta Eta Zeta", "", "3 more",
			false,
		},
		{
			"a list that grows by scrolling", "/pages-scroll", "paginate", `{}`, names, "Alpha Beta Gamma Delta Eta Zeta", "",
			"2 more", true,
		},
		{
			"cart with a count", "/cart-badge", "add-to-cart", `{"product":"Beta"}`, "count.textContent", "1", "POST /cart/add",
			"Cart (1)", false,
		},
		{
			"cart that says so", "/cart-said", "add-to-cart", `{"product":"Beta lamp"}`,
			"document.querySelector('[role=status]').textContent", "Beta lamp was added to your cart", "", "added", true,
		},
		{
			"cart with options", "/cart-single", "add-to-cart", `{"quantity":2,"options":{"Size":"M"}}`,
			"n.textContent + document.title", "2M", "", "Cart (2)", false,
		},
		{
			"menu by click", "/menu-click", "navigate", `{"path":["Products","Chairs"]}`, "document.title", "Chairs", "",
			"/menu-end", false,
		},
		{
			"menu by hover", "/menu-hover", "navigate", `{"path":["Products","Chairs"]}`, "document.title", "Chairs", "",
			"/menu-end", false,
		},
		{
			"menu of entries that are alike", "/menu-rail", "navigate", `{"path":["Products","Chairs"]}`, "document.title",
			"Chairs", "", "/menu-end", true,
		},
		{
			"menu behind a button", "/menu-burger", "navigate", `{"path":["Chairs"]}`, "document.title", "Chairs", "",
			"/menu-end", true,
		},
		{
			"menu of icons", "/menu-icons", "navigate", `{"path":["Products","Chairs"]}`, "document.title", "Chairs", "",
			"/menu-end", false,
		},
		{
			"menu that is closed, next to an entry that has its word", "/menu-alike", "navigate",
			`{"path":["Products","Chairs"]}`, "document.title", "Chairs", "", "/menu-end", true,
		},
		{
			"menu of which a summary has a part, to a page with a form", "/menu-long", "navigate", `{"path":["Validation"]}`,
			"document.title", "Forms", "", "/menu-form", false,
		},
		{"log out in a menu", "/out", "logout", `{}`, "document.title", "Goodbye", "", "logged out", false},
		{
			"search", "/find", "search", `{"query":"red tent"}`, "document.querySelector('h1').textContent",
			"Results for red tent", "", "q=red", false,
		},
		{
			"search in a table, next to another button", "/find-grid", "search", `{"query":"beta"}`,
			"document.title + ' ' + g.textContent", "Lamps 1Beta lampBlue", "", "lines are gone", false,
		},
		{
			"search in one of two cards that are alike", "/find-cards", "search", `{"query":"beta"}`,
			"document.title + ' ' + g.textContent", "Lamps 1Beta lampBlue", "", "lines are gone", true,
		},
		{
			"hidden search", "/find-hidden", "search", `{"query":"tent"}`, "document.querySelector('h1').textContent",
			"Results for tent", "", "q=tent", true,
		},
		{
			"fill only", "/contact", "fill", `{"values":{"Name":"Ann","Newsletter":"true"}}`,
			"document.forms[0].name.value + document.forms[0].news.checked", "Anntrue", "", "Ann", true,
		},
		{
			"fill and submit", "/contact", "fill", `{"values":{"Name":"Ann","City":"Bern"},"submit":true}`, "document.title",
			"Saved", "POST /saved city=Bern&name=Ann", "answered", false,
		},
		{
			"upload and submit", "/upload", "upload", `{"files":["photo.txt"],"submit":true}`, "document.title", "Uploaded",
			"file photo.txt", "", false,
		},
		{
			"upload behind a button", "/upload-button", "upload", `{"files":["photo.txt"]}`,
			"document.getElementById('o').textContent", "Chosen: photo.txt", "", "", true,
		},
		{
			"checkout up to the order", "/basket", "checkout",
			`{"values":{"Full name":"Ann","Street":"1 Main St","City":"Bern"}}`, "document.title", "Review", "POST /review",
			"stopped before the order", false,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.deep && testing.Short() {
				t.Skip("deep tier: another shape of what is tested in the short tier")
			}
			site, c := atSkillSite(t, tt.page)
			got := runSkill(c, tt.skill, tt.params)
			said := c.Try("task", "show", got.Task).Result.Text
			require.Equal(t, task.Succeeded, got.Status, "%s\n%s", got.Reason, said)
			require.Equal(t, tt.want, c.Do("eval", tt.script).Result.Text[1:][:len(tt.want)], said)
			require.Contains(t, site.happened(), tt.log)
			require.NotContains(t, site.happened(), "/ordered")
			require.NotEmpty(t, got.Seen)
			require.True(t, slices.ContainsFunc(got.Seen, func(s copilot.SkillSeen) bool {
				return s.OK && strings.Contains(s.Saw, tt.saw)
			}), "%+v", got.Seen)
			require.NotEmpty(t, got.Steps)
		})
	}
}

// Of several forms that would do, the reply says which one was used, and where it and the others are.
func TestSkillSaysWhichForm(t *testing.T) {
	t.Parallel()
	_, c := atSkillSite(t, "/find-two")
	got := runSkill(c, "search", `{"query":"tent"}`)
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	require.Equal(t, "Results for tent", c.Do("get", "text", "h1").Result.Text)
	require.Equal(t, []string{`used the form "search" in header; 1 other form would do: the form "search" in main`},
		got.Chosen)
	require.Contains(t, c.Do("task", "show", got.Task).Result.Text, got.Chosen[0])
}

// What fits may be a control without a name: the summary and a refusal count these.
func TestSkillCountsUnnamedControls(t *testing.T) {
	t.Parallel()
	_, c := atSkillSite(t, "/icons")
	require.Contains(t, c.Do("capabilities").Result.Text, "# 3 controls without a name")
	got := skillOf(c, c.Try("skill", "run", "sort", `{"by":"price"}`).Result.Data)
	require.Contains(t, got.Reason, "the page has 3 controls without a name")
}

// A login of the vault is typed on its own origin at once, with its name, and on no other.
func TestSkillLogsInFromTheVault(t *testing.T) {
	t.Parallel()
	site, c := atSkillSite(t, "/login-one")
	c.Do("auth", "save", "desk", "--url", site.URL+"/login-one", "--username", "ann", "--password", "pencil")
	got := runSkill(c, "login", `{"password":"vault:desk"}`)
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	require.Contains(t, c.Do("get", "text", "body").Result.Text, "Log out")
	require.Contains(t, site.happened(), "password=pencil&user=ann")
	require.NotContains(t, c.Do("task", "show", got.Task).Result.Text, "pencil")
	other := newSkillSite(t)
	c.Do("open", other.URL+"/login-one")
	reply := c.Try("skill", "run", "login", `{"password":"vault:desk"}`)
	require.True(t, reply.Err != nil || reply.Result.Failed)
	require.Empty(t, other.happened())
}

// atSkillSite is a caller at a page of the site, with a file to upload.
func atSkillSite(t *testing.T, page string) (*skillSite, *sessiontest.Client) {
	t.Helper()
	site, c := newSkillSite(t), host.NewClient(t)
	require.NoError(t, os.WriteFile(filepath.Join(c.Dir, "photo.txt"), []byte("a photo"), 0o600))
	c.Do("open", site.URL+page)
	return site, c
}

// What a skill cannot bind it names, and what did not happen it does not claim.
func TestSkillDoesNotGuess(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name, page, skill, params string
		why, slot, candidate      string
		deep                      bool
	}{
		{"no such filter", "/filter-boxes", "filter", `{"by":{"Size":"XXL"}}`, "by.Size", "by.Size", "", false},
		{"several products", "/cart-badge", "add-to-cart", `{"product":"lamp"}`, "3 products fit", "product", "", false},
		{
			"a product that is not there", "/cart-badge", "add-to-cart", `{"product":"Sofa"}`, "add-to-cart", "product",
			"Add to cart", true,
		},
		{
			"a choice that the product does not have", "/cart-single", "add-to-cart", `{"options":{"Material":"Wool"}}`,
			"Material", "Material", "", true,
		},
		{"several fields for files", "/upload-two", "upload", `{"files":["photo.txt"]}`, "Letter", "field", "", true},
		{"several rows", "/tickets", "delete", `{"what":"noise"}`, "2 items", "what", "Delete", false},
		{"a choice that sorts nothing", "/sort-deaf", "sort", `{"by":"price"}`, "not ascending", "", "", false},
		{"a button that turns nothing", "/pages-deaf", "paginate", `{}`, "same rows as before", "", "", true},
		{
			"pages without what is wanted", "/pages-next", "paginate", `{"until":"text:\"Sofa\""}`, "the same again", "", "",
			false,
		},
		{"a cart that takes nothing", "/cart-deaf", "add-to-cart", `{}`, "nothing on the page says", "", "", false},
		{"no login", "/contact", "login", `{"username":"ann"}`, "nothing on the page fits", "form", "", true},
		{
			"a checkout that wants more", "/address", "checkout", `{"values":{"Full name":"Ann"}}`, "Street", "Street", "",
			true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.deep && testing.Short() {
				t.Skip("deep tier: another case of what is tested in the short tier")
			}
			site, c := atSkillSite(t, tt.page)
			reply := c.Try("skill", "run", tt.skill, tt.params)
			require.NoError(t, reply.Err)
			require.True(t, reply.Result.Failed)
			got := skillOf(c, reply.Result.Data)
			require.Contains(t, []task.Status{task.Failed, task.Blocked}, got.Status)
			require.Contains(t, got.Reason, tt.why)
			require.Empty(t, site.happened())
			if tt.slot == "" {
				return
			}
			at := slices.IndexFunc(got.Unbound, func(u task.Unbound) bool { return u.Slot == tt.slot })
			require.GreaterOrEqual(t, at, 0, "%+v", got.Unbound)
			if tt.candidate != "" {
				require.NotEmpty(t, got.Unbound[at].Candidates)
				require.Contains(t, got.Unbound[at].Candidates[0].Label, tt.candidate)
			}
		})
	}
}

// A skill that deletes waits for a person twice: for the control, and for the page's own question. Only then is the row
// gone.
func TestSkillDeletesOnceConfirmed(t *testing.T) {
	t.Parallel()
	site := newSkillSite(t)
	c := host.NewClient(t)
	c.Do("open", site.URL+"/tickets")
	got := runSkill(c, "delete", `{"what":"ticket 17"}`)
	for range 2 {
		require.Equal(t, task.AwaitingUser, got.Status, got.Reason)
		require.NotNil(t, got.Waits)
		require.Empty(t, site.happened())
		require.Contains(t, c.Do("get", "text", "main").Result.Text, "Ticket 17")
		got = skillOf(c, c.Do("task", "confirm", got.Task, got.Waits.Confirmation).Result.Data)
	}
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	require.NotContains(t, c.Do("get", "text", "main").Result.Text, "Ticket 17")
	require.Contains(t, c.Do("get", "text", "main").Result.Text, "Ticket 18")
	require.Equal(t, "DELETE /drop", strings.TrimSpace(site.happened()))
}

// All rows of all pages of a list are downloaded.
func TestSkillDownloadsAllPages(t *testing.T) {
	t.Parallel()
	site := newSkillSite(t)
	c := host.NewClient(t)
	c.Do("open", site.URL+"/papers")
	got := runSkill(c, "download", `{"collection":"invoices","every":true}`, "--downloads", "papers")
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	require.Len(t, got.Files, 4)
	for i, path := range got.Files {
		content, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Contains(t, string(content), "paper", i)
	}
}

// A password of a grant is typed once a person has said so; that of a login of the vault on its own origin at once.
// Neither is in a reply or a record.
func TestSkillLogsIn(t *testing.T) {
	t.Parallel()
	for _, page := range []string{"/login-one", "/login-two"} {
		t.Run(page, func(t *testing.T) {
			t.Parallel()
			if page != "/login-one" && testing.Short() {
				t.Skip("deep tier: another shape of what is tested in the short tier")
			}
			site := newSkillSite(t)
			c := host.NewClient(t)
			c.Env["SKILL_PASSWORD"] = "pencil"
			c.Do("open", site.URL+page)
			got := runSkill(c, "login", `{"username":"ann"}`, "--grant", "password=env:SKILL_PASSWORD")
			require.Equal(t, task.AwaitingUser, got.Status, got.Reason)
			reply := c.Do("task", "confirm", got.Task, got.Waits.Confirmation, "--grant", "password=env:SKILL_PASSWORD")
			got = skillOf(c, reply.Result.Data)
			require.Equal(t, task.Succeeded, got.Status, got.Reason)
			require.Contains(t, c.Do("get", "text", "body").Result.Text, "Log out")
			require.Contains(t, site.happened(), "pencil")
			require.NotContains(t, reply.Result.Text+c.Do("task", "show", got.Task).Result.Text, "pencil")
		})
	}
}

// A secret itself is not taken as a parameter, and the refusal does not repeat it.
func TestSkillRefusesPlainSecrets(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for _, argv := range [][]string{
		{"login", `{"password":"hunter2"}`},
		{"fill", `{"secrets":{"PIN":"hunter2"}}`},
		{"login", `{"password":"hunter2"`},
	} {
		reply := c.Try(append([]string{"skill", "run"}, argv...)...)
		require.Error(t, reply.Err)
		require.NotContains(t, reply.Err.Error()+reply.Result.Text, "hunter2")
	}
}

// A skill that lacks something goes on when that is said, with what was done so far.
func TestSkillResumes(t *testing.T) {
	t.Parallel()
	site := newSkillSite(t)
	c := host.NewClient(t)
	c.Do("open", site.URL+"/basket")
	got := runSkill(c, "checkout", `{"values":{"Full name":"Ann","Street":"1 Main St"}}`)
	require.Equal(t, task.Blocked, got.Status, got.Reason)
	require.Contains(t, got.Reason, "City")
	steps := len(got.Steps)
	require.Positive(t, steps)
	got = skillOf(c, c.Do("task", "resume", got.Task, `{"values":{"City":"Bern"}}`).Result.Data)
	require.Equal(t, task.Succeeded, got.Status, got.Reason)
	require.Greater(t, len(got.Steps), steps)
	require.Contains(t, site.happened(), "city=Bern&name=Ann&street=1+Main+St")
	require.NotContains(t, site.happened(), "/ordered")
	reply := c.Try("task", "resume", got.Task)
	require.ErrorContains(t, reply.Err, "only a task that is blocked")
}

// The list says of each skill what it takes, and its examples are taken.
func TestSkillList(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	got := sessiontest.Decode[copilot.SkillsResult](t, c.Do("skill", "list").Result.Data)
	require.Len(t, got.Skills, len(skill.All()))
	for _, s := range got.Skills {
		require.NotEmpty(t, s.Examples, s.Name)
		for _, example := range s.Examples {
			_, err := skill.NewInvocation(s.Name, example)
			require.NoError(t, err, "%s %s", s.Name, example)
		}
		var schema map[string]any
		require.NoError(t, json.Unmarshal(s.Schema, &schema), s.Name)
		require.NotEmpty(t, s.Ends, s.Name)
	}
}

// Sentences are matched to skills, or refused.
func TestSkillMatch(t *testing.T) {
	t.Parallel()
	c := host.NewClient(t)
	for sentence, want := range map[string]string{
		"sort by price, most expensive first":   `sort {"by":"price","order":"descending"}`,
		"filter by color: red":                  `filter {"by":{"color":"red"}}`,
		"go to the next page":                   `paginate {"to":"next"}`,
		"page 3":                                `paginate {"to":"3"}`,
		"load more results":                     `paginate {"to":"more"}`,
		"add the blue lamp to the cart":         `add-to-cart {"product":"blue lamp"}`,
		`upload "photo.jpg"`:                    `upload {"files":["photo.jpg"]}`,
		"delete ticket 17":                      `delete {"what":"ticket 17"}`,
		"search for red tents":                  `search {"query":"red tents"}`,
		"open Settings > Billing":               `navigate {"path":["Settings","Billing"]}`,
		"log out":                               `logout {}`,
		"download all invoices":                 `download {"collection":"invoices","every":true}`,
		"sortiere nach Preis, teuerste zuerst":  `sort {"by":"Preis","order":"descending"}`,
		"lege die blaue Lampe in den Warenkorb": `add-to-cart {"product":"blaue Lampe"}`,
	} {
		got := sessiontest.Decode[skill.Sentence](t, c.Do("skill", "match", sentence).Result.Data)
		require.Equal(t, want, got.Skill+" "+string(got.Params), sentence)
	}
	for _, sentence := range []string{
		"print my invoice", "do not sort by price", "sort by price and delete ticket 3",
		"rename the file", "drag the card to the left",
	} {
		require.Error(t, c.Try("skill", "match", sentence).Err, sentence)
	}
}
