package proof

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/relevance"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
)

// listed looks whether a list is as an effect says.
func (pr *Prover) listed(ctx context.Context, e task.Effect, d *difference) (ok bool, seen string) {
	if d == nil || d.before == nil {
		return false, "the page's earlier state is not known"
	}
	if why := d.refused(pr.acts.status); why != "" {
		return false, why + " (" + d.now.URL + ")"
	}
	now := d.listsNow(ctx, pr)
	change, what := changedLists(d.before.Lists, now)
	changed := change != sameRows && change != noRows
	if d.live != "" && len(now) == 0 {
		return false, "the rows of " + d.live + " change by themselves"
	}
	if !changed && len(now) == 0 && len(d.before.Lists) == 0 { // a page without lists: its text is compared
		changed, what = changedText(d)
	}
	pairs := paired(d.before.Lists, now)
	switch e.Kind {
	case task.Sorted:
		return sortedBy(e, pairs, changed, what, d.reacted(pr.acts))
	case task.Filtered:
		return filteredBy(e, d, pairs, changed, what, d.reacted(pr.acts))
	}
	rows := slices.ContainsFunc(now, func(l listRows) bool { return len(l.Rows) > 0 })
	if !changed || !rows && len(d.before.Lists) > 0 {
		return false, what
	}
	return true, what + " (" + d.now.URL + ")"
}

// reacted reports whether the page did anything on its own after it was acted on: a list that was as it should be may
// stay as it is.
func (d *difference) reacted(a acts) bool {
	return d.moved() || a.state || slices.ContainsFunc(d.requests, func(q request) bool {
		return q.Status > 0 && q.Status < 400
	})
}

// asBefore says that a list is as it should be, and that nothing shows that this was done now.
const asBefore = ", as before, and the page did not react"

// changedText compares the lines of a page that has no lists: digits count here.
func changedText(d *difference) (bool, string) {
	had := map[string]bool{}
	for _, line := range d.start {
		had[line] = true
	}
	for _, line := range d.lines {
		if !had[line] {
			return true, "the page shows “" + phrase.Clip(line) + "” now"
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
		func(f string) bool { return relevance.Contains(f, name) },
	}
	for _, is := range same {
		if at := slices.IndexFunc(fields, is); at >= 0 {
			return fields[at], true
		}
	}
	return "", false
}

// sortedBy reports whether the rows of a list are in an order. Equal values have none, and rows without a value say
// nothing.
func sortedBy(e task.Effect, lists []listPair, changed bool, what string, reacted bool) (bool, string) {
	order := map[bool]string{true: "descending", false: "ascending"}[e.Down]
	for _, p := range lists {
		l := p.now
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
		compare := goal.Comparing(texts)
		equal := true
		for i := 1; i < len(texts); i++ {
			c := compare(texts[i-1], texts[i])
			if e.Down && c < 0 || !e.Down && c > 0 {
				return false, fmt.Sprintf("%s of %s is not %s: “%s” comes before “%s”", name, l.Name, order,
					phrase.Clip(texts[i-1]), phrase.Clip(texts[i]))
			}
			equal = equal && c == 0
		}
		seen := fmt.Sprintf("%s of %s is %s: %s", name, l.Name, order,
			phrase.Clip(strings.Join(texts[:min(len(texts), 6)], ", ")))
		switch {
		case equal:
			seen = fmt.Sprintf("each of the %s of %s has %s “%s”: equal values have no order", count(len(texts)), l.Name, name,
				phrase.Clip(texts[0]))
			return changed, seen
		case 2*len(texts) <= len(l.table.Items) && !changed:
			return false, fmt.Sprintf("only %d of the %s of %s have %s", len(texts), count(len(l.table.Items)), l.Name, name)
		case !changed && !reacted:
			return false, seen + asBefore
		}
		return true, seen
	}
	if changed {
		return true, what + "; no column tells by what"
	}
	return false, what + ", and no column is called “" + e.Text + "”"
}

// filteredBy reports whether a list shows only what a filter lets through. A row without a value says nothing.
func filteredBy(
	e task.Effect, d *difference, lists []listPair, changed bool, what string, reacted bool,
) (bool, string) {
	if !truthLike(e.Text) && !bounds(e.Key) {
		for _, p := range lists {
			l := p.now
			name, ok := column(l.table.Fields, e.Key)
			if !ok || len(l.table.Items) == 0 {
				continue
			}
			empty := 0
			for i, item := range l.table.Items {
				value := item.Fields[name]
				if value == "" {
					empty++
				} else if !phrase.Contains(value, e.Text) {
					return false, fmt.Sprintf("row %d of %s has %s “%s”", i+1, l.Name, name, phrase.Clip(value))
				}
			}
			seen := fmt.Sprintf("each of the %s of %s has %s “%s”", count(len(l.table.Items)), l.Name, name, phrase.Clip(e.Text))
			switch {
			case empty > 0 && !changed:
				return false, fmt.Sprintf("%d of the %s of %s have no %s, and %s", empty, count(len(l.table.Items)), l.Name, name,
					what)
			case empty > 0:
				return true, what
			case !changed && !reacted:
				return false, seen + asBefore
			}
			return true, seen
		}
	}
	for _, line := range d.added {
		if saysNothing(line) {
			return true, "the page says “" + phrase.Clip(line) + "”"
		}
	}
	return changed, what
}

func truthLike(text string) bool {
	return slices.Contains([]string{"true", "false", "yes", "no", "on", "off"}, strings.ToLower(text))
}

// bounds reports whether a filter is a limit, whose value the rows do not have.
func bounds(key string) bool {
	words := strings.Fields(phrase.Words(key))
	return slices.ContainsFunc(words, func(w string) bool {
		return slices.Contains([]string{
			"min", "max", "minimum", "maximum", "from", "to", "below", "above", "under", "over",
			"von", "bis", "ab", "search", "suche",
		}, w)
	})
}

// narrowed reports whether a list that the page had shows only what a search is for: all that is gone from it does not
// have the query, and what is there has it. What a field suggests is a list of its own.
func (d *difference) narrowed(query string, now []listRows) (bool, string) {
	for _, p := range paired(d.before.Lists, now) {
		if p.was == nil {
			continue
		}
		has := 0
		for _, row := range p.now.Rows {
			if shows(row, query) {
				has++
			}
		}
		had := 0
		for _, row := range p.was.Rows {
			if shows(row, query) {
				had++
			}
		}
		left := len(p.was.Rows) - len(p.now.Rows)
		switch c := p.change(); {
		case c == fewerRows && has > 0 && has == had:
			return true, fmt.Sprintf("%s shows only what fits now: %s of %d lines are gone", p.now.Name, strconv.Itoa(left),
				len(p.was.Rows))
		case c == otherRows && 2*has > len(p.now.Rows) && 2*had <= len(p.was.Rows):
			return true, fmt.Sprintf("%d of the %s of %s have “%s”, before %d of %d", has, count(len(p.now.Rows)), p.now.Name,
				phrase.Clip(query), had, len(p.was.Rows))
		}
	}
	return false, ""
}
