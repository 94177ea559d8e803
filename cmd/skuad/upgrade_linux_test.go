package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// upgraded returns the same user with programs of a newer build; u itself keeps those of the older one.
func (u *user) upgraded(t testing.TB) *user {
	t.Helper()
	newer := *u
	newer.bin = filepath.Join(u.base, "newer"+filepath.Base(u.bin))
	require.NoError(t, os.Mkdir(newer.bin, 0o700))
	for _, program := range []string{"skua", "skuad"} {
		bytes, err := os.ReadFile(filepath.Join(u.bin, program))
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(filepath.Join(newer.bin, program), bytes, 0o700))
	}
	host := filepath.Join(u.bin, "skuad")
	info, err := os.Stat(host)
	require.NoError(t, err)
	at := info.ModTime().Add(time.Minute)
	require.NoError(t, os.Chtimes(filepath.Join(newer.bin, "skuad"), at, at))
	return &newer
}

// gate is a site whose page /wait shows a text when the test says so.
func gatedSite(t testing.TB) (address string, release func()) {
	t.Helper()
	released := make(chan struct{})
	var once sync.Once
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gate" {
			select {
			case <-released:
			case <-r.Context().Done():
			}
			return
		}
		w.Header().Set("Content-Type", "text/html")
		http.SetCookie(w, &http.Cookie{Name: "login", Value: "anna"})
		_, _ = w.Write(
			[]byte(
				"<!doctype html><title>Wait</title><p id=p>waiting</p><script>fetch('/gate').then(() => p.textContent = " +
					"'released')</script>"))
	}))
	release = func() { once.Do(func() { close(released) }) }
	t.Cleanup(func() {
		release()
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL, release
}

// A newer client takes the place of the host, and the commands of others that are under way are done there.
func TestUpgradeLeavesRunningCommandsAlone(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	site, release := gatedSite(t)
	u.works(t, "--session", "busy", "open", site)
	u.works(t, "--session", "idle", "open", site+"/idle")
	first := u.host(t)
	waiting := u.start(t, "--session", "busy", "wait", "--text", "released", "--timeout", "50000")
	u.awaitTurnIn(t, "busy", "wait")

	newer := u.upgraded(t)
	got := newer.call(t, "--session", "idle", "get", "url")
	require.Equal(t,
		result{
			Out: site + "/idle\n",
			Err: "⚠ a newer build of skua took over session idle, and its browser is a new one; restored: t1 (" + site +
				"/idle); applied again: cookies. Refs of earlier snapshots and text typed into forms are gone\n",
		}, got)
	require.NotEqual(t, first, newer.host(t))
	require.Equal(t, "login=anna", strings.Trim(newer.works(t, "--session", "idle", "eval", "document.cookie"), `"`))

	late := newer.call(t, "--session", "busy", "get", "url", "--timeout", "300")
	require.Equal(t, 1, late.Code, late)
	require.Contains(t, late.Err, "session busy is still with the host of an older build")

	next := newer.start(t, "--session", "busy", "get", "url", "--timeout", "50000")
	release()
	require.Equal(t, 0, waiting.result().Code, waiting.err.String())
	handed := next.result()
	require.Equal(t, 0, handed.Code, handed)
	require.Equal(t, site+"/\n", handed.Out)
	require.Contains(t, handed.Err, "a newer build of skua took over session busy")
	require.Empty(t, newer.call(t, "--session", "busy", "get", "url").Err, "it is said once")
	requireEnded(t, first)
}

// requireEnded waits until a host has ended.
func requireEnded(t testing.TB, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return syscall.Kill(pid, 0) != nil }, leaveLimit, 10*time.Millisecond)
}

// awaitTurnIn is awaitTurn for another session.
func (u *user) awaitTurnIn(t testing.TB, session, command string) {
	t.Helper()
	for range 200 {
		if got := u.call(t, "--session", session, "get", "url", "--timeout", "50"); strings.Contains(got.Err,
			"timed out behind `"+command+"`") {
			return
		}
	}
	t.Fatalf("session %s never worked on %s", session, command)
}

// Several builds may come while the first one still works: each takes the place of the one before, and gets what is
// still there.
func TestUpgradesInARow(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	site, release := gatedSite(t)
	u.works(t, "--session", "busy", "open", site)
	u.works(t, "--session", "unused", "open", site+"/unused")
	first := u.host(t)
	waiting := u.start(t, "--session", "busy", "wait", "--text", "released", "--timeout", "50000")
	u.awaitTurnIn(t, "busy", "wait")

	second := u.upgraded(t)
	var both []*started
	for _, name := range []string{"one", "two"} { // two newer clients at once
		both = append(both, second.start(t, "--session", name, "open", site+"/"+name))
	}
	for _, call := range both {
		got := call.result()
		require.Equal(t, result{Out: got.Out}, got)
	}
	middle := second.host(t)
	require.NotEqual(t, first, middle)
	// waits in a host that is replaced, too
	stuck := second.start(t, "--session", "busy", "get", "url", "--timeout", "50000")

	third := second.upgraded(t)
	got := third.call(t, "--session", "unused", "get", "url")
	require.Equal(t, site+"/unused\n", got.Out, got)
	require.Contains(t, got.Err, "a newer build of skua took over session unused")
	require.Contains(t, got.Err, "applied again: cookies")
	require.Equal(t, site+"/one\n", third.call(t, "--session", "one", "get", "url").Out)
	require.Equal(t, third.host(t), u.host(t))
	older := u.call(t, "--session", "two", "get", "url") // a downgrade: the newer host serves older clients
	require.Equal(t, site+"/two\n", older.Out, older)
	release()
	require.Equal(t, 0, waiting.result().Code, waiting.err.String())
	require.Equal(t, site+"/\n", stuck.result().Out, stuck.err.String())
	requireEnded(t, first)
	requireEnded(t, middle)
}

// What keeps a session in the older host ends at its own deadline or with a `close`, and the next command works in the
// newer host.
func TestUpgradeAndSessionsThatAreNotFree(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	site, _ := gatedSite(t)
	cases := []struct {
		session string
		timeout string
		end     func(u *user) // what ends the command that is under way
		says    string        // of that command
		note    string        // of the next one
	}{
		{"closed", "50000", func(u *user) {
			require.Zero(t, u.call(t, "--session", "closed", "close").Code)
		}, "the session was closed meanwhile", ""},
		{"swept", "50000", func(u *user) {
			require.Zero(t, u.call(t, "close", "--all").Code)
		}, "the session was closed meanwhile", ""},
		{"late", "3000", func(*user) {}, "timed out", "a newer build of skua took over session late"},
	}
	for _, tc := range cases {
		u.works(t, "--session", tc.session, "open", site)
	}
	first := u.host(t)
	waiting := map[string]*started{}
	for _, tc := range cases {
		waiting[tc.session] = u.start(t, "--session", tc.session, "wait", "--text", "released", "--timeout", tc.timeout)
		u.awaitTurnIn(t, tc.session, "wait")
	}
	newer := u.upgraded(t)
	newer.works(t, "--session", "other", "open", site+"/other")
	require.NotEqual(t, first, newer.host(t))
	for _, i := range []int{2, 0, 1} { // what closes all is the last
		tc := cases[i]
		tc.end(newer)
		got := waiting[tc.session].result()
		require.Equal(t, 1, got.Code, got)
		require.Contains(t, got.Err, tc.says)
		next := newer.call(t, "--session", tc.session, "open", site+"/next")
		require.Zero(t, next.Code, next)
		require.Contains(t, next.Err, tc.note)
	}
	requireEnded(t, first)
}

// What keeps a session in the older host ends with that host.
func TestUpgradeAndAHostThatEnds(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		signal syscall.Signal
		says   string // of the command that was under way
		note   string // of the next one
	}{
		{"killed", syscall.SIGKILL, "The host ended", "the host of this session was restarted"},
		{"told to end", syscall.SIGTERM, "the host is ending", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			u := newUser(t)
			site, _ := gatedSite(t)
			u.works(t, "--session", "busy", "open", site)
			first := u.host(t)
			waiting := u.start(t, "--session", "busy", "wait", "--text", "released", "--timeout", "50000")
			u.awaitTurnIn(t, "busy", "wait")
			newer := u.upgraded(t)
			newer.works(t, "--session", "other", "open", site+"/other")
			require.NotEqual(t, first, newer.host(t))
			require.NoError(t, syscall.Kill(first, tc.signal))
			got := waiting.result()
			require.Equal(t, 1, got.Code, got)
			require.Contains(t, got.Err, tc.says)
			next := newer.call(t, "--session", "busy", "open", site+"/next")
			require.Zero(t, next.Code, next)
			require.Contains(t, next.Err, tc.note)
			requireEnded(t, first)
		})
	}
}

// `stop` ends the hosts that still finish commands, too.
func TestStopAfterAnUpgrade(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	site, _ := gatedSite(t)
	u.works(t, "--session", "busy", "open", site)
	first := u.host(t)
	waiting := u.start(t, "--session", "busy", "wait", "--text", "released", "--timeout", "50000")
	u.awaitTurnIn(t, "busy", "wait")
	newer := u.upgraded(t)
	newer.works(t, "--session", "other", "open", site+"/other")
	second := newer.host(t)
	cmd, cancel := newer.command("stop")
	defer cancel()
	cmd.Path, cmd.Args[0] = filepath.Join(newer.bin, "skuad"), "skuad"
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	require.Equal(t, 1, waiting.result().Code)
	requireEnded(t, first)
	requireEnded(t, second)
}

// A recording ends with the older host, and the next reply says where its video is.
func TestUpgradeEndsARecording(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	page := u.page(t, "page.html", "<title>Page</title>")
	u.works(t, "open", page)
	u.works(t, "record", "start", "video.webm")
	newer := u.upgraded(t)
	got := newer.call(t, "record", "stop")
	require.Equal(t, 1, got.Code, got)
	require.Contains(t, got.Err, "No recording in progress")
	require.Contains(t, got.Err, "video.webm")
	require.FileExists(t, filepath.Join(u.cwd, "video.webm"))
}
