package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
)

func TestTraffic(t *testing.T) {
	t.Parallel()
	p, s := openHTML(t, "<h1>Main</h1>")
	s.Pages["/frame"] = "<h1>Frame</h1>"
	traffic := p.WatchTraffic()
	defer traffic.Close()
	await := func(url string) (found engine.Request) {
		t.Helper()
		var seen []engine.Request
		err := traffic.Await(timed(t, limit), "the request", func(all []engine.Request) bool {
			seen = slices.Clone(all)
			i := slices.IndexFunc(all, func(r engine.Request) bool { return r.URL == url })
			if i >= 0 {
				found = all[i]
			}
			return found.Ended
		})
		require.NoError(t, err, "%s in %+v", url, seen)
		return found
	}
	eval(t, p, "void fetch('/missing', {method: 'POST'})")
	missing := await(s.URL + "/missing")
	require.Equal(t, "POST", missing.Method)
	require.Equal(t, 404, missing.Status)
	require.True(t, missing.Begun)

	// A frame in another process. What it asks for while its session is on its way is not promised.
	eval(t, p, fmt.Sprintf("void document.body.append(Object.assign(document.createElement('iframe'), {src: '%s/frame'}))", s.At("other")))
	require.Equal(t, "Document", await(s.At("other")+"/frame").Type)
	frames, err := p.Main().Children(t.Context())
	require.NoError(t, err)
	require.Len(t, frames, 1)
	require.NoError(t, frames[0].RunScript(t.Context(), "() => void fetch('/from-frame')", nil, nil))
	require.Equal(t, "Fetch", await(s.At("other")+"/from-frame").Type)
}

// What is asked for right behind the start of the watching is seen.
func TestTrafficFromItsStart(t *testing.T) {
	t.Parallel()
	p, s := openHTML(t, "<h1>Main</h1>")
	for i := range 20 {
		traffic := p.WatchTraffic()
		eval(t, p, fmt.Sprintf("void fetch('/n%d')", i))
		require.Equal(t, []string{fmt.Sprintf("%s/n%d", s.URL, i)}, begun(traffic))
		traffic.Close()
		eval(t, p, "void fetch('/unwatched')")
		require.Len(t, begun(traffic), 1)
	}
}

// begun are the addresses of the requests that began while traffic was watched.
func begun(traffic *engine.Traffic) (urls []string) {
	for _, r := range traffic.Requests() {
		if r.Begun {
			urls = append(urls, r.URL)
		}
	}
	return urls
}

// BenchmarkTraffic is what watching costs an exchange with the page.
func BenchmarkTraffic(b *testing.B) {
	p, _ := openHTML(b, "<h1>Main</h1>")
	for _, watched := range []bool{false, true} {
		b.Run(fmt.Sprintf("watched=%v", watched), func(b *testing.B) {
			for b.Loop() {
				if watched {
					traffic := p.WatchTraffic()
					eval(b, p, "1")
					traffic.Close()
				} else {
					eval(b, p, "1")
				}
			}
		})
	}
}
