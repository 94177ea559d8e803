package counters

import (
	"runtime"
	"time"

	"github.com/skua-browser/skua/internal/metrics"
)

// Counters are the counters that the managers and browsers of a service share. A nil *Counters counts nothing.
type Counters struct {
	metrics.Set
	commands *metrics.Counter
	seconds  *metrics.Histogram
	launches *metrics.Counter
	losses   *metrics.Counter
}

// commandBounds are the histogram's bounds in seconds, from a fast read to a slow page.
var commandBounds = []float64{0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30}

// New returns counters that count from now on.
func New() *Counters {
	m := &Counters{}
	m.commands = m.Counter("skua_commands_total",
		"Commands that ran, by their name and the code of their failure; none is success.", "command", "code")
	m.seconds = m.Histogram("skua_command_seconds", "How long commands took.", commandBounds, "command")
	m.launches = m.Counter("skua_browser_launches_total", "Browsers that were started, by result.", "outcome")
	m.losses = m.Counter("skua_browser_losses_total", "Browsers that ended while a session used them.")
	begun := float64(time.Now().UnixMilli()) / 1000
	m.Gauge("process_start_time_seconds", "When the process started, in seconds since 1970.", func() (float64, bool) {
		return begun, true
	})
	m.Gauge("go_goroutines", "Goroutines that exist.", func() (float64, bool) {
		return float64(runtime.NumGoroutine()), true
	})
	m.Gauge("go_memstats_heap_alloc_bytes", "Bytes of the heap in use.", func() (float64, bool) {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return float64(s.HeapAlloc), true
	})
	m.Gauge("process_resident_memory_bytes", "Memory of the process, without its browsers.", metrics.ResidentMemory)
	m.Gauge("process_open_fds", "Open file descriptors.", metrics.OpenFiles)
	return m
}

// Command counts a command that has ended.
func (m *Counters) Command(name string, took time.Duration, code string) {
	if m != nil {
		m.commands.Add(1, name, code)
		m.seconds.Observe(took.Seconds(), name)
	}
}

// Launched counts a browser launch and its outcome.
func (m *Counters) Launched(err error) {
	if m == nil {
		return
	}
	outcome := "ok"
	if err != nil {
		outcome = "failed"
	}
	m.launches.Add(1, outcome)
}

// Lost counts a browser that ended by itself.
func (m *Counters) Lost() {
	if m != nil {
		m.losses.Add(1)
	}
}
