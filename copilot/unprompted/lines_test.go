package unprompted_test

import (
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/copilot/unprompted"
)

func TestSteady(t *testing.T) {
	t.Parallel()
	lines := func(all ...string) []string { return all }
	tests := []struct {
		name               string
		before, now, later []string
		want               []string // of what came
	}{
		{
			"a message that stays", lines("Home", "Clock 1"), lines("Home", "Added to cart", "Clock 2"),
			lines("Home", "Added to cart", "Clock 3"), lines("Added to cart"),
		},
		{"a message that goes", lines("Home"), lines("Home", "Added to cart"), lines("Home"), lines("Added to cart")},
		{
			"a banner that rotates", lines("New: lamps", "Home"), lines("Added to cart: a bag", "Home"), lines("Sale", "Home"),
			nil,
		},
		{
			"a banner beside a message", lines("New: lamps", "Home"), lines("Sale", "Added to cart", "Home"),
			lines("Bags", "Added to cart", "Home"), lines("Added to cart"),
		},
		{
			"a feed that grows at its top", lines("Feed"), lines("Feed", "Lamp deleted"),
			lines("Feed", "Bag sold", "Lamp deleted"), nil,
		},
		{
			"a feed that grows at its end", lines("Feed"), lines("Feed", "Lamp deleted"),
			lines("Feed", "Lamp deleted", "Bag sold"), nil,
		},
		{
			"a feed of several lines", lines("Feed"), lines("Feed", "Ann", "Lamp deleted", "just now"),
			lines("Feed", "Ben", "Bag sold", "just now", "Ann", "Lamp deleted", "just now"), nil,
		},
		{
			"a feed elsewhere", lines("Feed", "Old", "Main"), lines("Feed", "One", "Old", "Main", "Message sent"),
			lines("Feed", "Two", "One", "Old", "Main", "Message sent"), lines("Message sent"),
		},
		{"a page at rest", lines("Home"), lines("Home", "Saved"), lines("Home", "Saved"), lines("Saved")},
		{"nothing", nil, nil, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, unprompted.Missing(unprompted.Steady(tt.before, tt.now, tt.later), tt.before))
		})
	}
	t.Run("a number that goes on", func(t *testing.T) {
		t.Parallel()
		require.Equal(t, lines("Home"),
			unprompted.Steady(lines("Home", "1 in carts"), lines("Home", "2 in carts"), lines("Home", "3 in carts")))
	})
}

// What is too large to be compared line by line counts as changed.
func TestSteadyOfLargePages(t *testing.T) {
	t.Parallel()
	var now, later []string
	for n := range 3000 {
		now, later = append(now, "row "+strconv.Itoa(n)+" "+string(rune('a'+n%26))), append(later,
			"line "+string(rune('a'+n%26)))
	}
	require.Equal(t, []string{"first", "last"},
		unprompted.Steady(nil, append(append([]string{"first"}, now...), "last"),
			append(append([]string{"first"}, later...), "last")))
}

func TestFeeds(t *testing.T) {
	t.Parallel()
	one, two := []string{"a", "b", "c", "d"}, []string{"e", "f", "g", "h"}
	require.False(t, unprompted.Feeds(one, two, two), "a page was turned")
	require.True(t, unprompted.Feeds(one, append([]string{"x"}, one...), append([]string{"y", "x"}, one...)), "rows come")
	require.False(t, unprompted.Feeds(one, two, append([]string{"y"}, two...)), "a page was turned, and rows come")
	require.True(t, unprompted.Feeds(one, two, []string{"i", "k", "l", "m"}), "all rows change")
	require.True(t, unprompted.Leave([]string{"a", "b"}, []string{"b", "c"}))
	require.False(t, unprompted.Leave([]string{"a", "b"}, []string{"a", "b", "c"}))
}
