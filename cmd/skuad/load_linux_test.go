package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Many sessions run a script at once through the real client. Each has to come out right, and to see its own pages and
// cookies only. SKUA_CROWD is how many there are.
func TestCrowd(t *testing.T) {
	n := numberFrom(t, "SKUA_CROWD", 6)
	u, site := newUser(t), newWitness(t)
	began := time.Now()
	times := make([]time.Duration, n)
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() {
			begin := time.Now()
			if err := member(t, u, site, fmt.Sprintf("s%d", i)); err != nil {
				t.Errorf("session s%d: %v", i, err)
			}
			times[i] = time.Since(begin)
		})
	}
	all.Wait()
	took := time.Since(began)
	host := u.host(t)
	self, browsers := memoryOf(host, "Pss") // pages that processes share are counted in parts
	slices.Sort(times)
	t.Logf("%d sessions in %v: median %v, slowest %v each; memory with all of them open: host %d MB, browsers %d MB (PSS)",
		n, took.Round(100*time.Millisecond), times[n/2].Round(10*time.Millisecond), times[n-1].Round(10*time.Millisecond),
		self>>20, browsers>>20)
	got := u.call(t, "session", "list")
	for i := range n {
		require.Contains(t, got.Out, fmt.Sprintf("s%d", i))
	}
}

// member runs the script of one session.
func member(t *testing.T, u *user, site *witness, name string) error {
	page := site.URL + "/p/" + name
	picture := filepath.Join(u.cwd, "made-"+name+".png")
	for _, step := range []struct {
		args []string
		says string
	}{
		{[]string{"open", page + "?o=" + name}, "Page " + name},
		{[]string{"eval", "document.cookie = 'who=" + name + "'; localStorage.who = '" + name + "'; 1"}, "1"},
		{[]string{"snapshot", "-i"}, `h1 "` + name + `"`},
		{[]string{"fill", "#name", "text of " + name}, "✓"},
		{[]string{"click", "#go"}, "✓"},
		{[]string{"get", "value", "#name"}, "text of " + name},
		{[]string{"wait", "--text", "ready"}, "ready"},
		{[]string{"tab", "new", page + "?o=second-" + name}, "Page " + name},
		{[]string{"get", "text", "h1"}, name},
		{[]string{"screenshot", picture}, picture},
		{[]string{"tab", "t1"}, "Page " + name},
		{[]string{"click", "#post"}, "✓"},
		{[]string{"get", "text", "h1"}, name},
		{[]string{"eval", "document.cookie + ' ' + localStorage.who"}, "who=" + name + " " + name},
		{[]string{"tab", "list"}, "[t2]"},
	} {
		got := u.call(t, append([]string{"--session", name, "--timeout", "120000"}, step.args...)...)
		if got.Code != 0 || !strings.Contains(got.Out, step.says) || strings.Contains(got.Err, "⚠") {
			return fmt.Errorf("%q: %+v", step.args, got)
		}
	}
	for what, times := range map[string]int{
		"open " + name: 1, "open second-" + name: 1, "fill text of " + name: 1, "click " + name: 1, "post " + name: 1,
	} {
		if n := site.counted(what); n != times {
			return fmt.Errorf("%s: the site counted %d", what, n)
		}
	}
	return nil
}

// memoryOf returns what a host and its browsers take, in bytes: the sum of what the kernel calls by these names.
func memoryOf(host int, kinds ...string) (self, browsers int64) {
	for _, p := range tree(host) {
		if p.pid == host {
			self += memory(p.pid, kinds)
		} else {
			browsers += memory(p.pid, kinds)
		}
	}
	return self, browsers
}

func memory(pid int, kinds []string) (bytes int64) {
	f, err := os.Open("/proc/" + strconv.Itoa(pid) + "/smaps_rollup")
	if err != nil {
		return 0 // it ended meanwhile
	}
	defer func() { _ = f.Close() }()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if name, rest, ok := strings.Cut(lines.Text(), ":"); ok && slices.Contains(kinds, name) {
			kb, _ := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			bytes += kb << 10
		}
	}
	return bytes
}
