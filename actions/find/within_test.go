package find_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// --within says in words in which row, card or panel the element is.
func TestFindWithin(t *testing.T) {
	t.Parallel()
	const page = "/pages/find-within.html"
	tests := []struct {
		name string
		args []string
		want string
	}{
		{"a row", []string{"find", "role", "button", "click", "--name", "Delete", "--within", "Order 2"}, "table 2"},
		{
			"a row that is the beginning of another",
			[]string{"find", "role", "button", "click", "--name", "Delete", "--within", "Order 1"},
			"table 1",
		},
		{
			"a part of a row's text in another case",
			[]string{"find", "text", "Delete", "click", "--within", "order 10"},
			"table 10",
		},
		{"a row by what only it says", []string{"find", "role", "button", "click", "--within", "Bob"}, "table 10"},
		{
			"a card without a role",
			[]string{"find", "role", "button", "click", "--name", "Save", "--within", "By post"},
			"shipping ",
		},
		{
			"a panel by its name",
			[]string{"find", "role", "button", "click", "--name", "Save", "--within", "Newsletter"},
			"newsletter",
		},
		{"a shadow tree", []string{"find", "role", "button", "click", "--name", "Delete", "--within", "Parcel"}, "parcel"},
		{"by CSS", []string{"find", "first", "button", "click", "--within", "Shipping"}, "shipping "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, page)
			c.Do(tt.args...)
			require.Equal(t, tt.want, c.Log())
		})
	}
	for selector, want := range map[string]string{
		`tr:has-text("Order 10") button`: "table 10", `button:has-text("save")`: "billing ",
		`.cards > div:has-text('By post') button`: "shipping ", `:has-text("Bob") > td > button`: "table 10",
	} {
		t.Run(selector, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, page)
			c.Do("find", "first", selector, "click")
			require.Equal(t, want, c.Log())
		})
	}
	t.Run("a field", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, page)
		c.Do("find", "label", "City", "fill", "Rome", "--within", "Shipping")
		c.Do("find", "role", "button", "click", "--name", "Save", "--within", "Shipping")
		require.Equal(t, "shipping Rome", c.Log())
	})
	t.Run("nothing there", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, page)
		err := c.Fails(fault.SelectorNotFound, "find", "role", "button", "click", "--name", "Delete", "--within", "Order 7",
			"--timeout", "100")
		require.Contains(t, err.Error(), `within "Order 7"`)
		require.Contains(t, err.Error(), "The page does not show the text")
		err = c.Fails(fault.SelectorNotFound, "find", "role", "link", "click", "--within", "Order 2", "--timeout", "100")
		require.Contains(t, err.Error(), `within "Order 2"`)
	})
	t.Run("several in the row are told apart", func(t *testing.T) {
		t.Parallel()
		c := host.Opened(t, page)
		c.Fails(fault.SelectorAmbiguous, "find", "role", "button", "click", "--name", "Delete", "--within", "Ann", "--strict",
			"--timeout", "100")
		require.Empty(t, c.Log())
	})
}
