package scout_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/scout"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// page is a page without a browser: what it offers is fixed, and each element is found by its id.
type page struct{ summary *pcd.Summary }

func (p page) Summary(context.Context) (*pcd.Summary, error) { return p.summary, nil }

func (p page) Query(_ context.Context, q pcd.Question) ([]pcd.Candidate, error) {
	return pcd.Query(p.summary, q), nil
}

func (p page) Alike(context.Context, string) (scout.Alike, error) { return scout.Alike{}, nil }

func (p page) Details(_ context.Context, ids ...string) ([]pcd.Detail, error) {
	var details []pcd.Detail
	for _, id := range ids {
		if id == "e90" {
			return nil, fault.New(fault.SelectorAmbiguous, "No selector distinguishes @e90.")
		}
		details = append(details, pcd.Detail{ID: id, Selector: pcd.Selector{Kind: "css", CSS: "#" + id}})
	}
	return details, nil
}

func (p page) Picture(context.Context, ...string) (scout.Picture, error) {
	return scout.Picture{}, fault.New(fault.TargetUnsuitable, "There are no pictures.")
}

func account() page {
	return page{&pcd.Summary{
		URL: "https://shop.test/account", TS: 7,
		Actions: []pcd.Action{
			{
				ID: "e1", Label: "Invoices", Role: "link", Kind: pcd.KindInvoices, Landmark: pcd.Nav,
				URL: "https://shop.test/invoices",
			},
			{
				ID: "e2", Label: "Settings", Role: "link", Kind: pcd.KindSettings, Landmark: pcd.Nav,
				URL: "https://shop.test/settings",
			},
			{
				ID: "e3", Label: "Invoices", Role: "link", Kind: pcd.KindInvoices, Landmark: pcd.Footer,
				URL: "https://shop.test/invoices",
			},
			{ID: "e4", Label: "Edit", Role: "button", Kind: pcd.KindEdit, Landmark: pcd.Main},
			{ID: "e5", Label: "Edit", Role: "button", Kind: pcd.KindEdit, Landmark: pcd.Main},
			{ID: "e6", Label: "Delete account", Role: "button", Kind: pcd.KindDelete, Landmark: pcd.Main},
			{
				ID: "e7", Label: "Account", Role: "link", Kind: pcd.KindAccount, Landmark: pcd.Nav,
				URL: "https://shop.test/account",
			},
			{ID: "e8", Label: "Delete account at once", Role: "button", Kind: pcd.KindDelete, Unseen: true},
			{ID: "e9", Label: "Subscribe", Role: "button", Kind: pcd.KindSubmit, Landmark: pcd.Main},
			{ID: "e90", Label: "Export", Role: "button", Landmark: pcd.Main},
		},
		Forms: []pcd.Form{{
			ID: "e20", Purpose: pcd.PurposeNewsletter, SubmitID: "e9", SubmitLabel: "Subscribe", Landmark: pcd.Main,
			Fields: []pcd.Field{{ID: "e21", Label: "Email", Name: "email", Type: "email"}},
		}},
	}}
}

func ids(b *scout.Bundle) string {
	var list []string
	for _, c := range b.Candidates {
		list = append(list, c.ID)
	}
	return strings.Join(list, " ")
}

// The rules put first what the goal means, and say when that is not clear.
func TestRules(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		goal      string
		of        []string
		want      string // ids; of a goal that is clear the first one alone counts
		ambiguous bool
		risk      toolbox.Risk
	}{
		{goal: "invoices", want: "e1", risk: toolbox.Low}, // the link in the footer leads to the same place
		{goal: "edit", want: "e4 e5", ambiguous: true, risk: toolbox.Medium},
		{goal: "delete my account", want: "e6", risk: toolbox.High},
		{goal: "email", want: "e21", risk: toolbox.Medium},
		{goal: "subscribe", want: "e9", risk: toolbox.High}, // and not its form
		{goal: "subscribe", of: []string{pcd.CandidateForm}, want: "e20", risk: toolbox.High},
		{goal: "Settings > Billing", want: "e2", risk: toolbox.Low},
		{goal: "frobnicate the widget", want: "", ambiguous: true},
	} {
		t.Run(tt.goal, func(t *testing.T) {
			t.Parallel()
			s := &scout.Scout{Page: account()}
			b, err := s.Find(t.Context(), scout.Question{Goal: tt.goal, Of: tt.of})
			require.NoError(t, err)
			require.Equal(t, scout.ByRules, b.By)
			require.Equal(t, tt.ambiguous, b.Ambiguous, "%+v", b.Candidates)
			if tt.ambiguous {
				require.Equal(t, tt.want, ids(b))
			} else {
				require.Equal(t, tt.want, b.Candidates[0].ID)
			}
			for _, c := range b.Candidates {
				require.NotEmpty(t, c.Why)
				require.Equal(t, "#"+c.ID, c.Selector.CSS)
				require.Greater(t, c.Confidence, 0.0)
				require.LessOrEqual(t, c.Confidence, 1.0)
			}
			if tt.want != "" {
				require.Equal(t, tt.risk, b.Candidates[0].Risk)
			}
		})
	}
}

// manual is a page of documentation: a menu whose entries say little, links with icons, and one place that several of
// them lead to.
func manual() page {
	link := func(id, label, url string, l pcd.Landmark, kind string) pcd.Action {
		return pcd.Action{ID: id, Label: label, Role: "link", Kind: kind, Landmark: l, URL: url}
	}
	return page{&pcd.Summary{
		URL: "https://kit.test/docs/introduction",
		Actions: []pcd.Action{
			link("e1", "\uf3ed GitHub", "https://code.test/kit/kit", pcd.Nav, pcd.KindNavigate),
			link("e2", "releases on GitHub", "https://code.test/kit/kit/releases", pcd.Main, ""),
			link("e3", "GitHub", "https://code.test/kit/kit", pcd.Footer, ""),
			link("e4", "How to contribute", "https://kit.test/docs/how-to-contribute", pcd.Nav, pcd.KindNavigate),
			link("e5", "License", "https://kit.test/docs/license", pcd.Nav, pcd.KindNavigate),
			link("e6", "Color mode", "https://kit.test/docs/color-mode", pcd.Nav, pcd.KindNavigate),
			link("e7", "Migration guide", "https://kit.test/docs/v3-to-v4", pcd.Nav, pcd.KindNavigate),
			link("e8", "Download", "https://kit.test/kit.zip", pcd.Main, pcd.KindDownload),
			link("e9", "Read the list of changes", "https://kit.test/blog/changelog", pcd.Main, ""),
		},
	}}
}

// The rules are sure of what a page clearly has, and refuse what it has not.
func TestRulesOnAManual(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		goal  string
		want  string  // the first one; empty: nothing on the page is for the goal
		least float64 // of its confidence
	}{
		{"View on GitHub", "e1", 0.6},
		{"open GitHub", "e1", 0.6},
		{"github releases", "e2", 0.6},
		{"how do I contribute?", "e4", 0.6},
		{"license", "e5", 0.9},
		{"switch the color mode", "e6", 0.6},
		{"migration from v3 to v4", "e7", 0.4},
		{"changelog", "e9", 0.4},
		{"download", "e8", 0.9},
		{goal: "buy a ticket"},
		{goal: "log out"},
		{goal: "delete my account"},
		{goal: "subscribe to the newsletter"},
		{goal: "change the language"},
		{goal: "show last month's invoices"},
		{goal: "docs of another kit"}, // of the addresses
	} {
		t.Run(tt.goal, func(t *testing.T) {
			t.Parallel()
			b, err := (&scout.Scout{Page: manual()}).Find(t.Context(), scout.Question{Goal: tt.goal})
			require.NoError(t, err)
			if tt.want == "" {
				require.Empty(t, b.Candidates)
				require.True(t, b.Ambiguous)
				return
			}
			require.NotEmpty(t, b.Candidates)
			require.Equal(t, tt.want, b.Candidates[0].ID, "%+v", b.Candidates)
			require.GreaterOrEqual(t, b.Candidates[0].Confidence, tt.least, "%+v", b.Candidates)
		})
	}
}

// choosing is a chooser with a fixed answer.
type choosing struct {
	choices []scout.Choice
	err     error
}

func (choosing) Name() string { return "model:test" }

func (c choosing) Choose(context.Context, *scout.Input) ([]scout.Choice, error) {
	return c.choices, c.err
}

// What a chooser names counts as far as the page agrees.
func TestChooserIsChecked(t *testing.T) {
	t.Parallel()
	role := func(name string) *pcd.Selector { return &pcd.Selector{Kind: "role", Role: "button", Name: name} }
	s := &scout.Scout{Page: account(), Chooser: choosing{choices: []scout.Choice{
		{ID: "e99", Confidence: 1, Why: "invented"},
		{ID: "e8", Confidence: 1, Why: "hidden"},
		{ID: "e90", Confidence: 0.95, Why: "like others"},
		{Selector: role("Edit"), Confidence: 0.9, Why: "one of two"},
		{Selector: role("Buy"), Confidence: 0.9, Why: "nothing"},
		{Selector: &pcd.Selector{Kind: "css", CSS: ".edit"}, Confidence: 0.9, Why: "never tried"},
		{Confidence: 0.9, Why: "no element"},
		{ID: "@e2", Confidence: 0.5, Why: "second"},
		{Selector: role("Delete account"), Confidence: 7, Risk: toolbox.Low, Why: "corrected\nto an id"},
		{Selector: &pcd.Selector{Kind: "css", CSS: "#e4"}, Confidence: 0.2, Risk: toolbox.High, Why: "as the page has it"},
		{ID: "e2", Confidence: 0.5, Why: "again"},
	}}}
	b, err := s.Find(t.Context(), scout.Question{Goal: "anything"})
	require.NoError(t, err)
	require.Equal(t, "model:test", b.By)
	require.Equal(t, "e6 e2 e4", ids(b))
	require.Equal(t, []toolbox.Risk{toolbox.High, toolbox.Low, toolbox.High},
		[]toolbox.Risk{b.Candidates[0].Risk, b.Candidates[1].Risk, b.Candidates[2].Risk})
	require.Equal(t, 1.0, b.Candidates[0].Confidence)
	require.NotContains(t, b.Candidates[0].Why, "\n")
	require.Len(t, b.Dropped, 8)
	for _, part := range []string{
		"@e99: it was not seen", "@e8: a person does not see it", "@e90: no selector", "finds 2 elements", "finds nothing",
		"names no element", "@e2: it is named twice",
	} {
		require.True(t, slices.ContainsFunc(b.Dropped, func(d string) bool {
			return strings.Contains(d, part)
		}), "%s: %v", part, b.Dropped)
	}
}

func TestChooserFails(t *testing.T) {
	t.Parallel()
	down := fault.New(fault.ModelFailed, "The model's endpoint is down.")
	s := &scout.Scout{Page: account(), Chooser: choosing{err: down}}
	b, err := s.Find(t.Context(), scout.Question{Goal: "invoices"})
	require.NoError(t, err)
	require.Equal(t, scout.ByRules, b.By)
	require.Equal(t, "e1", b.Candidates[0].ID)
	require.Contains(t, b.Notes[0], "The model's endpoint is down.")

	s.Must = true
	_, err = s.Find(t.Context(), scout.Question{Goal: "invoices"})
	require.ErrorIs(t, err, down)
}

// A planner's tools are a page as well.
func TestTools(t *testing.T) {
	t.Parallel()
	p := account()
	look := func(_ context.Context, call toolbox.Call) (toolbox.Result, error) {
		tool, err := toolbox.Find(call.Name)
		if err != nil {
			return toolbox.Result{}, err
		}
		argv, err := tool.Argv(call.Args)
		if err != nil {
			return toolbox.Result{}, err
		}
		require.Equal(t, "--tab=t2", argv[0])
		switch call.Name {
		case "getMiniPCD":
			return toolbox.Result{OK: true, Data: p.summary}, nil
		case "pcd.query":
			return toolbox.Result{
				OK:   true,
				Data: map[string]any{"candidates": pcd.Query(p.summary, pcd.Question{Text: "edit"})},
			}, nil
		}
		if strings.Contains(string(call.Args), "e4") {
			return toolbox.Failed(fault.New(fault.RefStale, "@e4 is gone.")), nil
		}
		return toolbox.Result{
			OK:   true,
			Data: map[string]any{"details": []pcd.Detail{{ID: "e5", Selector: pcd.Selector{Kind: "css", CSS: "#e5"}}}},
		}, nil
	}
	s := &scout.Scout{Page: scout.Tools{Look: look, Tab: "t2"}}
	b, err := s.Find(t.Context(), scout.Question{Goal: "edit"})
	require.NoError(t, err)
	require.Equal(t, "e5", ids(b))
	require.Contains(t, b.Dropped[0], "@e4: no selector finds it")
}
