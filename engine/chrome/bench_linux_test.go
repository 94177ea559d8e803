package chrome

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/procgroup"
)

func BenchmarkFirstReply(b *testing.B) {
	benchmark(b, func(c *peer) error {
		_, err := c.call("Browser.getVersion", nil, "")
		return err
	})
}

func BenchmarkFirstPage(b *testing.B) {
	benchmark(b, func(c *peer) error {
		_, err := c.open("data:text/html,<h1>hello</h1>")
		return err
	})
}

// benchmark measures from the launch until use has returned, and tells the browser's memory then.
func benchmark(b *testing.B, use func(*peer) error) {
	for name, path := range installed(b) {
		b.Run(name, func(b *testing.B) {
			memory := 0
			for b.Loop() {
				p, err := Launch(b.Context(), Options{ExecutablePath: path, Headless: true})
				require.NoError(b, err)
				require.NoError(b, use(newPeer(p)))
				b.StopTimer()
				memory += groupPSS(p.PID())
				require.NoError(b, p.Close(context.Background()))
				b.StartTimer()
			}
			b.ReportMetric(float64(memory)/float64(b.N)/1024, "MB-PSS")
		})
	}
}

// groupPSS returns the memory of a process group in KB, shared pages divided among those that share them.
func groupPSS(pgid int) int {
	total := 0
	for _, pid := range procgroup.Members(pgid) {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(text)) {
			if fields := strings.Fields(line); len(fields) > 1 && fields[0] == "Pss:" {
				kb, _ := strconv.Atoi(fields[1])
				total += kb
			}
		}
	}
	return total
}
