package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skua-browser/skua/engine/traffic"
	"github.com/stretchr/testify/require"
)

func TestTraffic(t *testing.T) {
	t.Parallel()
	p, s := openHTML(t, "<h1>Main</h1>")
	s.Pages["/frame"] = "<h1>Frame</h1>"
	heard := p.Traffic().Record()
	defer heard.Close()
	await := func(url string) (found traffic.Request) {
		t.Helper()
		var seen []traffic.Request
		err := heard.Await(timed(t, limit), "the request", func(all []traffic.Request) bool {
			seen = slices.Clone(all)
			i := slices.IndexFunc(all, func(r traffic.Request) bool { return r.URL == url })
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
	eval(t, p,
		fmt.Sprintf("void document.body.append(Object.assign(document.createElement('iframe'), {src: '%s/frame'}))",
			s.At("other")))
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
		heard := p.Traffic().Record()
		eval(t, p, fmt.Sprintf("void fetch('/n%d')", i))
		require.Equal(t, []string{fmt.Sprintf("%s/n%d", s.URL, i)}, begun(heard))
		heard.Close()
		eval(t, p, "void fetch('/unwatched')")
		require.Len(t, begun(heard), 1)
	}
}

// begun are the addresses of the requests that began while heard was watched.
func begun(heard *traffic.Recording) (urls []string) {
	for _, r := range heard.Requests() {
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
					heard := p.Traffic().Record()
					eval(b, p, "1")
					heard.Close()
				} else {
					eval(b, p, "1")
				}
			}
		})
	}
}
