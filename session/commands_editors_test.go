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
)

// The tests of this file type into the real editors and frameworks, which scripts/editors fetches and bundles, and read the editor's own
// model. In CI that must be possible (SKUA_TEST_EDITORS=1); elsewhere they are skipped where it is not.

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
	folder, err := editorBundles()
	if err != nil {
		if os.Getenv("SKUA_TEST_EDITORS") != "" {
			require.NoError(t, err)
		}
		t.Skipf("the real editors are not here: %v", err)
	}
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
