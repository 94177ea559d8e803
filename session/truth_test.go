package session_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session"
)

var (
	truthSeed = flag.Uint64("truth-seed", 0, "the first seed of TestTruth")
	truthRuns = flag.Int("truth-runs", 24, "how many seeds TestTruth runs")
	truthMost = flag.Int("truth-failures", 3, "after how many failures TestTruth ends")
)

// A random page has controls of all kinds, and random commands act on them. The page logs what comes to it. No command
// may say that it did what the page did not see, and none may fail that did what it was to do, or that a person could
// have done.
//
//	go test ./session -run 'TestTruth$' -truth-seed 77 -truth-runs 1 -v
func TestTruth(t *testing.T) {
	t.Parallel()
	runs := *truthRuns
	if testing.Short() {
		runs = min(runs, 12)
	}
	truthful(t, *truthSeed, runs)
}

// The deep tier runs 2,000 seeds, in tests of their own, so that a share of it has one or two of them.
func TestTruth1(t *testing.T) { t.Parallel(); manyTruthful(t, 1) }
func TestTruth2(t *testing.T) { t.Parallel(); manyTruthful(t, 2) }
func TestTruth3(t *testing.T) { t.Parallel(); manyTruthful(t, 3) }
func TestTruth4(t *testing.T) { t.Parallel(); manyTruthful(t, 4) }
func TestTruth5(t *testing.T) { t.Parallel(); manyTruthful(t, 5) }
func TestTruth6(t *testing.T) { t.Parallel(); manyTruthful(t, 6) }
func TestTruth7(t *testing.T) { t.Parallel(); manyTruthful(t, 7) }
func TestTruth8(t *testing.T) { t.Parallel(); manyTruthful(t, 8) }

// manyTruthful runs 250 seeds of the deep tier.
func manyTruthful(t *testing.T, part uint64) {
	if testing.Short() {
		t.Skip("deep tier: hundreds of random pages")
	}
	truthful(t, part*250, 250)
}

// truthful runs seeds, some at the same time.
func truthful(t *testing.T, from uint64, n int) {
	raw, err := os.ReadFile("testdata/truth.html")
	require.NoError(t, err)
	path := site.Write(string(raw))
	var (
		mu    sync.Mutex
		total = map[string]int{}
	)
	hands := min(3, n)
	t.Run("hands", func(t *testing.T) {
		for hand := range hands {
			t.Run(fmt.Sprint(hand), func(t *testing.T) {
				t.Parallel()
				r := &truthRun{Client: host.Opened(t, path), count: map[string]int{}}
				for seed := from + uint64(hand); seed < from+uint64(n) && r.failures < *truthMost; seed += uint64(hands) {
					r.run(seed)
				}
				mu.Lock()
				defer mu.Unlock()
				for outcome, n := range r.count {
					total[outcome] += n
				}
			})
		}
	})
	var lines []string
	for outcome, n := range total {
		lines = append(lines, fmt.Sprintf("%5d %s", n, outcome))
	}
	slices.Sort(lines)
	t.Log(strings.Join(lines, "\n"))
}

// truthRun is a tab in which random pages come one after another.
type truthRun struct {
	*sessiontest.Client
	page     truthPage
	story    []string
	count    map[string]int
	failures int
}

const truthCommands = 4

func (r *truthRun) run(seed uint64) {
	random := rand.New(rand.NewPCG(seed, 18))
	r.page = newTruthPage(random)
	r.story = nil
	raw, err := json.Marshal(r.page.html)
	require.NoError(r.T, err)
	r.Client.Page("render(" + string(raw) + ")")
	refs := map[int]string{}
	for i := range truthCommands {
		before := r.take(false)
		if i == 0 || random.IntN(2) == 0 {
			refs = r.look()
			for _, c := range r.page.controls {
				if before.Controls[c.id].Shown && refs[c.id] == "" && !isUnderDrawn(c) && c.on != "mousedown:swap" {
					r.fail(seed, "a person sees "+c.name+", and the snapshot does not")
					return
				}
			}
		}
		c := pick(random, r.page.controls)
		act := newTruthAct(random, c, refs[c.id])
		if _, there := before.Controls[c.id]; act.line == nil || !there {
			continue
		}
		for _, other := range r.page.controls {
			act.popup = act.popup || (other.kind == "select" || other.kind == "widget") && before.Controls[other.id].Focused
		}
		reply := r.Try(act.line...)
		after := r.take(reply.Err != nil)
		outcome, wrong := act.judge(reply, before, after)
		r.count[outcome]++
		r.tell(act, reply, after)
		if wrong != "" {
			r.fail(seed, wrong)
			return
		}
	}
}

func (r *truthRun) fail(seed uint64, wrong string) {
	r.failures++
	r.T.Errorf("%s\n  %s\nrun it again with -truth-seed %d -truth-runs 1\n%s", wrong, strings.Join(r.story, "\n  "), seed,
		r.described())
}

func (r *truthRun) described() string {
	var b strings.Builder
	for _, c := range r.page.controls {
		fmt.Fprintf(&b, "  %s\n", c)
	}
	return b.String() + r.page.html
}

func (r *truthRun) tell(a truthAct, reply session.Reply, after truthSeen) {
	said := reply.Result.Text
	if reply.Err != nil {
		said = fmt.Sprintf("%s: %v", fault.CodeOf(reply.Err), reply.Err)
	}
	if n := sessiontest.Notes(reply); n != "" {
		said += " (" + n + ")"
	}
	var events []string
	for _, e := range after.Log {
		if !slices.Contains([]string{"pointerdown", "mouseover", "mousemove"}, e.Type) || a.verb == "hover" {
			events = append(events, e.String())
		}
	}
	state, _ := json.Marshal(after.Controls[a.on.id])
	r.story = append(r.story, fmt.Sprintf("%q → %s\n      %s\n      %s", a.line, said, strings.Join(events, " "), state))
}

// take reads what the page has logged, later for a command that failed, whose input may still be on its way.
func (r *truthRun) take(late bool) truthSeen {
	expression := "take()"
	if late {
		expression = "takeLate()"
	}
	return sessiontest.Decode[truthSeen](r.T, r.Client.Page(expression))
}

// look takes a snapshot and returns the controls' refs.
func (r *truthRun) look() map[int]string {
	text := sessiontest.Decode[struct{ Snapshot string }](r.T, r.Do("snapshot", "-i").Result.Data).Snapshot
	refs := map[int]string{}
	for _, c := range r.page.controls {
		if m := regexp.MustCompile(`- [\w-]+ "` + c.name + `\b[^\n]*? @(e\d+)`).FindStringSubmatch(text); m != nil {
			refs[c.id] = "@" + m[1]
		}
	}
	r.story = append(r.story, strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  "))
	return refs
}

// codeOf is the code of an error, and its facts.
func codeOf(err error) (fault.Code, map[string]any) {
	if e, ok := errors.AsType[*fault.Error](err); ok {
		return e.Code, e.Facts
	}
	return "", nil
}
