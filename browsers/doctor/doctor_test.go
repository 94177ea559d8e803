package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testprogram"
)

// around is a HostInfo without a host, unless told otherwise.
type around struct {
	dir string
	err error
}

func (a around) HostDir(func(string) string) string { return a.dir }

func (a around) FindHost(context.Context, string, string) (int, time.Time, error) {
	return 0, time.Time{}, a.err
}

// options are those of a caller with a home of his own, who wants nothing that takes long.
func options(t *testing.T, env map[string]string) Options {
	home := t.TempDir()
	program, err := os.Executable()
	require.NoError(t, err)
	all := map[string]string{"HOME": home, "PATH": os.Getenv("PATH")}
	maps.Copy(all, env)
	return Options{
		Getenv: func(name string) string { return all[name] }, Version: "1", Program: program,
		HostInfo: around{dir: filepath.Join(home, "run")}, Offline: true, Quick: true,
	}
}

// one returns the check with an id; it must be there.
func one(t *testing.T, r Report, id string) Check {
	t.Helper()
	for _, c := range r.Checks {
		if c.ID == id {
			return c
		}
	}
	t.Fatalf("no check %s in %v", id, r.Checks)
	return Check{}
}

func TestOrderAndShape(t *testing.T) {
	t.Parallel()
	r := Run(t.Context(), options(t, nil))
	var order []string
	for _, c := range r.Checks {
		if len(order) == 0 || order[len(order)-1] != c.Category {
			order = append(order, c.Category)
		}
		require.NotEmpty(t, c.ID)
		require.NotEmpty(t, c.Message)
		if c.Status == Fail {
			require.NotEmpty(t, c.Fix, c.Message)
		}
	}
	require.Equal(t, []string{"Environment", "Chrome", "Recording", "Daemons", "Security", "Providers"}, order)
	text, err := json.Marshal(r)
	require.NoError(t, err)
	require.Contains(t, string(text), `"fixed":[]`)
	require.Contains(t, r.Text("skua", false), "\nSummary: ")
}

func TestFindsWhatIsBroken(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name  string
		env   map[string]string
		prep  func(t *testing.T, o *Options)
		id    string
		want  Status
		says  string
		never string // in the whole report
	}{
		{
			name: "no such browser", env: map[string]string{"SKUA_EXECUTABLE_PATH": "/nowhere/chrome"}, id: "chrome.installed",
			want: Fail, says: "does not exist",
		},
		{name: "a browser that does not run", prep: func(t *testing.T, o *Options) {
			o.Executable = filepath.Join(t.TempDir(), "chrome")
			testprogram.Write(t, o.Executable,
				"#!/bin/sh\necho 'error while loading shared libraries: libnss3.so: no' >&2\nexit 127\n")
		}, id: "chrome.installed", want: Fail, says: "libnss3.so"},
		{name: "an old browser", prep: func(t *testing.T, o *Options) {
			o.Executable = filepath.Join(t.TempDir(), "chrome")
			testprogram.Write(t, o.Executable, "#!/bin/sh\necho Chromium 88.0.1.2\n")
		}, id: "chrome.installed", want: Warn, says: "too old"},
		{
			name: "an invalid proxy", env: map[string]string{"HTTPS_PROXY": "ftp://me:secret@proxy"}, id: "env.proxy",
			want: Fail, says: "HTTPS_PROXY", never: "secret",
		},
		{
			name: "a proxy", env: map[string]string{"https_proxy": "http://me:secret@proxy:3128"}, id: "env.proxy", want: Info,
			says: "proxy:3128", never: "secret",
		},
		{
			name: "an invalid key", env: map[string]string{"SKUA_ENCRYPTION_KEY": "hunter2"}, id: "security.encryption_key",
			want: Fail, says: "64 hexadecimal", never: "hunter2",
		},
		{
			name: "a key", env: map[string]string{"SKUA_ENCRYPTION_KEY": strings.Repeat("ab", 32)},
			id: "security.encryption_key", want: Pass, never: "abab",
		},
		{
			name: "a provider's key", env: map[string]string{"KERNEL_API_KEY": "hunter2"}, id: "providers.kernel", want: Pass,
			says: "KERNEL_API_KEY is set", never: "hunter2",
		},
		{name: "no home", env: map[string]string{"HOME": ""}, id: "env.home", want: Fail, says: "No home"},
		{
			name: "a home that is gone", env: map[string]string{"HOME": "/nowhere/at/all"}, id: "env.home", want: Fail,
			says: "does not exist",
		},
		{name: "a host that hangs", prep: func(t *testing.T, o *Options) {
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "skua.socket"), nil, 0o600))
			o.HostInfo = around{dir: dir, err: errors.New("it does not answer")}
		}, id: "daemon.active", want: Fail, says: "does not answer"},
		{
			name: "no sockets", env: map[string]string{"SKUA_NO_SOCKETS": "1"}, id: "daemon.sockets", want: Info,
			says: "SKUA_NO_SOCKETS",
		},
		{name: "a long path", prep: func(_ *testing.T, o *Options) {
			o.HostInfo = around{dir: "/" + strings.Repeat("x", 100)}
		}, id: "env.socket_dir", want: Fail, says: "too long"},
		{name: "a configuration file", prep: func(_ *testing.T, o *Options) {
			o.Configs = []Config{{Path: "/c.json", Err: errors.New("no JSON")}}
		}, id: "env.config", want: Fail, says: "no JSON"},
		{name: "a list of browsers that is damaged", prep: func(t *testing.T, o *Options) {
			dir := filepath.Join(o.Getenv("HOME"), ".skua", "browsers")
			require.NoError(t, os.MkdirAll(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "manifest.json"), []byte("{"), 0o600))
		}, id: "chrome.manifest", want: Fail, says: "damaged"},
		{name: "a browser that lost a file", prep: func(t *testing.T, o *Options) {
			dir := filepath.Join(o.Getenv("HOME"), ".skua", "browsers")
			require.NoError(t, os.MkdirAll(dir, 0o700))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "manifest.json"), []byte(
				`{"version":1,"browsers":[{"product":"chrome","version":"140.0.1.2","executable":"chrome-linux64/chrome","files":{"chrome-linux64/chrome":"00"}}]}`), 0o600))
		}, id: "chrome.manifest", want: Fail, says: "chrome-linux64/chrome is missing"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			o := options(t, tt.env)
			if tt.prep != nil {
				tt.prep(t, &o)
			}
			r := Run(t.Context(), o)
			c := one(t, r, tt.id)
			require.Equal(t, tt.want, c.Status, c.Message)
			require.Contains(t, c.Message+c.Fix, tt.says)
			require.Equal(t, r.Summary.Fail == 0, r.Success)
			if tt.want == Fail {
				require.False(t, r.Success)
				require.NotEmpty(t, c.Fix)
			}
			if tt.never != "" {
				text, err := json.Marshal(r)
				require.NoError(t, err)
				require.NotContains(t, string(text), tt.never)
			}
		})
	}
}

func TestFixesWhatOthersMayRead(t *testing.T) {
	t.Parallel()
	o := options(t, nil)
	dir := filepath.Join(o.Getenv("HOME"), ".skua")
	states := filepath.Join(dir, "states")
	browsers := filepath.Join(dir, "browsers")
	for _, d := range []string{states, browsers} {
		require.NoError(t, os.MkdirAll(d, 0o755))
	}
	state, program := filepath.Join(states, "shop.json"), filepath.Join(browsers, "chrome")
	for _, f := range []string{state, program} {
		require.NoError(t, os.WriteFile(f, nil, 0o600))
		require.NoError(t, os.Chmod(f, 0o755))
	}
	require.NoError(t, os.Chmod(states, 0o755))
	run := filepath.Join(o.Getenv("HOME"), "run")
	require.NoError(t, os.Mkdir(run, 0o700))
	require.NoError(t, os.Chmod(run, 0o777))

	r := Run(t.Context(), o)
	require.Equal(t, Fail, one(t, r, "security.files").Status)
	require.Equal(t, Fail, one(t, r, "env.socket_dir").Status)
	require.Contains(t, r.Text("skua", false), "tip: `skua doctor --fix`")
	info, err := os.Stat(state)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o755), info.Mode().Perm(), "nothing is changed unasked")

	o.Fix = true
	r = Run(t.Context(), o)
	require.Equal(t, Pass, one(t, r, "security.files").Status)
	require.Equal(t, Pass, one(t, r, "env.socket_dir").Status)
	require.Len(t, r.Fixed, 2)
	require.Contains(t, strings.Join(r.Fixed, "\n"), state)
	for path, mode := range map[string]os.FileMode{state: 0o700, states: 0o700, run: 0o700, program: 0o755} {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), path)
	}
}

// A check that hangs, and one that has a bug, end the group and not the doctor.
func TestGroupsEnd(t *testing.T) {
	t.Parallel()
	o := options(t, nil)
	forever := make(chan struct{})
	t.Cleanup(func() { close(forever) })
	hangs := group{"Disk", "disk.time", 10 * time.Millisecond, func(context.Context, *Options) []Check {
		<-forever
		return nil
	}}
	got := hangs.look(t.Context(), &o)
	require.Equal(t,
		[]Check{{Category: "Disk", ID: "disk.time", Status: Fail, Message: "These checks did not end within 10ms"}}, got)
	panics := group{"Disk", "disk.time", time.Minute, func(context.Context, *Options) []Check { panic("oh") }}
	require.Equal(t, "A bug ended these checks: oh", panics.look(t.Context(), &o)[0].Message)
}

func TestNetwork(t *testing.T) {
	t.Parallel()
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		if r.URL.Path != "/cft/last-known-good-versions-with-downloads.json" {
			http.NotFound(w, r)
		}
	}))
	t.Cleanup(server.Close)
	o := options(t, map[string]string{"SKUA_CFT_URL": server.URL + "/cft/"})
	require.Equal(t, Pass, one(t, Report{Findings: Findings{Checks: network(t.Context(), &o)}}, "net.chrome_cdn").Status)
	o = options(t,
		map[string]string{
			"SKUA_CFT_URL": server.URL + "/gone", "SKUA_RELEASE_URL": server.URL + "/r",
			"SKUA_NO_VERSION_CHECK": "1",
		})
	c := one(t, Report{Findings: Findings{Checks: network(t.Context(), &o)}}, "net.chrome_cdn")
	require.Equal(t, Info, c.Status, "there is a browser, so that only a further one could not be downloaded")
	require.Contains(t, c.Message, "HTTP 404")
	o.Executable = "/nowhere/chrome"
	require.Equal(t, Fail, one(t, Report{Findings: Findings{Checks: network(t.Context(), &o)}}, "net.chrome_cdn").Status)
	require.NotContains(t, strings.Join(asked, " "), "/r", "no version is asked for against the caller's wish")
}

func TestLaunch(t *testing.T) {
	t.Parallel()
	o := options(t, nil)
	r := Report{Findings: Findings{Checks: launch(t.Context(), &o)}}
	for _, id := range []string{"launch.elapsed", "launch.script", "launch.screenshot", "launch.download", "launch.end"} {
		c := one(t, r, id)
		require.NotEqual(t, Fail, c.Status, c.Message)
	}
	o.Executable = "/bin/false"
	c := one(t, Report{Findings: Findings{Checks: launch(t.Context(), &o)}}, "launch.elapsed")
	require.Equal(t, Fail, c.Status)
}

func TestVerdict(t *testing.T) {
	t.Parallel()
	trial := func(s Status) Check {
		return Check{
			Category: "Launch test", ID: launched, Status: s, Message: "The browser does not start.",
			Fix: "a command",
		}
	}
	found, missing := Check{Category: "Chrome", Status: Pass}, Check{
		Category: "Chrome", Status: Fail,
		Message: "No browser was found.", Fix: "skua install",
	}
	readable := Check{Category: "Security", Status: Fail, Message: "Others may read your files", Fix: "skua doctor --fix"}
	tests := []struct {
		name   string
		checks []Check
		want   string
	}{
		{"all is well", []Check{found, trial(Pass)}, "✓ skua works: a browser started here and showed a page"},
		{"a slow start", []Check{found, trial(Warn)}, "✓ skua works: a browser started here and showed a page"},
		{"no trial", []Check{found}, "✓ Nothing here keeps skua from working; no browser was started to try it"},
		{
			"no browser",
			[]Check{readable, missing, trial(Info)},
			"✗ skua does not work here yet. No browser was found; to mend it: skua install",
		},
		{
			"no browser, and no trial",
			[]Check{readable, missing},
			"✗ skua does not work here yet. No browser was found; to mend it: skua install",
		},
		{
			"a browser that does not start",
			[]Check{found, trial(Fail)},
			"✗ skua does not work here yet. The browser does not start; to mend it: a command",
		},
		{
			"something else",
			[]Check{found, readable, trial(Pass)},
			"⚠ skua shows pages, but 1 check failed. Others may read your files; to mend it: skua doctor --fix",
		},
		{
			"something else, and no trial",
			[]Check{found, readable},
			"⚠ 1 check failed, and no browser was started to see what that breaks. Others may read your files; to mend it: " +
				"skua doctor --fix",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r := Report{Findings: Findings{Checks: tt.checks}}
			for _, c := range tt.checks {
				if c.Status == Fail {
					r.Summary.Fail++
				}
			}
			require.Equal(t, tt.want, r.verdict())
		})
	}
}
