package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/session"
	"github.com/skua-browser/skua/session/daemon"
)

// TestScript runs the scripts of testdata/script with the real programs. Besides the commands of testscript they have:
//
//	[!] skua ARG...     runs the client; its exit code must be 0, with ! exactly 1
//	host NAME           puts the process id of the host into the variable NAME
//	browsers N          checks how many browsers the host has
//	kill-browser        kills the host's browsers, and waits until the host knows that
//	kill-host           kills the host, and waits until it and its browsers are gone
//	gone PID            waits until a process is gone
//
// $UNUSED is a port that nothing listens on, $PORT that of a server which does not speak CDP. $PAGES is the address of
// the repository's test pages, $SITE that of the script's own files, and $OTHER the same under another host name, so it
// is another site.
func TestScript(t *testing.T) {
	t.Parallel()
	s := newSites(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup:               s.setup,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"skua":         scriptSkua,
			"host":         scriptHost,
			"browsers":     scriptBrowsers,
			"kill-browser": scriptKillBrowser,
			"kill-host":    scriptKillHost,
			"gone":         scriptGone,
			"printed":      scriptPrinted,
		},
	})
}

// sites is a server of static files for all scripts.
type sites struct {
	server *httptest.Server

	mu    sync.Mutex
	dirs  map[string]http.Handler // of the scripts, by name
	pages http.Handler
}

func newSites(t *testing.T) *sites {
	s := &sites{dirs: map[string]http.Handler{}, pages: http.FileServer(http.Dir("../../testdata/pages"))}
	s.server = httptest.NewServer(s)
	t.Cleanup(s.server.Close)
	return s
}

// ServeHTTP serves /pages/… and /NAME/….
func (s *sites) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	h := s.pages
	if name != "pages" {
		s.mu.Lock()
		h = s.dirs[name]
		s.mu.Unlock()
	}
	if h == nil {
		http.NotFound(w, r)
		return
	}
	http.StripPrefix("/"+name, h).ServeHTTP(w, r)
}

type userKey struct{}

func (s *sites) setup(env *testscript.Env) error {
	u, err := makeUser()
	if err != nil {
		return err
	}
	t := env.T().(testing.TB)
	env.Defer(func() {
		for _, complaint := range u.leave() {
			t.Error(complaint)
		}
	})
	name := filepath.Base(env.WorkDir)
	s.mu.Lock()
	s.dirs[name] = http.FileServer(http.Dir(env.WorkDir))
	s.mu.Unlock()
	env.Values[userKey{}] = u
	unused, err := unusedPort(env.Defer)
	if err != nil {
		return err
	}
	_, port, _ := strings.Cut(s.server.Listener.Addr().String(), ":")
	env.Vars = slices.Concat(u.environ(), []string{
		"WORK=" + env.WorkDir, "UNUSED=" + unused, "BIN=" + u.bin, "RUN=" + u.run, "PORT=" + port, "devnull=" + os.DevNull,
		"PAGES=" + s.server.URL + "/pages", "SITE=" + s.server.URL + "/" + name,
		"OTHER=http://localhost:" + port + "/" + name,
	})
	return nil
}

// unusedPort returns a port that no process can listen on until the end.
func unusedPort(atEnd func(func())) (string, error) {
	fd, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_STREAM|syscall.SOCK_CLOEXEC, 0)
	if err != nil {
		return "", err
	}
	atEnd(func() { _ = syscall.Close(fd) })
	if err := syscall.Bind(fd, &syscall.SockaddrInet4{Addr: [4]byte{127, 0, 0, 1}}); err != nil {
		return "", err
	}
	name, err := syscall.Getsockname(fd)
	if err != nil {
		return "", err
	}
	return strconv.Itoa(name.(*syscall.SockaddrInet4).Port), nil
}

func scriptSkua(ts *testscript.TestScript, neg bool, args []string) {
	err := ts.Exec("skua", args...)
	code := 0
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		code = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("skua: %v", err)
	}
	want := 0
	if neg {
		want = 1
	}
	if code != want {
		ts.Fatalf("skua ended with exit code %d, not %d", code, want)
	}
}

// scriptUser is the user of a script, with the programs that it has now.
func scriptUser(ts *testscript.TestScript) *user { return ts.Value(userKey{}).(*user) }

// hostOf returns the process id of the script's host.
func hostOf(ts *testscript.TestScript) int {
	id, err := daemon.FindHost(context.Background(), scriptUser(ts).run, ts.Getenv("SKUA_NAMESPACE"))
	ts.Check(err)
	if id.PID == 0 {
		ts.Fatalf("no host is running")
	}
	return id.PID
}

func arguments(ts *testscript.TestScript, neg bool, args []string, n int) {
	if neg || len(args) != n {
		ts.Fatalf("takes %d arguments and no !", n)
	}
}

func scriptHost(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1)
	ts.Setenv(args[0], strconv.Itoa(hostOf(ts)))
}

func scriptBrowsers(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1)
	if have := browsers(hostOf(ts)); strconv.Itoa(len(have)) != args[0] {
		ts.Fatalf("the host has %d browsers: %v", len(have), have)
	}
}

func scriptKillBrowser(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 0)
	for _, p := range browsers(hostOf(ts)) {
		ts.Check(syscall.Kill(p.pid, syscall.SIGKILL))
	}
	for deadline := time.Now().Add(leaveLimit); ; time.Sleep(10 * time.Millisecond) {
		cmd, cancel := scriptUser(ts).command("session", "list")
		out, err := cmd.Output()
		cancel()
		ts.Check(err)
		if string(out) == "No active sessions\n" {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("the host did not notice: %s", out)
		}
	}
}

func scriptKillHost(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 0)
	pid := hostOf(ts)
	all := tree(pid)
	ts.Check(syscall.Kill(pid, syscall.SIGKILL))
	awaitEnd(ts, all)
}

func scriptGone(ts *testscript.TestScript, neg bool, args []string) {
	arguments(ts, neg, args, 1)
	pid, err := strconv.Atoi(args[0])
	ts.Check(err)
	awaitEnd(ts, slices.DeleteFunc(processes(), func(p process) bool { return p.pid != pid }))
}

// awaitEnd waits until processes are gone.
func awaitEnd(ts *testscript.TestScript, all []process) {
	for deadline := time.Now().Add(leaveLimit); ; time.Sleep(10 * time.Millisecond) {
		left := alive(all)
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			ts.Fatalf("still there: %v", left)
		}
	}
}

// Every command explains itself, under each of its names.
func TestHelpOfEveryCommand(t *testing.T) {
	t.Parallel()
	u := newUser(t)
	m, err := session.New(session.Options{Registry: catalog.Registry()})
	require.NoError(t, err)
	for _, c := range m.Registry().Commands() {
		for _, name := range append([]string{c.Name}, c.Aliases...) {
			got := u.works(t, append(strings.Fields(name), "--help")...)
			require.Contains(t, got, "skua "+name, name)
			require.Contains(t, got, c.Summary, name)
			for _, f := range c.Flags {
				require.Contains(t, got, "--"+f.Name, name)
			}
		}
	}
	require.Empty(t, browsers(u.host(t)), "help needs no browser")
}

// scriptPrinted takes the command line that the last command printed behind a label into a variable. A text in it may
// be replaced, as a person does.
func scriptPrinted(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 && len(args) != 4 {
		ts.Fatalf("takes a variable, a label and perhaps a text with another one for it, and no !")
	}
	_, line, ok := strings.Cut(ts.ReadFile("stdout"), args[1])
	line, _, _ = strings.Cut(line, "\n")
	if line = strings.TrimSpace(line); !ok || line == "" {
		ts.Fatalf("nothing is printed behind %q", args[1])
	}
	if len(args) == 4 {
		line = strings.ReplaceAll(line, args[2], args[3])
	}
	ts.Setenv(args[0], line)
}
