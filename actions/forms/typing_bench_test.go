package forms_test

import "testing"

// What a command costs in process, beside BenchmarkSnapshot.
func BenchmarkFill(b *testing.B) {
	c := host.Opened(b, "/pages/acting-fields.html")
	ref := c.Ref(`textbox "Text"`)
	texts := []string{"Hello, World!", "another text"}
	for i := 0; b.Loop(); i++ {
		c.Do("fill", ref, texts[i%2])
	}
}

func BenchmarkType(b *testing.B) {
	c := host.Opened(b, "/pages/acting-fields.html")
	ref := c.Ref(`textbox "Text"`)
	texts := []string{"Hello, World!", "another text"}
	for i := 0; b.Loop(); i++ {
		c.Do("type", ref, texts[i%2], "--clear")
	}
}

func BenchmarkPress(b *testing.B) {
	c := host.Opened(b, "/pages/acting-fields.html")
	c.Do("focus", "#text")
	for b.Loop() {
		c.Do("press", "x") // what changes nothing is waited for
	}
}

func BenchmarkKeyboardType(b *testing.B) {
	c := host.Opened(b, "/pages/acting-fields.html")
	c.Do("focus", "#text")
	for b.Loop() {
		c.Do("keyboard", "type", "x")
	}
}
