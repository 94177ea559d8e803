package inpage_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testgolden"
)

const (
	standardsFolder = "../../testdata/names"
	deviationsFile  = "../../docs/agreement.md"
	deviationsBy    = "go test ./engine/inpage -run TestStandards -update"
)

// standardCase is a case of a standard: a document with one element #test, and what the text of the standard says of
// it. scripts/conformance-names asks other programs the same.
type standardCase struct {
	standard, source, title string
	html                    string
	// By role, name and description. What the standard does not say is left out.
	expected, deviating map[string]string
	// Why skua deviates.
	why string
}

var aspects = []string{"role", "name", "description"}

func standardCases(t *testing.T) []standardCase {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(standardsFolder, "*.txtar"))
	require.NoError(t, err)
	var cases []standardCase
	for _, path := range files {
		archive, err := txtar.ParseFile(path)
		require.NoError(t, err)
		for _, file := range archive.Files {
			c := readStandardCase(t, file)
			c.standard = strings.TrimSuffix(filepath.Base(path), ".txtar")
			cases = append(cases, c)
		}
	}
	require.Greater(t, len(cases), 600)
	return cases
}

func readStandardCase(t *testing.T, file txtar.File) standardCase {
	t.Helper()
	c := standardCase{expected: map[string]string{}, deviating: map[string]string{}}
	var ok bool
	c.source, c.title, ok = strings.Cut(file.Name, " | ")
	require.True(t, ok, "the case %q names no paragraph", file.Name)
	var html []string
	for line := range strings.SplitSeq(strings.TrimSuffix(string(file.Data), "\n"), "\n") {
		key, value, _ := strings.Cut(line, ":")
		value = unescaper.Replace(strings.TrimSpace(value))
		own, deviates := strings.CutPrefix(key, "skua ")
		switch {
		case slices.Contains(aspects, key):
			c.expected[key] = value
		case deviates && slices.Contains(aspects, own):
			c.deviating[own] = value
		case key == "why":
			c.why = value
		default:
			html = append(html, line)
		}
	}
	c.html = strings.Join(html, "\n")
	require.Contains(t, c.html, "id=test", "case %q", file.Name)
	require.NotEmpty(t, c.expected, "case %q", file.Name)
	require.Equal(t, len(c.deviating) > 0, c.why != "", "case %q: a deviation needs a reason, and a reason a deviation",
		file.Name)
	return c
}

// A character that no editor shows is written as \u00a0 in the files, and in the lists.
var (
	unescaper = strings.NewReplacer(`\u00a0`, "\u00a0", `\u202f`, "\u202f", `\u2003`, "\u2003", `\u3000`, "\u3000")
	escaper   = strings.NewReplacer("\u00a0", `\u00a0`, "\u202f", `\u202f`, "\u2003", `\u2003`, "\u3000", `\u3000`, "|",
		`\|`)
)

// TestStandards holds roles, names and descriptions against the texts of the standards. Where skua deviates from them,
// the case says how and why; where Chrome does and skua does not, docs/agreement.md lists it. Both lists are held to
// what skua and Chrome say.
func TestStandards(t *testing.T) {
	p := newPage(t, "")
	var fromStandard, fromChrome []string
	for _, c := range standardCases(t) {
		call(t, p.sess, "Page.setDocumentContent",
			object{"frameId": p.frame, "html": "<!doctype html><html lang=en><title>Case</title><body>" + c.html}, nil)
		p.install(t)
		said, chrome := p.said(t), p.chromeSays(t)
		for _, aspect := range aspects {
			wanted, ok := c.expected[aspect]
			if !ok {
				continue
			}
			deviation, deviates := c.deviating[aspect]
			if deviates {
				assert.Equal(t, deviation, said[aspect], "%s: %s, %s: the %s that skua deviates to\n%s", c.standard, c.source,
					c.title,
					aspect, c.html)
				assert.False(t, isAsked(aspect, wanted, said[aspect]), "%s: %s, %s: the %s deviates no more", c.standard, c.source,
					c.title, aspect)
				fromStandard = append(fromStandard, deviationLine(c, aspect, wanted, said[aspect], c.why))
				continue
			}
			assert.True(t, isAsked(aspect, wanted, said[aspect]), "%s: %s, %s: the %s is %q, not %q\n%s", c.standard, c.source,
				c.title, aspect, said[aspect], wanted, c.html)
			if squeezed := squeeze(wanted); !isAsked(aspect, squeezed, squeeze(chrome[aspect])) {
				fromChrome = append(fromChrome, deviationLine(c, aspect, chrome[aspect], said[aspect], ""))
			}
		}
	}
	if t.Failed() {
		return
	}
	section := "| standard | paragraph | case | Chrome | skua |\n|---|---|---|---|---|\n" + strings.Join(fromChrome, "") +
		"\nAnd where skua deviates from the text of a standard:\n\n" +
		"| standard | paragraph | case | the standard | skua | why |\n|---|---|---|---|---|---|\n" +
		strings.Join(fromStandard, "") +
		"\nWhere Chrome is not followed in the cases of engine/inpage/testdata/accname, to which TestNames holds skua:\n\n" +
		"| section | case | why |\n|---|---|---|\n" + ownLines(t)
	testgolden.Section(t, deviationsFile, deviationsBy, section)
}

// ownLines lists the cases of TestNames that do not look at what Chrome says.
func ownLines(t *testing.T) string {
	t.Helper()
	files, err := filepath.Glob("testdata/accname/*.txtar")
	require.NoError(t, err)
	var lines strings.Builder
	for _, path := range files {
		for _, c := range nameCases(t, path) {
			if c.own != "" {
				fmt.Fprintf(&lines, "| %s | %s | %s |\n", c.clause, escaper.Replace(c.title), c.own)
			}
		}
	}
	return lines.String()
}

func deviationLine(c standardCase, aspect, there, here, why string) string {
	quoted := func(s string) string {
		if aspect == "role" {
			return "role " + s
		}
		return fmt.Sprintf("%s \"%s\"", aspect, escaper.Replace(squeezeASCII(s)))
	}
	line := fmt.Sprintf("| %s | %s | %s | %s | %s |", c.standard, c.source, escaper.Replace(c.title), quoted(there),
		quoted(here))
	if why != "" {
		line += " " + why + " |"
	}
	return line + "\n"
}

// squeezeASCII collapses the white space that a flat string does not keep.
func squeezeASCII(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" \t\n\f\r", r) }), " ")
}

// spellings are the roles of ARIA that Chrome's tree, and skua's with it, spell otherwise.
var spellings = map[string]string{
	"image": "img", "presentation": "none", "SvgRoot": "graphics-document", "MathMLMath": "math",
}

// isAsked reports whether what is said is what a standard wants. "-" stands for no corresponding role: for that, Chrome
// has roles of its own, which begin with a capital.
func isAsked(aspect, wanted, said string) bool {
	if aspect != "role" {
		return wanted == said
	}
	if other, ok := spellings[said]; ok {
		said = other
	}
	meaningless := said == "" || said == "generic" || said == "none"
	switch wanted {
	case "-":
		return meaningless || (said[0] <= 'Z' && !strings.HasPrefix(said, "LayoutTable"))
	case "generic", "none":
		return meaningless
	}
	return said == wanted
}

// said is what skua says of the element #test: its line in a snapshot, or how actions know it.
func (p *testPage) said(t *testing.T) map[string]string {
	t.Helper()
	found := p.result(t, "read", object{"target": object{"css": "#test"}, "what": "checkedState"})
	said := map[string]string{"role": found["role"].(string), "name": found["name"].(string), "description": ""}
	nodes := p.walk(t, object{"scope": object{"css": "#test"}})
	if len(nodes) == 0 { // an area of an image is drawn with that, and has no scope of its own
		nodes = slices.DeleteFunc(p.walk(t, object{}), func(n ours) bool { return n.name != said["name"] })
	}
	if len(nodes) == 0 || nodes[0].role != said["role"] {
		return said
	}
	said["name"], said["description"] = nodes[0].name, nodes[0].keys["description"]
	if exact, ok := nodes[0].keys["exact"]; ok {
		said["name"] = exact
	}
	return said
}

// chromeSays is what Chrome's accessibility tree says of the element #test.
func (p *testPage) chromeSays(t *testing.T) map[string]string {
	t.Helper()
	var found struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	call(t, p.sess, "Runtime.evaluate", object{"expression": findTest, "contextId": p.world}, &found)
	require.NotEmpty(t, found.Result.ObjectID, "there is no element #test")
	var res struct {
		Nodes []struct {
			Ignored     bool    `json:"ignored"`
			Role        axValue `json:"role"`
			Name        axValue `json:"name"`
			Description axValue `json:"description"`
		} `json:"nodes"`
	}
	call(t, p.sess, "Accessibility.getPartialAXTree", object{"objectId": found.Result.ObjectID, "fetchRelatives": false},
		&res)
	require.NotEmpty(t, res.Nodes)
	node := res.Nodes[0]
	text := func(v axValue) string {
		s, _ := v.Value.(string)
		return s
	}
	role := text(node.Role)
	if node.Ignored {
		role = "none"
	}
	return map[string]string{"role": role, "name": text(node.Name), "description": text(node.Description)}
}
