package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A low load for long: commands in several sessions, tabs that come and go, sessions that are closed and opened, in
// rounds. What the host and its browsers take is sampled at the same moment of each round, and must not grow in the
// later half. SKUA_SOAK is how many minutes it lasts.
func TestSoak(t *testing.T) {
	if testing.Short() {
		t.Skip("deep tier: it takes minutes")
	}
	minutes := numberFrom(t, "SKUA_SOAK", 2)
	const leastRounds = 8 // to judge by
	u, site := newUser(t), newWitness(t)
	last := time.Duration(minutes) * time.Minute
	end := time.Now().Add(last)
	pace := min(time.Second, last/(2*leastRounds*soakRound)) // the load is what is low, as far as there is time for that
	u.works(t, "--session", "stays", "open", site.URL+"/p/stays")
	var samples []sample
	for n := 0; time.Now().Before(end) || len(samples) < leastRounds; n++ {
		began := time.Now()
		soakStep(t, u, site, n)
		if n%soakRound == soakSample {
			require.Equal(t, "stays", u.works(t, "--session", "stays", "get", "text", "h1"))
			s := take(u.host(t))
			samples = append(samples, s)
			t.Log(s)
		}
		time.Sleep(time.Until(began.Add(pace)))
	}
	later := samples[len(samples)/2:]
	for _, of := range []struct {
		what  string
		value func(sample) float64
		bound float64 // of the growth in the later half, in the unit of the value
	}{
		{"memory of the host, MB", func(s sample) float64 { return float64(s.host) / (1 << 20) }, 6},
		{"memory of the browsers, MB", func(s sample) float64 { return float64(s.browsers) / (1 << 20) }, 60},
		{"open files of the host", func(s sample) float64 { return float64(s.files) }, 8},
		{"processes", func(s sample) float64 { return float64(s.processes) }, 3},
		{"threads of the host", func(s sample) float64 { return float64(s.threads) }, 6},
	} {
		growth := slope(later, of.value) * float64(len(later)-1)
		t.Logf("%s: %+.2f in the later half (bound %+.0f)", of.what, growth, of.bound)
		if growth > of.bound {
			t.Errorf("%s grows: %+.2f in the later half", of.what, growth)
		}
	}
}

const (
	soakRound  = 4 * 13      // commands
	soakSample = 4*9 + 4 - 1 // of a round: all sessions have a page
)

// soakStep runs one command. Four sessions take turns, so that each goes through the steps in order: every step finds
// the page that the one before left, and each round ends with the session closed.
func soakStep(t *testing.T, u *user, site *witness, n int) {
	name := "s" + strconv.Itoa(n%4)
	page := site.URL + "/p/" + name
	steps := []struct {
		args []string
		says string
	}{
		{[]string{"open", page + "?o=soak"}, "Page " + name},
		{[]string{"snapshot"}, `heading "` + name + `"`},
		{[]string{"click", "#go"}, "✓"},
		{[]string{"fill", "#name", "text"}, "✓"},
		{[]string{"tab", "new", page}, "Page " + name},
		{[]string{"get", "text", "h1"}, name},
		{[]string{"screenshot", "made-" + name + ".png"}, ".png"},
		{[]string{"eval", "1 + 1"}, "2"},
		{[]string{"tab", "close"}, ""},
		{[]string{"get", "value", "#name"}, "text"},
		{[]string{"reload"}, page},
		{[]string{"console"}, ""},
		{[]string{"close"}, ""},
	}
	step := steps[n/4%len(steps)]
	clicks := site.counted("click " + name)
	got := u.call(t, append([]string{"--session", name}, step.args...)...)
	require.True(t, got.Code == 0 && strings.Contains(got.Out, step.says), "%d: %q: %+v", n, step.args, got)
	if step.args[0] == "click" {
		require.Equal(t, clicks+1, site.counted("click "+name), "%d: %q", n, step.args)
	}
}

// sample is what there is at a moment.
type sample struct {
	host, browsers            int64
	files, processes, threads int
}

func (s sample) String() string {
	return fmt.Sprintf("host %.1f MB, browsers %.1f MB, %d files, %d processes, %d threads of the host",
		float64(s.host)/(1<<20), float64(s.browsers)/(1<<20), s.files, s.processes, s.threads)
}

func take(host int) sample {
	var s sample
	// Not pages of files: other browsers on the machine share those, so that they count for less while these run.
	s.host, s.browsers = memoryOf(host, "Pss_Anon", "Pss_Shmem")
	s.processes = len(tree(host))
	files, _ := os.ReadDir("/proc/" + strconv.Itoa(host) + "/fd")
	threads, _ := os.ReadDir("/proc/" + strconv.Itoa(host) + "/task")
	s.files, s.threads = len(files), len(threads)
	return s
}

// slope is how much a value grows from one sample to the next, by least squares.
func slope(samples []sample, value func(sample) float64) float64 {
	n := float64(len(samples))
	if n < 2 {
		return 0
	}
	var x, y, xx, xy float64
	for i, s := range samples {
		x, y = x+float64(i), y+value(s)
		xx, xy = xx+float64(i)*float64(i), xy+float64(i)*value(s)
	}
	return (n*xy - x*y) / (n*xx - x*x)
}

func TestSlope(t *testing.T) {
	t.Parallel()
	value := func(s sample) float64 { return float64(s.files) }
	require.InDelta(t, 2, slope([]sample{{files: 1}, {files: 3}, {files: 5}}, value), 1e-9)
	require.InDelta(t, 0, slope([]sample{{files: 5}, {files: 9}, {files: 5}}, value), 1e-9)
}
