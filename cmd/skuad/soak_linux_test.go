package main

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A low load for long: a command every second in several sessions, tabs that come and go, sessions that are closed and opened. What the host and
// its browsers take is sampled, and must not grow in the later half. SKUA_SOAK is how many minutes it lasts; without it there is none.
func TestSoak(t *testing.T) {
	minutes := numberFrom(t, "SKUA_SOAK", 0)
	if minutes == 0 {
		t.Skip("SKUA_SOAK is not set")
	}
	u, site := newUser(t), newWitness(t)
	end := time.Now().Add(time.Duration(minutes) * time.Minute)
	every := min(time.Minute, time.Duration(minutes)*time.Minute/24)
	var samples []sample
	next := time.Now().Add(every)
	for n := 0; time.Now().Before(end); n++ {
		began := time.Now()
		soakStep(t, u, site, n)
		if time.Now().After(next) {
			next = next.Add(every)
			s := take(u.host(t))
			samples = append(samples, s)
			t.Log(s)
		}
		time.Sleep(time.Until(began.Add(time.Second))) // the load is what is low
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

// soakStep runs one command; the seventh session is closed and opened anew each time.
func soakStep(t *testing.T, u *user, site *witness, n int) {
	name := "s" + strconv.Itoa(n%4)
	page := site.URL + "/p/" + name
	steps := [][]string{
		{"open", page + "?o=soak"}, {"snapshot"}, {"click", "#go"}, {"fill", "#name", "text"}, {"tab", "new", page}, {"get", "text", "h1"},
		{"screenshot"}, {"eval", "1 + 1"}, {"tab", "close"}, {"wait", "#go"}, {"reload"}, {"console"},
	}
	step := steps[n/4%len(steps)]
	if n%50 == 49 {
		step = []string{"close"}
	}
	got := u.call(t, append([]string{"--session", name}, step...)...)
	if step[0] != "open" && got.Code != 0 && n%200 > 48 { // what needs a page behind a `close` has none
		return
	}
	require.True(t, got.Code == 0 || n > 48, "%q: %+v", step, got)
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
	s.host, s.browsers = memoryOf(host)
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
