package snapshot

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersFollowDocumentOrder(t *testing.T) {
	t.Parallel()
	p := newPage("0\tbutton\t30\tA", "0\tIframe\t7\t", "0\tbutton\t2\tB")
	p.child("f", 7, "0\tlink\t1\tIn")
	s := take(t, NewRefs(), p, full)
	require.Equal(t, lines(`- button "A" @e1`, `- Iframe @e2`, `  - link "In" @e3`, `- button "B" @e4`), s.Text())
}

func TestNumbersStayWithElements(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\tbutton\t1\tA", "0\tbutton\t2\tB", "0\tbutton\t3\tC")
	take(t, refs, p, interactive)

	p.wire = lines("0\tbutton\t3\tC", "0\tlink\t9\tNew", "0\ttextbox\t1\tRenamed and longer", "0\tbutton\t2\tB")
	s := take(t, refs, p, full)
	require.Equal(t,
		lines(`- button "C" @e3`, `- link "New" @e4`, `- textbox "Renamed and longer" @e1`, `- button "B" @e2`), s.Text())
	require.Empty(t, s.Removed)
	got, err := refs.Lookup("e1")
	require.NoError(t, err)
	require.Equal(t, Ref{
		N: 1, Tab: "t1", FrameID: "main", DocID: "d1", URL: "https://a.test/", Token: 1, Role: "textbox",
		Name: "Renamed and longer",
	}, got)
}

func TestNumbersOfDocuments(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\tbutton\t1\tA", "0\tbutton\t2\tB")
	take(t, refs, p, interactive)

	p.doc, p.url, p.wire = "d2", "https://b.test/", "0\tbutton\t1\tA"
	s := take(t, refs, p, interactive)
	require.Equal(t, `- button "A" @e3`, s.Text(), "a new document has elements of its own")
	require.Empty(t, s.Removed, "what was on another page was not removed from this one")

	p.doc, p.url, p.wire = "d1", "https://a.test/", "0\tbutton\t1\tA"
	s = take(t, refs, p, interactive)
	require.Equal(t, `- button "A" @e1`, s.Text(), "back from the cache, the document has its refs")
	require.Equal(t, []uint32{2}, s.Removed)

	s = takeTab(t, refs, "t2", p, interactive)
	require.Equal(t, `- button "A" @e4`, s.Text(), "another tab is another document, whatever its id")
}

func TestRemoved(t *testing.T) {
	t.Parallel()
	whole := []string{"0\tmain\t1\tM", "1\tbutton\t2\tA", "1\tbutton\t3\tB", "0\tIframe\t4\t", "0\tIframe\t5\t"}
	setUp := func(t *testing.T) (*Refs, *page) { // main e1, A e2, B e3, Iframe e4, link e5, Iframe e6, link e7
		refs, p := NewRefs(), newPage(whole...)
		p.child("f", 4, "0\tlink\t1\tIn f")
		p.child("g", 5, "0\tlink\t1\tIn g")
		require.Empty(t, take(t, refs, p, full).Removed)
		return refs, p
	}
	tests := []struct {
		name   string
		change func(p *page)
		o      Options
		want   []uint32
	}{
		{name: "nothing", o: full},
		{name: "an element", o: full, change: func(p *page) {
			p.wire = lines(append(whole[:2:2], whole[3:]...)...)
		}, want: []uint32{3}},
		{name: "an element, seen by -i", o: interactive, change: func(p *page) {
			p.wire = lines(append(whole[:2:2], whole[3:]...)...)
		}, want: []uint32{3}},
		{name: "-d shows less, and nothing is gone", o: Options{Depth: 0}},
		{name: "scope", o: Options{Depth: -1, Scope: []byte(`{"css":"button"}`)}, change: func(p *page) {
			p.wire = "0\tbutton\t3\tB"
		}},
		{
			name: "a frame inside the scope", o: Options{Depth: -1, Scope: []byte(`{"css":"iframe"}`)},
			change: func(p *page) { p.wire = whole[3]; p.children[0].(*page).wire = "" }, want: []uint32{5},
		},
		{
			name: "a frame with its element", o: full,
			change: func(p *page) { p.wire = lines(whole[:4]...); p.children = p.children[:1] }, want: []uint32{6, 7},
		},
		{name: "a frame's document", o: full, change: func(p *page) {
			p.children[1].(*page).doc = "other"
		}, want: []uint32{7}},
		{name: "a frame that cannot be read is not gone", o: full, change: func(p *page) {
			p.children[1].(*page).err = errors.New("busy")
		}},
		{
			name: "a new page", o: full,
			change: func(p *page) { p.doc = "d2"; p.children = nil; p.wire = "0\tbutton\t1\tX" },
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			refs, p := setUp(t)
			if tt.change != nil {
				tt.change(p)
			}
			require.Equal(t, tt.want, take(t, refs, p, tt.o).Removed)
			if tt.change == nil || len(tt.o.Scope) == 0 {
				require.Empty(t, take(t, refs, p, full).Removed, "what is gone is said once")
			}
		})
	}
}

// A frame that could not be read for a while is compared with what was seen before.
func TestRemovedAfterUnreadable(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tIframe\t4\t")
	f := p.child("f", 4, "0\tlink\t1\tA", "0\tlink\t2\tB")
	take(t, refs, p, full)
	f.err = errors.New("busy")
	require.Empty(t, take(t, refs, p, full).Removed)
	f.err, f.wire = nil, "0\tlink\t2\tB"
	require.Equal(t, []uint32{2}, take(t, refs, p, full).Removed)
	f.doc = "f-d2"
	require.Equal(t, []uint32{3}, take(t, refs, p, full).Removed)
}

// A snapshot of one frame does not affect the refs of the rest of its tab.
func TestRemovedFrameView(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tbutton\t1\tA", "0\tIframe\t4\t")
	f := p.child("f", 4, "0\tlink\t1\tIn")
	take(t, refs, p, full)
	require.Empty(t, take(t, refs, f, full).Removed)
	require.Equal(t, `- link "In" @e3`, take(t, refs, f, full).Text())
	require.Empty(t, take(t, refs, p, full).Removed)
}

func TestElementThatComesBack(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tbutton\t1\tA", "0\tbutton\t2\tB")
	take(t, refs, p, full)
	p.wire = "0\tbutton\t1\tA"
	require.Equal(t, []uint32{2}, take(t, refs, p, full).Removed)
	p.wire = lines("0\tbutton\t2\tB", "0\tbutton\t1\tA")
	s := take(t, refs, p, full)
	require.Equal(t, lines(`- button "B" @e2`, `- button "A" @e1`), s.Text())
	p.wire = "0\tbutton\t1\tA"
	require.Equal(t, []uint32{2}, take(t, refs, p, full).Removed)
}
