package session_test

import "testing"

// What a command costs in process, beside BenchmarkSnapshot.
func BenchmarkFill(b *testing.B) {
	c := opened(b, "/pages/acting-fields.html")
	ref := c.ref(`textbox "Text"`)
	texts := []string{"Hello, World!", "another text"}
	for i := 0; b.Loop(); i++ {
		c.do("fill", ref, texts[i%2])
	}
}

func BenchmarkType(b *testing.B) {
	c := opened(b, "/pages/acting-fields.html")
	ref := c.ref(`textbox "Text"`)
	texts := []string{"Hello, World!", "another text"}
	for i := 0; b.Loop(); i++ {
		c.do("type", ref, texts[i%2], "--clear")
	}
}

func BenchmarkPress(b *testing.B) {
	c := opened(b, "/pages/acting-fields.html")
	c.do("focus", "#text")
	for b.Loop() {
		c.do("press", "x") // what changes nothing is waited for
	}
}
