package tool_test

import (
	"context"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/tool"
	"github.com/skua-browser/skua/tool/backend"
)

// costPage has what the routine commands need.
const costPage = `<!doctype html><title>Orders</title><h1>Orders</h1><button>Save</button><label>Note <input></label>`

// routine are the commands that calls consist of most of the time.
var routine = []struct {
	name string
	args []string
}{
	{"title", []string{"get", "title"}},
	{"text", []string{"get", "text", "h1"}},
	{"eval", []string{"eval", "6 * 7"}},
	{"click", []string{"click", "@e2"}},
	{"fill", []string{"fill", "@e3", "words"}},
	{"snapshot", []string{"snapshot", "-i"}},
}

// counting is a backend that keeps the command lines which it runs.
type counting struct {
	backend.Backend
	mu  sync.Mutex
	ran [][]string
}

func (c *counting) Run(ctx context.Context, inv backend.Invocation) backend.Answer {
	c.mu.Lock()
	c.ran = append(c.ran, inv.Args)
	c.mu.Unlock()
	return c.Backend.Run(ctx, inv)
}

// What the native backend's answers tell is not asked for again: a routine call is one command.
func TestRoutineCallsAreOneCommand(t *testing.T) {
	t.Parallel()
	c := newCaller(t)
	counted := &counting{Backend: backend.OnManager(host())}
	own, err := tool.Open(tool.Options{
		Backend: counted, SessionID: t.Name(), Cwd: c.dir,
		Env: map[string]string{"HOME": c.dir},
	})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, own.Close(context.Background())) })
	c.tool = own
	c.do("open", site.Show(costPage))
	c.do("snapshot", "-i")
	for _, command := range routine {
		before := len(counted.ran)
		c.do(command.args...)
		require.Len(t, counted.ran[before:], 1, command.name)
	}
}

// BenchmarkCall runs commands as calls of the tool and, in turn with them, as bare commands of the session's manager,
// and reports what the tool adds: the difference of the medians, and of the best, which other work on the machine
// disturbs least. The aim is 0.3 ms. An eval takes a round trip more, which asks the page for its title: the script may
// have changed that.
//
//	go test ./tool -run '^$' -bench BenchmarkCall -benchtime 300x
func BenchmarkCall(b *testing.B) {
	for _, command := range routine {
		b.Run(command.name, func(b *testing.B) {
			c := showing(b, costPage)
			c.do("snapshot", "-i")
			bare := session.Request{
				Program: "agent-browser", Args: c.do(command.args...).Details.EffectiveArgs, Cwd: c.dir,
				Getenv: func(string) string { return "" },
			}
			var called, ran []time.Duration
			b.ReportAllocs()
			for b.Loop() {
				began := time.Now()
				r := c.try(command.args...)
				called = append(called, time.Since(began))
				require.False(b, r.IsError, textOf(r))

				began = time.Now()
				reply := host().Do(context.Background(), bare)
				ran = append(ran, time.Since(began))
				require.NoError(b, reply.Err)
			}
			slices.Sort(called)
			slices.Sort(ran)
			ms := func(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }
			middle := len(called) / 2
			b.ReportMetric(ms(ran[middle]), "bare-ms")
			b.ReportMetric(ms(called[middle]-ran[middle]), "added-ms")
			b.ReportMetric(ms(called[0]-ran[0]), "added-best-ms")
		})
	}
}
