package copilot

import (
	"context"
	"encoding/csv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/actions/fact"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/snapshot"
)

func extractCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "extract",
			Group:   actions.GroupCopilot,
			Summary: "Read the items of a collection as rows",
			Help: "The collection is one of `capabilities`, by its id. Each row has the item's ref, its fields, and the refs " +
				"of its actions. A price that is struck through is oldPrice. A list that holds only the items in view is " +
				"scrolled to its end and back; items that it does not hold then have no ref. `unreached` counts items that could " +
				"not be read, such as those on other pages.",
			Args: []actions.Arg{{
				Name:  "collection",
				Value: "collectionId",
				Kept:  true,
				Help:  "The id of a collection: e12 or @e12",
			}},
			Flags: []actions.Flag{
				{Name: "fields", Kind: actions.List, Value: "field", Help: "Only these fields, in this order"},
				{Name: "limit", Kind: actions.Int, Value: "n", Help: "Only the first items"},
				{Name: "held", Kind: actions.Bool, Help: "Only the items that the page holds now, without scrolling"},
				{Name: "endless", Kind: actions.Bool, Help: "Scroll on as long as the list loads more"},
				{Name: "csv", Kind: actions.Bool, Help: "Print CSV with a header line"},
			},
			Examples: []actions.Example{{Line: "extract @e12"}, {Line: "extract @e12 --fields date,amount --limit 10 --csv"}},
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{pcd.Rows{}}},
		Run:      runExtract,
	}
}

func runExtract(ctx context.Context, c *actions.Call) (actions.Result, error) {
	limit := c.Int("limit")
	if c.Has("limit") && limit < 1 {
		return actions.Result{}, c.Invalid("--limit takes a number above 0, got " + c.String("limit"))
	}
	id, err := bareID(c.String("collection"))
	if err != nil {
		return actions.Result{}, err
	}
	tab, page, err := offers(ctx, c, false)
	if err != nil {
		return actions.Result{}, err
	}
	list, err := collection(c, page, id)
	if err != nil {
		return actions.Result{}, err
	}
	rows, err := page.Rows(ctx, tab.Page, list, perceive.RowsOptions{
		Limit: limit,
		Reach: reachOf(c),
		Again: func(ctx context.Context) (*perceive.Page, error) {
			_, again, err := offers(ctx, c, true)
			return again, err
		},
	})
	if err != nil {
		return actions.Result{}, err
	}
	if list.Unseen {
		c.Note("the page no longer shows the items of @" + id)
	}
	if c.Has("fields") {
		if err := pick(rows, c.Strings("fields"), id); err != nil {
			return actions.Result{}, err
		}
	}
	if why := unreached(rows); why != "" {
		c.Note(why)
	}
	if c.Bool("csv") {
		text, err := rowsCSV(rows)
		return actions.Result{Data: rows, Text: text, Facts: counted(rows)}, err
	}
	return actions.Result{Data: rows, Text: rowsText(rows), Facts: counted(rows)}, nil
}

// counted tells the collection that was read.
func counted(rows *pcd.Rows) fact.Facts {
	return fact.Facts{Collections: []fact.Collection{{ID: rows.CollectionID, Count: rows.Total}}}
}

func reachOf(c *actions.Call) perceive.Reach {
	switch {
	case c.Bool("held"):
		return perceive.Held
	case c.Bool("endless"):
		return perceive.Endless
	}
	return perceive.Virtual
}

// unreached says which items are not among the rows, and what can be done; empty means that none is known to be
// missing.
func unreached(rows *pcd.Rows) string {
	if rows.Why == "" {
		return ""
	}
	what := "some items were not read: "
	if rows.Unreached > 0 {
		what = wording.Plural(rows.Unreached, "item") + " not read: "
	}
	return what + map[pcd.Unreached]string{
		pcd.OnOtherPages: "they are on other pages of the list",
		pcd.NotScrolled:  "the list shows them when it is scrolled; leave out --held",
		pcd.NotShown:     "the list did not show them up to its end",
		pcd.OutOfTime:    "there was no time left; give --timeout",
		pcd.TooMany:      "these are as many as are read at once",
	}[rows.Why]
}

// bareID reads an id, with or without its at sign.
func bareID(s string) (string, error) {
	id := strings.TrimPrefix(s, "@")
	if !snapshot.IsRef("@"+id) || !strings.HasPrefix(id, "e") {
		return "", fault.New(fault.Usage, "%q is not an id.", s).About(s).
			WithHint("Ids look like e12; `capabilities` and `capabilities query` show them.")
	}
	return id, nil
}

// collection finds a collection of the page by its id.
func collection(c *actions.Call, page *perceive.Page, id string) (*perceive.Collection, error) {
	var known []string
	for i := range page.Collections {
		l := &page.Collections[i]
		if l.ID == id {
			return l, nil
		}
		known = append(known, "@"+l.ID+" "+wording.Quote(l.Name))
	}
	ref, err := c.Session.Refs().Lookup("@" + id)
	if err != nil {
		return nil, err
	}
	for i := range page.Collections { // an element may have another number by now
		if at := page.Collections[i].At; at.Token == ref.Token && at.DocID == ref.DocID {
			return &page.Collections[i], nil
		}
	}
	hint := "The page has no collections."
	if len(known) > 0 {
		hint = "The page has " + strings.Join(known[:min(len(known), pcd.MaxCollections)], ", ") + "."
	}
	return nil, fault.New(fault.TargetUnsuitable, "@%s is not a collection of the page.", id).About("@"+id).WithHint("%s",
		hint)
}

// pick leaves only some of the fields in the rows.
func pick(rows *pcd.Rows, fields []string, id string) error {
	for _, name := range fields {
		known := slices.Contains(rows.Fields, name) || slices.ContainsFunc(rows.Items, func(item pcd.Item) bool {
			_, ok := item.Fields[name]
			return ok
		})
		if !known {
			return fault.New(fault.Usage, "The collection @%s has no field %q.", id, name).About(name).
				WithHint("Its fields are %s.", strings.Join(rows.Fields, ", "))
		}
	}
	rows.Fields = fields
	for i := range rows.Items {
		item := &rows.Items[i]
		for name := range item.Fields {
			if !slices.Contains(fields, name) {
				delete(item.Fields, name)
			}
		}
	}
	return nil
}

// rowsCSV writes rows as RFC 4180 has it. A value that a spreadsheet would take for a formula is marked as text.
func rowsCSV(rows *pcd.Rows) (string, error) {
	var b strings.Builder
	w := csv.NewWriter(&b)
	record := make([]string, len(rows.Fields))
	for i, name := range rows.Fields {
		record[i] = plainCell(name)
	}
	err := w.Write(record)
	for _, item := range rows.Items {
		if err != nil {
			return "", err
		}
		for i, name := range rows.Fields {
			record[i] = plainCell(item.Fields[name])
		}
		err = w.Write(record)
	}
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n"), err
}

// plainCell keeps what a page wrote from being a formula: only a number may begin with a sign.
func plainCell(s string) string {
	if s == "" || !strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		return s
	}
	if strings.IndexFunc(s[1:], func(r rune) bool {
		return (r < '0' || r > '9') && !strings.ContainsRune(".,' \u00a0€$£%", r)
	}) < 0 && len(s) > 1 && s[0] != '=' && s[0] != '@' {
		return s
	}
	return "'" + s
}

// rowsText writes a line for each item.
func rowsText(rows *pcd.Rows) string {
	var b summaryText
	count := strconv.Itoa(len(rows.Items))
	if rows.Total > len(rows.Items) {
		count += " of " + strconv.Itoa(rows.Total)
	}
	b.line(wording.Quote(rows.Name), "@"+rows.CollectionID, "("+count+")")
	for _, item := range rows.Items {
		words := []string{"-"}
		if item.ID != "" {
			words = append(words, "@"+item.ID)
		}
		for _, name := range rows.Fields {
			if value := item.Fields[name]; value != "" {
				words = append(words, name+"="+wording.Quote(value))
			}
		}
		b.line(words...)
		for _, label := range slices.Sorted(maps.Keys(item.Actions)) {
			b.line("    ", "@"+item.Actions[label], wording.Quote(label))
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}
