package snapshot

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"github.com/skua-browser/skua/snapshot/axtree"
	"github.com/stretchr/testify/require"
)

// tablePage returns the walk of a page that is mostly a table with links, buttons and fields: nodes lines, more than
// half with a ref.
func tablePage(nodes int) []byte {
	var b strings.Builder
	b.WriteString("0\tmain\t\t\n1\theading\t1\tOrders of the year\tlevel=1\n1\ttable\t\tOrders\n")
	token := 1
	next := func() int { token++; return token }
	for n, row := 3, 0; n < nodes; row++ {
		for _, line := range []string{
			"2\trow\t\t",
			fmt.Sprintf("3\tcell\t%d\tOrder %d of customer %d", next(), row, row*7),
			fmt.Sprintf("4\tlink\t%d\tOrder %d\turl=https://shop.example/orders/%d?view=detail&tab=items", next(), row, row),
			"4\tStaticText\t\tof customer " + fmt.Sprint(row*7),
			fmt.Sprintf("3\tcell\t%d\tpaid", next()),
			fmt.Sprintf("4\tcheckbox\t%d\tpaid\tchecked=%t\tnth=%d", next(), row%2 == 0, row),
			"3\tcell\t\t",
			fmt.Sprintf("4\ttextbox\t%d\tNote\trequired=true\tvalue=note for order %d\tplaceholder=Type here\tnth=%d", next(),
				row, row),
			fmt.Sprintf("4\tbutton\t%d\tSave\tdisabled=true\tnth=%d", next(), row),
			"4\tgeneric\t\t",
			fmt.Sprintf("5\tgeneric\t%d\tmore\thints=cursor:pointer,onclick\tnth=%d", next(), row),
		} {
			if n == nodes {
				break
			}
			b.WriteString(line)
			b.WriteByte('\n')
			n++
		}
	}
	return []byte(b.String())
}

var benchSizes = []int{30, 1_000, 10_000}

// BenchmarkSnapshot is everything but the browser: decode, number, render. first is a page that the session has not
// seen, again one whose elements have their refs.
func BenchmarkSnapshot(b *testing.B) {
	for _, size := range benchSizes {
		wire := tablePage(size)
		p := &page{id: "main", doc: "d1", url: "https://a.test/", wire: string(wire)}
		b.Run(fmt.Sprintf("first/nodes=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Take(b.Context(), "t1", p, NewRefs(), full); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("again/nodes=%d", size), func(b *testing.B) {
			refs := NewRefs()
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Take(b.Context(), "t1", p, refs, full); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) {
	for _, size := range benchSizes {
		wire := tablePage(size)
		b.Run(fmt.Sprintf("nodes=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(len(wire)))
			for b.Loop() {
				if _, _, err := axtree.Decode(wire); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkRender(b *testing.B) {
	for _, size := range benchSizes {
		p := &page{id: "main", doc: "d1", wire: string(tablePage(size))}
		s, err := Take(b.Context(), "t1", p, NewRefs(), full)
		require.NoError(b, err)
		b.Run(fmt.Sprintf("text/nodes=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				render(s.Tree.Nodes, full)
			}
		})
		b.Run(fmt.Sprintf("json/nodes=%d", size), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.AppendJSON(nil)
			}
		})
	}
}

// BenchmarkRefsMemory reports what a table keeps per ref after a snapshot of a large page.
func BenchmarkRefsMemory(b *testing.B) {
	p := &page{id: "main", doc: "d1", wire: string(tablePage(10_000))}
	var before, after runtime.MemStats
	for b.Loop() {
		runtime.GC()
		runtime.ReadMemStats(&before)
		refs := NewRefs()
		_, err := Take(b.Context(), "t1", p, refs, full)
		require.NoError(b, err)
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(int64(after.HeapAlloc)-int64(before.HeapAlloc))/float64(refs.next-1), "kept-B/ref")
	}
}

// An entry stays small and without pointers: see document.
func TestEntrySize(t *testing.T) {
	t.Parallel()
	require.LessOrEqual(t, unsafe.Sizeof(entry{}), uintptr(32))
}

// The allocations of a snapshot do not grow with the page.
func TestAllocations(t *testing.T) {
	p := &page{id: "main", doc: "d1", url: "https://a.test/", wire: string(tablePage(10_000))}
	refs := NewRefs()
	allocs := testing.AllocsPerRun(5, func() {
		_, err := Take(t.Context(), "t1", p, refs, full)
		require.NoError(t, err)
	})
	require.Less(t, allocs, 100.0)
}
