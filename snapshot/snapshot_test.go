package snapshot

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot/axtree"
)

func TestTakeNestedFrames(t *testing.T) {
	t.Parallel()
	p := newPage("0\tmain\t\t", "1\tIframe\t1\touter", "1\tbutton\t2\tAfter")
	p.walk = func(_ context.Context, arg axtree.WalkArg) {
		require.Equal(t, `{"interactive":false}`, string(arg.JSON()))
	}
	outer := p.child("outer", 1, "0\tgroup\t\t", "1\tIframe\t9\tmiddle")
	middle := outer.child("middle", 9, "0\tIframe\t4\tfirst", "0\tIframe\t5\tsecond")
	middle.child("second", 5, "0\tlink\t1\t2nd")
	middle.child("first", 4, "0\tlink\t1\t1st")
	s := take(t, NewRefs(), p, full)
	require.Equal(t, lines(
		`- main`,
		`  - Iframe "outer" @e1`,
		`    - group`,
		`      - Iframe "middle" @e2`,
		`        - Iframe "first" @e3`,
		`          - link "1st" @e4`,
		`        - Iframe "second" @e5`,
		`          - link "2nd" @e6`,
		`  - button "After" @e7`,
	), s.Text())
	require.EqualValues(t, len(s.Tree.Nodes), s.Tree.Nodes[0].End)
	require.Equal(t, "https://a.test/", s.URL)

	limited := take(t, NewRefs(), p, Options{Depth: 2})
	require.Equal(t, lines(`- main`, `  - Iframe "outer" @e1`, `    - group`, `  - button "After" @e7`), limited.Text(),
		"the limit holds in frames too")
	inter := Options{Depth: -1, Interactive: true}
	p.walk = func(_ context.Context, arg axtree.WalkArg) {
		require.Equal(t, `{"interactive":true}`, string(arg.JSON()))
	}
	require.Contains(t, take(t, NewRefs(), p, inter).Text(), `      - link "1st" @e4`)
}

func TestTakeScope(t *testing.T) {
	t.Parallel()
	p := newPage("0\tIframe\t1\tf")
	p.walk = func(_ context.Context, arg axtree.WalkArg) {
		require.Equal(t, `{"interactive":false,"scope":{"css":"#x"}}`, string(arg.JSON()))
	}
	p.child("f", 1, "0\tlink\t1\tIn").walk = func(_ context.Context, arg axtree.WalkArg) { require.Empty(t, arg.Scope) }
	s := take(t, NewRefs(), p, Options{Depth: -1, Scope: []byte(`{"css":"#x"}`)})
	require.Equal(t, lines(`- Iframe "f" @e1`, `  - link "In" @e2`), s.Text())
}

// A frame's owner that was read from another document than the one that was walked must not be believed.
func TestTakeOwnerOfAnotherDocument(t *testing.T) {
	t.Parallel()
	p := newPage("0\tIframe\t1\tf")
	c := p.child("f", 1, "0\tlink\t1\tIn")
	c.owner.DocID = "d0"
	require.Equal(t, lines(`- Iframe "f" @e1`, `  - unreadable "this frame has no document yet"`),
		take(t, NewRefs(), p, full).Text())
	c.owner.DocID = "d1"
	require.Equal(t, lines(`- Iframe "f" @e1`, `  - link "In" @e2`), take(t, NewRefs(), p, full).Text())
}

func TestTakeUnreadable(t *testing.T) {
	t.Parallel()
	broken := errors.New("boom \xff")
	tests := []struct {
		name  string
		spoil func(c *page)
		says  string
	}{
		{"walk", func(c *page) {
			c.err = fault.New(fault.PageCrashed, "the frame crashed").WithHint("Reload.")
		}, "this frame could not be read: the frame crashed"},
		{"plain error", func(c *page) { c.err = broken }, "this frame could not be read: boom \uFFFD"},
		{"owner", func(c *page) { c.ownerErr = broken }, "this frame could not be found: boom \uFFFD"},
		{"nonsense", func(c *page) {
			c.wire = "x"
		}, "this frame could not be read: the walk of the page is malformed in line 1: the depth is not a number " +
			"(\\\"x\\\")"},
		{"no document id", func(c *page) {
			c.doc = ""
		}, "this frame could not be read: the walk of frame f did not say which document it read"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPage("0\tIframe\t1\tA", "0\tIframe\t2\tB", "0\tbutton\t3\tC")
			tt.spoil(p.child("f", 1))
			p.child("g", 2, "0\tlink\t1\tIn")
			want := lines(`- Iframe "A" @e1`, `  - unreadable "`+tt.says+`"`, `- Iframe "B" @e2`, `  - link "In" @e3`,
				`- button "C" @e4`)
			for _, o := range []Options{full, interactive, {Compact: true, Depth: -1}} {
				require.Equal(t, want, take(t, NewRefs(), p, o).Text())
			}
		})
	}
	t.Run("children", func(t *testing.T) {
		t.Parallel()
		p := newPage("0\tIframe\t1\tA")
		p.listErr = broken
		require.Equal(t, lines(`- Iframe "A" @e1`, `  - unreadable "this frame could not be found: boom `+"\uFFFD"+`"`),
			take(t, NewRefs(), p, full).Text())
	})
}

// A frame that is attached while the page is read is found when the walk shows its element.
func TestTakeLateFrame(t *testing.T) {
	t.Parallel()
	p := newPage("0\tIframe\t1\tA", "0\tIframe\t2\tB")
	p.child("f", 1, "0\tlink\t1\tIn A")
	late := &page{id: "late", doc: "l", wire: "0\tlink\t1\tIn B", owner: axtree.Owner{Token: 2}}
	calls := 0
	p.list = func(context.Context) {
		if calls++; calls == 2 {
			p.children = append(p.children, late)
		}
	}
	require.Equal(t, lines(`- Iframe "A" @e1`, `  - link "In A" @e2`, `- Iframe "B" @e3`, `  - link "In B" @e4`),
		take(t, NewRefs(), p, full).Text())
}

func TestTakeFails(t *testing.T) {
	t.Parallel()
	t.Run("root", func(t *testing.T) {
		t.Parallel()
		p, refs := newPage(), NewRefs()
		p.err = fault.New(fault.SelectorNotFound, "no element matches #x")
		_, err := Take(t.Context(), "t1", p, refs, full)
		require.True(t, fault.Is(err, fault.SelectorNotFound))
	})
	t.Run("browser gone", func(t *testing.T) {
		t.Parallel()
		p := newPage("0\tIframe\t1\tA")
		p.child("f", 1).err = fault.New(fault.BrowserGone, "the browser ended")
		_, err := Take(t.Context(), "t1", p, NewRefs(), full)
		require.True(t, fault.Is(err, fault.BrowserGone))
	})
	t.Run("malformed", func(t *testing.T) {
		t.Parallel()
		_, err := Take(t.Context(), "t1", newPage("0\tbutton"), NewRefs(), full)
		require.ErrorContains(t, err, "line 1")
	})
	t.Run("canceled", func(t *testing.T) {
		t.Parallel()
		ctx, cancel := context.WithCancel(t.Context())
		p := newPage("0\tIframe\t1\tA")
		p.child("f", 1).walk = func(ctx context.Context, _ axtree.WalkArg) { cancel(); <-ctx.Done() }
		_, err := Take(ctx, "t1", p, NewRefs(), full)
		require.True(t, fault.Is(err, fault.Canceled))
	})
}

func TestTakeSilentFrame(t *testing.T) {
	t.Parallel()
	hang := func(ctx context.Context, _ axtree.WalkArg) { <-ctx.Done() }
	t.Run("shown", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			p := newPage("0\tIframe\t1\tA", "0\tbutton\t2\tB")
			p.walk = func(context.Context, axtree.WalkArg) { <-time.After(5 * time.Second) } // a slow page is given its time
			c := p.child("f", 1)
			c.walk = hang
			c.list = func(ctx context.Context) { <-ctx.Done() }
			begin := time.Now()
			s := take(t, NewRefs(), p, full)
			require.Equal(t, 5*time.Second+axtree.FramePatience, time.Since(begin))
			require.Equal(t,
				lines(`- Iframe "A" @e1`, `  - unreadable "this frame could not be read: no answer within 3s"`, `- button "B" @e2`),
				s.Text())
		})
	})
	t.Run("hidden", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			p := newPage("0\tIframe\t1\tA")
			p.child("f", 1, "0\tlink\t1\tIn")
			p.child("ad", 5).walk = hang
			begin := time.Now()
			require.Equal(t, lines(`- Iframe "A" @e1`, `  - link "In" @e2`), take(t, NewRefs(), p, full).Text())
			require.Zero(t, time.Since(begin), "frames that the page does not show are not waited for")
		})
	})
}

// All frames are walked at the same time: each walk waits until every other has begun.
func TestTakeIsParallel(t *testing.T) {
	t.Parallel()
	p := newPage("0\tIframe\t1\tA", "0\tIframe\t2\tB")
	a := p.child("a", 1, "0\tIframe\t1\tC")
	frames := []*page{p, a, p.child("b", 2, ""), a.child("c", 1, "0\tlink\t1\tIn")}
	var all sync.WaitGroup
	all.Add(len(frames))
	for _, f := range frames {
		f.walk = func(context.Context, axtree.WalkArg) { all.Done(); all.Wait() }
	}
	s := take(t, NewRefs(), p, full)
	require.Contains(t, s.Text(), `    - link "In"`)
	for _, f := range frames {
		require.EqualValues(t, 1, f.asked.Load())
	}
}

func TestJSON(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tbutton\t1\tA \"q\"", "0\tlink\t2\tB", "0\tlink\t3\tC")
	take(t, refs, p, full)
	p.wire = lines("0\tlink\t4\tD", "0\tlink\t2\tB", "0\tlink\t2\tB", "0\tStaticText\t\tt")
	s := take(t, refs, p, full)
	want := `{"origin":"https://a.test/","refs":{"e2":{"name":"B","role":"link"},"e4":{"name":"D","role":"link"}},` +
		`"removedRefs":["@e1","@e3"],"snapshot":"- link \"D\" @e4\n- link \"B\" @e2\n- link \"B\" @e2\n- StaticText \"t\""}`
	require.Equal(t, want, string(s.AppendJSON(nil)))
	b, err := json.Marshal(map[string]any{"data": s})
	require.NoError(t, err)
	require.JSONEq(t, `{"data":`+want+`}`, string(b))
	requireTyped(t, s)
	requireTyped(t, take(t, refs, p, Options{Depth: -1, JSONForm: JSONForm{Tree: true}}))

	p.doc, p.wire = "d2", ""
	require.Equal(t, `{"origin":"https://a.test/","refs":{},"removedRefs":[],"snapshot":"(no interactive elements)"}`,
		string(take(t, refs, p, interactive).AppendJSON(nil)))
}

// Snapshots and look-ups of one session may run at the same time.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	var group sync.WaitGroup
	for _, tab := range []string{"t1", "t2"} {
		group.Go(func() {
			p := newPage("0\tbutton\t1\tA", "0\tIframe\t2\t")
			p.child("f", 2, "0\tlink\t1\tIn")
			for range 50 {
				if _, err := Take(t.Context(), tab, p, refs, full); err != nil {
					t.Error(err)
				}
			}
			refs.CloseTab(tab)
		})
	}
	group.Go(func() {
		for range 200 {
			if ref, err := refs.Lookup("e1"); err == nil {
				refs.Heal(ref, 1)
			} else if code := fault.CodeOf(err); code != fault.RefUnknown && code != fault.RefStale {
				t.Error(err)
			}
		}
	})
	group.Wait()
	_, err := refs.Lookup("e1")
	require.True(t, fault.Is(err, fault.RefStale))
}
