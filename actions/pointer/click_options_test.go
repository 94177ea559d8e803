package pointer_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// What the page saw of clicks with other buttons, counts, keys and places.
func TestClickOptions(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		lines [][]string
		log   string
		read  string // of the page
		want  any
	}{
		{name: "left, by default", lines: [][]string{{"click", "#budget"}}, log: "click budget 0 1"},
		{
			name: "right", lines: [][]string{{"click", "#budget", "--button", "right"}}, log: "menu for budget",
			read: "menu.style.display", want: "block",
		},
		{
			name:  "right, and the menu that it opened below the pointer",
			lines: [][]string{{"click", "#budget", "--button", "right"}, {"click", "#rename"}},
			log:   "menu for budget\nrename",
		},
		{name: "middle", lines: [][]string{{"click", "#photo", "--button", "middle"}}, log: "auxclick photo 1 1"},
		{
			name: "twice", lines: [][]string{{"click", "#photo", "--count", "2"}},
			log: "click photo 0 1\nclick photo 0 2\nopen photo",
		},
		{
			name: "double click", lines: [][]string{{"dblclick", "#photo"}},
			log: "click photo 0 1\nclick photo 0 2\nopen photo",
		},
		{
			name: "double click with a key", lines: [][]string{{"dblclick", "#photo", "--modifiers", "Alt"}},
			log: "keydown Alt\nclick photo 0 alt 1\nclick photo 0 alt 2\nopen photo\nkeyup Alt",
		},
		{
			name: "middle, twice", lines: [][]string{{"click", "#photo", "--button", "middle", "--count", "2"}},
			log: "auxclick photo 1 1\nauxclick photo 1 2",
		},
		{
			name: "three times selects the paragraph", lines: [][]string{{"click", "#text", "--count", "3"}},
			read: "getSelection().toString().trim()",
			want: "One paragraph with several words. It is selected as a whole by three clicks.",
		},
		{
			name: "with Control", lines: [][]string{{"click", "#report"}, {"click", "#photo", "--modifiers", "Control"}},
			log:  "click report 0 1\nkeydown Control\nclick photo 0 ctrl 1\nkeyup Control",
			read: "rows.filter((r) => r.ariaSelected === 'true').map((r) => r.id).join()", want: "report,photo",
		},
		{
			name: "with Shift", lines: [][]string{{"click", "#report"}, {"click", "#notes", "--modifiers", "shift"}},
			read: "rows.filter((r) => r.ariaSelected === 'true').length", want: 4.0,
		},
		{
			name: "with Control and Shift", lines: [][]string{{"click", "#budget", "--modifiers", "Control,Shift"}},
			log: "keydown Control\nkeydown Shift\nclick budget 0 ctrl+shift 1\nkeyup Shift\nkeyup Control",
		},
		{
			name: "with Meta, as a chord", lines: [][]string{{"click", "#budget", "--modifiers", "meta+alt"}},
			log: "keydown Alt\nkeydown Meta\nclick budget 0 alt+meta 1\nkeyup Meta\nkeyup Alt",
		},
		{
			name: "at a place, from the corner of the border", lines: [][]string{{"click", "#board", "--position", "15,35"}},
			log: "paint 5,25",
		},
		{
			name: "at a fraction of a pixel", lines: [][]string{{"click", "#board", "--position", "20.4, 30.4"}},
			log: "paint 10,20",
		},
		{
			name: "at a place below the fold", lines: [][]string{{"click", "#huge", "--position", "40,3900"}},
			log: "huge 40,3900",
		},
		{
			name:  "at a place above the fold",
			lines: [][]string{{"click", "#huge", "--position", "40,3900"}, {"click", "#huge", "--position", "30,20"}},
			log:   "huge 40,3900\nhuge 30,20",
		},
		{
			name: "by find", lines: [][]string{{"find", "text", "Budget", "dblclick"}},
			log: "click budget 0 1\nclick budget 0 2\nopen budget",
		},
		{
			name: "hover at a place", lines: [][]string{{"hover", "#board", "--position", "15,35"}},
			read: "board.matches(':hover')", want: true,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := host.Opened(t, "/pages/acting-click-options.html")
			for _, line := range tt.lines {
				c.Do(line...)
			}
			if tt.log != "" {
				require.Equal(t, tt.log, c.Log())
			}
			if tt.read != "" {
				require.Equal(t, tt.want, c.Page(tt.read))
			}
		})
	}
}

func TestClickOptionsRefused(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-options.html")
	tests := []struct {
		line []string
		code fault.Code
		says string
	}{
		{
			[]string{"click", "#board", "--position", "500,20", "--timeout", "1000"},
			fault.TargetOutside,
			"has no point 500,20",
		},
		{[]string{"click", "#board", "--position", "nowhere"}, fault.Usage, "--position takes two numbers"},
		{[]string{"click", "#board", "--position", "-3,4"}, fault.Usage, "--position takes two numbers"},
		{[]string{"click", "#board", "--button", "back"}, fault.Usage, "left, right, or middle"},
		{[]string{"click", "#board", "--modifiers", "Hyper"}, fault.Usage, "Unknown modifier"},
		{[]string{"click", "#board", "--count", "0"}, fault.Usage, "--count takes 1 to 10"},
		{[]string{"click", "#board", "--count", "99"}, fault.Usage, "--count takes 1 to 10"},
		{[]string{"click", "#script", "--new-tab"}, fault.TargetUnsuitable, "cannot be opened in a tab"},
		{[]string{"click", "#mail", "--new-tab"}, fault.TargetUnsuitable, "cannot be opened in a tab"},
		{[]string{"click", "#board", "--new-tab"}, fault.TargetUnsuitable, "does not have an href attribute"},
		{[]string{"click", "#link", "--new-tab", "--button", "right"}, fault.Usage, "--new-tab"},
	}
	for _, tt := range tests {
		err := c.Fails(tt.code, tt.line...)
		require.Contains(t, err.Error(), tt.says, "%q", tt.line)
	}
	require.Empty(t, c.Log())
	require.Len(t, c.Data("tab")["tabs"], 1, "no tab is left behind")
}

// A link that is clicked with Control, or the middle button, opens beside the page, which stays the active one.
func TestClickOpensBeside(t *testing.T) {
	t.Parallel()
	for _, more := range [][]string{{"--modifiers", "Control"}, {"--button", "middle"}} {
		t.Run(more[1], func(t *testing.T) {
			t.Parallel()
			c := host.OpenedFresh(t, "/pages/acting-click-options.html")
			c.Do(append([]string{"click", "#link"}, more...)...)
			require.Equal(t, "Files", c.Page("document.title"))
			require.Len(t, c.Data("tab")["tabs"], 2)
			c.Do("tab", "t2")
			c.Do("wait", "--text", "opened")
		})
	}
}

func TestClickNewTabIsActive(t *testing.T) {
	t.Parallel()
	c := host.OpenedFresh(t, "/pages/acting-click-options.html")
	data := c.Data("click", "#link", "--new-tab")
	require.Equal(t, "t2", data["tabId"])
	require.Equal(t, site.URL("/echo?opened"), c.Do("get", "url").Result.Text)
	c.Do("tab", "t1")
	require.Empty(t, c.Log(), "the link itself was not clicked")
}

// The page is as the last row left it when a row holds keys: none stays down.
func TestClickModifiersAreReleased(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-click-options.html")
	c.Do("click", "#budget", "--modifiers", "Control,Shift")
	c.Page("log = []")
	c.Do("click", "#budget")
	require.Equal(t, "click budget 0 1", c.Log())
}
