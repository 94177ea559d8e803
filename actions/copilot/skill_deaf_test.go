package copilot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
)

// deafRun is a skill on a page.
type deafRun struct {
	name, page, skill, params string
	ready                     string // a script that is run before
	deep                      bool
}

// deafRuns are skills on pages that have all that they look for, and do nothing.
var deafRuns = []deafRun{
	{"", "/deaf-login", "login", `{"username":"ann"}`, "", false},
	{"of a dialog that closes", "/deaf-login-closes", "login", `{"username":"ann"}`, "", false},
	{"", "/deaf-list", "logout", `{}`, "", false},
	{"in a menu that closes", "/deaf-logout", "logout", `{}`, "", false},
	{"of a page that says goodbye", "/deaf-goodbye", "logout", `{}`, "", false},
	{"", "/deaf-list", "search", `{"query":"lamp"}`, "", false},
	{"with suggestions", "/deaf-search", "search", `{"query":"lamp"}`, "", false},
	{"where a hint goes", "/deaf-search-recent", "search", `{"query":"lamp"}`, "", false},
	{"", "/deaf-list", "fill", `{"values":{"Name":"Ann"},"submit":true}`, "", false},
	{"that saves drafts", "/deaf-draft", "fill", `{"values":{"Name":"Ann","Message":"Hello"},"submit":true}`, "", false},
	{"", "/deaf-list", "navigate", `{"path":["Tickets"]}`, "", false},
	{"to an empty fragment", "/deaf-menu", "navigate", `{"path":["Reports"]}`, "", false},
	{"by a button", "/deaf-menu", "navigate", `{"path":["Archive"]}`, "", true},
	{"while the list ticks", "/deaf-ticking", "navigate", `{"path":["Tickets"]}`, "", false},
	{"", "/deaf-list", "paginate", `{}`, "", false},
	{"while the list ticks", "/deaf-ticking", "paginate", `{}`, "", false},
	{"by number while the list ticks", "/deaf-ticking", "paginate", `{"to":"2"}`, "", true},
	{"", "/deaf-list", "filter", `{"by":{"Color":"Red"}}`, "", false},
	{"while the list ticks", "/deaf-ticking", "filter", `{"by":{"Red":"true"}}`, "", false},
	{"by an empty column", "/deaf-empty-column", "filter", `{"by":{"Color":"Red"}}`, "", false},
	{"that all rows pass", "/deaf-all-red", "filter", `{"by":{"Color":"Red"}}`, "", false},
	{"", "/deaf-list", "sort", `{"by":"price"}`, "", false},
	{"while the list ticks", "/deaf-ticking", "sort", `{"by":"price"}`, "", true},
	{"of equal values", "/deaf-sort-equal", "sort", `{"by":"price"}`, "", false},
	{"of a few values", "/deaf-sort-few", "sort", `{"by":"price"}`, "", false},
	{"", "/deaf-list", "download", `{"text":"Beta lamp"}`, "", false},
	{"after another file", "/deaf-papers", "download", `{"collection":"invoices","text":"I-2"}`, "older.click()", false},
	{"", "/deaf-list", "upload", `{"files":["photo.txt"],"submit":true}`, "", false},
	{"that peeks at the file", "/deaf-upload", "upload", `{"files":["photo.txt"],"submit":true}`, "", false},
	{"", "/deaf-list", "add-to-cart", `{"product":"Beta lamp"}`, "", false},
	{"with two prices", "/deaf-cart-pair", "add-to-cart", `{"product":"Beta lamp"}`, "", false},
	{"where the price ticks", "/deaf-cart-price", "add-to-cart", `{}`, "", false},
	{"of rows that name baskets", "/deaf-cart-many", "add-to-cart", `{"product":"Beta lamp"}`, "", false},
	{"", "/deaf-list", "checkout", `{}`, "", false},
	{"from the cart", "/deaf-basket", "checkout", `{}`, "", false},
	{
		"at the address", "/deaf-address", "checkout", `{"values":{"Full name":"Ann","Street":"1 Main St","City":"Bern"}}`,
		"", false,
	},
	{"with an order", "/deaf-order", "checkout", `{"order":true}`, "", false},
	{"", "/deaf-list", "delete", `{"what":"Beta lamp"}`, "", false},
	{"of a ticket", "/deaf-tickets", "delete", `{"what":"ticket 17"}`, "", true},
	{"beside live feeds", "/deaf-live", "logout", `{}`, "", false},
	{"beside live feeds", "/deaf-live", "search", `{"query":"lamp"}`, "", false},
	{"beside live feeds", "/deaf-live", "fill", `{"values":{"Name":"Ann"},"submit":true}`, "", true},
	{"beside live feeds", "/deaf-live", "navigate", `{"path":["Tickets"]}`, "", true},
	{"beside live feeds", "/deaf-live", "paginate", `{}`, "", false},
	{"beside live feeds", "/deaf-live", "filter", `{"by":{"Color":"Red"}}`, "", true},
	{"beside live feeds", "/deaf-live", "sort", `{"by":"price"}`, "", false},
	{"beside live feeds", "/deaf-live", "download", `{"text":"Beta lamp"}`, "", true},
	{"beside live feeds", "/deaf-live", "upload", `{"files":["photo.txt"],"submit":true}`, "", true},
	{"beside live feeds", "/deaf-live", "add-to-cart", `{"product":"Beta lamp"}`, "", false},
	{"beside live feeds", "/deaf-live", "checkout", `{}`, "", true},
	{"beside live feeds", "/deaf-banner", "delete", `{"what":"Beta lamp"}`, "", false},
	{"of what is sorted already, while the page polls", "/deaf-polling-sorted", "sort", `{"by":"price"}`, "", false},
	{"of what is sorted already, by a page that polled", "/deaf-polling-burst", "sort", `{"by":"price"}`, "", false},
	{"while the page polls", "/deaf-polling", "add-to-cart", `{"product":"Beta lamp"}`, "", false},
	{"of a list that folds", "/deaf-tickets-fold", "delete", `{"what":"ticket 17"}`, "", false},
}

// No skill succeeds on a page where nothing works, whatever the page shows meanwhile.
func TestSkillsOnDeafPages(t *testing.T) {
	t.Parallel()
	for _, s := range skill.All() {
		require.True(t, slices.ContainsFunc(deafRuns, func(r deafRun) bool {
			return r.skill == s.Name && r.page == "/deaf-list" || s.Name == "login"
		}), "the list without reaction is tried with the skill %s", s.Name)
	}
	for _, tt := range deafRuns {
		t.Run(tt.skill+" "+tt.name, func(t *testing.T) {
			t.Parallel()
			if tt.deep && testing.Short() {
				t.Skip("deep tier: another shape of what is tested in the short tier")
			}
			_, c := atSkillSite(t, tt.page)
			c.Env["SKILL_PASSWORD"] = "pencil"
			if tt.ready != "" {
				c.Do("eval", tt.ready)
			}
			grant := []string{}
			if tt.skill == "login" {
				grant = []string{"--grant", "password=env:SKILL_PASSWORD"}
			}
			got := runSkill(c, append([]string{tt.skill, tt.params}, grant...)...)
			for n := 0; n < 4 && got.Status == task.AwaitingUser; n++ {
				reply := c.Try(append([]string{"task", "confirm", got.Task, got.Waits.Confirmation}, grant...)...)
				require.NoError(t, reply.Err)
				got = skillOf(c, reply.Result.Data)
			}
			said := c.Try("task", "show", got.Task).Result.Text
			require.Contains(t, []task.Status{task.Failed, task.Blocked}, got.Status, said)
			if strings.Contains(said, "the confirmation is void: the page has changed") {
				return // which a page does that changes by itself
			}
			require.NotEmpty(t, got.Steps, "it has tried: %s", said)
		})
	}
}

// What a skill leads to counts beside what the page changes by itself.
func TestSkillsBesideLiveFeeds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ skill, params, says string }{
		{"add-to-cart", `{"product":"Beta lamp"}`, "Beta lamp was added to your cart"},
		{"logout", `{}`, "You are logged out"},
		{"paginate", `{}`, "lamps has other rows"},
		{"search", `{"query":"lamp"}`, "3 results for lamp"},
	} {
		t.Run(tt.skill, func(t *testing.T) {
			t.Parallel()
			_, c := atSkillSite(t, "/live")
			got := runSkill(c, tt.skill, tt.params)
			said := c.Try("task", "show", got.Task).Result.Text
			require.Equal(t, task.Succeeded, got.Status, said)
			require.Contains(t, said, tt.says)
		})
	}
}
