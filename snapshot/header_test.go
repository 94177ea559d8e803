package snapshot

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestHeader(t *testing.T) {
	t.Parallel()
	header := &Header{Tab: "t2"}
	tests := map[string]struct {
		about  string
		header *Header
		nodes  []string
		o      Options
		want   string
	}{
		"plain": {
			about: "!title=Orders \"2026\"\tstatus=200", header: header,
			want: `page "Orders \"2026\"" https://a.test/ [tab t2]`,
		},
		"no title": {about: "!title=", header: header, want: `page https://a.test/ [tab t2]`},
		"session title": {
			about: "!title=", header: &Header{Tab: "t1", Title: "Old"},
			want: `page "Old" https://a.test/ [tab t1]`,
		},
		"status": {
			about: "!title=x\tstatus=404\tstate=interactive", header: header,
			want: `page "x" https://a.test/ [HTTP 404, still loading, tab t2]`,
		},
		"parsing": {
			about: "!title=x\tstate=loading", header: header,
			want: `page "x" https://a.test/ [still being parsed, tab t2]`,
		},
		"label, frame": {
			about: "!title=x", header: &Header{Tab: "t1", Label: "shop", Frame: "#pay"},
			want: `page "x" https://a.test/ [tab t1 "shop", frame "#pay"]`,
		},
		"dialog": {
			about: "!title=x", header: header,
			nodes: []string{"0\tdialog\t7\tDelete?\tmodal=true", "0\tdialog\t8\tChat"},
			want:  `page "x" https://a.test/ [tab t2, dialog "Delete?"]`,
		},
		"nameless": {
			about: "!title=x", header: header, nodes: []string{"0\talertdialog\t\t"},
			want: `page "x" https://a.test/ [tab t2, alertdialog]`,
		},
		"escapes": {about: `!title=a\tb\nc`, header: header, want: `page "a\tb\nc" https://a.test/ [tab t2]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			nodes := tt.nodes
			if nodes == nil {
				nodes = []string{"0\tbutton\t1\tGo"}
			}
			p := newPage(nodes...)
			p.wire = tt.about + "\n" + p.wire
			tt.o.Depth, tt.o.Header = -1, tt.header
			s := take(t, NewRefs(), p, tt.o)
			first, rest, _ := strings.Cut(s.Text(), "\n")
			require.Equal(t, tt.want, first)
			require.NotContains(t, rest, "https://a.test/")
			header, body, partial := CutHeader(s.Text())
			require.Equal(t, []any{first, rest, false}, []any{header, body, partial})
			requireTyped(t, s)
		})
	}
}

// Programs get the facts of the header as data; the text in the JSON form has none.
func TestHeaderInJSON(t *testing.T) {
	t.Parallel()
	p := newPage("0\tdialog\t\tSure?", "1\tbutton\t1\tGo")
	p.wire = "!title=Orders\tstatus=500\tstate=interactive\n" + p.wire
	s := take(t, NewRefs(), p, Options{Depth: -1, Header: &Header{Tab: "t1", Label: "l", Frame: "#f", Hidden: true}})
	require.NotContains(t, s.Text(), headerWord)
	var data map[string]any
	require.NoError(t, json.Unmarshal(s.AppendJSON(nil), &data))
	require.Equal(t, map[string]any{
		"tab": "t1", "label": "l", "frame": "#f", "title": "Orders", "status": 500.0, "loading": "still loading",
		"dialog": map[string]any{"role": "dialog", "name": "Sure?"},
	}, data["page"])
	require.Equal(t, s.Text(), data["snapshot"])
	without := take(t, NewRefs(), newPage("0\tbutton\t1\tGo"), full)
	require.NotContains(t, string(without.AppendJSON(nil)), `"page"`)
}

// A text that does not show all of the page, and one that shows changes only, say so in the header.
func TestHeaderOfPart(t *testing.T) {
	t.Parallel()
	refs, header := NewRefs(), &Header{Tab: "t1"}
	p := newPage("0\tbutton\t1\tGo", "0\tbutton\t2\tStop")
	p.wire = "!title=x\n" + p.wire
	o := Options{Depth: -1, Header: header, Delta: true}
	first := take(t, refs, p, o)
	require.Contains(t, first.Text(), "[tab t1]\n- button")
	require.Contains(t, take(t, refs, p, o).Text(), "[tab t1, unchanged]\n")
	p.wire += "\n0\tbutton\t3\tMore"
	require.Contains(t, take(t, refs, p, o).Text(), "[tab t1, delta]\n")
	p.wire = "!title=x\n" + string(tablePage(5000))
	header2, _, partial := CutHeader(take(t, refs, p, Options{Depth: -1, Header: header, MaxTokens: 500}).Text())
	require.True(t, partial)
	require.Equal(t, `page "x" https://a.test/ [tab t1, folded]`, header2)
}
