package snapshot

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/snapshot/axtree"
)

func TestIsRef(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"@e", "ref=e", "@e007", "e99999999999999999999"} {
		require.True(t, IsRef(s), s)
	}
	for _, s := range []string{
		"", "@", "@x1", "e", "[e]", "e1a", "em", "#e1", "@e-1", "E1", "@@e1", "e 1", "[href=e1]", `[data-ref="e1"]`,
		`button[ref="e1"]`, `text="a" @e1 b`,
		"text=Write to ann@e1", `- buttons: "Day" @e1, "Week" @e2`, `a[title="[ref=e1]"]`,
	} {
		require.False(t, IsRef(s), s)
	}
	for _, s := range []string{
		"@e12", "e12", "ref=e12", "[ref=e12]", " @e12 ", "@ref=e12", "ref=@e12", "[@e12]", "[e12]", `"@e12"`, "'e12'",
		`[ref="e12"]`, "ref: e12",
		`- button "Save" @e12 [disabled]`, `button "Save" [disabled, ref=e12]`, `- textbox "Name \"@e3\"" @e12: Ann @e4`,
		`link [ref=e12]: [ref=e3]`,
		`combobox "A" [placeholder="x]", ref=e12, focused]`, "- generic @e12 clickable [onclick]", "clickable @e12",
	} {
		id, ok := RefID(s)
		require.True(t, ok, s)
		require.Equal(t, "e12", id, s)
	}
}

func TestLookup(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tbutton\t10\tSave", "0\tbutton\t11\tSave\tnth=1", "0\tIframe\t12\t")
	p.child("f", 12, "0\tlink\t1\tIn")
	take(t, refs, p, full)
	want := Ref{
		N: 2, Tab: "t1", FrameID: "main", DocID: "d1", URL: "https://a.test/", Token: 11, Role: "button",
		Name: "Save", Nth: 1,
	}
	for _, s := range []string{"e2", "@e2", "ref=e2"} {
		got, err := refs.Lookup(s)
		require.NoError(t, err)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	}
	got, err := refs.Lookup("@e4")
	require.NoError(t, err)
	require.Equal(t,
		Ref{N: 4, Tab: "t1", FrameID: "f", DocID: "f-d1", URL: "https://f.test/", Token: 1, Role: "link", Name: "In"}, got)
	require.Equal(t, "e4", got.ID())
}

func TestLookupUnknown(t *testing.T) {
	t.Parallel()
	empty, refs := NewRefs(), NewRefs()
	take(t, refs, newPage("0\tbutton\t10\tA", "0\tbutton\t11\tB"), full)
	tests := []struct {
		name string
		refs *Refs
		ref  string
		says string
	}{
		{
			"before any snapshot", empty, "@e1",
			"Unknown ref: e1 (no snapshot of this session has handed out refs yet; take one first)",
		},
		{
			"too high", refs, "@e3",
			"Unknown ref: e3 (this session has handed out e1 to e2; take a new snapshot and use its refs)",
		},
		{"no number", refs, "@e", "Unknown ref: e ("},
		{"zero", refs, "e0", "Unknown ref: e0 ("},
		{"leading zero", refs, "e01", "Unknown ref: e01 ("},
		{"huge", refs, "e4294967297", "Unknown ref: e4294967297 ("},
		{"no ref at all", refs, "#id", "#id is not a ref"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tt.refs.Lookup(tt.ref)
			require.ErrorContains(t, err, tt.says)
			require.True(t, fault.Is(err, fault.RefUnknown))
		})
	}
}

func TestGone(t *testing.T) {
	t.Parallel()
	ref := Ref{N: 12, Tab: "t1", URL: "https://a.test/", Role: "button", Name: "Save"}
	tests := []struct {
		name string
		ref  Ref
		now  string
		want string
	}{
		{
			"another page", ref, "https://b.test/",
			`Stale ref: e12: button "Save" was on https://a.test/, which tab t1 no longer shows (now: https://b.test/).`,
		},
		{"reloaded", ref, "https://a.test/", `Stale ref: e12: button "Save" was on https://a.test/ before it was reloaded.`},
		{
			"frame removed", ref, "",
			`Stale ref: e12: button "Save" was on https://a.test/, and that page or frame of tab t1 does not exist any more.`,
		},
		{
			"without a name",
			Ref{N: 1, Tab: "t2", URL: "", Role: "link"},
			"https://b.test/",
			`Stale ref: e1: link was on a page without an address,`,
		},
		{
			"long name and address",
			Ref{N: 1, URL: "data:" + strings.Repeat("x", 1000), Role: "link", Name: strings.Repeat("y", 1000)},
			"",
			`yyy…" was on data:xxx`,
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			err := tt.ref.Gone(tt.now)
			require.ErrorContains(t, err, tt.want)
			require.ErrorContains(t, err, "Take a new snapshot and use its refs.")
			require.Less(t, len(err.Error()), 600)
			require.True(t, fault.Is(err, fault.RefStale))
		})
	}
	e, ok := errors.AsType[*fault.Error](ref.Gone(""))
	require.True(t, ok)
	require.Equal(t, "@e12", e.Subject)
	require.Equal(t, map[string]any{"url": "https://a.test/", "tab": "t1", "role": "button", "name": "Save"}, e.Facts)
}

func TestCloseTab(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	p := newPage("0\tbutton\t10\tA")
	takeTab(t, refs, "t1", p, full)
	takeTab(t, refs, "t2", p, full)
	refs.CloseTab("t1")
	_, err := refs.Lookup("e1")
	require.EqualError(t, err,
		"Stale ref: e1: it was on https://a.test/, whose tab t1 was closed. Take a new snapshot and use its refs.")
	require.True(t, fault.Is(err, fault.RefStale))
	_, err = refs.Lookup("e2")
	require.NoError(t, err)
	require.Equal(t, `- button "A" @e3`, takeTab(t, refs, "t1", p, full).Text())
}

func TestHeal(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tbutton\t1\tA", "0\tbutton\t2\tB")
	take(t, refs, p, full)
	b, err := refs.Lookup("e2")
	require.NoError(t, err)

	refs.Heal(b, 7)
	p.wire = lines("0\tbutton\t1\tA", "0\tbutton\t7\tB")
	s := take(t, refs, p, full)
	require.Equal(t, lines(`- button "A" @e1`, `- button "B" @e2`), s.Text())
	require.Empty(t, s.Removed)

	p.wire = lines("0\tbutton\t1\tA", "0\tbutton\t8\tB") // replaced again, and seen before the old ref is used
	s = take(t, refs, p, full)
	require.Equal(t, lines(`- button "A" @e1`, `- button "B" @e3`), s.Text())
	require.Equal(t, []uint32{2}, s.Removed)
	refs.Heal(b, 8)
	got, err := refs.Lookup("e2")
	require.NoError(t, err)
	require.EqualValues(t, 8, got.Token)
	require.Equal(t, lines(`- button "A" @e1`, `- button "B" @e3`), take(t, refs, p, full).Text())

	refs.Heal(Ref{N: 99, Tab: "t1", FrameID: "main", DocID: "d1"}, 5)
	refs.Heal(Ref{N: 1, Tab: "t9"}, 5)
	require.Equal(t, lines(`- button "A" @e1`, `- button "B" @e3`), take(t, refs, p, full).Text())
}

// An element that no snapshot has shown gets a number, and keeps it when one does.
func TestGive(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tbutton\t1\tA", "0\tbutton\t2\tB")
	at := Ref{Tab: "t1", FrameID: "main", DocID: "d1", URL: "https://a.test/"}
	give := func(token int64, role, name string) string {
		el := at
		el.Token, el.Role, el.Name = token, role, name
		return refs.Give(el)
	}
	require.Equal(t, "@e1", give(2, "button", "B"), "before any snapshot")
	require.Equal(t, "@e1", give(2, "button", "other"), "the element has one")
	require.Equal(t, "@e2", give(7, "dialog", "Cookies"))
	require.Empty(t, give(0, "button", "B"), "no element")
	got, err := refs.Lookup("@e2")
	require.NoError(t, err)
	require.Equal(t,
		Ref{N: 2, Tab: "t1", FrameID: "main", DocID: "d1", URL: "https://a.test/", Token: 7, Role: "dialog", Name: "Cookies"},
		got)

	s := take(t, refs, p, full)
	require.Equal(t, lines(`- button "A" @e3`, `- button "B" @e1`), s.Text())
	require.Empty(t, s.Removed, "e2 is not removed: no snapshot showed it")
	require.Equal(t, "@e3", give(1, "button", "A"))
	_, err = refs.Lookup("e2")
	require.NoError(t, err, "it may be there all the same")

	p.wire = lines("0\tdialog\t7\tCookies", "0\tbutton\t1\tA")
	s = take(t, refs, p, full)
	require.Equal(t, lines(`- dialog "Cookies" @e2`, `- button "A" @e3`), s.Text())
	require.Equal(t, []uint32{1}, s.Removed)
	p.wire = lines("0\tbutton\t1\tA")
	require.Equal(t, []uint32{2}, take(t, refs, p, full).Removed)
	_, err = refs.Lookup("e4")
	require.True(t, fault.Is(err, fault.RefUnknown))
}

// A page whose errors name new elements for days does not fill the host.
func TestGiveIsBounded(t *testing.T) {
	t.Parallel()
	refs := NewRefs()
	refs.limits.goneRefs = 8
	last := ""
	for token := range int64(100) {
		last = refs.Give(Ref{Tab: "t1", FrameID: "main", DocID: "d1", Token: token + 1, Role: "button"})
	}
	require.Equal(t, "@e100", last)
	require.LessOrEqual(t, len(refs.docs[docKey{"t1", "main", "d1"}].entries), 8)
	_, err := refs.Lookup(last)
	require.NoError(t, err)
	_, err = refs.Lookup("e1")
	require.True(t, fault.Is(err, fault.RefStale))
	for i := range 50 { // documents that no snapshot has shown are forgotten like others
		refs.Give(Ref{Tab: "t1", FrameID: "main", DocID: fmt.Sprint("x", i), Token: 1})
	}
	take(t, refs, newPage("0\tbutton\t1\tA"), full)
	require.LessOrEqual(t, len(refs.docs), defaultLimits.awayDocs+1)
}

func TestRename(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage("0\tbutton\t1\tPlay", "0\tbutton\t2\tStop")
	take(t, refs, p, full)
	play, err := refs.Lookup("e1")
	require.NoError(t, err)
	refs.Rename(play, "switch", "Pause the music")
	got, err := refs.Lookup("e1")
	require.NoError(t, err)
	require.Equal(t, []string{"switch", "Pause the music"}, []string{got.Role, got.Name})
	stop, err := refs.Lookup("e2")
	require.NoError(t, err)
	require.Equal(t, "Stop", stop.Name)
	refs.Rename(Ref{N: 1, Tab: "t9"}, "link", "x")
	refs.Rename(Ref{N: 9, Tab: "t1", FrameID: "main", DocID: "d1"}, "link", "x")
}

// tight returns a table that forgets soon.
func tight() *Refs {
	refs := NewRefs()
	refs.limits = limits{awayDocs: 3, awayRefs: 100, goneRefs: 8, graves: 4, spans: 4}
	return refs
}

func TestForgetDocuments(t *testing.T) {
	t.Parallel()
	refs, p := tight(), newPage()
	for i := 1; i <= 12; i++ {
		p.doc, p.url, p.wire = fmt.Sprint("d", i), fmt.Sprintf("https://a.test/%d", i), "0\tbutton\t1\tA"
		require.Equal(t, fmt.Sprintf(`- button "A" @e%d`, i), take(t, refs, p, full).Text())
	}
	require.Len(t, refs.docs, 4, "the page that is shown and the three before")
	require.Len(t, refs.graves, 4)
	require.Len(t, refs.spans, 8)
	for n, says := range map[int]string{
		1:  "it was handed out long ago, for an element that is gone",
		4:  "it was handed out long ago",
		5:  "it was on https://a.test/5, which tab t1 left some pages ago",
		8:  "it was on https://a.test/8, which tab t1 left",
		9:  "",
		12: "",
	} {
		ref, err := refs.Lookup(fmt.Sprintf("@e%d", n))
		if says == "" {
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint("d", n), ref.DocID)
			continue
		}
		require.ErrorContains(t, err, says)
		require.True(t, fault.Is(err, fault.RefStale))
	}
	p.doc = "d9"
	require.Equal(t, `- button "A" @e9`, take(t, refs, p, full).Text(), "kept for a return")
	p.doc = "d2"
	require.Equal(t, `- button "A" @e13`, take(t, refs, p, full).Text(), "forgotten, and no number is used again")
}

// What another tab shows is not away, however long ago its snapshot was.
func TestForgetSparesOtherTabs(t *testing.T) {
	t.Parallel()
	refs, p := tight(), newPage("0\tbutton\t1\tA", "0\tIframe\t2\t")
	p.child("f", 2, "0\tlink\t1\tIn")
	takeTab(t, refs, "t1", p, full)
	busy := newPage("0\tbutton\t1\tB")
	for i := range 20 {
		busy.doc = fmt.Sprint("b", i)
		takeTab(t, refs, "t2", busy, full)
	}
	require.Equal(t, lines(`- button "A" @e1`, `- Iframe @e2`, `  - link "In" @e3`),
		takeTab(t, refs, "t1", p, full).Text())
}

// A scoped snapshot of a document that is larger than all limits must leave it usable.
func TestForgetSparesScoped(t *testing.T) {
	t.Parallel()
	refs, p := tight(), newPage()
	var wire []string
	for i := range 150 {
		wire = append(wire, fmt.Sprintf("0\tbutton\t%d\tB", i+1))
	}
	p.wire = lines(wire...)
	scoped := Options{Depth: -1, Scope: []byte(`{"css":"main"}`)}
	take(t, refs, p, scoped)
	takeTab(t, refs, "t2", newPage("0\tbutton\t1\tX"), full)
	_, err := refs.Lookup("e150")
	require.NoError(t, err)
	take(t, refs, p, scoped)
	require.EqualValues(t, 152, refs.next)
}

func TestForgetVanishedElements(t *testing.T) {
	t.Parallel()
	refs, p := tight(), newPage()
	for i := 1; i <= 40; i++ {
		p.wire = lines("0\tbutton\t1000\tStays", fmt.Sprintf("0\tlink\t%d\tNo %d", i, i))
		take(t, refs, p, full)
	}
	d := refs.docs[docKey{"t1", "main", "d1"}]
	require.LessOrEqual(t, len(d.entries), 2+8)
	require.LessOrEqual(t, len(d.names), 200)
	ref, err := refs.Lookup("e1")
	require.NoError(t, err)
	require.Equal(t, "Stays", ref.Name)
	_, err = refs.Lookup("e2")
	require.ErrorContains(t, err, "its element left https://a.test/ many snapshots ago")
	ref, err = refs.Lookup("e40")
	require.NoError(t, err, "one that vanished lately can still be healed")
	require.Equal(t, "No 39", ref.Name)
}

// Two busy frames start a new span with every snapshot.
func TestForgetSpans(t *testing.T) {
	t.Parallel()
	refs, p := tight(), newPage("0\tIframe\t1\t", "0\tIframe\t2\t")
	a, b := p.child("a", 1), p.child("b", 2)
	for i := range 500 {
		a.wire, b.wire = fmt.Sprintf("0\tlink\t%d\tA", i+1), fmt.Sprintf("0\tlink\t%d\tB", i+1)
		take(t, refs, p, full)
	}
	require.Less(t, len(refs.spans), 100)
	_, err := refs.Lookup("e10")
	require.ErrorContains(t, err, "long ago")
	_, err = refs.Lookup("e1002")
	require.NoError(t, err)
}

func TestNamesAreStoredOnce(t *testing.T) {
	t.Parallel()
	refs, p := NewRefs(), newPage()
	for i := range 5000 {
		p.wire = lines("0\tbutton\t1\t"+strings.Repeat("x", i%97), "0\tbutton\t2\tother")
		take(t, refs, p, full)
	}
	d := refs.docs[docKey{"t1", "main", "d1"}]
	require.LessOrEqual(t, len(d.names), 2*(64<<10)+200)
	for id, want := range map[string]string{"e1": strings.Repeat("x", 4999%97), "e2": "other"} {
		ref, err := refs.Lookup(id)
		require.NoError(t, err)
		require.Equal(t, want, ref.Name)
	}
}

// TestNumbersAtRandom lets documents come, change and return, and compares the table with a plain map.
func TestNumbersAtRandom(t *testing.T) {
	t.Parallel()
	type element struct {
		doc   string
		token int64
	}
	rng := rand.New(rand.NewPCG(1, 2))
	refs, p := NewRefs(), newPage()
	refs.limits.awayDocs = 8
	model := map[element]uint32{}
	names := map[uint32]string{}
	next := uint32(1)
	for range 600 {
		if rng.IntN(4) == 0 {
			p.doc = fmt.Sprint("d", rng.IntN(5)) // few enough that none is forgotten
		}
		var wire, want []string
		for _, token := range rng.Perm(30)[:rng.IntN(30)] {
			e := element{p.doc, int64(token + 1)}
			if model[e] == 0 {
				model[e] = next
				next++
			}
			name := fmt.Sprint("n", rng.IntN(1_000_000))
			names[model[e]] = name
			wire = append(wire, fmt.Sprintf("0\tbutton\t%d\t%s", e.token, name))
			want = append(want, fmt.Sprintf("- button %q @e%d", name, model[e]))
		}
		p.wire = lines(wire...)
		if len(want) == 0 {
			want = []string{"(empty page)"}
		}
		require.Equal(t, lines(want...), take(t, refs, p, full).Text())
	}
	for e, n := range model {
		ref, err := refs.Lookup(axtree.RefID(n))
		require.NoError(t, err)
		require.Equal(t,
			Ref{N: n, Tab: "t1", FrameID: "main", DocID: e.doc, URL: p.url, Token: e.token, Role: "button", Name: names[n]}, ref)
	}
}
