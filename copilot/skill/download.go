package skill

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// download downloads what belongs to one row of a list, or to several.
type download struct {
	Collection string       `json:"collection,omitempty"`
	Period     *goal.Period `json:"period,omitempty"`
	Latest     bool         `json:"latest,omitempty"`
	Text       string       `json:"text,omitempty"`
	Amount     *goal.Amount `json:"amount,omitempty"`
	Every      bool         `json:"every,omitempty"`
}

func downloadSkill() Skill {
	return define[download](Skill{
		Name: "download",
		Verb: goal.Download,
		About: "Download the file of a row of a list, by its date, its text or its amount, or those of all rows on all " +
			"pages of the list.",
		Params: []Param{
			{Name: "collection", Kind: Text, About: "what the list is of: invoices, orders, reports"},
			{
				Name:  "period",
				Kind:  Structure,
				About: "the row's date is in it; to is the first moment behind it",
				shape: `"type":"object","properties":{"from":{"type":"string","format":"date-time"},"to":{"type":"string","format":"date-time"},"text":{"type":"string"}},"required":["from","to"]`,
			},
			{Name: "latest", Kind: Switch, About: "the newest of the rows"},
			{Name: "text", Kind: Text, About: "words that the row has"},
			{
				Name:  "amount",
				Kind:  Structure,
				About: "a sum that the row has, or one that it is below or above",
				shape: `"type":"object","properties":{"value":{"type":"number"},"currency":{"type":"string"},"than":{"enum":["less","more"]}},"required":["value"]`,
			},
			{Name: "every", Kind: Switch, About: "all rows that fit, on all pages of the list, not one"},
		},
		Ends:     "the files are on the disk",
		Effects:  []Effect{Navigates, Saves},
		Examples: []string{`{"collection":"invoices","latest":true}`, `{"every":true}`},
	}, func(p *download) error {
		if p.Period != nil && !p.Period.From.Before(p.Period.To) {
			return wrong("download", "period", "ends before it begins")
		}
		return nil
	})
}

const rowStage = "row"

func (p *download) wants() []Want {
	return []Want{{Slot: "list", Text: strings.Trim(p.Collection+"|download|pdf|herunterladen", "|")}}
}

func (p *download) match(page *pcd.Summary) []Match {
	var all []Match
	for _, c := range page.Collections {
		if c.Unseen {
			continue
		}
		named := p.Collection == "" || goal.SameCollection(c.Name, p.Collection)
		has := slices.ContainsFunc(c.ItemFields, func(f string) bool { return goal.SameField(f, "download") }) ||
			slices.ContainsFunc(page.Actions, func(a pcd.Action) bool {
				return a.CollectionID == c.ID && isDownload(a.Kind, a.Label)
			})
		confidence := 0.0
		switch {
		case named && has:
			confidence = 0.9
		case has && (relevance.Contains(page.Title, p.Collection) || relevance.Contains(page.URL, p.Collection)):
			confidence = 0.8
		case named && p.Collection != "":
			confidence = 0.6
		case has:
			confidence = 0.4
		}
		if confidence == 0 {
			continue
		}
		m := matched(rowStage, confidence*c.Landmark.Weight(), "a row of "+c.Name, map[string]string{"list": c.ID})
		m.IDs = nil
		m.Look = []toolbox.Call{*call("dom.extract", toolArgs{Collection: c.ID})}
		all = append(all, m)
	}
	return append(all, p.single(page)...)
}

// single are the ways of a page that is about one thing. When a certain one is meant, the page has to say that it is
// that one.
func (p *download) single(page *pcd.Summary) []Match {
	var all []Match
	for _, a := range usableActions(page, func(a pcd.Action) bool {
		return a.CollectionID == "" && isDownload(a.Kind, a.Label)
	}) {
		if p.Every || a.Landmark == pcd.Aside || !sameSite(page, a.URL) {
			continue
		}
		if p.Collection != "" && a.Kind != pcd.KindDownloadInvoice &&
			!relevance.Contains(a.Label+" "+page.Title, p.Collection) {
			continue
		}
		if p.asksForOne() && !p.fits(map[string]string{"title": page.Title, "label": a.Label}, goal.NoOrder, p.now(page)) {
			continue
		}
		confidence := 0.7
		if !p.asksForOne() {
			confidence = 0.5
		}
		all = append(all,
			matched("single", confidence*a.Landmark.Weight(), fmt.Sprintf("%q", short(a.Label)), map[string]string{"go": a.ID}))
	}
	return all
}

func (p *download) asksForOne() bool { return p.Period != nil || p.Text != "" || p.Amount != nil }

// isDownload reports whether an action saves a file.
func isDownload(kind, label string) bool {
	if saysAny(label, destroying) {
		return false
	}
	return kind == pcd.KindDownload || kind == pcd.KindDownloadInvoice ||
		saysAny(label, []string{"download", "pdf", "herunterladen", "save as"})
}

// bind chooses among the rows.
func (p *download) bind(b *Binding, facts Facts) bool {
	for _, rows := range facts.Rows {
		if rows.CollectionID != b.Slots["list"] {
			continue
		}
		order, now := orderOf(rows), p.now(b.page)
		var fitting []pcd.Item
		for _, item := range rows.Items {
			if p.fits(item.Fields, order, now) && actionOf(item) != "" {
				fitting = append(fitting, item)
			}
		}
		slices.SortStableFunc(fitting, func(x, y pcd.Item) int {
			return dateOf(y.Fields, order, now).Compare(dateOf(x.Fields, order, now))
		})
		if len(fitting) == 0 {
			return false
		}
		if len(fitting) > 1 && !p.Every {
			if !p.Latest {
				b.Confidence *= 0.7
				b.Left = append(b.Left,
					fmt.Sprintf("%d of the %d rows that fit: only the newest was taken", len(fitting)-1, len(fitting)))
			}
			fitting = fitting[:1]
		}
		if p.Every && rows.Total > len(rows.Items) {
			b.Left = append(b.Left,
				fmt.Sprintf("rows that the page has and does not show: it has %d, and %d could be read", rows.Total,
					len(rows.Items)))
		}
		b.items = fitting
		return true
	}
	return false
}

// actionOf is the ref of what downloads a row's file, else of what shows the row by itself, else empty. What deletes is
// neither.
func actionOf(item pcd.Item) string {
	labels := slices.Sorted(maps.Keys(item.Actions))
	for _, fits := range []func(string) bool{
		func(l string) bool { return isDownload("", l) },
		func(l string) bool { return saysAny(l, viewing) },
	} {
		if at := slices.IndexFunc(labels, fits); at >= 0 {
			return item.Actions[labels[at]]
		}
	}
	if len(labels) == 1 && !saysAny(labels[0], destroying) && !risky("", labels[0]) {
		return item.Actions[labels[0]]
	}
	return ""
}

var viewing = []string{"view", "details", "open", "show", "ansehen", "anzeigen", "öffnen"}

// fits reports whether a row is one that is meant.
func (p *download) fits(fields map[string]string, order goal.Order, now time.Time) bool {
	var all strings.Builder
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		all.WriteString(fields[name] + " | ")
	}
	if p.Text != "" && !relevance.Contains(all.String(), p.Text) {
		return false
	}
	if p.Amount != nil && !p.hasAmount(fields, all.String()) {
		return false
	}
	if p.Period == nil {
		return true
	}
	shown, ok := periodOf(fields, order, now)
	return ok && p.Period.Contains(shown)
}

func (p *download) hasAmount(fields map[string]string, all string) bool {
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if !goal.SameField(name, "amount") {
			continue
		}
		if a, ok := goal.ParseAmount(fields[name]); ok {
			return p.Amount.Matches(a)
		}
		if n, ok := goal.ParseNumber(fields[name]); ok {
			return p.Amount.Matches(goal.Amount{Value: n})
		}
	}
	a, ok := goal.ParseAmount(all)
	return ok && p.Amount.Matches(a)
}

// now is when the page was as it is, in the time zone of the period: a date without a year is the last one before it.
func (p *download) now(page *pcd.Summary) time.Time {
	now := time.UnixMilli(page.TS).UTC()
	if p.Period != nil {
		now = now.In(p.Period.From.Location())
	}
	return now
}

// periodOf returns the date or month of a row. A column for the period comes first, then one for the date, then the
// title or the number, then any other date in the row.
func periodOf(fields map[string]string, order goal.Order, now time.Time) (goal.Period, bool) {
	names := slices.Sorted(maps.Keys(fields))
	for _, level := range []func(string) bool{
		func(n string) bool { return saysAny(n, []string{"period", "month", "zeitraum", "monat"}) },
		func(n string) bool { return relevance.Same(n, "date") },
		func(n string) bool { return goal.SameField(n, "date") },
		func(n string) bool { return goal.SameField(n, "title") || goal.SameField(n, "number") },
		func(n string) bool {
			return !saysAny(n, []string{"due", "url", "fällig", "paid", "status"}) &&
				!strings.Contains(strings.ToLower(n), "url")
		},
	} {
		for _, name := range names {
			if !level(name) {
				continue
			}
			if shown, ok := goal.ParsePeriod(fields[name], now, order); ok {
				return shown, true
			}
		}
	}
	return goal.Period{}, false
}

func dateOf(fields map[string]string, order goal.Order, now time.Time) time.Time {
	shown, _ := periodOf(fields, order, now)
	return shown.From
}

// orderOf is the order of the dates of a list.
func orderOf(rows pcd.Rows) goal.Order {
	var texts []string
	for _, item := range rows.Items {
		for _, name := range slices.Sorted(maps.Keys(item.Fields)) {
			texts = append(texts, item.Fields[name])
		}
	}
	return goal.OrderOf(texts)
}

func (p *download) plan(b Binding) []toolbox.Step {
	if d, ok := b.Details["go"]; ok {
		return []toolbox.Step{click(d, labelOf(b.page, d.ID), toolbox.Low)}
	}
	var steps []toolbox.Step
	for _, item := range b.items {
		ref := actionOf(item)
		steps = append(steps, click(pcd.Detail{ID: ref}, labelIn(item, ref)+" of "+rowName(item), toolbox.Low))
	}
	return steps
}

func labelIn(item pcd.Item, ref string) string {
	for _, label := range slices.Sorted(maps.Keys(item.Actions)) {
		if item.Actions[label] == ref {
			return label
		}
	}
	return ref
}

// rowName is what a person knows a row by.
func rowName(item pcd.Item) string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(item.Fields)) {
		if value := item.Fields[name]; value != "" && !strings.Contains(value, "://") {
			parts = append(parts, value)
		}
	}
	return short(strings.Join(parts, ", "))
}

func (p *download) checks(b Binding) []Check {
	for _, item := range b.items {
		if !isDownload("", labelIn(item, actionOf(item))) && len(item.Actions) > 0 {
			return []Check{{Name: "a page is shown, or a file saved", Kind: SawPage, Changed: true, Part: true}}
		}
	}
	return []Check{{Name: "a file was downloaded", Kind: SawDownload}}
}
