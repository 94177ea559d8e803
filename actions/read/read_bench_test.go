package read_test

import (
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
)

// BenchmarkReading reads eight pages that scripts write: in the tab of the session, and in tabs of the command's own.
// One iteration is all eight.
func BenchmarkReading(b *testing.B) {
	path, _ := renderedSite()
	var addresses []string
	for i := range 8 {
		addresses = append(addresses, site.URL(path)+"one?"+strconv.Itoa(i))
	}
	together := func(flags ...string) [][]string {
		return [][]string{slices.Concat([]string{"read", "--rendered"}, flags, addresses)}
	}
	var apart [][]string
	for _, a := range addresses {
		apart = append(apart, []string{"open", a}, []string{"read"})
	}
	for _, way := range []struct {
		name  string
		lines [][]string
	}{
		{"open and read", apart},
		{"rendered, 1 tab", together("--tabs", "1")},
		{"rendered with pictures", together("--pictures")},
		{"rendered", together()},
	} {
		b.Run(way.name, func(b *testing.B) {
			c := host.Opened(b, site.Write("<title>Start</title>"))
			for b.Loop() {
				for _, line := range way.lines {
					reply := c.Try(line...)
					require.NoError(b, reply.Err)
					require.False(b, reply.Result.Failed)
				}
			}
			b.ReportMetric(float64(b.N*len(addresses))/b.Elapsed().Seconds(), "pages/s")
		})
	}
}
