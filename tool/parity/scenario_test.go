package parity

import (
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestParse(t *testing.T) {
	t.Parallel()
	const text = `# what it is about
name   click <sel>
page   /ask
before focus '#name'
run    click '#go'
run    eval 'it''s'
after  close
ignore size path
rule   19.5 19.6
as     data
better it says what the click did
differs text data
-- a.txt --
content
`
	s, err := parse("03-tabs-and-windows/01-click.txtar", []byte(text))
	require.NoError(t, err)
	require.Equal(t, Scenario{
		Path: "03-tabs-and-windows/01-click.txtar", Family: "Tabs and windows", Name: "click <sel>", Page: "/ask",
		Before: [][]string{{"focus", "#name"}}, Run: [][]string{{"click", "#go"}, {"eval", "it's"}},
		After:  [][]string{{"close"}},
		Ignore: []string{"size", "path"}, Rules: []string{"19.5", "19.6"}, As: []string{"data"},
		Better: "it says what the click did", Differs: []string{"text", "data"},
		Files: map[string]string{"a.txt": "content\n"},
	}, s)
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	tests := map[string]struct{ text, want string }{
		"no name":                     {"run get title\n", "no name"},
		"nothing to run":              {"name x\n", "runs nothing"},
		"an unknown word":             {"name x\nrunn get\n", `line 2: unknown word "runn"`},
		"an empty line of a word":     {"name\n", "name is empty"},
		"an open quote":               {"name x\nrun get 'title\n", "quote is not closed"},
		"two reasons":                 {"name x\nrun a\nbetter b\nlater c\ndiffers text\n", "more than one"},
		"a difference without reason": {"name x\nrun a\ndiffers text\n", "not why"},
		"a reason without difference": {"name x\nrun a\nbetter b\n", "in what it differs"},
		"a difference in nothing":     {"name x\nrun a\nbetter b\ndiffers color\n", `"color"`},
		"an unknown form":             {"name x\nrun a\nas xml\n", `"xml"`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := parse("01-x/01-x.txtar", []byte(tt.text))
			require.ErrorContains(t, err, tt.want)
		})
	}
}

func TestSplit(t *testing.T) {
	t.Parallel()
	tests := map[string][]string{
		"get  title":            {"get", "title"},
		"find text 'Some text'": {"find", "text", "Some text"},
		"--namespace '' x":      {"--namespace", "", "x"},
		"eval 'it''s \"x\"'":    {"eval", `it's "x"`},
		"--args=a' 'b":          {"--args=a b"},
		"":                      nil,
	}
	for line, want := range tests {
		t.Run(line, func(t *testing.T) {
			t.Parallel()
			words, err := split(line)
			require.NoError(t, err)
			require.Equal(t, want, words)
		})
	}
}

// Every file can be read, and there are enough of them in each family.
func TestScenarios(t *testing.T) {
	t.Parallel()
	all, err := Read(os.DirFS("../../testdata/parity"))
	require.NoError(t, err)
	require.Greater(t, len(all), 350)
	families := map[string]int{}
	for _, s := range all {
		families[s.Family]++
	}
	require.Len(t, families, 17)
	for family, n := range families {
		require.Greater(t, n, 5, family)
	}
}

func TestGroups(t *testing.T) {
	t.Parallel()
	var all []Scenario
	for family, n := range map[string]int{"a": groupSize + 3, "b": 5} {
		all = append(all, slices.Repeat([]Scenario{{Family: family}}, n)...)
	}
	groups := grouped(all)
	require.Len(t, groups, 3)
	covered := 0
	for _, g := range groups {
		require.LessOrEqual(t, g.to-g.from, groupSize)
		for _, s := range all[g.from:g.to] {
			require.Equal(t, all[g.from].Family, s.Family)
		}
		covered += g.to - g.from
	}
	require.Equal(t, len(all), covered)
	require.Equal(t, groupSize, groups[0].to-groups[0].from)
}
