package session_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// The tests of this file type into the real editors and frameworks, which scripts/editors fetches and bundles, and read the editor's own
// model. In CI that must be possible (SKUA_TEST_EDITORS=1); elsewhere they are skipped where it is not.

// fromNPM returns what is fetched from npm. Where that is not possible the test is skipped, but not in CI.
func fromNPM(t testing.TB, fetched func() (string, error)) string {
	t.Helper()
	path, err := fetched()
	if err != nil && os.Getenv("SKUA_TEST_EDITORS") == "" {
		t.Skipf("npm does not have it here, and this is not CI (SKUA_TEST_EDITORS): %v", err)
	}
	require.NoError(t, err)
	return path
}

// editorBundles returns the folder of the site that has the bundles.
var editorBundles = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("../scripts/editors")
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("scripts/editors: %w: %s", err, said.String())
	}
	files := http.FileServer(http.Dir(strings.TrimSpace(string(out))))
	return site.answering(func(w http.ResponseWriter, r *http.Request) {
		name := r.PathValue("rest")
		if page, ok := strings.CutSuffix(name, ".html"); ok {
			writePage(w, editorPage(page))
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
	return `<!doctype html><html lang=en><meta charset=utf-8><title>` + name + `</title>` + style + `<script>log = []</script>
<label>Before <input id=before></label><div id=editor></div><label>After <input id=after></label><script src=` + name + `.js></script>`
}

// editing makes a caller that has opened an editor; name may have a query.
func editing(t testing.TB, name string) *client {
	t.Helper()
	if testing.Short() {
		t.Skip("deep tier: the real editors come from npm")
	}
	folder := fromNPM(t, editorBundles)
	page, query, _ := strings.Cut(name, "?")
	c := opened(t, folder+page+".html?"+query)
	c.do("wait", "--fn", "!!(window.model ?? window.state) && !!document.querySelector('#editor input, #editor textarea, [contenteditable], .native-edit-context')")
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

func forEachEditor(t *testing.T, test func(t *testing.T, c *client, selector string)) {
	for _, tt := range richEditors {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			test(t, editing(t, tt.name), tt.selector)
		})
	}
}

func (c *client) model() string {
	c.t.Helper()
	return c.page("model()").(string)
}

func TestEditorsFill(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *client, selector string) {
		for _, text := range []string{"One line", "Another", "two\nlines", "世界 👩‍👩‍👧 é", "x", "", "again"} {
			reply := c.do("fill", selector, text)
			require.Equal(t, text, c.model())
			require.Empty(t, notes(reply))
		}
	})
}

func TestEditorsType(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *client, selector string) {
		c.do("fill", selector, "One")
		c.do("type", selector, " two")
		require.Equal(t, "One two", c.model())
		c.do("type", selector, "\nthree")
		require.Equal(t, "One two\nthree", c.model())
		c.do("type", selector, "new", "--clear")
		require.Equal(t, "new", c.model())
	})
}

func TestEditorsKeys(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *client, selector string) {
		c.do("fill", selector, "One two three")
		c.do("focus", selector)
		c.do("press", "Control+a")
		c.do("keyboard", "type", "four five")
		require.Equal(t, "four five", c.model())
		c.do("press", "Control+ArrowLeft")
		c.do("press", "Control+Backspace")
		require.Equal(t, "five", strings.TrimSpace(c.model()))
		c.do("press", "End")
		c.do("press", "Enter")
		c.do("keyboard", "inserttext", "六")
		require.Equal(t, "five\n六", strings.TrimSpace(c.model()))
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
			require.Empty(t, notes(c.do("fill", tt.selector, code)))
			require.Equal(t, code, c.model())
			c.do("press", "Control+z")
			require.Contains(t, c.model(), "let line1", "it is one edit")
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
			c.do("fill", tt.selector, "short")
			require.Equal(t, "short", c.model())
			c.do("fill", tt.selector, long)
			require.Equal(t, long, c.model())
			c.do("type", tt.selector, "\nend")
			require.Equal(t, long+"\nend", c.model())
			c.do("fill", tt.selector)
			require.Empty(t, c.model())
		})
	}
}

// By what a snapshot shows of them, and by the box around them.
func TestEditorsByOtherSelectors(t *testing.T) {
	t.Parallel()
	for name, selector := range map[string]string{
		"prosemirror": "role=textbox[name=Body]", "codemirror": ".cm-editor", "quill": "#editor", "slate": "role=textbox[name=Body]", "monaco?textarea": ".monaco-editor",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := editing(t, name)
			c.do("fill", selector, "found")
			require.Equal(t, "found", c.model())
		})
	}
}

// Fields whose state a framework holds.
func TestFrameworkFields(t *testing.T) {
	t.Parallel()
	state := func(c *client, field string) any { return c.page("state()[" + fmt.Sprintf("%q", field) + "]") }
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
			require.Equal(t, tt.note, notes(c.do("fill", "#"+tt.field, tt.text)), tt.field)
			require.Equal(t, tt.want, state(c, tt.field))
			require.Equal(t, tt.want, c.page(content("#"+tt.field)))
		}
		require.Contains(t, c.fails(fault.ValueNotKept, "fill", "#digits", "12x").Error(), `it now holds "123"`)
		require.Contains(t, c.fails(fault.ValueNotKept, "fill", "#never", "yours").Error(), `it now holds "mine"`)
		c.do("fill", "#swap")
		c.do("type", "#swap", "typed")
		require.Equal(t, "typed", state(c, "swap"))
		c.do("type", "#name", "typed\n")
		require.Equal(t, "typed", state(c, "name"))
		require.Equal(t, "submit", c.page("log.at(-1)"))
	})
	t.Run("vue", func(t *testing.T) {
		t.Parallel()
		c := editing(t, "vue")
		c.do("fill", "#eager", "now")
		require.Equal(t, "now", state(c, "eager"))
		c.do("fill", "#lazy", "later")
		require.Empty(t, state(c, "lazy"), "as for a person, it is committed when the field is left")
		c.do("press", "Tab")
		require.Equal(t, "later", state(c, "lazy"))
		c.do("fill", "#number", "12.5")
		require.EqualValues(t, 12.5, state(c, "number"))
		c.do("type", "#trimmed", "  text  ")
		require.Equal(t, "text", state(c, "trimmed"))
		c.do("fill", "#notes", "one\ntwo")
		require.Equal(t, "one\ntwo", state(c, "notes"))
	})
}

func TestEditorsPaste(t *testing.T) {
	t.Parallel()
	forEachEditor(t, func(t *testing.T, c *client, selector string) {
		clipboardUse.Lock()
		defer clipboardUse.Unlock()
		c.do("clipboard", "write", "pasted\nlines")
		c.do("focus", selector)
		c.do("press", "Control+a")
		c.do("clipboard", "paste")
		require.Equal(t, "pasted\nlines", strings.TrimRight(c.model(), "\n"))
		c.do("press", "Control+a")
		c.do("clipboard", "copy")
		require.Contains(t, c.do("clipboard", "read").Result.Text, "pasted")
	})
}

// Editors of rich text make the body of a frame editable.
func TestTheBodyOfAFrameIsAnEditor(t *testing.T) {
	t.Parallel()
	c := showing(t, `<!doctype html><iframe title=Post srcdoc="<body contenteditable=true aria-label='Rich text'><p>Hello</p></body>"></iframe>`)
	require.Contains(t, c.do("snapshot", "-i").Result.Text, `editable "Rich text"`)
	c.do("fill", c.ref(`generic "Rich text"`), "Bye")
	require.Equal(t, "Bye", c.page("frames[0].document.body.innerText"))
}
