package perceive_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/perceive"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/snapshot"
)

// The tests of this package share one real browser; each has a context of its own.

var (
	browser *engine.Browser
	site    *httptest.Server
	written sync.Map // pages that tests wrote, by path
)

func TestMain(m *testing.M) { os.Exit(withBrowser(m.Run)) }

func withBrowser(run func() int) int {
	b, err := engine.Launch(context.Background(), chrome.Options{Headless: true})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() {
		if err := b.Close(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
		}
	}()
	browser = b
	files := http.FileServer(http.Dir("../../testdata/pages"))
	site = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if page, ok := written.Load(r.URL.Path); ok {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			// a browser that closes the connection early is fine
			_, _ = fmt.Fprint(w, strings.ReplaceAll(page.(string), "OTHER", elsewhere()))
			return
		}
		if name, ok := strings.CutPrefix(r.URL.Path, "/frames/"); ok {
			body, err := os.ReadFile("../../testdata/pages/" + name)
			if err != nil {
				http.NotFound(w, r)
				return
			}
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = fmt.Fprint(w, strings.ReplaceAll(string(body), "OTHER", elsewhere()), sameFont)
			return
		}
		files.ServeHTTP(w, r)
	}))
	defer site.Close()
	return run()
}

// sameFont gives a page a font of its own, so that what is above its fold does not depend on the fonts of the machine.
var sameFont = "<style>@font-face { font-family: Same; src: url(data:font/ttf;base64," +
	base64.StdEncoding.EncodeToString(goregular.TTF) +
	") } * { font-family: Same !important }</style>"

// elsewhere is the site by another name, which is another site to the browser.
func elsewhere() string { return strings.Replace(site.URL, "127.0.0.1", "localhost", 1) }

// limit bounds what a test waits for, so that a hang names its place.
const limit = 90 * time.Second

// visitor is a tab that a test reads.
type visitor struct {
	t      testing.TB
	page   *engine.Page
	refs   *snapshot.Refs
	memory *perceive.Cache
}

// visit opens a page of the site.
func visit(t testing.TB, path string) *visitor {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	private, err := browser.NewContext(ctx, engine.ContextOptions{Width: 1000, Height: 700})
	require.NoError(t, err)
	t.Cleanup(func() { _ = private.Close(context.Background()) })
	page, err := private.NewPage(ctx)
	require.NoError(t, err)
	_, err = page.Navigate(ctx, site.URL+path, engine.WaitLoad)
	require.NoError(t, err)
	_, err = page.Evaluate(ctx, "document.fonts.ready.then(() => 0)")
	require.NoError(t, err)
	return &visitor{t: t, page: page, refs: snapshot.NewRefs(), memory: &perceive.Cache{}}
}

// show opens a page with this content.
func show(t testing.TB, html string) *visitor {
	t.Helper()
	path := "/written/" + strings.NewReplacer("/", "-", " ", "-", "#", "-").Replace(t.Name())
	if !strings.HasPrefix(html, "<!doctype") {
		html = "<!doctype html><html lang=en><meta charset=utf-8><title>Test</title>" + html
	}
	written.Store(path, html)
	return visit(t, path)
}

// read reads the page.
func (v *visitor) read() *perceive.Page { return v.readWith(perceive.Options{}) }

func (v *visitor) readWith(o perceive.Options) *perceive.Page {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), limit)
	defer cancel()
	page, err := perceive.Read(ctx, v.memory, "t1", v.page.Main(), v.refs, o)
	require.NoError(v.t, err)
	return page
}

func (v *visitor) summary() *pcd.Summary {
	v.t.Helper()
	return v.read().Summary
}

// eval runs a script in the page.
func (v *visitor) eval(script string) {
	v.t.Helper()
	ctx, cancel := context.WithTimeout(v.t.Context(), limit)
	defer cancel()
	_, err := v.page.Evaluate(ctx, script)
	require.NoError(v.t, err)
}
