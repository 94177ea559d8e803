package forms_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What keys do to a page that is used with them alone.
func TestPressInAForm(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, focus string
		keys        []string
		read        string
		want        any
	}{
		{"enter submits once", "#name", []string{"Enter"}, "log.join()", "submit"},
		{"enter on a button submits once", "#send", []string{"Enter"}, "log.join()", "submit"},
		{"space on a button submits once", "#send", []string{"Space"}, "log.join()", "submit"},
		{"space toggles", "#gift", []string{"Space"}, "gift.checked", true},
		{"space toggles back", "#gift", []string{"Space", "Space"}, "gift.checked", false},
		{"arrows in a group of radios", "#small", []string{"ArrowDown", "ArrowDown"}, "order.size.value", "large"},
		{"arrows go round", "#small", []string{"ArrowUp"}, "order.size.value", "large"},
		{"arrows in a select", "#color", []string{"ArrowDown"}, "color.value", "Green"},
		{"a letter in a select", "#color", []string{"b"}, "color.value", "Blue"},
		{"arrows on a slider", "#amount", []string{"ArrowRight", "ArrowRight"}, "amount.value", "7"},
		{"home on a slider", "#amount", []string{"Home"}, "amount.value", "0"},
		{"arrows on a number", "#count", []string{"ArrowUp"}, "count.value", "2"},
		{"tab enters a group of radios once", "#name", []string{"Tab", "Tab"}, "document.activeElement.id", "gift"},
		{"tab skips what is disabled", "#count", []string{"Tab"}, "document.activeElement.id", "send"},
		{
			"word by word", "#name",
			[]string{"End", "Control+ArrowLeft", "Control+Shift+ArrowLeft", "x"},
			"name_.value",
			"one xthree",
		},
		{"a word is deleted", "#name", []string{"End", "Control+Backspace"}, "name_.value", "one two "},
		{
			"to the beginning", "#notes",
			[]string{"Control+End", "Control+Home", "x"},
			"notes.value",
			"xfirst line\nsecond line",
		},
		{"a line is selected", "#notes", []string{"Control+Home", "Shift+End", "x"}, "notes.value", "x\nsecond line"},
		{"undone and done again", "#name", []string{"Control+a", "x", "Control+z", "Control+Shift+z"}, "name_.value", "x"},
		{"escape closes", "#more", []string{"Enter", "Escape"}, "menu.hidden + document.activeElement.id", "truemore"},
		{"a function key", "#name", []string{"F2"}, "log.join()", "help"},
		{"a chord of three", "#name", []string{"Control+Shift+K"}, "log.join()", "palette"},
	}
	page := host.Opened(t, "/pages/acting-typing-keys.html")
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := page.In(t)
			c.Page(`document.activeElement.blur(); order.reset(); notes.value = notes.defaultValue; log = []; 0`)
			c.Do("focus", tt.focus)
			for _, key := range tt.keys {
				c.Do("press", key)
			}
			require.Equal(t, tt.want, c.Page(`window.name_ = document.getElementById("name"), `+tt.read))
		})
	}
}

// Cut and paste by keys, through the browser's own clipboard.
func TestPressCutAndPaste(t *testing.T) {
	t.Parallel()
	c := host.Opened(t, "/pages/acting-typing-keys.html")
	clipboardUse.Lock()
	defer clipboardUse.Unlock()
	c.Do("focus", "#name")
	c.Do("press", "Control+a")
	c.Do("press", "Control+x")
	require.Empty(t, c.Page(content("#name")))
	c.Do("focus", "#notes")
	c.Do("press", "Control+a")
	c.Do("press", "Control+v")
	require.Equal(t, "one two three", c.Page(content("#notes")))
}
