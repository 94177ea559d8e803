package perceive_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
)

// extracted reads the collection of a page whose first field names one of the items.
func (v *visitor) extracted(label string, reach perceive.Reach) *pcd.Rows {
	v.t.Helper()
	page := v.read()
	for i := range page.Collections {
		c := &page.Collections[i]
		rows, err := page.Rows(v.t.Context(), v.page, c, perceive.RowsOptions{Reach: perceive.Held})
		require.NoError(v.t, err)
		if c.At.Name != label && !slices.ContainsFunc(rows.Items, func(item pcd.Item) bool {
			return item.Fields["title"] == label
		}) {
			continue
		}
		rows, err = page.Rows(v.t.Context(), v.page, c, perceive.RowsOptions{Reach: reach, Again: nil})
		require.NoError(v.t, err)
		return rows
	}
	require.Fail(v.t, "no collection has "+label)
	return nil
}

// values are the fields of rows as text: "Arc, € 89.00, € 120.00".
func values(rows *pcd.Rows, names ...string) []string {
	lines := []string{}
	for _, item := range rows.Items {
		var line []string
		for _, name := range names {
			line = append(line, item.Fields[name])
		}
		lines = append(lines, strings.Join(line, ", "))
	}
	return lines
}

// TestRowsAsSeen reads what a person sees in a list: the price that counts beside the one before it, the cards and not
// their sections, and all columns.
func TestRowsAsSeen(t *testing.T) {
	t.Parallel()
	shop, tables := visit(t, "/copilot-prices.html"), visit(t, "/copilot-tables.html")
	for _, tt := range []struct {
		name   string
		on     *visitor
		list   string // its name, or the title of one of its items
		fields []string
		want   []string
	}{
		{
			"struck prices", shop, "Arc",
			[]string{"title", "price", "oldPrice"},
			[]string{"Arc, € 89.00, € 120.00", "Bow, € 30.00, ", "Cone, € 9.50, € 15.00"},
		},
		{
			"prices for screen readers, and in words", shop, "Disc",
			[]string{"title", "price", "oldPrice"},
			[]string{"Disc, € 6.00, € 8.00", "Egg, € 40.00, € 50.00", "Fan, € 70.00, "},
		},
		{
			"cards of several rows of a grid", shop, "Bulb",
			[]string{"title", "price"},
			[]string{"Bulb, € 1.00", "Fuse, € 2.00", "Plug, € 3.00", "Wire, € 4.00"},
		},
		{
			"headers of several words, a cell without header, no total", tables, "Orders",
			[]string{"date", "number", "price", "oldPrice", "column4"},
			[]string{"2026-01-02, 77, $ 7, $ 9, ready", "2026-01-03, 78, $ 8, , late"},
		},
		{
			"two rows of headers, a cell over two rows", tables, "Sales",
			[]string{"shop", "units", "share", "2026Units", "2026Share"},
			[]string{"Bern, 1, 10%, 2, 20%", "Bern, 3, 30%, 4, 40%"},
		},
		{"columns by what cells say", tables, "Phones", []string{"model", "memory"}, []string{"A1, 64 GB", "B2, 128 GB"}},
		{"headers of rows", tables, "Plans", []string{"name", "free", "paid"}, []string{"Seats, 1, 20", "Help, no, yes"}},
		{"stated columns in another order", tables, "Parts", []string{"part", "stock"}, []string{"Hinge, 12", "Screw, 9"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, values(tt.on.extracted(tt.list, perceive.Virtual), tt.fields...)); diff != "" {
				t.Error(diff)
			}
		})
	}
	require.Equal(t, 3, tables.extracted("Parts", perceive.Virtual).ColumnsLeft)
	people := tables.extracted("People", perceive.Virtual)
	require.Equal(t, []any{57, 55, pcd.OnOtherPages}, []any{people.Total, people.Unreached, people.Why})
}

// TestRowsToTheEnd reads lists of which the page holds only a part.
func TestRowsToTheEnd(t *testing.T) {
	t.Parallel()
	v := visit(t, "/copilot-windows.html")
	numbers := func(label string, n int) []string {
		all := make([]string, n)
		for i := range all {
			all[i] = label + " " + strconv.Itoa(i)
		}
		return all
	}
	v.eval(`document.querySelector('#window').scrollTop = 100`)
	members := v.extracted("Members", perceive.Virtual)
	require.Equal(t, numbers("Member", 500), values(members, "title"))
	require.Equal(t, []any{500, 0, pcd.Unreached("")}, []any{members.Total, members.Unreached, members.Why})
	v.eval(`if (document.querySelector('#window').scrollTop !== 100) throw Error('it is not where it was')`)
	// Only what the page holds has refs.
	withRef := slices.DeleteFunc(slices.Clone(members.Items), func(item pcd.Item) bool { return item.ID == "" })
	require.Len(t, withRef, 16)
	require.Equal(t, "Member 2", withRef[0].Fields["title"])

	held := v.extracted("Members", perceive.Held)
	require.Len(t, held.Items, 16)
	require.Equal(t, pcd.NotScrolled, held.Why)

	// Rows that look the same are told apart by their numbers.
	entries := v.extracted("Entries", perceive.Virtual)
	require.Len(t, entries.Items, 300)
	require.Equal(t, "Entry 6", entries.Items[6].Fields["entry"])
	require.Equal(t, "Entry 5", entries.Items[299].Fields["entry"])
	require.Zero(t, entries.Unreached)

	require.Len(t, v.extracted("Posts", perceive.Virtual).Items, 12)
	require.Equal(t, numbers("Post", 60), values(v.extracted("Posts", perceive.Endless), "title"))
}
