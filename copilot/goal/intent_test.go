package goal

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var now = time.Date(2026, 11, 22, 15, 4, 5, 0, time.UTC)

func d(y int, m time.Month, day int) time.Time { return time.Date(y, m, day, 0, 0, 0, 0, time.UTC) }

func TestUnderstand(t *testing.T) {
	t.Parallel()
	october := &Period{From: d(2026, 10, 1), To: d(2026, 11, 1)}
	tests := []struct {
		sentence string
		want     Intent
	}{
		{"Download last month's invoice", Intent{Verb: Download, Object: "invoice", Period: october}},
		{"download last month’s invoice.", Intent{Verb: Download, Object: "invoice", Period: october}},
		{
			"Please download my invoice for October 2025",
			Intent{Verb: Download, Object: "invoice", Period: &Period{From: d(2025, 10, 1), To: d(2025, 11, 1)}},
		},
		{"get the latest invoice", Intent{Verb: Download, Object: "invoice", Latest: true}},
		{"get the last invoice", Intent{Verb: Download, Object: "invoice", Latest: true}},
		{"Download the most recent receipt", Intent{Verb: Download, Object: "invoice", Latest: true}},
		{
			"download all invoices from 2025",
			Intent{Verb: Download, Object: "invoice", Every: true, Period: &Period{From: d(2025, 1, 1), To: d(2026, 1, 1)}},
		},
		{
			"Download the invoice from Acme of 2026-10",
			Intent{Verb: Download, Object: "invoice", Query: "Acme", Period: october},
		},
		{
			"Download the invoice over $99.00",
			Intent{Verb: Download, Object: "invoice", Amount: &Amount{Value: 99, Currency: "USD", Than: "more"}},
		},
		{
			"download the 1.234,50 € invoice",
			Intent{Verb: Download, Object: "invoice", Amount: &Amount{Value: 1234.5, Currency: "EUR"}},
		},
		{
			"Search for red shoes under $50",
			Intent{Verb: Search, Query: "red shoes", Amount: &Amount{Value: 50, Currency: "USD", Than: "less"}},
		},
		{`find "Ada Lovelace"`, Intent{Verb: Search, Query: "Ada Lovelace"}},
		{"search for invoices", Intent{Verb: Search, Object: "invoice", Query: "invoices"}},
		{"Open Settings > Billing details", Intent{Verb: Open, Path: []string{"Settings", "Billing details"}}},
		{"log in", Intent{Verb: Login}},
		{"Sign me up for the newsletter", Intent{Verb: Signup, Object: "newsletter"}},
		{"my last order", Intent{Verb: Open, Object: "order", Latest: true}},
		{"order a coffee machine", Intent{Verb: Buy, Query: "coffee machine"}},
		{"cancel my subscription", Intent{Verb: Cancel, Object: "subscription"}},
		{
			"May I see the invoice of May?",
			Intent{Verb: Open, Object: "invoice", Period: &Period{From: d(2026, 5, 1), To: d(2026, 6, 1)}, Query: "May"},
		},
		{"Lade die Rechnung vom letzten Monat herunter", Intent{Verb: Download, Object: "invoice", Period: october}},
		{"Lade die Rechnung des Vormonats herunter", Intent{Verb: Download, Object: "invoice", Period: october}},
		{
			"Suche nach roten Schuhen unter 50 €",
			Intent{Verb: Search, Query: "roten Schuhen", Amount: &Amount{Value: 50, Currency: "EUR", Than: "less"}},
		},
		{"Melde mich an", Intent{Verb: Login}},
		{"Lade die letzte Rechnung herunter", Intent{Verb: Download, Object: "invoice", Latest: true}},
		{"Lade das Dokument hoch", Intent{Verb: Upload, Object: "file"}},
		{"colorless green ideas", Intent{Query: "colorless green ideas"}},
		{"", Intent{}},
	}
	for _, tt := range tests {
		t.Run(tt.sentence, func(t *testing.T) {
			t.Parallel()
			got := ParseIntent(tt.sentence, now)
			require.Equal(t, tt.sentence, got.Sentence)
			got.Sentence, got.What = "", ""
			if got.Period != nil {
				require.NotEmpty(t, got.Period.Text)
				got.Period.Text = ""
			}
			require.Equal(t, tt.want, got)
		})
	}
}

// What a sentence asks for besides the first thing is not lost, and what it forbids is not done.
func TestUnderstandAllOfASentence(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]Intent{
		"delete my account":                     {Verb: Delete, Object: "account", What: "account"},
		"delete ticket 0":                       {Verb: Delete, Query: "ticket 0", What: "ticket 0"},
		"cancel order 17":                       {Verb: Cancel, Object: "order", Query: "17", What: "order 17"},
		"fill in and submit":                    {Verb: Fill, Submit: true},
		"fill in the form and submit it":        {Verb: Fill, Object: "form", What: "form", Submit: true},
		"fill out the form, then send":          {Verb: Fill, Object: "form", What: "form", Submit: true},
		"fill in the form but do not submit it": {Verb: Fill, Object: "form", What: "form", Unsent: true},
		"fill in the form without sending":      {Verb: Fill, Object: "form", What: "form", Unsent: true},
		"search for lamps and buy the first": {
			Verb: Search, Query: "lamps", What: "lamps",
			Also: []string{"buy the first"},
		},
		"search for rock and roll":     {Verb: Search, Query: "rock roll", What: "rock roll"},
		"log in and delete my account": {Verb: Login, Also: []string{"delete my account"}},
		"download the invoice and email it to Bob": {
			Verb: Download, Object: "invoice", What: "invoice",
			Also: []string{"email it to Bob"},
		},
		"download the invoice and save it": {Verb: Download, Object: "invoice", What: "invoice"},
		"do not delete my account":         {Verb: Delete, Object: "account", What: "account", Not: true},
		"don't log out":                    {Verb: Logout, Not: true},
		"download my invoices":             {Verb: Download, Object: "invoice", What: "invoices", Every: true},
		"download the latest invoices":     {Verb: Download, Object: "invoice", What: "invoices", Latest: true},
		"print my invoice":                 {Object: "invoice", What: "print invoice", Query: "print"},
		"email the invoice to Bob":         {Object: "invoice", What: "email invoice Bob", Query: "email Bob"},
		"rename the download folder":       {Query: "rename download folder", What: "rename download folder"},
		"click the button":                 {Query: "click button", What: "click button"},
		"open the Reports":                 {Verb: Open, Object: "report", What: "Reports"},
	} {
		t.Run(sentence, func(t *testing.T) {
			t.Parallel()
			got := ParseIntent(sentence, now)
			got.Sentence = ""
			require.Equal(t, want, got)
		})
	}
}

func TestParsePeriod(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text     string
		order    Order
		from, to time.Time
	}{
		{"last month", 0, d(2026, 10, 1), d(2026, 11, 1)},
		{"this month", 0, d(2026, 11, 1), d(2026, 12, 1)},
		{"last year", 0, d(2025, 1, 1), d(2026, 1, 1)},
		{"last week", 0, d(2026, 11, 9), d(2026, 11, 16)},
		{"last quarter", 0, d(2026, 7, 1), d(2026, 10, 1)},
		{"last 3 months", 0, d(2026, 8, 22), d(2026, 11, 23)},
		{"two months ago", 0, d(2026, 9, 1), d(2026, 10, 1)},
		{"vor 2 Monaten", 0, d(2026, 9, 1), d(2026, 10, 1)},
		{"yesterday", 0, d(2026, 11, 21), d(2026, 11, 22)},
		{"gestern", 0, d(2026, 11, 21), d(2026, 11, 22)},
		{"next month", 0, d(2026, 12, 1), d(2027, 1, 1)},
		{"October", 0, d(2026, 10, 1), d(2026, 11, 1)},
		{"December", 0, d(2025, 12, 1), d(2026, 1, 1)},
		{"last November", 0, d(2025, 11, 1), d(2025, 12, 1)},
		{"October last year", 0, d(2025, 10, 1), d(2025, 11, 1)},
		{"Oct 2025", 0, d(2025, 10, 1), d(2025, 11, 1)},
		{"Oktober 2025", 0, d(2025, 10, 1), d(2025, 11, 1)},
		{"2026-10", 0, d(2026, 10, 1), d(2026, 11, 1)},
		{"10/2025", 0, d(2025, 10, 1), d(2025, 11, 1)},
		{"Q3 2025", 0, d(2025, 7, 1), d(2025, 10, 1)},
		{"2025", 0, d(2025, 1, 1), d(2026, 1, 1)},
		{"2025-10-03", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"2025-10-03T23:10:00Z", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"03.10.2025", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"3.10.25", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"10/03/2025", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"03/10/2025", DayFirst, d(2025, 10, 3), d(2025, 10, 4)},
		{"31/10/2025", 0, d(2025, 10, 31), d(2025, 11, 1)},
		{"Invoice of 3 October 2025", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"3. Oktober 2025", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"October 3rd, 2025", 0, d(2025, 10, 3), d(2025, 10, 4)},
		{"the 3rd of October", 0, d(2026, 10, 3), d(2026, 10, 4)},
		{"10 December 1815", 0, d(1815, 12, 10), d(1815, 12, 11)},
		{"10.12.1815", 0, d(1815, 12, 10), d(1815, 12, 11)},
		{"Dec 3", 0, d(2025, 12, 3), d(2025, 12, 4)},
		{"nothing", 0, time.Time{}, time.Time{}},
		{"2025-02-31", 0, time.Time{}, time.Time{}},
		{"INV-2025-1007", 0, time.Time{}, time.Time{}},
		{"4711", 0, time.Time{}, time.Time{}},
		{"", 0, time.Time{}, time.Time{}},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			p, ok := ParsePeriod(tt.text, now, tt.order)
			require.Equal(t, !tt.from.IsZero(), ok, "%v", p)
			require.Equal(t, tt.from, p.From)
			require.Equal(t, tt.to, p.To)
		})
	}
}

func TestPeriodsAtTheEndsOfTheCalendar(t *testing.T) {
	t.Parallel()
	for _, at := range []time.Time{d(2026, 3, 31), d(2026, 3, 29), d(2026, 1, 1), d(2024, 3, 30)} {
		p, ok := ParsePeriod("last month", at, NoOrder)
		require.True(t, ok)
		require.Equal(t, time.Date(at.Year(), at.Month()-1, 1, 0, 0, 0, 0, time.UTC), p.From, at)
		require.Equal(t, time.Date(at.Year(), at.Month(), 1, 0, 0, 0, 0, time.UTC), p.To, at)
	}
	tokyo := time.FixedZone("JST", 9*60*60)
	p, _ := ParsePeriod("today", time.Date(2026, 1, 1, 0, 30, 0, 0, tokyo), NoOrder)
	require.Equal(t, time.Date(2026, 1, 1, 0, 0, 0, 0, tokyo), p.From)
}

func TestOrderOf(t *testing.T) {
	t.Parallel()
	require.Equal(t, DayFirst, OrderOf([]string{"03/04/2025", "25/04/2025"}))
	require.Equal(t, MonthFirst, OrderOf([]string{"03/04/2025", "04/25/2025"}))
	require.Equal(t, NoOrder, OrderOf([]string{"03/04/2025", "2025-10-25", "25.10.2025"}))
}

func TestParseAmount(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Amount{
		"$1,234.50": {Value: 1234.5, Currency: "USD"}, "1.234,50 €": {Value: 1234.5, Currency: "EUR"},
		"EUR 99":          {Value: 99, Currency: "EUR"},
		"Total: £7.5 due": {Value: 7.5, Currency: "GBP"}, "October 3 2025 99 €": {Value: 99, Currency: "EUR"},
		"1'234.50 CHF": {Value: 1234.5, Currency: "CHF"},
		"1.234 €":      {Value: 1234, Currency: "EUR"}, "12,5 Euro": {Value: 12.5, Currency: "EUR"},
		"$1,234,567": {Value: 1234567, Currency: "USD"},
	} {
		got, ok := ParseAmount(text)
		require.True(t, ok, text)
		require.Equal(t, want, got, text)
	}
	for _, text := range []string{"", "99", "no money", "neurology 5"} {
		_, ok := ParseAmount(text)
		require.False(t, ok, text)
	}
	require.True(t, Amount{Value: 50, Than: "less"}.Matches(Amount{Value: 49, Currency: "EUR"}))
	require.False(t, Amount{Value: 50, Currency: "USD"}.Matches(Amount{Value: 50, Currency: "EUR"}))
}

func TestGoalOfASentence(t *testing.T) {
	t.Parallel()
	for sentence, want := range map[string]string{
		"download the latest invoice": "collection:invoices(date,download) or action:download_invoice",
		"log in":                      "form:login",
		"buy a lamp":                  "form:checkout or form:payment_method",
		"open Settings > Team":        "title:Team or url:*/team*",
		"colorless ideas":             `title:"colorless ideas" or text:"colorless ideas"`,
		"fill in the form":            "",
	} {
		got := ParseIntent(sentence, now).Goal().String()
		if want == "" {
			require.Empty(t, got, sentence)
		}
		require.Contains(t, got, want, sentence)
	}
	in := ParseIntent("Download last month's invoice", now)
	require.Contains(t, in.Goal().String(), `action:download_invoice and text:"October 2026"`)
	require.Equal(t, "invoice", in.Hints()[0])
	require.Contains(t, in.Hints(), "billing")
}

func TestIntentAsJSON(t *testing.T) {
	t.Parallel()
	b, err := json.Marshal(ParseIntent("Download last month's invoice", now))
	require.NoError(t, err)
	require.JSONEq(t, `{"sentence":"Download last month's invoice","verb":"download","object":"invoice",
		"period":{"from":"2026-10-01T00:00:00Z","to":"2026-11-01T00:00:00Z","text":"last month"},"what":"invoice"}`,
		string(b))
}

func FuzzUnderstand(f *testing.F) {
	f.Add("Download last month's invoice")
	f.Add(`open A > "b" vor 3 Monaten for $1,00.0€ 99-99-9999 q9`)
	f.Fuzz(func(t *testing.T, s string) {
		in := ParseIntent(s, now)
		if in.Period != nil && !in.Period.From.Before(in.Period.To) {
			t.Fatalf("%q is the empty period %v", s, in.Period)
		}
		in.Goal().Test(nil)
	})
}

func BenchmarkUnderstand(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		ParseIntent("Please download the invoice from Acme for October 2025 over $50", now)
	}
}
