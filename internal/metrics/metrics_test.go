package metrics

import (
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWrite(t *testing.T) {
	t.Parallel()
	var s Set
	s.Gauge("tabs", "Open tabs.", func() (float64, bool) { return 3, true })
	s.Gauge("unknown", "Not known here.", func() (float64, bool) { return 0, false })
	lost := s.Counter("lost_total", `Lost, with a \ and`+"\na line.")
	ran := s.Counter("commands_total", "Commands.", "command", "code")
	took := s.Histogram("seconds", "How long.", []float64{0.01, 0.1}, "command")
	ran.Add(1, "open", "")
	ran.Add(2, `a "b"`, "x\ny")
	ran.Add(1, "open", "")
	for _, v := range []float64{0.005, 0.01, 0.05, 7} {
		took.Observe(v, "open")
	}
	_ = lost
	var b strings.Builder
	require.NoError(t, s.Write(&b))
	require.Equal(t, `# HELP tabs Open tabs.
# TYPE tabs gauge
tabs 3
# HELP lost_total Lost, with a \\ and\na line.
# TYPE lost_total counter
lost_total 0
# HELP commands_total Commands.
# TYPE commands_total counter
commands_total{command="a \"b\"",code="x\ny"} 2
commands_total{command="open",code=""} 2
# HELP seconds How long.
# TYPE seconds histogram
seconds_bucket{command="open",le="0.01"} 2
seconds_bucket{command="open",le="0.1"} 3
seconds_bucket{command="open",le="+Inf"} 4
seconds_sum{command="open"} 7.065
seconds_count{command="open"} 4
`, b.String())
}

func TestConcurrent(t *testing.T) {
	t.Parallel()
	var s Set
	c := s.Counter("n_total", "N.")
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 100 {
				c.Add(1)
				_ = s.Write(&strings.Builder{})
			}
		})
	}
	wg.Wait()
	var b strings.Builder
	require.NoError(t, s.Write(&b))
	require.Contains(t, b.String(), "n_total 800\n")
}
