package session_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

// seenControl is a control that a snapshot showed, as the page knows it.
type seenControl struct {
	Role string `json:"role"`
	Name string `json:"name"`
	Item string `json:"item"`
	ID   int    `json:"id"` // its identity, which no snapshot shows
	Bare bool   `json:"bare"`
	At   int    `json:"at"`
}

// outcome is what the page knows of a click.
type outcome struct {
	Hits        int  // controls that were clicked
	Lives       bool // what was named is still in the page, and stands for the same
	Visible     bool
	Disturbed   bool // it was renamed or moved, or something else in its item was
	Same        bool // it was clicked
	SameElement bool // its element was clicked
	Equal       bool // what was clicked has the role and name that were shown, and is in an item with the same key
	IsNew       bool // what was clicked was not there when the snapshot was taken
	ID, At      int  // what was clicked, and when
	Name, Item  string
}

// randomPage is one tab in which programs run one after another.
type randomPage struct {
	*sessiontest.Client
	seen  map[string]seenControl // by ref
	story []string
	count map[string]int
}

// look takes a snapshot and learns which identity each ref stands for.
func (p *randomPage) look() {
	p.T.Helper()
	shown := sessiontest.Decode[[]seenControl](p.T, p.Page("shown()"))
	text := sessiontest.Decode[struct{ Snapshot string }](p.T, p.Do("snapshot").Result.Data).Snapshot
	p.story = append(p.story, text)
	refs := map[string][]string{}
	for _, m := range sessiontest.RefLine.FindAllStringSubmatch(text, -1) {
		refs[m[1]] = append(refs[m[1]], "@"+m[2])
	}
	for _, control := range shown {
		key := fmt.Sprintf("%s %q", control.Role, control.Name)
		require.NotEmpty(p.T, refs[key], "%s is not in\n%s", key, text)
		p.seen[refs[key][0]] = control
		refs[key] = refs[key][1:]
	}
}

// act clicks a ref and checks what that reached.
func (p *randomPage) act(ref string) {
	p.T.Helper()
	want := p.seen[ref]
	reply := p.Try("--timeout", "400", "click", ref)
	raw, err := json.Marshal(want)
	require.NoError(p.T, err)
	got := sessiontest.Decode[outcome](p.T, p.Page("outcome("+string(raw)+")"))
	said := sessiontest.Notes(reply)
	p.story = append(p.story, fmt.Sprintf("click %s %+v: %v %s: %+v", ref, want, reply.Err, said, got))
	tell := func() string { return strings.Join(p.story, "\n") }
	if fault.Is(reply.Err, fault.Timeout) {
		p.count["late"]++   // a busy browser: the outcome of the click is unknown, and the error says so
		delete(p.seen, ref) // nor what the ref names now
		return
	}
	if reply.Err != nil {
		p.count["failed"]++
		require.Zero(p.T, got.Hits, "it failed and clicked\n%s", tell())
		if got.Lives && got.Visible && !got.Disturbed {
			require.FailNow(p.T, "it failed although nothing had happened to it", tell())
		}
		if !got.Lives {
			require.Equal(p.T, fault.RefStale, fault.CodeOf(reply.Err), tell())
		}
		return
	}
	require.Equal(p.T, 1, got.Hits, tell())
	switch {
	case got.Lives:
		p.count["alive"]++
		require.True(p.T, got.Same, "what was named is there, and something else was clicked\n%s", tell())
	case got.SameElement && got.Equal:
		p.count["same again"]++ // its element showed something else for a while
	case got.SameElement && want.Bare && strings.Contains(said, " changed: was "):
		want.ID, want.At, want.Name, want.Item = got.ID, got.At, got.Name, got.Item // as the reply said
		p.seen[ref] = want
		// nothing tells the label of an entry from that of a button that toggles; the reply says what it was
		p.count["relabelled"]++
	default:
		p.count["healed"]++
		require.Contains(p.T, said, "healed", tell())
		require.True(p.T, got.Equal, "it healed to something else\n%s", tell())
		require.True(p.T, got.IsNew, "it healed to what was there before\n%s", tell())
		want.ID, want.At = got.ID, got.At // which it names from now on
		p.seen[ref] = want
	}
}

// run builds a page from the seed, does to it what the program says, and acts on some of the refs. A byte is a
// mutation, or another look.
func (p *randomPage) run(seed uint64, program []byte) {
	p.T.Helper()
	rng := rand.New(rand.NewPCG(seed, uint64(len(program))))
	p.seen, p.story = map[string]seenControl{}, []string{fmt.Sprintf("seed %d, program %v", seed, program)}
	p.Page(fmt.Sprintf("build(%d)", seed&0x7fffffff))
	p.look()
	for i, b := range program {
		if b >= 245 {
			p.look()
			continue
		}
		p.story = append(p.story, fmt.Sprint(p.Page(fmt.Sprintf("mutate(%d)", b))))
		if i%4 == 3 || i == len(program)-1 {
			for range 2 {
				p.act(p.any(rng))
			}
		}
	}
}

// any is one of the refs that were shown, newer ones rather than old ones.
func (p *randomPage) any(rng *rand.Rand) string {
	var refs []string
	for n := 1; n < 1<<20 && len(refs) < len(p.seen); n++ {
		if ref := fmt.Sprintf("@e%d", n); p.seen[ref].Role != "" {
			refs = append(refs, ref)
		}
	}
	return refs[rng.IntN(len(refs))]
}

// TestRefsAtRandom runs programs from fixed seeds. FuzzRefs looks for others.
func TestRefsAtRandom(t *testing.T) {
	t.Parallel()
	p := &randomPage{Client: host.Opened(t, "/pages/rerender-random.html"), count: map[string]int{}}
	programs := uint64(60)
	if testing.Short() {
		programs = 12
	}
	for seed := range programs {
		rng := rand.New(rand.NewPCG(seed, 7))
		program := make([]byte, 12)
		for i := range program {
			program[i] = byte(rng.IntN(256))
		}
		p.run(seed, program)
	}
	t.Log(p.count)
	for _, kind := range []string{"alive", "healed", "failed"} {
		require.NotZero(t, p.count[kind], "programs have all kinds of ends: %v", p.count)
	}
}

func FuzzRefs(f *testing.F) {
	f.Add(uint64(1), []byte{7, 8, 0})
	f.Add(uint64(2), []byte{2, 14, 15, 16})
	f.Add(uint64(3), []byte{19, 250, 20, 9})
	p := &randomPage{Client: host.Opened(f, "/pages/rerender-random.html"), count: map[string]int{}}
	f.Fuzz(func(t *testing.T, seed uint64, program []byte) {
		if len(program) > 24 {
			t.Skip("long programs find nothing that short ones do not")
		}
		run := *p
		run.Client = p.In(t)
		run.run(seed, program)
	})
}
