package engine_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"io"
	"net"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/internal/fault"
)

// axButtons reads a frame's accessibility tree and returns the names of the buttons in it with their backend ids.
func axButtons(t testing.TB, f *engine.Frame) (names []string, ids []int64, doc string) {
	t.Helper()
	raw, doc, err := f.AXTree(timed(t, limit))
	require.NoError(t, err)
	var tree struct {
		Nodes []struct {
			Ignored bool
			Role    struct{ Value string }
			Name    struct{ Value string }
			Backend int64 `json:"backendDOMNodeId"`
		}
	}
	require.NoError(t, json.Unmarshal(raw, &tree))
	for _, n := range tree.Nodes {
		if !n.Ignored && n.Role.Value == "button" {
			names, ids = append(names, n.Name.Value), append(ids, n.Backend)
		}
	}
	return names, ids, doc
}

// tokenAt is the token of an element in a frame.
func tokenAt(t testing.TB, f *engine.Frame, css string) int64 {
	t.Helper()
	var token int64
	require.NoError(t, f.Call(timed(t, limit), "scope", map[string]any{"scope": map[string]any{"css": css}}, &token))
	return token
}

func TestAXTreeOfFrames(t *testing.T) {
	t.Parallel()
	s := newSite(t, map[string]string{
		"/":     `<button>Outer</button><iframe src="/same"></iframe><iframe src="{a}/other"></iframe>`,
		"/same": `<button>Same</button>`, "/other": `<button>Other</button>`,
	})
	p := newPage(t)
	open(t, p, s.URL+"/")
	for url, want := range map[string]string{
		s.URL + "/": "Outer", s.URL + "/same": "Same",
		s.At("a") + "/other": "Other",
	} {
		f := frameAt(t, p, url)
		names, ids, doc := axButtons(t, f)
		require.Equal(t, []string{want}, names, "each frame has its own tree")
		now, err := f.Document(timed(t, limit))
		require.NoError(t, err)
		require.Equal(t, now, doc)
		elements, err := f.Elements(timed(t, limit), doc, ids)
		require.NoError(t, err)
		require.Equal(t, []world.Element{{Token: tokenAt(t, f, "button")}}, elements)
	}
}

func TestElements(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t,
		`<button id=a>A</button><button id=gone>Gone</button><input type=submit><input type=password role=button>
		<iframe role=button></iframe><object role=button data="data:text/html,x"></object>`)
	f := p.Main()
	_, ids, doc := axButtons(t, f)
	require.Len(t, ids, 6)
	eval(t, p, "gone.remove()")
	elements, err := f.Elements(timed(t, limit), doc, append(slices.Clone(ids), 1<<40))
	require.NoError(t, err)
	require.Len(t, elements, 7)
	require.Zero(t, elements[6], "there is no such node")
	require.Equal(t, tokenAt(t, f, "#a"), elements[0].Token)
	for i := range elements {
		elements[i].Token = 0
	}
	require.Equal(t, []world.Element{{}, {}, {Field: true}, {Field: true, Secret: true}, {Frame: true}, {Frame: true}, {}},
		elements)

	open(t, p, "data:text/html,<button>Another document</button>")
	_, err = f.Elements(timed(t, limit), doc, ids)
	require.True(t, engine.IsNavigated(err), "%v", err)
	_, err = f.Inside(timed(t, limit), doc, 1)
	require.True(t, engine.IsNavigated(err), "%v", err)
}

// A function takes no arguments without end.
func TestElementsMany(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t, `<script>for (let i = 0; i < 4200; i++) document.write('<button>' + i + '</button>')</script>`)
	f := p.Main()
	_, ids, doc := axButtons(t, f)
	require.Len(t, ids, 4200)
	elements, err := f.Elements(timed(t, limit), doc, ids)
	require.NoError(t, err)
	require.Equal(t, tokenAt(t, f, "button:nth-of-type(4199)"), elements[4198].Token)
}

func TestInside(t *testing.T) {
	t.Parallel()
	p, _ := openHTML(t,
		`<button>Before</button><main><button>One</button><div id=host><button>Slotted</button></div></main><button>After</button>
		<script>host.attachShadow({mode: 'closed'}).innerHTML = '<button>Closed</button><slot></slot>'</script>`)
	f := p.Main()
	names, ids, doc := axButtons(t, f)
	inside, err := f.Inside(timed(t, limit), doc, tokenAt(t, f, "main"))
	require.NoError(t, err)
	var in []string
	for i, id := range ids {
		if inside[id] {
			in = append(in, names[i])
		}
	}
	require.ElementsMatch(t, []string{"One", "Closed", "Slotted"}, in)
	none, err := f.Inside(timed(t, limit), doc, 1<<40)
	require.NoError(t, err)
	require.Empty(t, none)
}

// A browser without the call says so, in words that tell what to do.
func TestAXTreeRefused(t *testing.T) {
	t.Parallel()
	_, profile := foreign(t)
	url := refusing(t, debuggingURL(t, profile), "Accessibility.getFullAXTree")
	b, err := engine.Attach(timed(t, limit), url, nil, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close(context.Background())) })
	c, err := b.NewContext(timed(t, limit), engine.ContextOptions{})
	require.NoError(t, err)
	p, err := c.NewPage(timed(t, limit))
	require.NoError(t, err)
	_, _, err = p.Main().AXTree(timed(t, limit))
	require.Equal(t, fault.Protocol, fault.CodeOf(err))
	require.ErrorContains(t, err, "the browser does not give its accessibility tree")
	require.ErrorContains(t, err, "wasn't found")
	require.ErrorContains(t, err, "without --source ax")
	_, err = p.Main().Document(timed(t, limit))
	require.NoError(t, err, "nothing else is harmed")
}

// refusing returns the address of a WebSocket that leads to the one at url, and on which the browser does not know a
// method: the last letter of its name is changed on the way.
func refusing(t testing.TB, url, method string) string {
	t.Helper()
	host, path, _ := strings.Cut(strings.TrimPrefix(url, "ws://"), "/")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			client, err := l.Accept()
			if err != nil {
				return
			}
			browser, err := net.Dial("tcp", host)
			if err != nil {
				_ = client.Close()
				return
			}
			go func() { _, _ = io.Copy(client, browser); _ = client.Close() }()
			go func() { garble(browser, bufio.NewReader(client), []byte(method)); _ = browser.Close() }()
		}
	}()
	return "ws://" + l.Addr().String() + "/" + path
}

// garble copies what a client sends on a WebSocket: the request, then frames, which are masked (RFC 6455, section 5.2).
func garble(to io.Writer, from *bufio.Reader, method []byte) {
	for line := ""; line != "\r\n"; {
		var err error
		if line, err = from.ReadString('\n'); err != nil {
			return
		}
		_, _ = io.WriteString(to, line)
	}
	for {
		head := make([]byte, 2, 14)
		if _, err := io.ReadFull(from, head); err != nil {
			return
		}
		size := uint64(head[1] & 0x7f)
		if more := map[uint64]int{126: 2, 127: 8}[size]; more > 0 {
			long := make([]byte, 8)
			if _, err := io.ReadFull(from, long[8-more:]); err != nil {
				return
			}
			head, size = append(head, long[8-more:]...), binary.BigEndian.Uint64(long)
		}
		rest := make([]byte, 4+size)
		if _, err := io.ReadFull(from, rest); err != nil {
			return
		}
		mask, data := rest[:4], rest[4:]
		plain := make([]byte, size)
		for i := range data {
			plain[i] = data[i] ^ mask[i%4]
		}
		if at := bytes.Index(plain, method); at >= 0 {
			data[at+len(method)-1] ^= 1
		}
		if _, err := to.Write(append(head, rest...)); err != nil {
			return
		}
	}
}
