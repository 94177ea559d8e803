package search

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestText(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ markup, want string }{
		"14.9 entities":                   {"Tom &amp; Jerry&#39;s &quot;x&quot; &lt;div&gt;", `Tom & Jerry's "x" <div>`},
		"14.9 tags":                       {"a <strong>b</strong>c <em class='x'>d</em>", "a bc d"},
		"14.9 a break parts words":        {"one<br>two<p>three</p>four", "one two three four"},
		"14.9 white space":                {"  a\n\t b\u00a0 c ", "a b c"},
		"14.9 a sign that is not a tag":   {"1 < 2 and 3 > 2", "1 < 2 and 3 > 2"},
		"14.9 scripts":                    {"a<script>var x = '<b>';</script>b<style>p{}</style>c", "a b c"},
		"14.9 bytes that are not letters": {"a\xffb", "a\ufffdb"},
		"14.9 just fits":                  {strings.Repeat("ä", 20), strings.Repeat("ä", 20)},
		"14.9 too long":                   {strings.Repeat("ä", 21), strings.Repeat("ä", 19) + "…"},
		"14.9 no space before the mark":   {strings.Repeat("a", 18) + " bcdef", strings.Repeat("a", 18) + "…"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, cleaner{}.text(tt.markup, max(20, len([]rune(tt.want)))))
		})
	}
}

func TestAdd(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1000)
	got := cleaner{}.add(nil, raw{
		title: long, url: "https://x.example/", description: long, highlights: []string{long, "", " <b></b> ", "b", "c", "d"},
		source: long, age: long, language: long,
	})
	require.Len(t, got, 1)
	t.Run("14.9 lengths", func(t *testing.T) {
		for name, tt := range map[string]struct {
			text string
			n    int
		}{
			"title": {got[0].Title, 180}, "description": {got[0].Description, 320}, "highlight": {got[0].Highlights[0], 320},
			"source": {got[0].Source, 120},
			"age":    {got[0].Age, 80}, "language": {got[0].Language, 40},
		} {
			require.Len(t, []rune(tt.text), tt.n, name)
			require.True(t, strings.HasSuffix(tt.text, "x…"), name)
		}
		require.Equal(t, []string{"b", "c"}, got[0].Highlights[1:])
	})
	for name, r := range map[string]raw{
		"14.9 no title":           {url: "https://x.example/"},
		"14.9 a title of tags":    {title: "<b></b>", url: "https://x.example/"},
		"14.9 no address":         {title: "t"},
		"14.9 ftp":                {title: "t", url: "ftp://x.example/"},
		"14.9 a script":           {title: "t", url: "javascript:alert(1)"},
		"14.9 data":               {title: "t", url: "data:text/html,x"},
		"14.9 without a host":     {title: "t", url: "https:///x"},
		"14.9 a relative one":     {title: "t", url: "/x"},
		"14.9 an invalid address": {title: "t", url: "https://x.example/\x7f"},
		"14.9 white space alone":  {title: " ", url: "https://x.example/"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Empty(t, cleaner{}.add(nil, r))
		})
	}
}
