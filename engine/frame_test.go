package engine_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/placement"
	"github.com/skua-browser/skua/internal/fault"
)

// frameURLs returns the addresses of a page's frames, the main frame first.
func frameURLs(t testing.TB, p *engine.Page) []string {
	t.Helper()
	frames := p.Frames().All(timed(t, limit))
	urls := make([]string, len(frames))
	for i, f := range frames {
		urls[i] = f.URL()
	}
	return urls
}

// frameAt returns the page's frame with this address.
func frameAt(t testing.TB, p *engine.Page, url string) *engine.Frame {
	t.Helper()
	frames := p.Frames().All(timed(t, limit))
	i := slices.IndexFunc(frames, func(f *engine.Frame) bool { return f.URL() == url })
	require.GreaterOrEqual(t, i, 0, "no frame shows %s: %v", url, frameURLs(t, p))
	return frames[i]
}

// textIn reads the text of an element in a frame.
func textIn(t testing.TB, f *engine.Frame, css string) string {
	t.Helper()
	var res struct {
		Value string         `json:"value"`
		Error map[string]any `json:"error"`
	}
	arg := map[string]any{"target": map[string]any{"css": css}, "what": "text", "patience": 5000}
	require.NoError(t, f.Call(timed(t, limit), "read", arg, &res))
	require.Empty(t, res.Error)
	return res.Value
}

func TestFrames(t *testing.T) {
	t.Parallel()
	leaf := "<h1>Leaf</h1>"
	for _, tc := range []struct {
		name  string
		html  string
		leaf  func(s *site) string // the address of the innermost frame
		depth int
	}{
		{"same process", `<iframe src="/leaf" name=inner></iframe>`, func(s *site) string { return s.URL + "/leaf" }, 1},
		{"another process", `<iframe src="{a}/leaf" name=inner></iframe>`, func(s *site) string {
			return s.At("a") + "/leaf"
		}, 1},
		{"same process, three deep", `<iframe src="/d1"></iframe>`, func(s *site) string { return s.URL + "/leaf" }, 3},
		{"a process each, three deep", `<iframe src="{a}/x1"></iframe>`, func(s *site) string {
			return s.At("c") + "/leaf"
		}, 3},
		{"there and back, three deep", `<iframe src="{a}/b1"></iframe>`, func(s *site) string {
			return s.At("a") + "/leaf"
		}, 3},
		{"sandboxed", `<iframe src="/leaf" sandbox="allow-scripts" name=inner></iframe>`, func(s *site) string {
			return s.URL + "/leaf"
		}, 1},
		{"sandboxed, without scripts", `<iframe src="/leaf" sandbox name=inner></iframe>`, func(s *site) string {
			return s.URL + "/leaf"
		}, 1},
		{"srcdoc", `<iframe srcdoc="<h1>Leaf</h1>" name=inner></iframe>`, func(*site) string { return "about:srcdoc" }, 1},
		{"sandboxed srcdoc", `<iframe srcdoc="<h1>Leaf</h1>" sandbox name=inner></iframe>`, func(*site) string {
			return "about:srcdoc"
		}, 1},
		{
			"frame that came later", `<script>const ready = new Promise(done => onload = () => {
				document.body.append(Object.assign(document.createElement("iframe"), {onload: () => done(0), src: "{a}/leaf"})) })</script>`,
			func(s *site) string { return s.At("a") + "/leaf" }, 1,
		},
		{"object", `<object data="/leaf" type="text/html"></object>`, func(s *site) string { return s.URL + "/leaf" }, 1},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]string{
				"/": "<title>Main</title>" + tc.html, "/leaf": leaf,
				"/d1": `<iframe src="/d2"></iframe>`, "/d2": `<iframe src="/leaf"></iframe>`,
				"/x1": `<iframe src="{b}/x2"></iframe>`, "/x2": `<iframe src="{c}/leaf"></iframe>`,
				"/b1": `<iframe src="{b}/b2"></iframe>`, "/b2": `<iframe src="{a}/leaf"></iframe>`,
			})
			p := newPage(t)
			open(t, p, s.URL+"/")
			eval(t, p, `typeof ready === "object" ? ready : 0`)
			f := frameAt(t, p, tc.leaf(s))
			require.Equal(t, "Leaf", textIn(t, f, "h1"))
			depth := 0
			for up := f; up.Parent() != nil; up = up.Parent() {
				depth++
				siblings, err := up.Parent().Children(timed(t, limit))
				require.NoError(t, err)
				require.Contains(t, siblings, up)
				require.Same(t, up, p.Frames().ByID(up.ID()))
			}
			require.Equal(t, tc.depth, depth)
			if tc.depth == 1 && f.Name() != "" {
				require.Equal(t, "inner", f.Name())
			}
			doc, err := f.Document(t.Context())
			require.NoError(t, err)
			mainDoc, err := p.Main().Document(t.Context())
			require.NoError(t, err)
			require.NotEqual(t, doc, mainDoc)
		})
	}
}

// A point of a frame is found in the page's viewport, through borders, padding and scrolling, whatever processes lie
// between.
func TestFrameToPage(t *testing.T) {
	t.Parallel()
	for _, inner := range []string{"/mid", "{a}/mid"} {
		t.Run(inner, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]string{
				"/": `<style>body { margin: 0 } iframe { position: absolute; left: 40px; top: 30px; width: 500px; height: 400px; border: 5px solid; padding: 2px }</style>
					<iframe src="` + inner +
					`"></iframe><div id=cover style="position: absolute; left: 0; top: 300px; width: 1000px; height: 10px"></div>`,
				"/mid":  `<style>body { margin: 0; height: 3000px } iframe { margin: 10px; border: 0; width: 300px; height: 300px }</style><iframe src="{b}/leaf"></iframe>`,
				"/leaf": "<h1>Leaf</h1>",
			})
			p := newPage(t)
			open(t, p, s.URL+"/")
			f := frameAt(t, p, s.At("b")+"/leaf")
			at, err := placement.InPage(timed(t, limit), f, engine.Point{X: 3, Y: 4})
			require.NoError(t, err)
			require.Equal(t, placement.Place{Point: engine.Point{X: 40 + 5 + 2 + 10 + 3, Y: 30 + 5 + 2 + 10 + 4}}, at)
			at, err = placement.InPage(timed(t, limit), f, engine.Point{X: 3, Y: 305 - 47})
			require.NoError(t, err)
			require.Contains(t, string(at.Covered.Facts), `"by":"div#cover"`)
		})
	}
}

// A frame keeps its id when it moves to another process and back; its document is another one each time.
func TestFrameChangesProcess(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": `<iframe src="/leaf?1"></iframe>`, "/leaf": "<h1>Leaf</h1>"})
	p := newPage(t)
	open(t, p, s.URL+"/")
	id, docs := "", map[string]bool{}
	for _, url := range []string{
		s.URL + "/leaf?1", s.At("a") + "/leaf?2", s.At("b") + "/leaf?3", s.URL + "/leaf?4",
		s.At("a") + "/leaf?5", s.At("a") + "/leaf?6",
	} {
		eval(t, p,
			fmt.Sprintf(
				`new Promise(done => { const f = document.querySelector("iframe"); f.onload = () => done(0); f.src = %q })`, url))
		f := frameAt(t, p, url)
		require.Equal(t, "Leaf", textIn(t, f, "h1"))
		if id == "" {
			id = f.ID()
		}
		require.Equal(t, id, f.ID())
		doc, err := f.Document(t.Context())
		require.NoError(t, err)
		require.False(t, docs[doc], doc)
		docs[doc] = true
		require.Equal(t, []string{s.URL + "/", url}, frameURLs(t, p))
	}
}

// Calls in a frame that is removed fail at once.
func TestFrameRemoved(t *testing.T) {
	t.Parallel()
	for _, src := range []string{"/leaf", "{a}/leaf"} {
		t.Run(src, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, map[string]string{"/": `<iframe src="` + src + `"></iframe>`, "/leaf": "<h1>Leaf</h1>"})
			p := newPage(t)
			open(t, p, s.URL+"/")
			frames := p.Frames().All(timed(t, limit))
			require.Len(t, frames, 2)
			f := frames[1]
			require.Equal(t, "Leaf", textIn(t, f, "h1"))

			waiting := make(chan error, 1)
			go func() { // ends with the frame
				arg := map[string]any{
					"target": map[string]any{"css": "#never"}, "state": "visible",
					"patience": limit.Milliseconds(),
				}
				waiting <- f.Call(timed(t, limit), "wait", arg, nil)
			}()
			require.Equal(t, "Leaf", textIn(t, f, "h1")) // behind the waiting call on the same session
			eval(t, p, `document.querySelector("iframe").remove()`)
			require.Error(t, receive(t, waiting))
			require.Equal(t, []string{s.URL + "/"}, frameURLs(t, p))
			err := f.Call(timed(t, limit), "info", nil, nil)
			require.Equal(t, fault.FrameGone, fault.CodeOf(err), "%v", err)
			_, err = f.Document(timed(t, limit))
			require.Equal(t, fault.FrameGone, fault.CodeOf(err), "%v", err)
			require.Nil(t, p.Frames().ByID(f.ID()))
		})
	}
}

// Frames that navigate all the time can be looked at all the time.
func TestFrameNavigatesMeanwhile(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/": `<iframe src="/leaf"></iframe><script>
			let n = 0;
			const hosts = ["", "{a}", "{b}"];
			onload = () => { const f = document.querySelector("iframe"); f.onload = () => { if (n++ < 30) f.src = hosts[n % 3] + "/leaf?" + n }; f.src = "/leaf?0" };
		</script>`,
		"/leaf": "<h1>Leaf</h1>",
	})
	p := newPage(t)
	open(t, p, s.URL+"/")
	for eval(t, p, "n > 30") != "true" {
		frames := p.Frames().All(timed(t, limit))
		for _, f := range frames[1:] {
			err := f.Call(timed(t, limit), "info", nil, nil)
			if err != nil && !engine.IsNavigated(err) && !fault.Is(err, fault.FrameGone) && !fault.Is(err, fault.PageGone) {
				require.NoError(t, err)
			}
		}
	}
	frames := p.Frames().All(timed(t, limit))
	require.Len(t, frames, 2)
	require.Equal(t, "Leaf", textIn(t, frames[1], "h1"))
}

func TestFrameServerSlow(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{"/": `<title>Main</title><iframe src="{a}/slow"></iframe>`})
	asked, openIt := s.Gate(t, "/slow", "text/html", "<h1>Leaf</h1>")
	p := newPage(t)
	_, err := p.Navigate(timed(t, limit), s.URL+"/", engine.WaitDOM)
	require.NoError(t, err)
	receive(t, asked)
	frames := p.Frames().All(timed(t, limit))
	require.Len(t, frames, 2)
	require.NoError(t, frames[1].Call(timed(t, limit), "info", nil, nil), "the empty document is there meanwhile")
	openIt()
	require.NoError(t, p.Loading().Await(timed(t, limit), engine.WaitLoad))
	require.Equal(t, "Leaf", textIn(t, frameAt(t, p, s.At("a")+"/slow"), "h1"))
}
