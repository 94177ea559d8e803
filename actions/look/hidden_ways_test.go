package look_test

import (
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const (
	wayOver  = `position:absolute;inset:0;background:#fff`
	wayPoint = `data:image/gif;base64,R0lGODlhAQABAIAAAP///wAAACwAAAAAAQABAAACAkQBADs=` // one white point
)

// hidingWays hide the text in the element that replaces %s.
var hidingWays = map[string]string{
	"opacity":            `<div style="opacity:.01">%s</div>`,
	"opacity in opacity": `<div style="opacity:.2"><div style="opacity:.2">%s</div></div>`,
	"filter":             `<div style="filter:opacity(0)">%s</div>`,
	"no color":           `<div style="color:transparent">%s</div>`,
	"color":              `<div style="color:#fff;background:#fff">%s</div>`,
	"gradient":           `<div style="color:#fff;background:linear-gradient(#fff,#fefefe)">%s</div>`,
	"veil":               `<div style="background:#fff"><div style="color:#fff;background:rgba(255,255,255,.5)">%s</div></div>`,
	"font size":          `<div style="font-size:1px">%s</div>`,
	"scale":              `<div style="transform:scale(.001)">%s</div>`,
	"a pixel":            `<div style="width:1px;height:1px;overflow:hidden">%s</div>`,
	"no height":          `<div style="height:0;overflow:hidden">%s</div>`,
	"left":               `<div style="position:absolute;left:-9999px">%s</div>`,
	"transform":          `<div style="transform:translateX(-9999px)">%s</div>`,
	"indent":             `<div style="text-indent:-9999px;overflow:hidden">%s</div>`,
	"clip":               `<div style="position:absolute;clip:rect(0 0 0 0)">%s</div>`,
	"inset":              `<div style="clip-path:inset(50%%)">%s</div>`,
	"path":               `<div style="clip-path:path('M0 0')">%s</div>`,
	"polygon":            `<div style="clip-path:polygon(0 0,100%% 0,50%% 0)">%s</div>`,
	"circle":             `<div style="clip-path:circle(9px at -30px -30px)">%s</div>`,
	"mask":               `<div style="mask-image:linear-gradient(transparent,transparent)">%s</div>`,
	"back":               `<div style="transform:rotateY(180deg);backface-visibility:hidden">%s</div>`,
	"sibling":            `<div style="position:relative">%s<div style="` + wayOver + `"></div></div>`,
	"sibling, untouched": `<div style="position:relative">%s<div style="` + wayOver + `;pointer-events:none"></div></div>`,
	"cousin":             `<div style="position:relative"><section>%s</section><aside><div style="` + wayOver + `"></div></aside></div>`,
	"picture":            `<div style="position:relative">%s<img alt="" src="` + wayPoint + `" style="position:absolute;inset:0;width:100%%;height:100%%"></div>`,
	"pseudo-element":     `<div class=after>%s</div>`,
	"grid":               `<div style="display:grid"><div style="grid-area:1/1">%s</div><div style="grid-area:1/1;background:#fff"></div></div>`,
	"z-index":            `<div style="background:#fff;padding:9px"><div style="position:relative;z-index:-1">%s</div></div>`,
	"moved over":         `<div style="height:60px">%s</div><div style="transform:translateY(-60px);height:60px;margin-bottom:-60px;background:#fff"></div>`,
	"letters":            `<div style="letter-spacing:-1em">%s</div>`,
}

// honestWays look like these and leave the text to be seen.
var honestWays = map[string]string{
	"opacity":          `<div style="opacity:.5">%s</div>`,
	"color":            `<div style="color:#fff;background:#234">%s</div>`,
	"gradient":         `<div style="color:#fff;background:linear-gradient(#234,#456)">%s</div>`,
	"veil":             `<div style="color:#fff;background:rgba(0,0,0,.6)">%s</div>`,
	"letters":          `<div style="background:linear-gradient(red,blue);background-clip:text;color:transparent">%s</div>`,
	"font size":        `<div style="font-size:9px">%s</div>`,
	"scale":            `<div style="transform:scale(.9)">%s</div>`,
	"height":           `<div style="height:90px;overflow:hidden">%s</div>`,
	"transform":        `<div style="transform:translateX(40px)">%s</div>`,
	"inset":            `<div style="clip-path:inset(0)">%s</div>`,
	"polygon":          `<div style="clip-path:polygon(0 0,100%% 0,100%% 100%%,0 100%%)">%s</div>`,
	"circle":           `<div style="clip-path:circle(80%%)">%s</div>`,
	"mask":             `<div style="mask-image:linear-gradient(#000,transparent)">%s</div>`,
	"front":            `<div style="transform:rotateY(20deg);backface-visibility:hidden">%s</div>`,
	"below":            `<div style="position:relative"><div style="` + wayOver + `"></div><div style="position:relative">%s</div></div>`,
	"below, z-index":   `<div style="position:relative;z-index:0">%s<div style="` + wayOver + `;z-index:-1"></div></div>`,
	"half a veil":      `<div style="position:relative">%s<div style="` + wayOver + `;opacity:.5"></div></div>`,
	"a hidden box":     `<div style="position:relative">%s<div style="` + wayOver + `;visibility:hidden"></div></div>`,
	"a badge":          `<div style="position:relative">%s<div style="position:absolute;right:0;top:0;width:20px;height:20px;background:#c00"></div></div>`,
	"a stretched link": `<div style="position:relative">%s<a href=# style="position:absolute;inset:0"></a></div>`,
	"a card":           `<div style="position:relative;background:#fff">%s</div>`,
	"grid":             `<div style="display:grid"><div style="grid-area:1/1;background:#fff"></div><div style="grid-area:1/1">%s</div></div>`,
	"a block":          `<div style="height:60px">%s</div><div style="margin-top:-60px;height:60px;background:#eee"></div>`,
	"a header":         `<div style="position:relative"><div style="position:sticky;top:0;background:#fff">%s</div></div>`,
	"a scroller":       `<div style="height:80px;overflow:auto">%s<div style="height:300px"></div></div>`,
}

var wayElements = []string{`<p>%s</p>`, `<div><span>%s</span></div>`, `<ul><li>%s</li></ul>`, `<h3>%s</h3>`}

var wayPlaces = map[string]string{
	"page":   `%s`,
	"shadow": `<div><template shadowrootmode=open>%s</template></div>`,
	"list":   `<div style="height:300px;overflow:auto">%s</div>`,
	"frame":  `<iframe width=900 height=600 srcdoc="%s"></iframe>`,
}

// markedWays opens a page for each place and returns how many ways there are, and which of their texts have a mark.
func markedWays(t *testing.T, ways map[string]string) (all int, marked map[string]bool) {
	t.Helper()
	marked = map[string]bool{}
	for place, around := range wayPlaces {
		var page strings.Builder
		page.WriteString(`<meta charset=utf-8><style>.after{position:relative}.after::after{content:"";` + wayOver +
			`}section,aside{position:static}</style>`)
		var names []string
		for name, way := range ways {
			for i, element := range wayElements {
				text := fmt.Sprintf(element, fmt.Sprintf("Word%03d to read", len(names)))
				page.WriteString(`<div style="margin:20px;overflow:clip">` + fmt.Sprintf(way, text) + `</div>`)
				names = append(names, fmt.Sprintf("%s, element %d, %s", name, i, place))
			}
		}
		content := page.String()
		if place == "frame" {
			content = html.EscapeString(content)
		}
		c := host.Showing(t, `<!doctype html><h1>Page</h1>`+fmt.Sprintf(around, content))
		tree := lookAt(c, "--max-tokens", "0")
		for n, name := range names {
			all++
			lines := regexp.MustCompile(fmt.Sprintf(`(?m)^.*Word%03d.*$`, n)).FindAllString(tree, -1)
			marked[name] = true
			for _, line := range lines {
				marked[name] = marked[name] && regexp.MustCompile(`\bunseen\b|\bappears\b`).MatchString(line)
			}
			if len(lines) == 0 {
				marked[name] = false // each of them is rendered
			}
		}
	}
	return all, marked
}

// TestLookWays counts how many texts that a person cannot see are marked, over ways to hide a text, elements and
// places, and how many that look like them and can be seen.
func TestLookWays(t *testing.T) {
	t.Parallel()
	all, marked := markedWays(t, hidingWays)
	missed := []string{}
	for name, is := range marked {
		if !is {
			missed = append(missed, name)
		}
	}
	t.Logf("%d of %d ways to hide a text are marked; not %q", all-len(missed), all, missed)
	require.Greater(t, 100*(all-len(missed)), 95*all)

	all, marked = markedWays(t, honestWays)
	wrong := []string{}
	for name, is := range marked {
		if is {
			wrong = append(wrong, name)
		}
	}
	t.Logf("%d of %d honest texts are marked: %q", len(wrong), all, wrong)
	require.Empty(t, wrong)
}
