package inpage_test

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModulesEvaluateInOrder has the browser load the modules themselves, in the order in which the bundle has them.
// There a constant that is used before its module was evaluated is an error, while the bundle would go on with
// undefined. Modules import each other in circles, so that a new import can change the order of them all.
func TestModulesEvaluateInOrder(t *testing.T) {
	t.Parallel()
	require.Equal(t, "doc function", runWithModules(t, `
		globalThis.docID = 'doc';
		return import('/js/main.js').then(() => __skua.doc + ' ' + typeof __skua.ops.walk)`))
}

// TestWaitsLookLessOften counts the looks of a wait at a page in which nothing changes. There are 150 frames in that
// time.
func TestWaitsLookLessOften(t *testing.T) {
	t.Parallel()
	looks := runWithModules(t, `
		return import('/js/dom/until.js').then(async ({ until, fail }) => {
			let looks = 0;
			await until(2500, () => { looks++; return fail('nothing'); });
			return looks;
		})`)
	require.Less(t, looks, 75.0)
	noticed := runWithModules(t, `
		return import('/js/dom/until.js').then(async ({ until, fail }) => {
			let changed = false; // without a mutation or an event
			setTimeout(() => { changed = true; }, 1000);
			return until(60000, () => changed ? { changed } : fail('nothing'));
		})`)
	require.Equal(t, object{"changed": true}, noticed)
}

// runWithModules has a page run the body of a function, which may import the modules of the script, and returns what it
// resolves to, or what it throws.
func runWithModules(t *testing.T, body string) any {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/js/", http.FileServer(http.Dir(".")))
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<!doctype html><title>Modules</title>"))
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	p := newPage(t, "")
	call(t, p.sess, "Page.navigate", object{"url": server.URL}, nil)
	var res struct {
		Result struct {
			Value any `json:"value"`
		} `json:"result"`
	}
	call(t, p.sess, "Runtime.evaluate", object{
		"expression": `new Promise((done) => {
			const load = () => Promise.resolve((() => {` + body + `})()).then(done, (thrown) => done(String(thrown)));
			document.readyState === 'complete' ? load() : addEventListener('load', load);
		})`,
		"awaitPromise": true, "returnByValue": true,
	}, &res)
	return res.Result.Value
}

// moduleFolders are the folders of the in-page script; doc.go says what is in them.
var moduleFolders = []string{"dom", "ax", "find", "act", "walk", "offer"}

// TestFoldersImportDownwards holds the modules to the order of their folders.
func TestFoldersImportDownwards(t *testing.T) {
	t.Parallel()
	imported := regexp.MustCompile(`(?m)^(?:import|export)\b[^;]*?'(\.[^']+)';`)
	seen := 0
	require.NoError(t, fs.WalkDir(os.DirFS("js"), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || path.Ext(name) != ".js" || name == "main.js" {
			return err
		}
		own := slices.Index(moduleFolders, path.Dir(name))
		require.GreaterOrEqual(t, own, 0, "%s is in no folder of the script", name)
		text, err := os.ReadFile("js/" + name)
		for _, m := range imported.FindAllStringSubmatch(string(text), -1) {
			seen++
			from := path.Join(path.Dir(name), m[1])
			require.LessOrEqual(t, slices.Index(moduleFolders, path.Dir(from)), own, "%s imports %s, which is above it", name,
				from)
		}
		return err
	}))
	require.Greater(t, seen, 500, "imports were read")
}
