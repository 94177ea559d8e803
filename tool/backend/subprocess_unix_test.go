//go:build unix

package backend

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
)

const done = `{"success":true,"data":{"title":"T"},"error":null}`

func TestHowTheProgramIsStarted(t *testing.T) {
	t.Parallel()
	t.Run("4.1 19.2 no shell, the caller's folder, input that ends", func(t *testing.T) {
		t.Parallel()
		f, dir := newFake(t, part{Stdout: done}), t.TempDir()
		a := f.run(Invocation{Args: []string{"--json", "--namespace", "", "eval", `$(touch x); "a b" *`}, Cwd: dir})
		require.True(t, a.Success, a.Error)
		calls := f.calls()
		require.Len(t, calls, 1)
		require.Equal(t, []string{"--allow-file-access", "false", "--json", "--namespace", "", "eval", `$(touch x); "a b" *`},
			calls[0].Args)
		require.Equal(t, dir, calls[0].Cwd)
		require.Empty(t, calls[0].Stdin)
		require.NoFileExists(t, filepath.Join(dir, "x"))
		f.run(Invocation{Args: []string{"--json", "batch"}, Stdin: []byte(`[["get","title"]]`)})
		require.Equal(t, `[["get","title"]]`, f.calls()[1].Stdin)
	})
	lines := map[string]struct {
		inv  Invocation
		want string
	}{
		"4.2 the caller's word on local files is taken out": {
			Invocation{
				Args: strings.Fields("--allow-file-access true --json open u --allow-file-access --allow-file-access=true x"),
			},
			"--allow-file-access false --json open u x",
		},
		"4.2 not for a browser that runs already": {
			Invocation{Args: strings.Fields("--json get url"), Attached: true},
			"--json get url",
		},
		"4.2 not for what starts no browser": {
			Invocation{Args: strings.Fields("--json skills list"), NoBrowser: true},
			"--json skills list",
		},
		"4.2 before a user agent that goes along": {Invocation{Args: []string{
			"--args", "--user-agent=X", "--json", "open",
			"u",
		}}, "--allow-file-access false --args --user-agent=X --json open u"},
		"4.2 a word that only looks like the other": {
			Invocation{Args: strings.Fields("--json fill #a --allow-file-accesses")},
			"--allow-file-access false --json fill #a --allow-file-accesses",
		},
	}
	for name, tt := range lines {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, part{Stdout: done})
			f.run(tt.inv)
			require.Equal(t, tt.want, strings.Join(f.calls()[0].Args, " "))
		})
	}
}

func TestTheProgramsEnvironment(t *testing.T) {
	t.Parallel()
	f := newFake(t, part{Stdout: done})
	given := map[string]string{
		"HOME": "/h", "XDG_CACHE_HOME": "/x", "https_proxy": "http://p", "AGENT_BROWSER_HEADED": "1", "KERNEL_API_KEY": "k",
		"LC_ALL":             "C",
		"AGENT_BROWSER_ARGS": "--a", "AGENT_BROWSER_ALLOW_FILE_ACCESS": "1", "AGENT_BROWSER_CONFIG": "/c",
		"AGENT_BROWSER_SOCKET_DIR": "/s",
		"GITHUB_TOKEN":             "secret", "LD_PRELOAD": "/evil.so", "AGENT_BROWSER_DEFAULT_TIMEOUT": "60000",
	}
	f.run(Invocation{Args: []string{"--json", "get", "title"}, Env: given})
	env := f.calls()[0].Env
	for name, want := range map[string]string{
		"HOME": "/h", "XDG_CACHE_HOME": "/x", "https_proxy": "http://p", "AGENT_BROWSER_HEADED": "1", "KERNEL_API_KEY": "k",
		"LC_ALL":                   "C",
		"AGENT_BROWSER_SOCKET_DIR": f.sockets,
	} {
		require.Equal(t, want, env[name], name)
	}
	t.Run("4.3 what does not get through", func(t *testing.T) {
		for _, name := range []string{"AGENT_BROWSER_ARGS", "AGENT_BROWSER_ALLOW_FILE_ACCESS", "GITHUB_TOKEN", "LD_PRELOAD"} {
			require.NotContains(t, env, name)
		}
	})
	t.Run("4.3 an empty configuration", func(t *testing.T) {
		text, err := os.ReadFile(env["AGENT_BROWSER_CONFIG"])
		require.NoError(t, err)
		require.JSONEq(t, `{}`, string(text))
		info, err := os.Stat(env["AGENT_BROWSER_CONFIG"])
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o400), info.Mode())
	})
	t.Run("4.3 the caller's configuration where no browser is", func(t *testing.T) {
		f.run(Invocation{Args: []string{"--json", "plugin", "list"}, Env: given, NoBrowser: true})
		require.Equal(t, "/c", f.calls()[1].Env["AGENT_BROWSER_CONFIG"])
	})
	for value, want := range map[string]string{
		"60000": "25000", "3000": "3000", "0": "25000", "soon": "25000",
		"25000": "25000",
	} {
		t.Run("4.4 a limit of "+value, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, want, clamped(value))
		})
	}
	t.Run("4.4 in the program's environment", func(t *testing.T) {
		require.Equal(t, "25000", env["AGENT_BROWSER_DEFAULT_TIMEOUT"])
	})
}

func TestSocketDirectory(t *testing.T) {
	t.Parallel()
	bad := map[string]struct {
		make func(t *testing.T, dir string) string
		want string
	}{
		"4.5 a relative path": {func(*testing.T, string) string { return "run" }, "not an absolute path"},
		"4.5 others may look in": {func(t *testing.T, dir string) string {
			require.NoError(t, os.Chmod(dir, 0o755))
			return dir
		}, "not 0700"},
		"4.5 a file": {func(t *testing.T, dir string) string { return written(t, dir, "f") }, "not a folder"},
		"4.5 a link": {linked, "not a folder"},
		"4.5 a parent for all": {func(t *testing.T, dir string) string {
			return under(t, dir, 0o777)
		}, "others may write to"},
		"4.5 a link in it": {func(t *testing.T, dir string) string {
			require.NoError(t, os.Symlink("/", filepath.Join(dir, "l")))
			return dir
		}, "l in it"},
		"4.5 one that is too far": {func(_ *testing.T, dir string) string {
			return filepath.Join(dir, "no", "such")
		}, "cannot be created"},
	}
	for name, tt := range bad {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, part{Stdout: done})
			f.backend = NewSubprocess(SubprocessOptions{SocketDir: tt.make(t, f.sockets)})
			a := f.run(Invocation{Args: []string{"--json", "get", "title"}})
			require.False(t, a.Success)
			require.False(t, a.Started)
			require.Equal(t, fault.Usage, a.Code)
			require.Contains(t, a.Error, tt.want)
			require.Empty(t, f.all())
		})
	}
	t.Run("4.5 a folder of the user's among the temporary files", func(t *testing.T) {
		t.Parallel()
		dir, err := socketDir("", nil)
		require.NoError(t, err)
		require.Equal(t, filepath.Join(os.TempDir(), "piab-"+itoa(os.Getuid())), dir)
	})
	t.Run("4.5 20 by a variable", func(t *testing.T) {
		t.Parallel()
		want := shortDir(t)
		for _, name := range []string{"SKUA_TOOL_SOCKET_DIR", "PI_AGENT_BROWSER_SOCKET_DIR"} {
			dir, err := socketDir("", map[string]string{name: want})
			require.NoError(t, err)
			require.Equal(t, want, dir)
		}
	})
	t.Run("4.5 a session whose socket's path is too long", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Stdout: done})
		fits := socketPathMost - len(filepath.Join(f.sockets, ".sock"))
		require.True(t, f.run(Invocation{Args: []string{"--json", "open", "u"}, Session: strings.Repeat("s", fits)}).Success)
		a := f.run(Invocation{Args: []string{"--json", "open", "u"}, Session: strings.Repeat("s", fits+1)})
		require.Equal(t, fault.Usage, a.Code)
		require.Contains(t, a.Error, "Unix socket path would be 104")
		require.False(t, a.Started)
		a = f.run(Invocation{Args: []string{"--json", "open", "u"}, Namespace: "work", Session: strings.Repeat("s", fits)})
		require.Contains(t, a.Error, "Unix socket path would be")
		require.Len(t, f.calls(), 1)
	})
}

func written(t *testing.T, dir, name string) string {
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	return path
}

func linked(t *testing.T, dir string) string {
	path := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(dir, path))
	return path
}

func under(t *testing.T, dir string, mode os.FileMode) string {
	parent := filepath.Join(dir, "p")
	require.NoError(t, os.Mkdir(parent, 0o700))
	require.NoError(t, os.Chmod(parent, mode))
	return filepath.Join(parent, "run")
}

func TestOutput(t *testing.T) {
	t.Parallel()
	t.Run("4.6 more than is kept in memory", func(t *testing.T) {
		t.Parallel()
		a := newFake(t, part{Filler: outputInMemory + 1, Stdout: done}).
			run(Invocation{Args: []string{"--json", "get", "title"}})
		require.True(t, a.Success, a.Error)
		require.Equal(t, map[string]any{"title": "T"}, a.Data)
	})
	t.Run("4.6 the file is private and goes away", func(t *testing.T) {
		t.Parallel()
		var o output
		_, err := o.Write(make([]byte, outputInMemory))
		require.NoError(t, err)
		require.Nil(t, o.file)
		_, err = o.Write([]byte("x"))
		require.NoError(t, err)
		info, err := o.file.Stat()
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
		require.EqualValues(t, outputInMemory+1, info.Size())
		text, err := o.text()
		require.NoError(t, err)
		require.Len(t, text, outputInMemory+1)
		name := o.file.Name()
		o.discard()
		require.NoFileExists(t, name)
	})
	t.Run("4.6 21.14 long output that is not JSON is not kept", func(t *testing.T) {
		t.Parallel()
		a := newFake(t, part{Filler: outputInMemory, Stdout: "nope"}).
			run(Invocation{Args: []string{"--json", "get", "title"}})
		require.False(t, a.Success)
		require.Contains(t, a.ParseError, "invalid JSON")
		require.Empty(t, a.Text)
	})
	t.Run("4.6 the end of stderr", func(t *testing.T) {
		t.Parallel()
		a := newFake(t, part{Stdout: done, Stderr: strings.Repeat("ä", 40_000) + "end"}).
			run(Invocation{Args: []string{"--json", "get", "title"}})
		require.LessOrEqual(t, len(a.Stderr), tailSize)
		require.Greater(t, len(a.Stderr), tailSize-4)
		require.True(t, strings.HasSuffix(a.Stderr, "äend"))
		require.True(t, strings.HasPrefix(a.Stderr, "ä"))
	})
	t.Run("4.6 a process left behind that holds the output open", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Stdout: done, Leaves: true})
		began := time.Now()
		a := f.run(Invocation{Args: []string{"--json", "open", "u"}, Timeout: 50 * time.Second})
		require.True(t, a.Success, a.Error)
		require.Less(t, time.Since(began), 40*time.Second)
		text, err := os.ReadFile(filepath.Join(f.dir, "left"))
		require.NoError(t, err)
		left := 0
		for _, digit := range text {
			left = 10*left + int(digit-'0')
		}
		require.NoError(t, syscall.Kill(left, syscall.SIGKILL), "a daemon that a command started is left alone")
	})
}

func TestExitCodes(t *testing.T) {
	t.Parallel()
	t.Run("4.7 its own", func(t *testing.T) {
		t.Parallel()
		a := newFake(t, part{Stdout: `{"success":false,"error":"Nope"}`, Exit: 3}).
			run(Invocation{Args: []string{"--json", "click", "#a"}})
		require.Equal(t, 3, a.ExitCode)
	})
	t.Run("4.7 the watchdog's", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Hangs: true})
		f.knowsVersion()
		a := f.run(Invocation{Args: []string{"--json", "open", "u"}, Timeout: 2 * time.Second})
		require.Equal(t, 124, a.ExitCode)
		require.True(t, a.TimedOut)
		require.True(t, a.Started)
		require.Contains(t, a.Error, "2000 ms")
	})
	t.Run("4.7 killed when it does not end", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Hangs: true, IgnoresEnd: true})
		f.knowsVersion()
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		answered := make(chan Answer, 1)
		go func() { answered <- f.runWith(ctx, Invocation{Args: []string{"--json", "open", "u"}}) }()
		require.Eventually(t, func() bool { return len(f.calls()) == 1 }, time.Minute, 10*time.Millisecond)
		pid := f.calls()[0].Pid
		cancel()
		a := <-answered
		require.True(t, a.Aborted)
		require.False(t, a.TimedOut)
		require.Contains(t, a.Error, "aborted")
		require.ErrorIs(t, syscall.Kill(pid, 0), syscall.ESRCH)
	})
	t.Run("4.7 1.7 one that cannot be started", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Stdout: done})
		a := f.run(Invocation{Args: []string{"--json", "get", "title"}, Cwd: filepath.Join(f.dir, "nowhere")})
		require.Equal(t, 127, a.ExitCode)
		require.False(t, a.Started)
		require.NotEmpty(t, a.SpawnError)
		require.Contains(t, a.Error, "could not be started")
	})
	t.Run("4.7 given up before it began", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Stdout: done})
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		a := f.runWith(ctx, Invocation{Args: []string{"--json", "get", "title"}})
		require.True(t, a.Aborted)
		require.False(t, a.Started)
		require.Empty(t, f.all())
	})
}

// knowsVersion spares the test the look at the version.
func (f *fake) knowsVersion() {
	f.t.Helper()
	f.backend.versions[versionKey{
		f.dir, f.dir + string(filepath.ListSeparator) + os.Getenv("PATH"),
		filepath.Join(f.dir, "agent-browser"),
	}] = struct{}{}
}

func TestVersionGate(t *testing.T) {
	t.Parallel()
	t.Run("1.8 19.1 once for a folder and a PATH", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Stdout: done})
		for range 3 {
			require.True(t, f.run(Invocation{Args: []string{"--json", "get", "title"}}).Success)
		}
		require.Len(t, f.all(), 4)
		require.Equal(t, []string{"--version"}, f.all()[0].Args)
		f.run(Invocation{Args: []string{"--json", "get", "title"}, Cwd: t.TempDir()})
		require.Len(t, f.all(), 6)
	})
	wrong := map[string]struct{ printed, observed string }{
		"1.8 another version": {"agent-browser 0.40.0", "0.40.0"},
		"1.8 more than it":    {"agent-browser 0.41.2 (beta)", "0.41.2 (beta)"},
		"1.8 no version":      {" ", ""},
	}
	for name, tt := range wrong {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := newFake(t, part{Version: tt.printed, Stdout: done})
			a := f.run(Invocation{Args: []string{"--json", "get", "title"}})
			require.False(t, a.Success)
			require.False(t, a.Started)
			require.Equal(t, &Mismatch{Expected: "0.41.2", Observed: tt.observed}, a.Mismatch)
			require.Contains(t, a.Error, "needs agent-browser 0.41.2")
			require.Empty(t, f.calls())
			f.plays(part{Stdout: done})
			require.True(t, f.run(Invocation{Args: []string{"--json", "get", "title"}}).Success,
				"a wrong version is not remembered")
		})
	}
	t.Run("1.8 not for what needs no browser", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Version: "agent-browser 0.1.0", Stdout: done})
		require.True(t, f.run(Invocation{Args: []string{"--json", "close"}, NoBrowser: true}).Success)
		require.Len(t, f.all(), 1)
	})
}

func TestMissingProgram(t *testing.T) {
	t.Parallel()
	t.Run("4.11 not on PATH", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{})
		a := f.run(Invocation{Args: []string{"--json", "get", "title"}, Env: map[string]string{"PATH": t.TempDir()}})
		require.True(t, a.Missing)
		require.False(t, a.Started)
		require.Equal(t, 127, a.ExitCode)
		for _, part := range []string{"required", "not found on PATH", "not bundled", "npm install -g agent-browser"} {
			require.Contains(t, a.Error, part)
		}
	})
	t.Run("4.11 not at the path that was given", func(t *testing.T) {
		t.Parallel()
		a := NewSubprocess(SubprocessOptions{Path: "/nonexistent/agent-browser"}).Run(context.Background(),
			Invocation{Args: []string{"get", "title"}})
		require.True(t, a.Missing)
		require.Contains(t, a.Error, "/nonexistent/agent-browser")
	})
	t.Run("4.11 the folder itself is not a place for it", func(t *testing.T) {
		t.Parallel()
		f := newFake(t, part{Stdout: done})
		require.True(t,
			f.run(Invocation{
				Args: []string{"--json", "get", "title"},
				Env:  map[string]string{"PATH": "." + string(filepath.ListSeparator)},
			}).Missing)
	})
}
