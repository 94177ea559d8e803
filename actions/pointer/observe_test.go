package pointer_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"
)

// With --observe an action shows what it changed, as a snapshot would, in the same call.
func TestObserve(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<button onclick="document.body.insertAdjacentHTML('beforeend', '<button>Undo</button>')">Delete</button>`)
	button := c.Ref(`button "Delete"`)
	reply := c.Do("click", button, "--observe")
	require.Contains(t, reply.Result.Text, `+ button "Undo" @e`)
	require.Contains(t, encoded(t, sessiontest.Decode[object](t, reply.Result.Data)["observed"]), `"name":"Undo"`)
	require.Equal(t, "Undo", c.Page(`document.querySelector('button:last-child').textContent`))
}

// What an action led to is shown whole, without a word on that: the reply says that it is another page.
func TestObserveAnotherPage(t *testing.T) {
	t.Parallel()
	there := site.URL(site.Write(`<title>There</title><button>Go</button>`))
	c := host.Showing(t, `<a href="`+there+`">Leave</a>`)
	link := c.Ref(`link "Leave"`)
	for _, words := range [][]string{{"click", link}, {"back"}, {"open", there}} {
		text := c.Do(append(words, "--observe")...).Result.Text
		require.Regexp(t, `\n- (button "Go"|link "Leave") @e\d+( \[.*\])?$`, text, words)
	}
}

func encoded(t testing.TB, v any) string {
	t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(t, err)
	return string(raw)
}

// What fades in, or comes on a backdrop a moment later, is in the reply. What never ends, and a backdrop on which
// nothing comes, is not waited for.
func TestObserveWhatFadesIn(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		button string
		shows  []string
	}{
		{"#edit", []string{`+ textbox "Name" @e`, `"Save" @e`, `controls are behind dialog "Edit order"`}},
		{"#open", []string{`menuitem`, `"Copy" @e`, `"Archive" @e`}},
		{"#turn", []string{`+ button "Stop" @e`}},
		{"#curtain", []string{"controls are behind"}},
	} {
		t.Run(tt.button, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-effect-fading.html")
			c.Do("snapshot", "-i")
			text := c.Do("click", tt.button, "--observe").Result.Text
			for _, shown := range tt.shows {
				require.Contains(t, text, shown)
			}
			require.NotContains(t, text, `link "Order 1"`)
		})
	}
}

// What an action unfolds belongs to it, also when the content comes a moment after the control says that it is open.
// What is there at once is not waited for, nor is what does not come.
func TestObserveWhatUnfolds(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		words  string
		shows  string
		before string
	}{
		{words: "click #post", shows: `+ button "Try it out" @e`},
		{words: "click #lamps", shows: `+ treeitem "Desk lamp" @e`},
		{words: "press ArrowRight #lamps", shows: `+ treeitem "Desk lamp" @e`},
		{words: "click #code", shows: `+ textbox "Language" @e`},
		{words: "click #terms", shows: "expanded: false → true", before: "A banner"},
		{words: "click #filter", shows: "expanded: false → true", before: "next day"},
	} {
		t.Run(tt.words, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-effect-unfolding.html")
			c.Do("snapshot")
			result := c.Do(append(strings.Fields(tt.words), "--observe")...).Result
			said := strings.Join(result.Effect, "\n") + result.Text
			require.Contains(t, said, tt.shows)
			if tt.before != "" {
				require.NotContains(t, said, tt.before)
			}
		})
	}
}

// A plain reply tells of it as well, and a look right behind the action shows it.
func TestLookAtWhatUnfolds(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-effect-unfolding.html")
	result := c.Do("click", "#post").Result
	require.Contains(t, strings.Join(result.Effect, "\n"), "Parameters")
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, `button "Try it out"`)
}

// Before the first look at a page, --observe shows what changed all the same, and not the whole page.
func TestObserveWithoutALook(t *testing.T) {
	t.Parallel()
	const page = `<h1>Shop</h1><button id=b onclick="o.innerHTML = '<button>Undo</button>'">Remove</button><div id=o></div>` +
		`<button>One</button><button>Two</button><a href=#three>Three</a>`
	for name, look := range map[string][]string{
		"at all":       nil,
		"at all of it": {"snapshot", "-i", "--search", "Three"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := host.Showing(t, page)
			if look != nil {
				c.Do(look...)
			}
			text := c.Do("click", "#b", "--observe").Result.Text
			require.Contains(t, text, `+ button "Undo"`)
			require.NotContains(t, text, "Two")
		})
	}
}
