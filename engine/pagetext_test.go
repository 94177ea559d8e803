package engine

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestBounded(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		most int
		want string
	}{
		"short":              {"title", 5, "title"},
		"few of many bytes":  {"äöü", 3, "äöü"},
		"cut":                {"abcdef", 3, "abc… (6 characters)"},
		"between characters": {"äöüß", 2, "äö… (4 characters)"},
		"long":               {strings.Repeat("x", 5_000_000), 2, "xx… (5,000,000 characters)"},
		"not UTF-8":          {"\xff\xff\xff", 1, "\xff… (3 characters)"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, Bounded(tt.text, tt.most))
		})
	}
}

func TestPublicAddress(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"http://a.example/":                     "http://a.example/",
		"http://u:p@a.example/x?y#z":            "http://a.example/x?y#z",
		"https://u@a.example":                   "https://a.example",
		"http://u:p@q@a.example":                "http://a.example",
		"ftp://:p@a.example/@x":                 "ftp://a.example/@x",
		"http://a.example/a@b?c=d@e#f@g":        "http://a.example/a@b?c=d@e#f@g",
		"http://a.example?u:p@b":                "http://a.example?u:p@b",
		"mailto:a@b.example":                    "mailto:a@b.example",
		"about:blank":                           "about:blank",
		"data:text/html,x":                      "data:text/html,x",
		"http://a.example/" + longAddress(9000): "http://a.example/" + longAddress(MaxAddress-17) + "… (9,017 characters)",
	} {
		require.Equal(t, want, PublicAddress(address))
	}
}

func longAddress(n int) string { return strings.Repeat("x", n) }

func BenchmarkPublicAddress(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		PublicAddress("https://shop.example/orders/2026/11?page=3&sort=date#row-17")
	}
}
