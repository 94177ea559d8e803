package forms_test

import (
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// The tests of this file type into the real editors and frameworks, which scripts/editors fetches and bundles, and read
// the editor's own model. In CI that must be possible (SKUA_TEST_EDITORS=1); elsewhere they are skipped where it is
// not.

// editorBundles returns the folder of the site that has the bundles.
var editorBundles = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("../../scripts/editors")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("scripts/editors: %w: %s", err, said.String())
	}
	files := http.FileServer(http.Dir(strings.TrimSpace(string(out))))
	return site.Answering(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("rest")
		if page, ok := strings.CutSuffix(name, ".html"); ok {
			sessiontest.WritePage(w, editorPage(page))
			return
		}
		r.URL.Path = "/" + name
		files.ServeHTTP(w, r)
	}), nil
})

// editorPage is a page with one editor between two fields.
func editorPage(name string) string {
	style := ""
	if name == "monaco" {
		style = "<link rel=stylesheet href=monaco.css>"
	}
	return `<!doctype html><html lang=en><meta charset=utf-8><title>` + name + `</title>` + style +
		`<script>log = []</script>
<label>Before <input id=before></label><div id=editor></div><label>After <input id=after></label><script src=` + name +
		`.js></script>`
}

// editing makes a caller that has opened an editor; name may have a query.
func editing(t testing.TB, name string) *sessiontest.Client {
	t.Helper()
	if testing.Short() {
		t.Skip("deep tier: the real editors come from npm")
	}
	folder := sessiontest.FromNPM(t, editorBundles)
	page, query, _ := strings.Cut(name, "?")
	c := host.Opened(t, folder+page+".html?"+query)
	c.Do("wait", "--fn",
		"!!(window.model ?? window.state) && !!document.querySelector('#editor input, #editor textarea, [contenteditable], "+
			".native-edit-context')")
	return c
}

// richEditors are the editors with what each is aimed at.
var richEditors = []struct{ name, selector string }{
	{"prosemirror", ".ProseMirror"},
	{"lexical", "#editor"},
	{"lexical?plain", "#editor"},
	{"codemirror", ".cm-content"},
	{"monaco?textarea", `[aria-label^="Code"]`},
	{"monaco?context", `[aria-label^="Code"]`},
	{"slate", "[data-slate-editor]"},
	{"draft", ".public-DraftEditor-content"},
	{"quill", ".ql-editor"},
	{"tiptap", ".tiptap"},
}

func forEachEditor(t *testing.T, test func(t *testing.T, c *sessiontest.Client, selector string)) {
	for _, tt := range richEditors {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			test(t, editing(t, tt.name), tt.selector)
		})
	}
}

func model(c *sessiontest.Client) string {
	c.T.Helper()
	return c.Page("model()").(string)
}

func TestEditorsFill(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *sessiontest.Client, selector string) {
		for _, text := range []string{"One line", "Another", "two\nlines", "世界 👩‍👩‍👧 é", "x", "", "again"} {
			reply := c.Do("fill", selector, text)
			require.Equal(t, text, model(c))
			require.Empty(t, sessiontest.Notes(reply))
		}
	})
}

func TestEditorsType(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *sessiontest.Client, selector string) {
		c.Do("fill", selector, "One")
		c.Do("type", selector, " two")
		require.Equal(t, "One two", model(c))
		c.Do("type", selector, "\nthree")
		require.Equal(t, "One two\nthree", model(c))
		c.Do("type", selector, "new", "--clear")
		require.Equal(t, "new", model(c))
	})
}

func TestEditorsKeys(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *sessiontest.Client, selector string) {
		c.Do("fill", selector, "One two three")
		c.Do("focus", selector)
		c.Do("press", "Control+a")
		c.Do("keyboard", "type", "four five")
		require.Equal(t, "four five", model(c))
		c.Do("press", "Control+ArrowLeft")
		c.Do("press", "Control+Backspace")
		require.Equal(t, "five", strings.TrimSpace(model(c)))
		c.Do("press", "End")
		c.Do("press", "Enter")
		c.Do("keyboard", "inserttext", "六")
		require.Equal(t, "five\n六", strings.TrimSpace(model(c)))
	})
}

// Code that editors would indent and close brackets in, if it were typed.
func TestEditorsFillCode(t *testing.T) {
	t.Parallel()
	code := "function hello(name) {\n  if (name) {\n    return `Hello, ${name}!`;\n  }\n}\n\nhello('you');"
	for _, tt := range richEditors {
		if !strings.HasPrefix(tt.name, "codemirror") && !strings.HasPrefix(tt.name, "monaco") {
			continue
		}
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := editing(t, tt.name)
			require.Empty(t, sessiontest.Notes(c.Do("fill", tt.selector, code)))
			require.Equal(t, code, model(c))
			c.Do("press", "Control+z")
			require.Contains(t, model(c), "let line1", "it is one edit")
		})
	}
}

// Long documents, of which the page has a part only.
func TestEditorsFillLongDocuments(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 200 {
		lines = append(lines, fmt.Sprintf("item %d", i))
	}
	long := strings.Join(lines, "\n")
	for _, tt := range []struct{ name, selector string }{
		{"codemirror?lines=800", ".cm-content"},
		{"monaco?textarea&lines=800", `[aria-label^="Code"]`},
		{"monaco?context&lines=800", `[aria-label^="Code"]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			c := editing(t, tt.name)
			c.Do("fill", tt.selector, "short")
			require.Equal(t, "short", model(c))
			c.Do("fill", tt.selector, long)
			require.Equal(t, long, model(c))
			c.Do("type", tt.selector, "\nend")
			require.Equal(t, long+"\nend", model(c))
			c.Do("fill", tt.selector)
			require.Empty(t, model(c))
		})
	}
}

// By what a snapshot shows of them, and by the box around them.
func TestEditorsByOtherSelectors(t *testing.T) {
	t.Parallel()
	for name, selector := range map[string]string{
		"prosemirror": "role=textbox[name=Body]", "codemirror": ".cm-editor", "quill": "#editor",
		"slate": "role=textbox[name=Body]", "monaco?textarea": ".monaco-editor",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := editing(t, name)
			c.Do("fill", selector, "found")
			require.Equal(t, "found", model(c))
		})
	}
}

// Fields whose state a framework holds.
func TestFrameworkFields(t *testing.T) {
	t.Parallel()
	state := func(c *sessiontest.Client, field string) any {
		return c.Page("state()[" + fmt.Sprintf("%q", field) + "]")
	}
	t.Run("react", func(t *testing.T) {
		t.Parallel()
		c := editing(t, "react")
		for _, tt := range []struct{ field, text, want, note string }{
			{"name", "after", "after", ""},
			{"phone", "5551234567", "(555) 123-4567", `the field shows it as "(555) 123-4567"`},
			{"upper", "abc", "ABC", `the field shows it as "ABC"`},
			{"digits", "123", "123", ""},
			{"date", "2026-02-28", "2026-02-28", ""},
			{"notes", "one\ntwo", "one\ntwo", ""},
			{"swap", "replaced", "replaced", ""},
			{"name", "", "", ""},
		} {
			require.Equal(t, tt.note, sessiontest.Notes(c.Do("fill", "#"+tt.field, tt.text)), tt.field)
			require.Equal(t, tt.want, state(c, tt.field))
			require.Equal(t, tt.want, c.Page(content("#"+tt.field)))
		}
		require.Contains(t, c.Fails(fault.ValueNotKept, "fill", "#digits", "12x").Error(), `it now holds "123"`)
		require.Contains(t, c.Fails(fault.ValueNotKept, "fill", "#never", "yours").Error(), `it now holds "mine"`)
		c.Do("fill", "#swap")
		c.Do("type", "#swap", "typed")
		require.Equal(t, "typed", state(c, "swap"))
		c.Do("type", "#name", "typed\n")
		require.Equal(t, "typed", state(c, "name"))
		require.Equal(t, "submit", c.Page("log.at(-1)"))
	})
	t.Run("vue", func(t *testing.T) {
		t.Parallel()
		c := editing(t, "vue")
		c.Do("fill", "#eager", "now")
		require.Equal(t, "now", state(c, "eager"))
		c.Do("fill", "#lazy", "later")
		require.Empty(t, state(c, "lazy"), "as for a person, it is committed when the field is left")
		c.Do("press", "Tab")
		require.Equal(t, "later", state(c, "lazy"))
		c.Do("fill", "#number", "12.5")
		require.EqualValues(t, 12.5, state(c, "number"))
		c.Do("type", "#trimmed", "  text  ")
		require.Equal(t, "text", state(c, "trimmed"))
		c.Do("fill", "#notes", "one\ntwo")
		require.Equal(t, "one\ntwo", state(c, "notes"))
	})
}

func TestEditorsPaste(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *sessiontest.Client, selector string) {
		clipboardUse.Lock()
		defer clipboardUse.Unlock()
		c.Do("clipboard", "write", "pasted\nlines")
		c.Do("focus", selector)
		c.Do("press", "Control+a")
		c.Do("clipboard", "paste")
		require.Equal(t, "pasted\nlines", strings.TrimRight(model(c), "\n"))
		c.Do("press", "Control+a")
		c.Do("clipboard", "copy")
		require.Contains(t, c.Do("clipboard", "read").Result.Text, "pasted")
	})
}

// Editors of rich text make the body of a frame editable.
func TestTheBodyOfAFrameIsAnEditor(t *testing.T) {
	t.Parallel()
	c := host.Showing(t,
		`<!doctype html><iframe title=Post srcdoc="<body contenteditable=true aria-label='Rich text'><p>Hello</p></body>"></iframe>`)
	require.Contains(t, c.Do("snapshot", "-i").Result.Text, `editable "Rich text"`)
	c.Do("fill", c.Ref(`generic "Rich text"`), "Bye")
	require.Equal(t, "Bye", c.Page("frames[0].document.body.innerText"))
}
