package inpage_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// What takes time with the square of a page's size takes longer here than a call may.
func TestLargeDocuments(t *testing.T) {
	const options = `document.body.innerHTML = '<select><optgroup>' + Array.from({ length: 100000 }, (_, i) => '<option>Option ' + i + '</option>').join('') + '</select>'; 0`
	const links = `document.body.innerHTML = Array.from({ length: 60000 }, (_, i) => '<a href=#' + i + '>Link ' + i + '</a>').join(''); 0`
	const texts = `document.body.innerHTML = Array.from({ length: 80000 }, (_, i) => '<p>Text ' + i + '</p>').join(''); 0`
	tests := []struct {
		name  string
		build string
		op    string
		arg   object
	}{
		{"options of a select", options, "walk", object{"interactive": true, "words": true}},
		{"links beside each other", links, "walk", object{"interactive": true, "words": true}},
		{"a text among many", texts, "count", object{"find": object{"by": "text", "value": "Text 777"}}},
		{"waiting for a text among many", texts, "wait", object{"text": "Text 79999"}},
		{"texts as HTML", texts, "html", object{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if testing.Short() && tt.name != "a text among many" {
				t.Skip("takes seconds")
			}
			p := newPage(t, ``)
			p.js(t, tt.build)
			require.Empty(t, p.thrown(t, tt.op, tt.arg))
		})
	}
}
