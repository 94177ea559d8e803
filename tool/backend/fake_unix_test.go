//go:build unix

package backend

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
)

// The tests of Subprocess run a program in agent-browser's place: this test's own, which does what a file says and
// writes down how it was called. A script around it tells it where that file is, since the environment of the process
// is what is tested.

func TestMain(m *testing.M) {
	if dir := os.Getenv("FAKE_AGENT_BROWSER"); dir != "" {
		os.Exit(playFake(dir))
	}
	os.Exit(m.Run())
}

// part is what the program in agent-browser's place does.
type part struct {
	Version    string // what --version prints; empty: the right one
	Stdout     string
	Filler     int // bytes of white space before Stdout
	Stderr     string
	Exit       int
	Hangs      bool // until it is told to end
	IgnoresEnd bool // it must be killed
	Leaves     bool // behind a process that holds its output open
}

// invocation is how the program was called.
type invocation struct {
	Args  []string
	Stdin string
	Cwd   string
	Env   map[string]string
	Pid   int
}

func playFake(dir string) int {
	var p part
	text, err := os.ReadFile(filepath.Join(dir, "part.json"))
	if err != nil || json.Unmarshal(text, &p) != nil {
		return 90
	}
	if slices.Equal(os.Args[1:], []string{"--version"}) {
		if p.Version == "" {
			p.Version = "agent-browser " + UpstreamVersion
		}
		_, _ = io.WriteString(os.Stdout, p.Version+"\n")
		note(dir, "", os.Args[1:])
		return 0
	}
	stdin, _ := io.ReadAll(os.Stdin)
	if p.IgnoresEnd {
		signal.Ignore(syscall.SIGTERM)
	}
	if p.Leaves {
		left := exec.Command("sleep", "60")
		left.Stdout, left.Stderr = os.Stdout, os.Stderr
		if left.Start() != nil {
			return 91
		}
		_ = os.WriteFile(filepath.Join(dir, "left"), []byte(itoa(left.Process.Pid)), 0o600)
	}
	note(dir, string(stdin), os.Args[1:])
	_, _ = io.WriteString(os.Stdout, strings.Repeat(" ", p.Filler)+p.Stdout)
	_, _ = io.WriteString(os.Stderr, p.Stderr)
	if p.Hangs {
		time.Sleep(time.Hour)
	}
	return p.Exit
}

func itoa(n int) string {
	text, _ := json.Marshal(n)
	return string(text)
}

func note(dir, stdin string, args []string) {
	cwd, _ := os.Getwd()
	call := invocation{Args: args, Stdin: stdin, Cwd: cwd, Env: map[string]string{}, Pid: os.Getpid()}
	for _, entry := range os.Environ() {
		name, value, _ := strings.Cut(entry, "=")
		call.Env[name] = value
	}
	line, _ := json.Marshal(call)
	f, err := os.OpenFile(filepath.Join(dir, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return
	}
	defer f.Close()
	_, _ = f.Write(append(line, '\n'))
}

// fake is a program in agent-browser's place.
type fake struct {
	t       *testing.T
	dir     string // where its script is
	sockets string
	backend *Subprocess
}

func newFake(t *testing.T, p part) *fake {
	t.Helper()
	f := &fake{t: t, dir: t.TempDir(), sockets: shortDir(t)}
	f.plays(p)
	self, err := os.Executable()
	require.NoError(t, err)
	script := "#!/bin/sh\nFAKE_AGENT_BROWSER='" + f.dir + "' exec '" + self + "' \"$@\"\n"
	testprogram.Write(t, filepath.Join(f.dir, "agent-browser"), script)
	f.backend = NewSubprocess(SubprocessOptions{SocketDir: f.sockets})
	return f
}

// shortDir is a folder whose path is short enough for sockets.
func shortDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "pb-")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

func (f *fake) plays(p part) {
	f.t.Helper()
	text, err := json.Marshal(p)
	require.NoError(f.t, err)
	require.NoError(f.t, os.WriteFile(filepath.Join(f.dir, "part.json"), text, 0o600))
}

// run runs a call, in a folder and with a PATH that have the program.
func (f *fake) run(inv Invocation) Answer {
	f.t.Helper()
	return f.runWith(context.Background(), inv)
}

func (f *fake) runWith(ctx context.Context, inv Invocation) Answer {
	f.t.Helper()
	if inv.Env == nil {
		inv.Env = map[string]string{}
	}
	if _, there := inv.Env["PATH"]; !there {
		inv.Env["PATH"] = f.dir + string(filepath.ListSeparator) + os.Getenv("PATH")
	}
	if inv.Cwd == "" {
		inv.Cwd = f.dir
	}
	return f.backend.Run(ctx, inv)
}

// calls are those that were made, without looks at the version.
func (f *fake) calls() []invocation {
	f.t.Helper()
	return slices.DeleteFunc(f.all(), func(i invocation) bool { return slices.Equal(i.Args, []string{"--version"}) })
}

func (f *fake) all() []invocation {
	f.t.Helper()
	file, err := os.Open(filepath.Join(f.dir, "log"))
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(f.t, err)
	defer file.Close()
	var calls []invocation
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var call invocation
		require.NoError(f.t, json.Unmarshal(lines.Bytes(), &call))
		calls = append(calls, call)
	}
	require.NoError(f.t, lines.Err())
	return calls
}
