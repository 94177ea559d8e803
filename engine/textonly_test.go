package engine_test

import (
	"context"
	"maps"
	"net/http"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/interception"
)

// picturesSite has a page with a picture, a font and a video, and notes what is asked for.
func picturesSite(t *testing.T) (*site, func() map[string]int) {
	t.Helper()
	var mu sync.Mutex
	asked := map[string]int{}
	s := newSite(t, map[string]string{
		"/": `<title>Pictures</title><style>@font-face { font-family: F; src: url(/font.woff2) } p { font-family: F } i { background: url(/ground.gif) }</style>
			<p>Text</p><i>x</i><img id=one src=/one.svg><img id=cross crossorigin src=/cross.svg><video src=/video.mp4 autoplay></video>
			<script src=/script.js></script><iframe src=/frame></iframe>`,
		"/frame": `<img src=/inner.svg onload="document.body.append('inner came')">`,
	})
	count := func(path, kind, body string) {
		s.Handle(path, func(w http.ResponseWriter, _ *http.Request) {
			mu.Lock()
			asked[path]++
			mu.Unlock()
			w.Header().Set("Content-Type", kind)
			w.Header().Set("Cache-Control", "max-age=600")
			w.Header().Set("Access-Control-Allow-Origin", "*")
			_, _ = w.Write([]byte(body))
		})
	}
	for _, path := range []string{"/one.svg", "/cross.svg", "/inner.svg"} {
		count(path, "image/svg+xml", `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"></svg>`)
	}
	count("/ground.gif", "image/gif", "")
	count("/font.woff2", "font/woff2", "")
	count("/video.mp4", "video/mp4", "")
	count("/script.js", "text/javascript", "document.title = 'Ran'")
	return s, func() map[string]int {
		mu.Lock()
		defer mu.Unlock()
		return maps.Clone(asked)
	}
}

// A text-only page asks for no pictures, fonts and videos, and for all the rest; its pictures have boxes and tell that
// they came.
func TestTextOnlyPageLeavesPicturesOut(t *testing.T) {
	t.Parallel()
	s, asked := picturesSite(t)
	c := newContext(t)
	p, err := c.NewTextOnlyPage(timed(t, limit))
	require.NoError(t, err)
	_, err = p.Load(timed(t, limit), s.URL+"/", engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"/script.js": 1}, asked())
	require.Equal(t, `"Ran"`, eval(t, p, "document.title"))
	require.Equal(t, "[1,1]", eval(t, p, "[one.naturalWidth, cross.naturalWidth]"))
	require.Equal(t, `"inner came"`, eval(t, p, "frames[0].document.body.innerText.trim()"))

	// An ordinary page of the site, which shares its process, has the real ones.
	q := pageIn(t, c)
	open(t, q, s.URL+"/")
	require.Equal(t, "[40,40]", eval(t, q, "[one.naturalWidth, cross.naturalWidth]"))

	incomplete, err := engine.LoadEverything(timed(t, limit), p)
	require.NoError(t, err)
	require.True(t, incomplete)
	_, err = p.Reload(timed(t, limit), engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, "[40,40]", eval(t, p, "[one.naturalWidth, cross.naturalWidth]"))
	incomplete, err = engine.LoadEverything(timed(t, limit), p)
	require.NoError(t, err)
	require.False(t, incomplete)
}

// What a context is told about requests holds in its text-only pages, too, and what they leave out stays out when that
// ends.
func TestTextOnlyPageKeepsRoutesAndRules(t *testing.T) {
	t.Parallel()
	s, asked := picturesSite(t)
	c := newContext(t)
	var refused []string
	var mu sync.Mutex
	allowed := func(string) error { return nil }
	require.NoError(t,
		c.Gate(timed(t, limit), &interception.Rules{Navigable: allowed, Loadable: func(address string) error {
			if address == s.URL+"/one.svg" || address == s.URL+"/script.js" {
				return context.Canceled
			}
			return nil
		}, Refused: func(address string, _ error, _ bool) {
			mu.Lock()
			defer mu.Unlock()
			refused = append(refused, address)
		}}))
	p, err := c.NewTextOnlyPage(timed(t, limit))
	require.NoError(t, err)
	_, err = p.Load(timed(t, limit), s.URL+"/", engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, `"Pictures"`, eval(t, p, "document.title"), "the script is refused")
	mu.Lock()
	require.Contains(t, refused, s.URL+"/one.svg")
	require.Contains(t, refused, s.URL+"/script.js")
	mu.Unlock()
	require.Empty(t, asked())

	d := newContext(t)
	p, err = d.NewTextOnlyPage(timed(t, limit))
	require.NoError(t, err)
	_, err = d.Requests(p).Route(timed(t, limit),
		interception.Route{
			Pattern: "**/script.js",
			Fulfill: &interception.Answer{Status: 200, Body: []byte("document.title = 'Routed'")},
		},
		interception.RouteLimits{Count: 10, Bytes: 1 << 20})
	require.NoError(t, err)
	_, err = p.Load(timed(t, limit), s.URL+"/", engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, `"Routed"`, eval(t, p, "document.title"))
	_, err = d.Requests(p).Unroute(timed(t, limit), "")
	require.NoError(t, err)
	_, err = p.Load(timed(t, limit), s.URL+"/?again", engine.WaitLoad)
	require.NoError(t, err)
	require.Equal(t, `"Ran"`, eval(t, p, "document.title"))
	require.Equal(t, map[string]int{"/script.js": 1}, asked())
}
