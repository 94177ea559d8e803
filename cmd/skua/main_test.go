//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/session/wire"
)

func TestCall(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		require.Equal(t, result{Out: "a|b c||-x|ü\n"}, c.call(t, "echo", "a", "b c", "", "-x", "ü"))
		require.Equal(t, result{Err: "exit 3\n", Code: 3}, c.call(t, "exit", "3"))
		require.Equal(t, result{Err: "exit 255\n", Code: 255}, c.call(t, "exit", "255"))
		require.Equal(t, result{}, c.call(t))
		require.Equal(t, result{Err: "unknown\n", Code: 1}, c.call(t, "bogus"))
	})
}

func TestHostLearnsWhoCalls(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		dir, err := filepath.EvalSymlinks(c.dir)
		require.NoError(t, err)
		for arg, name := range map[string]string{
			"skua": "skua", "/usr/bin/agent-browser": "agent-browser",
			"./skua": "skua",
		} {
			c.arg = arg
			got := c.call(t, "who")
			require.Contains(t, got.Out, " name="+name+" cwd="+dir+"\n")
		}
	})
}

// The host that a symbolic link's target has beside it is started, not one beside the link.
func TestHostIsFoundThroughASymbolicLink(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		links := t.TempDir()
		require.NoError(t, os.Symlink(filepath.Join(c.bin, "skua"), filepath.Join(links, "skua")))
		c.bin = links
		require.Equal(t, result{Out: "found\n"}, c.call(t, "echo", "found"))
	})
}

func TestEnvironmentIsFiltered(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.env = []string{
			"AWS_SECRET_ACCESS_KEY=secret", "SKUA_SESSION=s", "AGENT_BROWSER_JSON=0", "https_proxy=http://p",
			"XDG_CACHE_HOME=/c",
			"SKUA=no", "HOMEX=no", "CI=1", "EMPTY=", "TMPDIR=/tmp",
		}
		got := c.call(t, "env")
		require.Equal(t, result{Out: strings.Join([]string{
			"HOME=/nonexistent", "PATH=/nonexistent", "SKUA_SOCKET_DIR=" + c.run, "SKUA_SESSION=s", "AGENT_BROWSER_JSON=0",
			"https_proxy=http://p", "XDG_CACHE_HOME=/c", "CI=1", "TMPDIR=/tmp",
		}, "\n") + "\n"}, got)
	})
}

// The keys of providers are sent when one is asked for, and only then.
func TestKeysOfProviders(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		keys := []string{
			"AGENTCORE_REGION=r", "AWS_SECRET_ACCESS_KEY=a", "BROWSERBASE_API_KEY=b", "BROWSERLESS_API_KEY=c",
			"BROWSER_USE_API_KEY=d",
			"KERNEL_API_KEY=e", "SELENIUM_REMOTE_URL=f",
		}
		for _, tc := range []struct {
			name string
			args []string
			env  []string
			sent bool
		}{
			{"not asked", []string{"env"}, nil, false},
			{"long", []string{"env", "--provider", "kernel"}, nil, true},
			{"in one", []string{"env", "--provider=kernel"}, nil, true},
			{"short", []string{"env", "-p", "kernel"}, nil, true},
			{"after --", []string{"env", "--", "--provider"}, nil, false},
			{"by a variable", []string{"env"}, []string{"AGENT_BROWSER_PROVIDER=kernel"}, true},
			{"by a variable of ours", []string{"env"}, []string{"SKUA_PROVIDER=kernel"}, true},
		} {
			t.Run(tc.name, func(t *testing.T) {
				c := c
				c.env = append(append([]string{"OTHER_KEY=no"}, keys...), tc.env...)
				got := c.call(t, tc.args...)
				for _, key := range keys {
					require.Equal(t, tc.sent, strings.Contains(got.Out, key), "%s: %v", key, got)
				}
				require.NotContains(t, got.Out, "OTHER_KEY")
			})
		}
	})
}

func TestStandardInput(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		const size = 10 << 20
		for _, tc := range []struct {
			name string
			args []string
			want string
		}{
			{"batch", []string{"batch"}, "stdin=true 10485760 bytes\n"},
			{"batch with a flag", []string{"batch", "--bail"}, "stdin=true 10485760 bytes\n"},
			{"batch with commands", []string{"batch", "get url"}, "stdin=false 0 bytes\n"},
			{"asked for", []string{"stdin", "--stdin"}, "stdin=true 10485760 bytes\n"},
			{"a password", []string{"stdin", "--password-stdin"}, "stdin=true 10485760 bytes\n"},
			{"not asked for", []string{"stdin"}, "stdin=false 0 bytes\n"},
			{"after --", []string{"stdin", "--", "--stdin"}, "stdin=false 0 bytes\n"},
		} {
			c.in = strings.NewReader(strings.Repeat("0123456789abcdef", size/16))
			require.Equal(t, result{Out: tc.want}, c.call(t, tc.args...), tc.name)
		}
		c.in = nil // the null device
		require.Equal(t, result{Out: "stdin=true 0 bytes\n"}, c.call(t, "batch"))
	})
}

// Agents leave pipes open that never end.
func TestStandardInputIsLeftAlone(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()
		defer w.Close()
		c.in = r
		require.Equal(t, result{Out: "stdin=false 0 bytes\n"}, c.call(t, "stdin"))
		// The host sees that the command line cannot run, or reads no input after all.
		require.Equal(t, result{Out: "stdin=false 0 bytes\n"}, c.call(t, "batch", "--wrong"))
	})
}

func TestLargeInput(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		long := strings.Repeat("x", 127<<10) // the kernel takes 128 KiB
		require.Equal(t, result{Out: long + "\n"}, c.call(t, "echo", long))
		many := make([]string, 2000)
		for i := range many {
			many[i] = strconv.Itoa(i)
		}
		require.Equal(t, result{Out: strings.Join(many, "|") + "\n"}, c.call(t, append([]string{"echo"}, many...)...))
		for range 10 { // a megabyte of arguments
			many = append(many, strings.Repeat("y", 100<<10))
		}
		require.Equal(t, result{Out: strings.Join(many, "|") + "\n"}, c.call(t, append([]string{"echo"}, many...)...))
		for i := range 1000 {
			c.env = append(c.env, "VARIABLE_"+strconv.Itoa(i)+"=x")
		}
		require.Equal(t, result{Out: "fine\n"}, c.call(t, "echo", "fine"))
	})
}

// Paths beyond all bounds are refused, or do not matter.
func TestLongVariables(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		long := "/" + strings.Repeat("x", 100<<10)
		c.env = []string{"HOME=" + long, "SKUA_SESSION=" + long, "PATH=" + long + ":" + long[:3000], "LS_COLORS=" + long}
		require.Equal(t, result{Out: "fine\n"}, c.call(t, "echo", "fine"))
		for _, dir := range []string{long, long[:5000], long[1:], long[1:2000]} {
			c.env = []string{"SKUA_SOCKET_DIR=" + dir}
			got := c.call(t, "who")
			require.Equal(t, 1, got.Code)
			require.Contains(t, got.Err, "xxx/skua.socket is too long (")
		}
	})
}

// A closed standard stream is not mistaken for the connection.
func TestClosedStreams(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		pid := hostPID(t, c.call(t, "who"))
		for _, closed := range []string{"<&-", ">&-", "2>&-", "<&- >&- 2>&-"} {
			cmd := c.command(t)
			cmd.Args = []string{"sh", "-c", `"$0" exit 5 ` + closed, cmd.Path}
			cmd.Path = "/bin/sh"
			require.Error(t, cmd.Run())
			require.Equal(t, 5, cmd.ProcessState.ExitCode(), closed)
		}
		require.Equal(t, pid, hostPID(t, c.call(t, "who")))
	})
}

func TestTooLargeInput(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.in = io.LimitReader(zeros{}, wire.MaxRequest+100)
		got := c.call(t, "batch")
		require.Equal(t,
			result{Err: "✗ The command and its input are larger than 64 MiB. Pass large input as a file.\n", Code: 1}, got)
	})
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }

func TestLargeOutput(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		const size = 8 << 20
		got := c.call(t, "big", strconv.Itoa(size))
		require.Zero(t, got.Code)
		require.True(t, got.Out == strings.Repeat("0123456789abcdef", size/16))
	})
}

// A reader that has enough, such as head, ends the client quietly.
func TestClosedOutput(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		cmd := c.command(t, "big", "8388608")
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		var errOut bytes.Buffer
		cmd.Stderr = &errOut
		require.NoError(t, cmd.Start())
		_, err = io.ReadFull(out, make([]byte, 10))
		require.NoError(t, err)
		require.NoError(t, out.Close())
		err = cmd.Wait()
		require.Error(t, err)
		require.Empty(t, errOut.String())
		require.Equal(t, result{Out: "fine\n"}, c.call(t, "echo", "fine"))
	})
}

// A standard output in non-blocking mode is waited for, not given up.
func TestNonBlockingOutput(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		r, w, err := os.Pipe()
		require.NoError(t, err)
		defer r.Close()
		// os/exec makes a file blocking that it hands over. The mode belongs to what is open, not to the descriptor.
		raw, err := w.SyscallConn()
		require.NoError(t, err)
		cmd := c.command(t, "big", "8388608")
		cmd.Stdout = w
		require.NoError(t, cmd.Start())
		require.NoError(t, raw.Control(func(fd uintptr) { err = syscall.SetNonblock(int(fd), true) }))
		require.NoError(t, err)
		require.NoError(t, w.Close())
		n, err := io.Copy(io.Discard, r)
		require.NoError(t, err)
		require.Equal(t, int64(8388608), n)
		require.NoError(t, cmd.Wait())
	})
}

func TestInterruptCancels(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		for _, sig := range []os.Signal{os.Interrupt, syscall.SIGTERM} {
			cmd := c.command(t, "hang")
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			line, err := bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "hanging\n", line)
			require.NoError(t, cmd.Process.Signal(sig))
			require.Error(t, cmd.Wait())
			require.Equal(t, result{Out: "the client closed the connection\n"}, c.call(t, "canceled"))
		}
	})
}

func TestNamespaces(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		t.Cleanup(func() { stopHost(t, c.run, "one") })
		plain := hostPID(t, c.call(t, "who"))
		one := hostPID(t, c.call(t, "who", "--namespace", "one"))
		require.NotEqual(t, plain, one)
		require.Equal(t, one, hostPID(t, c.call(t, "who", "--namespace=one")))
		require.Equal(t, plain, hostPID(t, c.call(t, "who", "--", "--namespace=one")))
		for _, name := range []string{"AGENT_BROWSER_NAMESPACE", "SKUA_NAMESPACE"} {
			with := c
			with.env = []string{name + "=one"}
			require.Equal(t, one, hostPID(t, with.call(t, "who")))
		}
		for _, bad := range []string{"../x", "a b", "a/b", strings.Repeat("x", 65)} {
			got := c.call(t, "who", "--namespace", bad)
			require.Equal(t, result{
				Err:  "✗ namespace \"" + bad + "\": only letters, digits, - and _ are allowed, at most 64\n",
				Code: 1,
			}, got)
		}
	})
}

// A relative directory is relative to where the caller is, for both programs.
func TestRelativeSocketDir(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		c.dir = c.run
		c.run = "sub"
		pid := hostPID(t, c.call(t, "who"))
		abs := filepath.Join(c.dir, "sub")
		require.FileExists(t, filepath.Join(abs, "skua.socket"))
		t.Cleanup(func() { stopHost(t, abs, "") })
		c.run = abs
		require.Equal(t, pid, hostPID(t, c.call(t, "who")))
	})
}

var pidPattern = regexp.MustCompile(`^pid=(\d+) `)

// hostPID returns the process that answered "who".
func hostPID(t *testing.T, r result) string {
	t.Helper()
	m := pidPattern.FindStringSubmatch(r.Out)
	require.NotNil(t, m, "%+v", r)
	return m[1]
}

func TestClientsThatStartTogether(t *testing.T) {
	eachBuild(t, func(t *testing.T, c client) {
		const clients = 8
		var wg sync.WaitGroup
		results := make([]result, clients)
		for i := range clients {
			wg.Go(func() { results[i] = c.call(t, "who") })
		}
		wg.Wait()
		for _, r := range results {
			require.Equal(t, hostPID(t, results[0]), hostPID(t, r))
		}
	})
}

// hostProcess is hostPID as a number.
func hostProcess(t *testing.T, r result) int {
	t.Helper()
	pid, err := strconv.Atoi(hostPID(t, r))
	require.NoError(t, err)
	return pid
}

// The client's imports are its start-up time. Linux and macOS get along without net; Windows has no other way to
// connect.
func TestImports(t *testing.T) {
	t.Parallel()
	banned := []string{
		"fmt", "reflect", "flag", "os/exec", "encoding/json", "net/http", "regexp", "log", "context",
		"bufio",
	}
	for goos, more := range map[string][]string{
		"linux": {"net", "path/filepath", "strings"}, "darwin": {"net"},
		"windows": {},
	} {
		list := exec.Command("go", "list", "-deps", "-f", "{{if not .Standard}}module {{end}}{{.ImportPath}}", ".")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+goos)
		out, err := list.Output()
		require.NoError(t, err)
		deps := strings.Split(strings.TrimSpace(string(out)), "\n")
		require.Greater(t, len(deps), 10)
		for _, dep := range deps {
			if goos != "windows" || dep != "context" { // net needs it
				require.NotContains(t, append(banned, more...), dep, goos)
			}
			if path, ok := strings.CutPrefix(dep, "module "); ok {
				require.Regexp(t,
					`/(internal/terminal|internal/limits|session/wire|session/wire/callenv|session/wire/hostdir|cmd/skua)$`, path,
					goos)
			}
		}
	}
}
