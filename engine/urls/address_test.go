package urls

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine/pagetext"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://a.example/":              "http://a.example/",
		"http://u:p@a.example/x?y#z":     "http://a.example/x?y#z",
		"https://u@a.example":            "https://a.example",
		"http://u:p@q@a.example":         "http://a.example",
		"ftp://:p@a.example/@x":          "ftp://a.example/@x",
		"http://a.example/a@b?c=d@e#f@g": "http://a.example/a@b?c=d@e#f@g",
		"http://a.example?u:p@b":         "http://a.example?u:p@b",
		"mailto:a@b.example":             "mailto:a@b.example",
		"about:blank":                    "about:blank",
		"data:text/html,x":               "data:text/html,x",
		"http://a.example/" + longAddress(9000): "http://a.example/" + longAddress(pagetext.MaxAddress-17) +
			"… (9,017 characters)",
	} {
		require.Equal(t, want, Public(address))
	}
}

func longAddress(n int) string { return strings.Repeat("x", n) }

func BenchmarkPublic(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Public("https://shop.example/orders/2026/11?page=3&sort=date#row-17")
	}
}
