package skill

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

func read[T any](t testing.TB, name string) *T {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name+".json"))
	require.NoError(t, err)
	var v T
	require.NoError(t, json.Unmarshal(b, &v), name)
	return &v
}

func page(t testing.TB, name string) *pcd.Summary { return read[pcd.Summary](t, name) }

// detailsOf are details as a page would give them.
func detailsOf(ids []string) (all []pcd.Detail) {
	for _, id := range ids {
		all = append(all, pcd.Detail{ID: id, Selector: pcd.Selector{Kind: "css", CSS: "#" + id}})
	}
	return all
}

// planned is what a skill does on a page, a line for each step; "no match" and "missing …" where it does nothing.
func planned(t testing.TB, page *pcd.Summary, name, params string, rows ...pcd.Rows) []string {
	t.Helper()
	u, err := NewInvocation(name, json.RawMessage(params))
	require.NoError(t, err)
	for _, m := range u.Match(page) {
		require.Greater(t, m.Confidence, 0.0)
		require.LessOrEqual(t, m.Confidence, 1.0)
		require.NotEmpty(t, m.Why)
		b, ok := u.Bind(m, Facts{Details: detailsOf(m.IDs), Rows: rows})
		if !ok {
			continue
		}
		steps, err := u.Plan(b)
		if err != nil {
			require.True(t, fault.Is(err, fault.Usage))
			return []string{"missing " + strings.Join(b.Missing, ", ")}
		}
		for _, c := range u.Checks(b) {
			require.NotEmpty(t, c.Name)
			if c.Goal != "" {
				_, err := goal.Parse(c.Goal)
				require.NoError(t, err)
			}
		}
		return lines(t, steps)
	}
	return []string{"no match"}
}

func lines(t testing.TB, steps []toolbox.Step) (all []string) {
	for _, s := range steps {
		if s.Kind == toolbox.ConfirmStep {
			all = append(all, "confirm "+s.Message)
			continue
		}
		if s.Kind == toolbox.BranchStep {
			require.Equal(t, settle(), s)
			all = append(all, wait)
			continue
		}
		tool, err := toolbox.Find(s.Call.Name)
		require.NoError(t, err)
		_, err = tool.Argv(s.Call.Args)
		require.NoError(t, err)
		var args map[string]any
		require.NoError(t, json.Unmarshal(s.Call.Args, &args))
		line := s.Call.Name
		for _, name := range []string{"selector", "text", "value", "checked", "event", "y"} {
			if v, ok := args[name]; ok && v != "" {
				if object, ok := v.(map[string]any); ok {
					v = fmt.Sprintf("<%v %v>", object["role"], object["name"])
				}
				line += fmt.Sprintf(" %v", v)
			}
		}
		if s.Secret != "" {
			line += " <" + s.Secret + ">"
			require.Empty(t, s.AltSelectors)
		}
		require.NotEmpty(t, s.Description)
		require.NotEmpty(t, s.Risk)
		all = append(all, line+" "+string(s.Risk))
	}
	return all
}

const (
	wait   = "wait"
	person = `"username":"ada@example.com","password":"shop-password"`
)

func TestPlans(t *testing.T) {
	t.Parallel()
	tests := []struct {
		page, skill, params string
		want                []string
	}{
		{"login", "login", "{" + person + "}", []string{
			"dom.type e3 ada@example.com medium",
			`confirm Fill in "Password" with the secret shop-password at https://shop.example?`,
			"dom.type e4 <shop-password> high", "dom.click e6 medium", wait,
		}},
		{"login", "login", `{"username":"ada"}`, []string{"missing password"}},
		{
			"otp", "login", `{"otp":"code"}`,
			[]string{
				`confirm Fill in "6-digit code" with the secret code at https://shop.example?`, "dom.type e2 <code> high",
				"dom.click e3 medium", wait,
			},
		},
		{"otp", "login", "{}", []string{"missing otp"}},
		{"home", "login", "{" + person + "}", []string{"dom.click e1 low", wait}},
		{"invoices", "login", "{" + person + "}", []string{"no match"}},

		{"home", "search", `{"query":"red shoes"}`, []string{"dom.type e3 red shoes low", "dom.click e5 low", wait}},
		{"login", "search", `{"query":"red shoes"}`, []string{"no match"}},

		{"home", "paginate", "{}", []string{"dom.click e10 low", wait}},
		{"home", "paginate", `{"to":"3"}`, []string{"dom.click e12 low", wait}},
		{"home", "paginate", `{"to":"2"}`, []string{"dom.click e11 low", wait}},
		{"home", "paginate", `{"to":"7"}`, []string{"no match"}},
		{"home", "paginate", `{"to":"previous"}`, []string{"no match"}},
		{"home", "paginate", `{"until":"title:shop"}`, []string{"no match"}},
		{"home", "paginate", `{"to":"more"}`, []string{"dom.scroll 100000 low", wait}},
		{"invoices", "paginate", `{"until":"text:INV-0001"}`, []string{"dom.click e4 low", wait}},
		{"login", "paginate", "{}", []string{"no match"}},

		{"home", "navigate", `{"path":["Billing"]}`, []string{"dom.click e9 low", wait}},
		{"home", "navigate", `{"path":["Account","Billing"]}`, []string{"dom.click e9 low", wait}},
		{"home", "navigate", `{"path":["Products","Lamps"]}`, []string{"dom.click e7 low", wait}},
		{"home", "navigate", `{"path":["Account","Orders"]}`, []string{"dom.hover e8 low"}},
		{"home", "navigate", `{"path":["cart"]}`, []string{"dom.click e6 low", wait}},
		{"invoices", "navigate", `{"path":["Delete"]}`, []string{"no match"}},
		{"home", "navigate", `{"path":["Nowhere"]}`, []string{"no match"}},

		{
			"contact", "fill",
			`{"values":{"first name":"Ada","last name":"Lovelace","email":"ada@example.com","date of birth":"10 December 1815","country":"schweiz",
			"Newsletter":"no","size":"large","message":"Hello"}}`,
			[]string{
				"dom.type e3 Ada medium", "dom.type e4 Lovelace medium", "dom.type e5 ada@example.com medium",
				"dom.type e6 1815-12-10 medium",
				"dom.select e7 Schweiz medium", "dom.check e8 false medium", "dom.check <radio Large> true medium",
				"dom.type e13 Hello medium",
			},
		},
		{
			"contact", "fill", `{"values":{"vorname":"Ada","nachname":"L"},"submit":true}`,
			[]string{"dom.type e3 Ada medium", "dom.type e4 L medium", "dom.click e19 medium", wait},
		},
		{"contact", "fill", `{"values":{"vorname":"Ada"},"submit":true}`, []string{"missing Nachname"}},
		{"contact", "fill", `{"values":{"vorname":"Ada","color":"red"}}`, []string{"dom.type e3 Ada medium"}},
		{"contact", "fill", `{"values":{"PIN":"1234"}}`, []string{"no match"}},
		{
			"contact", "fill", `{"secrets":{"PIN":"my-pin"}}`,
			[]string{`confirm Fill in "PIN" with the secret my-pin at https://shop.example?`, "dom.type e12 <my-pin> high"},
		},
		{"contact", "fill", `{"secrets":{"vorname":"my-pin"}}`, []string{"no match"}},
		{"contact", "fill", `{"values":{"Leave this empty":"x"}}`, []string{"no match"}},
		{"contact", "fill", `{"values":{"small":"yes"}}`, []string{"dom.check e9 true medium"}},
		{"contact", "fill", `{"form":"login","values":{"vorname":"Ada"}}`, []string{"no match"}},
		{"contact", "fill", `{"form":"@e1","values":{"company":"ACME"}}`, []string{"dom.type e2 ACME medium"}},

		{"home", "checkout", "{}", []string{"dom.click e6 low", wait}},
		{
			"shipping", "checkout",
			`{"values":{"name":"Ada","address":"Main St 1","postcode":"1000","city":"Bern","shipping method":"Express"}}`,
			[]string{
				"dom.type e2 Ada medium", "dom.type e3 Main St 1 medium", "dom.type e4 1000 medium", "dom.type e5 Bern medium",
				"dom.check <radio Express> true medium",
				"dom.click e8 medium", wait,
			},
		},
		{
			"shipping", "checkout", `{"values":{"name":"Ada"}}`,
			[]string{"missing Street, ZIP code, City, Standard or Express"},
		},
		{"payment", "checkout", `{"values":{"name":"Ada"},"secrets":{"card number":"card","cvc":"card-code"}}`, []string{
			"dom.type e2 Ada medium",
			`confirm Fill in "Card number" with the secret card; Fill in "CVC" with the secret card-code at https://shop.example?`,
			"dom.type e3 <card> high", "dom.type e4 <card-code> high", "dom.click e6 medium", wait,
		}},
		{
			"payment", "checkout", `{"values":{"name":"Ada","card number":"4111111111111111","cvc":"123"}}`,
			[]string{"missing Card number, CVC"},
		},
		{
			"review", "checkout", `{"order":true}`,
			[]string{`confirm Click "Place order" at https://shop.example?`, "dom.click e1 high", wait},
		},
		{"review", "checkout", "{}", []string{wait}},
		{"login", "checkout", "{}", []string{"no match"}},
	}
	for _, tt := range tests {
		t.Run(tt.skill+" on "+tt.page+" "+tt.params, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, planned(t, page(t, tt.page), tt.skill, tt.params))
		})
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	rows := *read[pcd.Rows](t, "rows")
	tests := []struct{ params, want string }{
		// not by what is due then
		{
			`{"collection":"invoices","period":{"from":"2026-10-01T00:00:00Z","to":"2026-11-01T00:00:00Z"}}`,
			"dom.click e32 low",
		},
		{
			`{"collection":"invoices","period":{"from":"2026-10-01T00:00:00+02:00","to":"2026-11-01T00:00:00+02:00"}}`,
			"dom.click e32 low",
		},
		{`{"collection":"invoices","latest":true}`, "dom.click e22 low"},
		{`{"collection":"receipts","text":"inv-1009"}`, "dom.click e42 low"},
		{`{"collection":"invoices","amount":{"value":1299}}`, "dom.click e32 low"},
		{`{"collection":"invoices","amount":{"value":1000,"currency":"USD","than":"more"}}`, "dom.click e32 low"},
		// by what shows it
		{`{"collection":"invoices","amount":{"value":12},"period":{"from":"2025-01-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}}`, "dom.click e52 low"},
		{
			`{"collection":"invoices","period":{"from":"2026-01-01T00:00:00Z","to":"2027-01-01T00:00:00Z"}}`,
			"dom.click e22 low",
		},
		{
			`{"collection":"invoices","every":true,"period":{"from":"2026-01-01T00:00:00Z","to":"2027-01-01T00:00:00Z"}}`,
			"dom.click e22 low\ndom.click e32 low\ndom.click e42 low",
		},
		{`{"collection":"invoices","period":{"from":"2026-08-01T00:00:00Z","to":"2026-09-01T00:00:00Z"}}`, "no match"},
		{`{"collection":"orders"}`, "dom.click e22 low"},
	}
	for _, tt := range tests {
		t.Run(tt.params, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, strings.Join(planned(t, page(t, "invoices"), "download", tt.params, rows), "\n"))
		})
	}
}

// A page about one invoice is taken only when it says that it is the one.
func TestDownloadOfAPageAboutOneThing(t *testing.T) {
	t.Parallel()
	one := &pcd.Summary{
		URL: "https://shop.example/invoices/7", Title: "Invoice INV-7, October 2026", TS: 1795359600000,
		Actions: []pcd.Action{{ID: "e1", Label: "Download invoice", Kind: pcd.KindDownloadInvoice}},
	}
	const of = `{"collection":"invoices","period":{"from":"2026-%02d-01T00:00:00Z","to":"2026-%02d-01T00:00:00Z"}}`
	require.Equal(t, []string{"dom.click e1 low"}, planned(t, one, "download", fmt.Sprintf(of, 10, 11)))
	require.Equal(t, []string{"no match"}, planned(t, one, "download", fmt.Sprintf(of, 9, 10)))
	one.Actions[0].Unseen = true
	require.Equal(t, []string{"no match"}, planned(t, one, "download", fmt.Sprintf(of, 10, 11)))
}

func TestSentences(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for sentence, want := range map[string]string{
		"Download last month's invoice": "download", "log in": "login", "search for lamps": "search",
		"open Settings > Team": "navigate",
		"buy a lamp":           "checkout", "Show my orders": "navigate", "fill in the form": "fill",
		"contact support": "fill",
		"colorless ideas": "",
	} {
		uses := ForIntent(goal.ParseIntent(sentence, now), map[string]string{"name": "Ada"}, nil)
		if want == "" {
			require.Empty(t, uses, sentence)
			continue
		}
		require.Len(t, uses, 1, sentence)
		require.Equal(t, want, uses[0].Skill.Name, sentence)
	}
	uses := ForIntent(goal.ParseIntent("Download last month's invoice", now), nil, nil)
	m := uses[0].Match(page(t, "invoices"))[0]
	require.Equal(t, "dom.extract", m.Look[0].Name)
	b, ok := uses[0].Bind(m, Facts{Rows: []pcd.Rows{*read[pcd.Rows](t, "rows")}})
	require.True(t, ok)
	steps, err := uses[0].Plan(b)
	require.NoError(t, err)
	require.Equal(t, []string{"dom.click e32 low"}, lines(t, steps))
	require.Equal(t, SawDownload, uses[0].Checks(b)[0].Kind)
	require.Empty(t, ForIntent(goal.ParseIntent("contact support", now), nil, nil)) // there is nothing to say
}

func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ skill, params, about string }{
		{"fly", "{}", "fly"},
		{"search", "{}", "query"},
		{"search", `{"query":" "}`, "query"},
		{"search", "[", "search"},
		{"search", `{"query":"a","color":1}`, "color"},
		{"navigate", `{"path":[]}`, "path"},
		{"navigate", `{"path":[""]}`, "path"},
		{"paginate", `{"to":"9x"}`, "9x"},
		{"paginate", `{"to":"0"}`, "to"},
		{"paginate", `{"until":"later"}`, "later"},
		{"fill", "{}", "values"},
		{"fill", `{"submit":true}`, "values"},
		{"fill", `{"values":{"a":"b"},"secrets":{"a":"c"}}`, `"a"`},
		{"checkout", `{"values":{"a":"b"},"secrets":{"a":"c"}}`, `"a"`},
		{"download", `{"period":{"from":"2026-01-01T00:00:00Z","to":"2026-01-01T00:00:00Z"}}`, "period"},
		{"login", `{"password":1}`, "login"},
	} {
		_, err := NewInvocation(tt.skill, json.RawMessage(tt.params))
		require.True(t, fault.Is(err, fault.Usage), "%s %s", tt.skill, tt.params)
		require.Contains(t, err.Error(), tt.about, "%s %s", tt.skill, tt.params)
	}
}

func TestAll(t *testing.T) {
	t.Parallel()
	var names []string
	for _, s := range All() {
		require.NotEmpty(t, s.About)
		var properties map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte("{"+s.Properties()+"}"), &properties), s.Name)
		for _, r := range s.Required() {
			require.Contains(t, properties, r)
		}
		names = append(names, s.Name)
	}
	require.Equal(t, []string{
		"login", "logout", "search", "fill", "navigate", "paginate", "filter", "sort", "download", "upload", "add-to-cart",
		"checkout", "delete",
	}, names)
	require.Equal(t, len(names), len(slices.Compact(slices.Sorted(slices.Values(names)))))
}

// A form without a button is sent by what is called so near it; when several things are, by the form itself.
func TestFormsWithoutButtons(t *testing.T) {
	t.Parallel()
	p := page(t, "login")
	p.Forms[0].SubmitID, p.Forms[0].SubmitLabel, p.Actions[1].Role = "", "", "other"
	last := func() string { steps := planned(t, p, "login", "{"+person+"}"); return steps[len(steps)-2] }
	require.Equal(t, "dom.click e6 medium", last())
	p.Actions = append(p.Actions,
		pcd.Action{ID: "e60", Label: "Sign in with a key", Role: "button", Kind: pcd.KindLogin, Landmark: pcd.Main})
	require.Equal(t, "dom.submit e2 medium", last())
}

// An element that is gone between the match and the binding binds nothing.
func TestBindOfWhatIsGone(t *testing.T) {
	t.Parallel()
	u, err := NewInvocation("search", json.RawMessage(`{"query":"x"}`))
	require.NoError(t, err)
	m := u.Match(page(t, "home"))[0]
	_, ok := u.Bind(m, Facts{Details: detailsOf(m.IDs[1:])})
	require.False(t, ok)
	require.Empty(t, u.Match(nil))
}

func TestChecks(t *testing.T) {
	t.Parallel()
	before := &pcd.Summary{URL: "https://a.example/", TS: 1, Forms: []pcd.Form{{Purpose: pcd.PurposeLogin}}}
	after := &pcd.Summary{URL: "https://a.example/home", TS: 2}
	wrong := &pcd.Summary{URL: "https://a.example/", TS: 2, Forms: before.Forms}
	gone := Check{Kind: SawPage, Goal: loggedIn}
	for _, tt := range []struct {
		check     Check
		now       *pcd.Summary
		effects   []string
		ok, known bool
	}{
		{gone, after, nil, true, true},
		{gone, wrong, nil, false, true},
		{gone, nil, nil, false, true},
		{Check{Kind: SawPage, Changed: true}, before, nil, false, true},
		{Check{Kind: SawPage, Changed: true}, wrong, nil, true, true},
		{Check{Kind: SawDownload}, after, []string{"downloaded invoice.pdf"}, true, true},
		{Check{Kind: SawDownload}, after, []string{"navigated"}, false, true},
		{Check{Kind: SawValue, Selector: "@e1", Text: "x"}, after, nil, false, false},
	} {
		ok, known := tt.check.Seen(before, tt.now, tt.effects)
		require.Equal(t, tt.ok, ok, "%+v", tt.check)
		require.Equal(t, tt.known, known, "%+v", tt.check)
	}
}

func BenchmarkPlan(b *testing.B) {
	home := page(b, "home")
	u, err := NewInvocation("search", json.RawMessage(`{"query":"red shoes"}`))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		m := u.Match(home)[0]
		bound, _ := u.Bind(m, Facts{Details: detailsOf(m.IDs)})
		if _, err := u.Plan(bound); err != nil {
			b.Fatal(err)
		}
	}
}
