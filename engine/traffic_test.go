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
	s.pages["/frame"] = "<script>fetch('/from-frame')</script>"
	traffic := p.WatchTraffic()
	defer traffic.Close()
	eval(t, p, "void fetch('/missing', {method: 'POST'})")
	eval(t, p, fmt.Sprintf("void document.body.append(Object.assign(document.createElement('iframe'), {src: '%s/frame'}))", s.at("other")))
	var seen []engine.Request
	require.NoError(t, traffic.Await(timed(t, limit), "the requests", func(all []engine.Request) bool {
		seen = slices.Clone(all)
		return len(all) >= 3 && !slices.ContainsFunc(all, func(r engine.Request) bool { return !r.Ended })
	}))
	find := func(url string) engine.Request {
		i := slices.IndexFunc(seen, func(r engine.Request) bool { return r.URL == url })
		require.GreaterOrEqual(t, i, 0, "%s in %v", url, seen)
		return seen[i]
	}
	missing := find(s.URL + "/missing")
	require.Equal(t, "POST", missing.Method)
	require.Equal(t, 404, missing.Status)
	require.True(t, missing.Begun)
	require.Equal(t, "Document", find(s.at("other")+"/frame").Type)
	require.Equal(t, "Fetch", find(s.at("other")+"/from-frame").Type, "of a frame in another process")
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
