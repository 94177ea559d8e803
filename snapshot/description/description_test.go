package description_test

import (
	"testing"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/skua-browser/skua/snapshot/description"
)

func TestOf(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, description, want string }{
		{"Random page", "Random page [alt-shift-x]", ""},
		{"Recent changes", "A list of changes [alt-shift-r]", "A list of changes"},
		{"B", "Bold (Ctrl+B)", "Bold"},
		{"Undo", "Undo (⌘Z)", ""},
		{"Save…", "save", ""},
		{"\ue901 Delete", "Delete \ue902", ""},
		{"Log", "Log [Ctrl+Shift+Alt-L]", ""},
		{"X", "Close [Esc]", "Close [Esc]"},
		{"Crop", "Crop [16:9]", "Crop [16:9]"},
		{"+", "-", "-"},
		{"Sitemap", "Sitemap [x]", ""},
		{"Vector", "Entry a[i] of it", "Entry a[i] of it"},
		{"Name", "", ""},
	} {
		n := axtree.Node{Role: "button", Name: tt.name, More: &axtree.Properties{Description: tt.description}}
		if got := description.Of(&n); got != tt.want {
			t.Errorf("%q %q: %q, not %q", tt.name, tt.description, got, tt.want)
		}
	}
}
