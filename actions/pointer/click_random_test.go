package pointer_test

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

var (
	clickCount = flag.Int("clicks", 240, "how many clicks TestClickAtRandom makes")
	clickSeed  = flag.Uint64("click-seed", 1, "the seed of TestClickAtRandom")
)

// A page renders, moves, covers, disables and removes its buttons all the time, most of all when the pointer does
// something. Refs of it are clicked at random, and the page, which alone knows whose button each element is, says who
// was clicked. What is reported as a click must be exactly one on that button, and what is reported as none must be
// none.
//
//	go test ./actions/pointer -run TestClickAtRandom -clicks 10000 -click-seed 7 -v
func TestClickAtRandom(t *testing.T) {
	t.Parallel()
	clicks, hands := *clickCount, 4
	if testing.Short() { // the pages keep a processor busy each
		clicks, hands = min(clicks, 16), 2
	}
	if clicks >= 2000 {
		hands = 8
	}
	var (
		mu    sync.Mutex
		total = map[string]int{}
	)
	t.Run("hands", func(t *testing.T) {
		for hand := range hands {
			t.Run(fmt.Sprint(hand), func(t *testing.T) {
				t.Parallel()
				outcomes := clickAtRandom(t, *clickSeed*100+uint64(hand), clicks/hands)
				mu.Lock()
				defer mu.Unlock()
				for outcome, n := range outcomes {
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
	t.Logf("seed %d\n%s", *clickSeed, strings.Join(lines, "\n"))
	if !t.Failed() {
		require.Greater(t, total["clicked"], clicks/8, "the page lets no click through")
	}
}

// clickAtRandom returns how often each thing happened.
func clickAtRandom(t *testing.T, seed uint64, n int) map[string]int {
	random := rand.New(rand.NewPCG(seed, 1))
	c := host.Opened(t, "/pages/acting-click-mutating.html")
	c.Page(fmt.Sprintf("start(%d, 12)", seed))
	outcomes := map[string]int{}
	var owners map[string]string
	var refs []string
	for i := range n {
		if i%12 == 0 || len(refs) == 0 {
			owners = cardButtons(c)
			refs = refs[:0]
			for ref := range owners {
				refs = append(refs, ref)
			}
			slices.Sort(refs)
			require.NotEmpty(t, refs, "in\n%s", c.Seen)
		}
		ref := refs[random.IntN(len(refs))]
		line := []string{"click", ref, "--timeout", "150"}
		if random.IntN(12) == 0 {
			line = append(line, "--force")
		}
		reply := c.Try(line...)
		seen := sessiontest.Decode[struct {
			Got, Pressed, Other []string
		}](t, c.Page("({got: got.splice(0), pressed: pressed.splice(0), other: other.splice(0)})"))
		story := fmt.Sprintf("seed %d, click %d: %q for %q said %q %v %v; the page got %+v", seed, i, line, owners[ref],
			reply.Result.Text, reply.Err, reply.Result.Notes, seen)
		outcomes[judgeClick(c, reply.Err, reply.Result.Data, len(line) > 4, owners[ref], seen.Got, seen.Pressed, seen.Other,
			story)]++
	}
	c.Page("halt()")
	return outcomes
}

// judgeClick compares what a click said with what the page got, and names the outcome.
func judgeClick(
	c *sessiontest.Client, err error, data any, forced bool, owner string, got, pressed, other []string, story string,
) string {
	c.T.Helper()
	if err == nil {
		if sessiontest.Decode[object](c.T, data)["received"] != nil {
			require.Contains(c.T, pressed, owner, story)
			require.Empty(c.T, got, story)
			return "pressed, and the page acted on that"
		}
		require.Equal(c.T, []string{owner}, got, story)
		if strings.Contains(story, "moved away when the button was pressed") {
			return "clicked once more"
		}
		require.Empty(c.T, other, story)
		return "clicked"
	}
	e, ok := errors.AsType[*fault.Error](err)
	require.True(c.T, ok, story)
	if e.Code == fault.Timeout {
		return string(e.Code) // it says that it is unknown
	}
	if e.Code != fault.TargetMissed {
		require.Empty(c.T, slices.Concat(got, pressed, other), "nothing was to happen: "+story)
		return string(e.Code)
	}
	if e.Facts["lost"] != nil {
		require.Empty(c.T, slices.Concat(got, pressed, other), "nothing was to happen: "+story)
		return "target-missed, no press came to the page"
	}
	if blocked, _ := e.Facts["blocked"].(bool); blocked {
		require.Empty(c.T, slices.Concat(got, pressed, other), "nothing was to happen: "+story)
		return "target-missed, kept from the page"
	}
	if forced && slices.Contains(got, owner) {
		return "target-missed, by force; the equal element that took its place got it, and is named"
	}
	require.NotContains(c.T, got, owner, story)
	if len(slices.Concat(got, pressed, other)) == 0 {
		return "target-missed, pressed what had just left the page"
	}
	if forced {
		return "target-missed, by force"
	}
	require.Contains(c.T, pressed, owner, "what is pressed at all is the target: "+story)
	return "target-missed, after the press"
}

// cardButtons takes a snapshot and returns whose button each ref is, by the heading above it.
func cardButtons(c *sessiontest.Client) map[string]string {
	c.T.Helper()
	text := c.Do("snapshot").Result.Text
	c.Seen = text
	owners := map[string]string{}
	person := ""
	for line := range strings.Lines(text) {
		if m := headingLine.FindStringSubmatch(line); m != nil {
			person = m[1]
		}
		if m := buttonLine.FindStringSubmatch(line); m != nil && person != "" {
			owners["@"+m[2]] = person + " " + m[1]
		}
	}
	return owners
}

var (
	headingLine = regexp.MustCompile(`- heading "(\w+)"`)
	buttonLine  = regexp.MustCompile(`- button "(Call|Write|Delete)" @(e\d+)`)
)
