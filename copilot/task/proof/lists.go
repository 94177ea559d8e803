package proof

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/rules"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/wording"
)

// listRows are the rows of one list.
type listRows struct {
	ID    string   `json:"id,omitempty"` // its ref
	Name  string   `json:"name"`
	Rows  []string `json:"rows"`
	Total int      `json:"total,omitempty"`
	// Key is the field by which a row is known again: what else it shows may change by itself. Keys has its values, or the
	// rows where there is none.
	Key  string   `json:"key,omitempty"`
	Keys []string `json:"keys,omitempty"`

	table pcd.Rows // as it is read now
}

// The bounds of what of lists is compared.
const (
	mostLists = 4
	mostRows  = 300
)

// lists are the rows of the page's largest lists, those of its main part where that has any.
func (pr *Prover) lists(ctx context.Context) []listRows {
	chosen := slices.Clone(rules.Offered(pr.View.Summary).Collections)
	slices.SortStableFunc(chosen, func(a, b pcd.Collection) int { return cmp.Compare(b.ApproxCount, a.ApproxCount) })
	var all []listRows
	for _, c := range chosen[:min(len(chosen), mostLists)] {
		reply, err := pr.View.In(ctx, "extract", "@"+c.ID, "--held", "--limit", strconv.Itoa(mostRows))
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
		l := listRows{ID: c.ID, Name: c.Name, Total: table.Total, table: table}
		for _, item := range table.Items {
			l.Rows = append(l.Rows, rowText(table.Fields, item))
		}
		l.Key = keyField(&table)
		l.Keys = l.keysBy(l.Key)
		all = append(all, l)
	}
	return all
}

func rowText(fields []string, item pcd.Item) string {
	var parts []string
	for _, name := range fields {
		if value := phrase.Squeezed(item.Fields[name]); value != "" {
			parts = append(parts, value)
		}
	}
	return phrase.Clip(strings.Join(parts, ", "))
}

// keyField is the field that tells the rows of a list apart: each row has a value of its own in it. Names and addresses
// come before other words, and words before numbers: a price, an age or a count may tick while nothing is done.
func keyField(table *pcd.Rows) string {
	best, rank := "", 0
	for _, name := range table.Fields {
		if at := keyRank(table, name); at > rank {
			best, rank = name, at
		}
	}
	return best
}

func keyRank(table *pcd.Rows, name string) int {
	known := map[string]bool{}
	letters := false
	ordinal := true
	for i, item := range table.Items {
		value := phrase.Squeezed(item.Fields[name])
		if value == "" || known[value] {
			return 0
		}
		known[value] = true
		letters = letters || strings.ContainsFunc(value, unicode.IsLetter)
		ordinal = ordinal && strings.Trim(value, "#.") == strconv.Itoa(i+1)
	}
	switch {
	case ordinal:
		return 0 // each page of a list may count from 1
	case letters && (goal.SameField(name, "title") || goal.SameField(name, "name")):
		return 4
	case letters && (name == "url" || name == "link"):
		return 3
	case letters:
		return 2
	}
	return 1
}

// keysBy are the rows' values of a field, or the rows where there is no field.
func (l *listRows) keysBy(field string) []string {
	if field == "" {
		return l.Rows
	}
	keys := make([]string, len(l.table.Items))
	for i, item := range l.table.Items {
		keys[i] = phrase.Squeezed(item.Fields[field])
	}
	return keys
}

// known are the keys of the rows, also of a list that was read in another process.
func (l *listRows) known() []string {
	if len(l.Keys) == 0 {
		return l.Rows
	}
	return l.Keys
}

// listChange says how a list differs from what it was.
type listChange string

// The ways in which lists differ.
const (
	sameRows  listChange = ""
	otherRows listChange = "other"
	moreRows  listChange = "more"
	fewerRows listChange = "fewer" // some of its rows are gone, and all that are there were there
	noRows    listChange = "none"  // it has none, or is not there any longer
)

// listPair is a list and what it was before; was is nil where the page did not have it.
type listPair struct {
	was, now *listRows
}

// paired finds for each list what it was before: the same element, else the only one of its name.
func paired(before, now []listRows) []listPair {
	pairs := make([]listPair, len(now))
	taken := map[int]bool{}
	match := func(same func(b, n *listRows) bool) {
		for i := range now {
			pairs[i].now = &now[i]
			if pairs[i].was != nil {
				continue
			}
			at := -1
			for k := range before {
				if !taken[k] && same(&before[k], &now[i]) {
					at = k
					break
				}
			}
			if at >= 0 {
				pairs[i].was, taken[at] = &before[at], true
			}
		}
	}
	match(func(b, n *listRows) bool { return b.ID != "" && b.ID == n.ID })
	match(func(b, n *listRows) bool { return b.Name == n.Name })
	if len(before) == len(now) { // a list that is named after its rows may be called otherwise
		match(func(*listRows, *listRows) bool { return true })
	}
	return pairs
}

// change compares the rows of a list with what they were, by what they are known again.
func (p listPair) change() listChange {
	was, now := p.was.known(), p.now.keysBy(p.was.Key)
	switch {
	case slices.Equal(was, now):
		return sameRows
	case len(now) == 0:
		return noRows
	case len(now) > len(was) && slices.Equal(now[:len(was)], was):
		return moreRows
	case len(now) < len(was) && !slices.ContainsFunc(now, func(key string) bool { return !slices.Contains(was, key) }):
		return fewerRows
	}
	return otherRows
}

// said describes a change for people.
func (p listPair) said(c listChange) string {
	l, was := p.now, len(p.was.Rows)
	switch c {
	case sameRows:
		return l.Name + " has the same rows as before"
	case moreRows:
		return fmt.Sprintf("%s has %s, %d more than before", l.Name, count(len(l.Rows)), len(l.Rows)-was)
	case noRows:
		return l.Name + " has no rows"
	}
	return fmt.Sprintf("%s has other rows: %s, the first is “%s”; before %s", l.Name, count(len(l.Rows)), l.Rows[0],
		count(was))
}

// changedLists looks for a list that has other rows than it had. A list that came beside the others does not change
// them.
func changedLists(before, now []listRows) (listChange, string) {
	pairs := paired(before, now)
	kept := 0
	for _, p := range pairs {
		if p.was == nil {
			continue
		}
		kept++
		if c := p.change(); c != sameRows {
			return c, p.said(c)
		}
	}
	for _, p := range pairs {
		if p.was == nil && kept == 0 && len(p.now.Rows) > 0 {
			return otherRows, "the page has the list " + p.now.Name + " now, of " + count(len(p.now.Rows))
		}
	}
	switch {
	case kept < len(before):
		return noRows, "the list " + before[len(before)-1].Name + " has no rows any more"
	case len(now) == 0:
		return sameRows, "the page has no list"
	}
	return sameRows, now[0].Name + " has the same rows as before"
}

func count(n int) string { return wording.Plural(n, "row") }
