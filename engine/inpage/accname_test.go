package inpage_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"
)

// nameCase is one case of the name computation: a document with one element #test, and what that is called.
type nameCase struct {
	clause, title string
	html          string
	// What the specification says. A nil description is not looked at.
	name        string
	description *string
	// What Chrome says where it departs from that. skua follows Chrome.
	chrome, chromeDescription *string
	// Why skua does not follow Chrome there.
	own string
}

// nameCases reads the cases of a file in testdata/accname. Each is headed by its clause and title; `key: value` lines
// come before or after the document.
func nameCases(t testing.TB, path string) []nameCase {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	require.NoError(t, err)
	var cases []nameCase
	for _, file := range archive.Files {
		clause, title, ok := strings.Cut(file.Name, " | ")
		require.True(t, ok, "the case %q names no clause", file.Name)
		c := nameCase{clause: clause, title: title}
		var html []string
		for line := range strings.SplitSeq(strings.TrimSuffix(string(file.Data), "\n"), "\n") {
			key, value, found := strings.Cut(line, ":")
			value = strings.TrimSpace(value)
			switch {
			case found && key == "name":
				c.name = value
			case found && key == "description":
				c.description = &value
			case found && key == "chrome":
				c.chrome = &value
			case found && key == "chrome description":
				c.chromeDescription = &value
			case found && key == "own":
				c.own = value
			default:
				html = append(html, line)
			}
		}
		c.html = strings.Join(html, "\n")
		require.Contains(t, c.html, "id=test", "case %q", file.Name)
		cases = append(cases, c)
	}
	return cases
}

// TestNames checks the names and descriptions of the specifications' examples against the walk and against Chrome's own
// computation.
func TestNames(t *testing.T) {
	files, err := filepath.Glob("testdata/accname/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			cases := nameCases(t, path)
			p := newPage(t, "")
			for _, c := range cases {
				t.Run(c.clause+" "+c.title, func(t *testing.T) { c.check(t, p) })
			}
		})
	}
}

func (c *nameCase) check(t *testing.T, p *testPage) {
	call(t, p.sess, "Page.setDocumentContent",
		object{"frameId": p.frame, "html": "<!doctype html><title>Case</title>" + c.html}, nil)
	p.install(t)
	want := c.name
	if c.chrome != nil {
		want = *c.chrome
	}
	chrome, chromeDescription := p.chromeName(t)
	if c.own == "" && chrome != want {
		t.Errorf("Chrome's name is %q, the specification's %q, the case says %q\n%s", chrome, c.name, want, c.html)
	}
	if c.chrome != nil {
		t.Logf("Chrome departs from %s: %q in place of %q", c.clause, *c.chrome, c.name)
	}
	found := p.result(t, "read", object{"target": object{"css": "#test"}, "what": "checkedState"})
	if found["name"] != want {
		t.Errorf("the name is %q, not %q (specification %q, Chrome %q)\n%s", found["name"], want, c.name, chrome, c.html)
	}
	nodes := p.walk(t, object{"scope": object{"css": "#test"}})
	if len(nodes) == 0 || nodes[0].role != found["role"] || nodes[0].depth != 0 {
		require.Nil(t, c.description, "the walk has no line for the element")
		return
	}
	if nodes[0].name != want {
		t.Errorf("the walk's name is %q, not %q\n%s", nodes[0].name, want, c.html)
	}
	c.checkDescription(t, nodes[0].keys["description"], chromeDescription)
}

func (c *nameCase) checkDescription(t *testing.T, description, chrome string) {
	if c.description == nil {
		if c.own == "" && description != chrome {
			t.Errorf("the description is %q, Chrome's %q\n%s", description, chrome, c.html)
		}
		return
	}
	want := *c.description
	if c.chromeDescription != nil {
		want = *c.chromeDescription
		t.Logf("Chrome departs from %s: %q in place of %q", c.clause, want, *c.description)
	}
	if c.own == "" && chrome != want {
		t.Errorf("Chrome's description is %q, the case says %q\n%s", chrome, want, c.html)
	}
	if description != want {
		t.Errorf("the description is %q, not %q\n%s", description, want, c.html)
	}
}

// chromeName is what Chrome computes for the element #test in the page or in its open shadow trees.
func (p *testPage) chromeName(t testing.TB) (name, description string) {
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
			Name        axValue `json:"name"`
			Description axValue `json:"description"`
		} `json:"nodes"`
	}
	call(t, p.sess, "Accessibility.getPartialAXTree", object{"objectId": found.Result.ObjectID, "fetchRelatives": false},
		&res)
	require.NotEmpty(t, res.Nodes)
	name, _ = res.Nodes[0].Name.Value.(string)
	description, _ = res.Nodes[0].Description.Value.(string)
	return squeeze(name), squeeze(description)
}

const findTest = `(function find(root) {
  let found = root.getElementById('test');
  for (const el of root.querySelectorAll('*')) if (!found && el.shadowRoot) found = find(el.shadowRoot);
  return found;
})(document)`
