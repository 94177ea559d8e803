package main

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRead(t *testing.T) {
	t.Parallel()
	lines, err := read(strings.NewReader("$ skua open x  \n\nöäü45678901\n"), 10)
	require.NoError(t, err)
	require.Equal(t, []string{"$ skua open x"[:9] + "…", "", "öäü456789…"}, lines)
}

func TestColored(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, line, want string }{
		{
			name: "command", line: "$ skua open <x> && y",
			want: `<tspan fill="#8b949e">$ </tspan><tspan fill="#79c0ff">skua open &lt;x&gt; &amp;&amp; y</tspan>`,
		},
		{name: "success", line: "✓ Done", want: `<tspan fill="#3fb950">✓</tspan> Done`},
		{name: "ref", line: `- link "a" [ref=e1]`, want: `- link "a" [<tspan fill="#3fb950">ref=e1</tspan>]`},
		{
			name: "ref with more behind it", line: `- button [ref=e1, covered]`,
			want: `- button [<tspan fill="#3fb950">ref=e1</tspan>, covered]`,
		},
		{
			name: "refs as commands take them", line: `- links: "a" @e1, "b" @e2`,
			want: `- links: "a" <tspan fill="#3fb950">@e1</tspan>, "b" <tspan fill="#3fb950">@e2</tspan>`,
		},
		{name: "ref that was cut", line: `- link [ref=e…`, want: `- link [ref=e…`},
		{name: "plain", line: "a < b", want: "a &lt; b"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, colored(test.line))
		})
	}
}

func TestDrawIsXML(t *testing.T) {
	t.Parallel()
	picture := draw("a <title> & more", 20, []string{"$ skua get url", "", `"<&>"`})
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
	}
	require.Contains(t, picture, "a &lt;title&gt; &amp; more")
	require.Contains(t, draw("x", 20, []string{"  two"}), `<text x="33.6" y="54">two</text>`,
		"an indented line keeps its place")
}
