package pointer_test

import (
	"strings"
	"testing"
)

// What moves waits for frames, which a page makes 60 of in a second: a drag of data needs two of them, one of the
// pointer one a step.
func BenchmarkMoving(b *testing.B) {
	for _, bench := range []struct{ name, page, there, back string }{
		{"scroll", "acting-move-feed", "scroll down 200", "scroll up 200"},
		{"scroll a box", "acting-move-feed", "scroll down 200 -s #rows", "scroll up 200 -s #rows"},
		{"scrollintoview", "acting-move-feed", "scrollintoview #a8", "scrollintoview #a1"},
		{"mouse move", "acting-move-canvas", "mouse move 200 300", "mouse move 30 30"},
		{"mouse wheel", "acting-move-canvas", "mouse wheel -10", "mouse wheel 10"},
		{"tap", "acting-move-touch", "tap #taken", "tap #pay"},
		{"drag data", "acting-move-kanban", "drag #c1 #doing", "drag #c1 #todo --to 20,20"},
		{"drag the pointer", "acting-move-sliders", "drag #box --by 0,100", "drag #box --by 0,-100"},
	} {
		b.Run(bench.name, func(b *testing.B) {
			c := host.Opened(b, "/pages/"+bench.page+".html")
			there, back := strings.Fields(bench.there), strings.Fields(bench.back)
			c.Do(there...)
			c.Do(back...)
			b.ReportAllocs()
			for b.Loop() {
				c.Do(there...)
				c.Do(back...)
			}
		})
	}
}
