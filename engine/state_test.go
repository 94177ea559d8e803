package engine

import (
	"testing"

	"github.com/stretchr/testify/require"
)

type noted struct{ text string }

// Resumed implements [Resumable].
func (n *noted) Resumed() (next any, ended string) {
	if n.text == "" {
		return nil, "nothing"
	}
	return &noted{n.text + ", resumed"}, ""
}

func TestStateIsMadeOncePerOwner(t *testing.T) {
	t.Parallel()
	made := 0
	notes := NewState(func(*Page) *noted { made++; return &noted{} })
	others := NewState(func(*Page) *noted { return &noted{"other"} })
	p, q := &Page{}, &Page{}
	notes.Of(p).text = "p"
	require.Equal(t, "p", notes.Of(p).text)
	require.Empty(t, notes.Of(q).text)
	require.Equal(t, "other", others.Of(p).text)
	require.Equal(t, 2, made)
}

func TestStateResumes(t *testing.T) {
	t.Parallel()
	kept := NewState(func(*Context) *noted { return &noted{"kept"} })
	ends := NewState(func(*Context) *noted { return &noted{} })
	plain := NewState(func(*Context) *int { return new(1) })
	before, after := &Context{}, &Context{}
	kept.Of(before)
	ends.Of(before)
	*plain.Of(before) = 2
	require.Equal(t, []string{"nothing"}, after.areas.resume(&before.areas))
	require.Equal(t, "kept, resumed", kept.Of(after).text)
	require.Empty(t, ends.Of(after).text)
	require.Equal(t, 1, *plain.Of(after))
}

func BenchmarkState(b *testing.B) {
	first, second := NewState(func(*Page) *noted { return &noted{} }), NewState(func(*Page) *noted { return &noted{} })
	p := &Page{}
	first.Of(p)
	b.ReportAllocs()
	for b.Loop() {
		second.Of(p)
	}
}
