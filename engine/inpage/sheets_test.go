package inpage_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"
)

// manyRules is a script that gives the document so many rules that a walk of it does not read them, none of which
// matches anything.
const manyRules = `{
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('.none{margin:0}'.repeat(9000));
  document.adoptedStyleSheets = [sheet];
}`

// As long as style sheets are not read, every rule may match everything. That takes time, and changes nothing of what a
// walk says.
func TestWalkWithoutReadingSheets(t *testing.T) {
	for i, path := range perceptionPages(t) {
		if testing.Short() && i%3 > 0 || strings.Contains(path, "-frame-") { // frames have documents and sheets of their own
			continue
		}
		t.Run(strings.TrimSuffix(filepath.Base(path), ".html"), func(t *testing.T) {
			t.Parallel()
			p := openFile(t, path)
			p.holdStill(t)
			walks := func() (said []string) {
				for _, arg := range []object{{}, {"interactive": true}, {"interactive": true, "words": true, "viewFrom": 0}} {
					var wire string
					p.op(t, "walk", arg, &wire)
					said = append(said, strings.Split(wire, "\n")...)
				}
				return said
			}
			walks() // which gives tokens
			want := walks()
			p.js(t, manyRules)
			require.Empty(t, cmp.Diff(want, walks()))
		})
	}
}

// Where few elements are asked about, most rules stay unread, and what they do is known all the same.
func TestSheetsAreReadWhenManyElementsWereAskedAbout(t *testing.T) {
	t.Parallel()
	p := newPage(t,
		`<style>.a{cursor:pointer}.b{text-transform:uppercase}</style><div class=a>One</div><p class=b>Two</p>`)
	p.js(t, manyRules)
	for range 3 {
		require.Equal(t, "generic \"One\" T hints=cursor:pointer\nparagraph\n  StaticText \"TWO\"\n",
			outline(p.walk(t, object{})))
	}
	p.js(t,
		`document.body.append(...Array.from({length: 5000}, () => Object.assign(document.createElement('p'), {className: 'b', textContent: 'more'})))`)
	require.Contains(t, outline(p.walk(t, object{})),
		"generic \"One\" T hints=cursor:pointer\nparagraph\n  StaticText \"TWO\"\nparagraph\n  StaticText \"MORE\"\n")
}
