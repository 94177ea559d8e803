package task

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/lazyregexp"
	"github.com/skua-browser/skua/internal/wording"
)

// ofList reports whether an effect is one of the rows of a list.
func (k EffectKind) ofList() bool { return k == Sorted || k == Filtered || k == Paged }

// listRows are the rows of one list.
type listRows struct {
	Name  string   `json:"name"`
	Rows  []string `json:"rows"`
	Total int      `json:"total,omitempty"`

	table pcd.Rows // as it is read now
}

// The bounds of what of lists is compared.
const (
	mostLists = 4
	mostRows  = 300
)

// lists are the rows of the page's largest lists, those of its main part where that has any.
func (r *Runner) lists(ctx context.Context) []listRows {
	chosen := slices.Clone(offered(r.summary).Collections)
	slices.SortStableFunc(chosen, func(a, b pcd.Collection) int { return cmp.Compare(b.ApproxCount, a.ApproxCount) })
	var all []listRows
	for _, c := range chosen[:min(len(chosen), mostLists)] {
		reply, err := r.inTab(ctx, "extract", "@"+c.ID, "--held", "--limit", itoa(mostRows))
		if err != nil {
			continue // it went away while the page was looked at
		}
		table, err := toolbox.Decode[pcd.Rows](reply)
		if data, ok := reply.Data.(*pcd.Rows); ok {
			table, err = *data, nil
		}
		if err != nil {
			continue
		}
		l := listRows{Name: c.Name, Total: table.Total, table: table}
		for _, item := range table.Items {
			l.Rows = append(l.Rows, rowText(table.Fields, item))
		}
		all = append(all, l)
	}
	return all
}

func rowText(fields []string, item pcd.Item) string {
	var parts []string
	for _, name := range fields {
		if value := squeezed(item.Fields[name]); value != "" {
			parts = append(parts, value)
		}
	}
	return clip(strings.Join(parts, ", "))
}

// listed looks whether a list is as an effect says.
func (r *Runner) listed(ctx context.Context, e Effect, d *difference) (ok bool, seen string) {
	if d == nil || d.before == nil {
		return false, "the page's earlier state is not known"
	}
	if why := d.refused(r.acts.status); why != "" {
		return false, why + " (" + d.now.URL + ")"
	}
	now := r.lists(ctx)
	changed, what := changedLists(d.before.Lists, now)
	if !changed && len(now) == 0 && len(d.before.Lists) == 0 { // a page without lists: its text is compared
		changed, what = changedText(d)
	}
	switch e.Kind {
	case Sorted:
		return sortedBy(e, now, changed, what)
	case Filtered:
		return filteredBy(e, d, now, changed, what)
	}
	rows := slices.ContainsFunc(now, func(l listRows) bool { return len(l.Rows) > 0 })
	if !changed || !rows && len(d.before.Lists) > 0 {
		return false, what
	}
	return true, what + " (" + d.now.URL + ")"
}

// changedLists compares the rows of lists.
func changedLists(before, now []listRows) (bool, string) {
	for i, l := range now {
		at := slices.IndexFunc(before, func(b listRows) bool { return b.Name == l.Name })
		if at < 0 && i < len(before) {
			at = i
		}
		switch {
		case at < 0:
			return true, "the page has the list " + l.Name + " now, of " + count(len(l.Rows))
		case slices.Equal(before[at].Rows, l.Rows):
			continue
		case len(l.Rows) > len(before[at].Rows) && slices.Equal(l.Rows[:len(before[at].Rows)], before[at].Rows):
			return true, fmt.Sprintf("%s has %s, %d more than before", l.Name, count(len(l.Rows)), len(l.Rows)-len(before[at].Rows))
		case len(l.Rows) == 0:
			return true, l.Name + " has no rows"
		}
		return true, fmt.Sprintf("%s has other rows: %s, the first is “%s”; before %s", l.Name, count(len(l.Rows)), l.Rows[0], count(len(before[at].Rows)))
	}
	if len(now) < len(before) {
		return true, "the list " + before[len(now)].Name + " has no rows any more"
	}
	if len(now) == 0 {
		return false, "the page has no list"
	}
	return false, now[0].Name + " has the same rows as before"
}

func count(n int) string { return wording.Plural(n, "row") }

// changedText compares the lines of a page that has no lists: digits count here.
func changedText(d *difference) (bool, string) {
	had := map[string]bool{}
	for _, line := range d.before.Lines {
		had[line] = true
	}
	for _, line := range d.lines {
		if !had[line] {
			return true, "the page shows “" + clip(line) + "” now"
		}
	}
	return false, "the page shows what it showed before"
}

// column is the field of a list that is called so.
func column(fields []string, name string) (string, bool) {
	same := []func(f string) bool{
		func(f string) bool { return relevance.Same(f, name) },
		func(f string) bool { return goal.SameField(f, name) },
		func(f string) bool { return relevance.Same(name, "name") && goal.SameField(f, "title") },
		func(f string) bool { return relevance.Says(f, name) },
	}
	for _, is := range same {
		if at := slices.IndexFunc(fields, is); at >= 0 {
			return fields[at], true
		}
	}
	return "", false
}

// sortedBy reports whether the rows of a list are in an order.
func sortedBy(e Effect, now []listRows, changed bool, what string) (bool, string) {
	order := map[bool]string{true: "descending", false: "ascending"}[e.Down]
	for _, l := range now {
		name, ok := column(l.table.Fields, e.Text)
		if !ok {
			continue
		}
		var texts []string
		for _, item := range l.table.Items {
			if text := strings.Join(strings.Fields(item.Fields[name]), " "); text != "" {
				texts = append(texts, text)
			}
		}
		if len(texts) < 2 {
			continue
		}
		compare := comparing(texts)
		for i := 1; i < len(texts); i++ {
			if c := compare(texts[i-1], texts[i]); e.Down && c < 0 || !e.Down && c > 0 {
				return false, fmt.Sprintf("%s of %s is not %s: “%s” comes before “%s”", name, l.Name, order, clip(texts[i-1]), clip(texts[i]))
			}
		}
		return true, fmt.Sprintf("%s of %s is %s: %s", name, l.Name, order, clip(strings.Join(texts[:min(len(texts), 6)], ", ")))
	}
	if changed {
		return true, what + "; no column tells by what"
	}
	return false, what + ", and no column is called “" + e.Text + "”"
}

// comparing returns how values of a column are compared: as sums or numbers, as dates, or as texts.
func comparing(texts []string) func(a, b string) int {
	numbers, dates := map[string]float64{}, map[string]time.Time{}
	order := goal.OrderOf(texts)
	now := time.Now()
	for _, text := range texts {
		if n, ok := numberIn(text); ok {
			numbers[text] = n
		}
		if p, ok := goal.ParsePeriod(text, now, order); ok {
			dates[text] = p.From
		}
	}
	all := map[string]bool{}
	for _, text := range texts {
		all[text] = true
	}
	switch {
	case len(dates) == len(all):
		return func(a, b string) int { return dates[a].Compare(dates[b]) }
	case len(numbers) == len(all):
		return func(a, b string) int { return cmp.Compare(numbers[a], numbers[b]) }
	}
	return func(a, b string) int { return cmp.Compare(wordsOf(a), wordsOf(b)) }
}

var numeric = lazyregexp.New(`^\D{0,4}-?\d[\d.,'\s]*\D{0,8}$`)

// numberIn is the sum or number that a text is.
func numberIn(text string) (float64, bool) {
	if !numeric.MatchString(text) {
		return 0, false
	}
	if a, ok := goal.ParseAmount(text); ok {
		return a.Value, true
	}
	return goal.ParseNumber(strings.TrimFunc(text, func(c rune) bool { return (c < '0' || c > '9') && c != '-' }))
}

// filteredBy reports whether a list shows only what a filter lets through.
func filteredBy(e Effect, d *difference, now []listRows, changed bool, what string) (bool, string) {
	for _, l := range now {
		name, ok := column(l.table.Fields, e.Key)
		if !ok || len(l.table.Items) == 0 {
			continue
		}
		for i, item := range l.table.Items {
			value := item.Fields[name]
			if value != "" && !says(value, e.Text) && !truthLike(e.Text) && !bounds(e.Key) {
				return false, fmt.Sprintf("row %d of %s has %s “%s”", i+1, l.Name, name, clip(value))
			}
		}
		if truthLike(e.Text) || bounds(e.Key) {
			break
		}
		return true, fmt.Sprintf("each of the %s of %s has %s “%s”", count(len(l.table.Items)), l.Name, name, clip(e.Text))
	}
	for _, line := range d.added {
		if saysNothing(line) {
			return true, "the page says “" + clip(line) + "”"
		}
	}
	return changed, what
}

func truthLike(text string) bool {
	return slices.Contains([]string{"true", "false", "yes", "no", "on", "off"}, strings.ToLower(text))
}

// bounds reports whether a filter is a limit, whose value the rows do not have.
func bounds(key string) bool {
	words := strings.Fields(wordsOf(key))
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{"min", "max", "minimum", "maximum", "from", "to", "below", "above", "under", "over", "von", "bis", "ab", "search", "suche"}, w)
	})
}

// inCarts are texts that say that something was put into a cart.
var inCarts = lazyregexp.New(`\b(added|in (your|the|my) (shopping )?(cart|basket|bag|trolley)|hinzugefügt|im warenkorb|in den warenkorb gelegt)\b`)

var cartWords = lazyregexp.New(`\b(cart|basket|bag|trolley|warenkorb|einkaufswagen|checkout)\b`)

// inCart reports whether something is in the cart that was not.
func (d *difference) inCart(text string) (bool, string) {
	if why := d.rejected(); why != "" {
		return false, why
	}
	if line := d.complaint(); line != "" {
		return false, "the page says “" + clip(line) + "”"
	}
	for _, line := range d.added {
		if said := lower(line); inCarts.MatchString(said) && !negated.MatchString(said) && len([]rune(said)) <= mostMessage {
			return true, "the page says “" + clip(line) + "”"
		}
	}
	if ok, seen := d.cartGrew(); ok {
		return true, seen
	}
	if d.elsewhere() && (cartWords.MatchString(lower(d.now.URL)) || cartWords.MatchString(lower(d.now.Title))) &&
		(text == "" || says(strings.Join(d.lines, " "), text)) {
		return true, "the cart is shown (" + d.now.URL + ")"
	}
	for _, q := range d.requests {
		if q.changes() && q.Status > 0 && q.Status < 400 && cartWords.MatchString(wordsOf(q.URL)) {
			return true, q.Method + " " + q.URL + " was answered with " + itoa(q.Status)
		}
	}
	return false, "nothing on the page says that it is in the cart"
}

// cartGrew reports whether a control or a line about the cart has a larger number than before.
func (d *difference) cartGrew() (bool, string) {
	if d.before.summary != nil {
		for _, a := range d.now.Actions {
			if a.Kind != pcd.KindCart {
				continue
			}
			for _, b := range d.before.summary.Actions {
				if b.Kind == a.Kind && b.Role == a.Role && comparable(bare(b.Label)) == comparable(bare(a.Label)) && numberOf(a.Label) > numberOf(b.Label) {
					return true, fmt.Sprintf("the cart is “%s” now, and was “%s”", clip(a.Label), clip(b.Label))
				}
			}
		}
	}
	for _, line := range d.lines {
		if !cartWords.MatchString(lower(line)) || len([]rune(line)) > mostMessage {
			continue
		}
		for _, was := range d.before.Lines {
			if cartWords.MatchString(lower(was)) && bare(was) == bare(line) && numberOf(line) > numberOf(was) {
				return true, "the page shows “" + clip(line) + "”, and showed “" + clip(was) + "”"
			}
		}
	}
	return false, ""
}

// bare is a text without its numbers and signs.
func bare(text string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(text), func(c rune) bool { return (c < 'a' || c > 'z') && c < 128 }), " ")
}

// numberOf is the first number of a text; 0: it has none.
func numberOf(text string) int {
	n := 0
	begun := false
	for _, c := range text {
		if c >= '0' && c <= '9' {
			n, begun = min(n*10+int(c-'0'), 1<<30), true
		} else if begun {
			break
		}
	}
	return n
}

// unsent reports whether a control is still there that no step of the task has pressed.
func (r *Runner) unsent(e Effect) (bool, string) {
	if e.Text != "" && clicked(r.Log.Task, e.Text) {
		return false, fmt.Sprintf("%q was pressed", e.Text)
	}
	there := slices.ContainsFunc(r.summary.Actions, func(a pcd.Action) bool { return !a.Unseen && sameLabel(a.Label, e.Text) }) ||
		slices.ContainsFunc(r.summary.Forms, func(f pcd.Form) bool { return !f.Unseen && (sameLabel(f.SubmitLabel, e.Text) || e.Text == "") })
	if !there {
		return false, fmt.Sprintf("%q is not on the page any more", e.Text)
	}
	return true, fmt.Sprintf("stopped before the order: %q was not pressed (%s)", e.Text, r.summary.URL)
}

func createdAt(t *Task) time.Time { return time.UnixMilli(t.CreatedAt) }
