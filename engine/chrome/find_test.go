package chrome

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testprogram"
)

// machine is a pretended computer: files that may be executed, files that may not, and an environment.
type machine struct {
	goos  string
	files []string
	plain []string
	dirs  []string
	env   map[string]string
}

// slashed makes a path comparable: tests for Windows run on other systems too.
func slashed(p string) string { return strings.ReplaceAll(p, `\`, "/") }

func (m machine) finder() *finder {
	f := &finder{goos: m.goos, getenv: func(name string) string { return m.env[name] }, behind: func(p string) string {
		return p
	}}
	f.home = m.env["HOME"]
	if m.goos == "windows" {
		f.home = m.env["USERPROFILE"]
	}
	f.check = func(p string) error {
		switch p = slashed(p); {
		case slices.Contains(m.files, p):
			return nil
		case slices.Contains(m.plain, p):
			return errNotExecutable
		case slices.Contains(m.dirs, p):
			return errIsDirectory
		}
		return &fs.PathError{Op: "stat", Path: p, Err: fs.ErrNotExist}
	}
	f.glob = func(base, pattern string) []string {
		var found []string
		for _, file := range append(slices.Clone(m.files), m.plain...) {
			rest, below := strings.CutPrefix(file, strings.TrimSuffix(slashed(base), "/")+"/")
			if ok, err := path.Match(pattern, rest); below && ok && err == nil {
				found = append(found, file)
			}
		}
		return found
	}
	return f
}

func TestFind(t *testing.T) {
	t.Parallel()
	linux := map[string]string{"PATH": "/usr/bin:/opt/bin", "HOME": "/home/u"}
	mac := map[string]string{"PATH": "/usr/bin", "HOME": "/Users/u"}
	windows := map[string]string{
		"PATH": `C:\Windows;C:\Tools`, "USERPROFILE": `C:\Users\u`, "LOCALAPPDATA": `C:\Users\u\AppData\Local`,
		"ProgramFiles": `C:\Program Files`, "ProgramFiles(x86)": `C:\Program Files (x86)`,
	}
	with := func(env map[string]string, pairs ...string) map[string]string {
		out := map[string]string{}
		maps.Copy(out, env)
		for i := 0; i < len(pairs); i += 2 {
			out[pairs[i]] = pairs[i+1]
		}
		return out
	}
	const (
		macChrome    = "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"
		macTesting   = "Google Chrome for Testing.app/Contents/MacOS/Google Chrome for Testing"
		puppeteer    = "/home/u/.cache/puppeteer"
		playwright   = "/home/u/.cache/ms-playwright"
		winLocal     = "C:/Users/u/AppData/Local"
		shellInCache = puppeteer +
			"/chrome-headless-shell/linux-131.0.6778.85/chrome-headless-shell-linux64/chrome-headless-shell"
	)
	tests := []struct {
		name     string
		machine  machine
		headed   bool
		explicit string
		want     string
	}{
		{
			name:    "shell before browser",
			machine: machine{"linux", []string{"/usr/bin/chromium", "/opt/bin/chromium-headless-shell"}, nil, nil, linux},
			want:    "/opt/bin/chromium-headless-shell",
		},
		{
			name:    "headed wants no shell",
			machine: machine{"linux", []string{"/usr/bin/chromium-headless-shell", "/opt/bin/google-chrome"}, nil, nil, linux},
			headed:  true, want: "/opt/bin/google-chrome",
		},
		{
			name:    "chromium before chrome",
			machine: machine{"linux", []string{"/usr/bin/google-chrome", "/opt/bin/chromium"}, nil, nil, linux},
			want:    "/opt/bin/chromium",
		},
		{
			name:    "not executable on the path",
			machine: machine{"linux", []string{"/opt/bin/chromium"}, []string{"/usr/bin/chromium"}, nil, linux},
			want:    "/opt/bin/chromium",
		},
		{
			name: "relative path entries are ignored",
			machine: machine{
				"linux",
				[]string{"bin/chromium", "/usr/bin/brave-browser"},
				nil, nil,
				with(linux, "PATH", "bin::.:/usr/bin"),
			}, want: "/usr/bin/brave-browser",
		},
		{
			name: "off the path", machine: machine{"linux", []string{"/opt/google/chrome/chrome"}, nil, nil, linux},
			want: "/opt/google/chrome/chrome",
		},
		{
			name:    "shell in a cache before a browser on the path",
			machine: machine{"linux", []string{"/usr/bin/chromium", shellInCache}, nil, nil, linux}, want: shellInCache,
		},
		{name: "newest in the cache", machine: machine{"linux", []string{
			puppeteer + "/chrome/linux-99.0.4844.51/chrome-linux64/chrome",
			puppeteer + "/chrome/linux-131.0.6778.85/chrome-linux64/chrome",
			puppeteer + "/chrome/linux-131.0.6778.9/chrome-linux64/chrome",
		}, nil, nil, linux}, headed: true, want: puppeteer + "/chrome/linux-131.0.6778.85/chrome-linux64/chrome"},
		{
			name: "puppeteer's cache elsewhere",
			machine: machine{
				"linux",
				[]string{"/c/chrome/linux-1.2/chrome-linux64/chrome", puppeteer + "/chrome/linux-9.9/chrome-linux64/chrome"},
				nil,
				nil, with(linux, "PUPPETEER_CACHE_DIR", "/c"),
			}, headed: true, want: "/c/chrome/linux-1.2/chrome-linux64/chrome",
		},
		{
			name: "playwright's old shell",
			machine: machine{
				"linux",
				[]string{playwright + "/chromium_headless_shell-1148/chrome-linux/headless_shell"},
				nil,
				nil, linux,
			}, want: playwright + "/chromium_headless_shell-1148/chrome-linux/headless_shell",
		},
		{
			name: "playwright's shell",
			machine: machine{
				"linux",
				[]string{playwright + "/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell"},
				nil,
				nil, linux,
			},
			want: playwright + "/chromium_headless_shell-1200/chrome-headless-shell-linux64/chrome-headless-shell",
		},
		{
			name: "playwright's browser elsewhere",
			machine: machine{
				"linux",
				[]string{"/pw/chromium-1148/chrome-linux/chrome"},
				nil, nil,
				with(linux, "PLAYWRIGHT_BROWSERS_PATH", "/pw"),
			}, want: "/pw/chromium-1148/chrome-linux/chrome",
		},
		{
			name: "agent-browser's",
			machine: machine{
				"linux",
				[]string{"/home/u/.agent-browser/browsers/chrome-131.0.1/chrome-linux64/chrome"},
				nil, nil,
				linux,
			}, headed: true, want: "/home/u/.agent-browser/browsers/chrome-131.0.1/chrome-linux64/chrome",
		},
		{
			name: "ours before agent-browser's",
			machine: machine{
				"linux",
				[]string{"/home/u/.agent-browser/browsers/chrome-131.0.1/chrome", "/home/u/.skua/browsers/chrome-130.0.1/chrome"},
				nil, nil, linux,
			}, headed: true, want: "/home/u/.skua/browsers/chrome-130.0.1/chrome",
		},
		{
			name: "what was installed on purpose before the path",
			machine: machine{
				"linux",
				[]string{
					"/usr/bin/chromium-headless-shell",
					"/home/u/.skua/browsers/chrome-headless-shell-140.0.1.2/chrome-headless-shell-linux64/chrome-headless-shell",
				},
				nil,
				nil, linux,
			},
			want: "/home/u/.skua/browsers/chrome-headless-shell-140.0.1.2/chrome-headless-shell-linux64/chrome-headless-shell",
		},
		{
			name: "but a shell before a browser",
			machine: machine{
				"linux",
				[]string{"/usr/bin/chromium-headless-shell", "/home/u/.skua/browsers/chrome-140.0.1.2/chrome-linux64/chrome"},
				nil,
				nil, linux,
			}, want: "/usr/bin/chromium-headless-shell",
		},
		{
			name: "files elsewhere",
			machine: machine{
				"linux",
				[]string{
					"/s/browsers/chrome-140.0.1.2/chrome-linux64/chrome",
					"/home/u/.skua/browsers/chrome-141.0.1.2/chrome-linux64/chrome",
				},
				nil, nil, with(linux, "SKUA_HOME", "/s"),
			},
			want: "/s/browsers/chrome-140.0.1.2/chrome-linux64/chrome",
		},
		{
			name:    "no home",
			machine: machine{"linux", []string{"/usr/bin/chromium"}, nil, nil, map[string]string{"PATH": "/usr/bin"}},
			want:    "/usr/bin/chromium",
		},

		{name: "mac application", machine: machine{"darwin", []string{macChrome}, nil, nil, mac}, want: macChrome},
		{
			name: "mac user's application", machine: machine{"darwin", []string{"/Users/u" + macChrome}, nil, nil, mac},
			headed: true, want: "/Users/u" + macChrome,
		},
		{
			name: "mac puppeteer",
			machine: machine{
				"darwin",
				[]string{"/Users/u/.cache/puppeteer/chrome/mac_arm-131.0.6778.85/chrome-mac-arm64/" + macTesting},
				nil, nil, mac,
			},
			want: "/Users/u/.cache/puppeteer/chrome/mac_arm-131.0.6778.85/chrome-mac-arm64/" + macTesting,
		},
		{
			name: "mac playwright",
			machine: machine{
				"darwin",
				[]string{"/Users/u/Library/Caches/ms-playwright/chromium-1148/chrome-mac/Chromium.app/Contents/MacOS/Chromium"},
				nil, nil, mac,
			},
			want: "/Users/u/Library/Caches/ms-playwright/chromium-1148/chrome-mac/Chromium.app/Contents/MacOS/Chromium",
		},
		{
			name:     "mac explicit bundle",
			machine:  machine{"darwin", []string{macChrome}, nil, []string{"/Applications/Google Chrome.app"}, mac},
			explicit: "/Applications/Google Chrome.app", want: macChrome,
		},

		{
			name:    "windows chrome",
			machine: machine{"windows", []string{"C:/Program Files/Google/Chrome/Application/chrome.exe"}, nil, nil, windows},
			want:    "C:/Program Files/Google/Chrome/Application/chrome.exe",
		},
		{
			name:    "windows user's chrome",
			machine: machine{"windows", []string{winLocal + "/Google/Chrome/Application/chrome.exe"}, nil, nil, windows},
			headed:  true, want: winLocal + "/Google/Chrome/Application/chrome.exe",
		},
		{
			name: "windows edge",
			machine: machine{
				"windows",
				[]string{"C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe"},
				nil, nil,
				windows,
			}, want: "C:/Program Files (x86)/Microsoft/Edge/Application/msedge.exe",
		},
		{
			name: "windows path", machine: machine{"windows", []string{"C:/Tools/chrome.exe"}, nil, nil, windows},
			want: "C:/Tools/chrome.exe",
		},
		{
			name: "windows playwright",
			machine: machine{
				"windows",
				[]string{winLocal + "/ms-playwright/chromium-1148/chrome-win/chrome.exe"},
				nil, nil,
				windows,
			}, want: winLocal + "/ms-playwright/chromium-1148/chrome-win/chrome.exe",
		},

		{
			name: "explicit path",
			machine: machine{
				"linux",
				[]string{"/x/my-browser", "/usr/bin/chromium"},
				nil, nil,
				with(linux, "SKUA_EXECUTABLE_PATH", "/usr/bin/chromium"),
			}, explicit: "/x/my-browser", want: "/x/my-browser",
		},
		{
			name: "explicit name", machine: machine{"linux", []string{"/opt/bin/my-browser"}, nil, nil, linux},
			explicit: "my-browser", want: "/opt/bin/my-browser",
		},
		{
			name: "our variable first",
			machine: machine{
				"linux",
				[]string{"/a", "/b"},
				nil, nil,
				with(linux, "SKUA_EXECUTABLE_PATH", "/b", "AGENT_BROWSER_EXECUTABLE_PATH", "/a"),
			}, want: "/b",
		},
		{
			name: "agent-browser's variable",
			machine: machine{
				"linux",
				[]string{"/a", "/usr/bin/chromium-headless-shell"},
				nil, nil,
				with(linux, "AGENT_BROWSER_EXECUTABLE_PATH", "/a"),
			}, want: "/a",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got, err := tt.machine.finder().find(!tt.headed, tt.explicit)
			require.NoError(t, err)
			require.Equal(t, tt.want, slashed(got))
		})
	}
}

func TestFindFailures(t *testing.T) {
	t.Parallel()
	env := map[string]string{"PATH": "/usr/bin", "HOME": "/home/u"}
	tests := []struct {
		name     string
		machine  machine
		headless bool
		explicit string
		code     fault.Code
		says     []string
		never    []string
		facts    []string
	}{
		{
			name: "nothing for headless", machine: machine{goos: "linux", env: env}, headless: true, code: fault.BrowserMissing,
			says:  []string{"`skua install` or `apt-get install chromium-headless-shell`", "SKUA_EXECUTABLE_PATH"},
			facts: []string{"chromium-headless-shell", "google-chrome", "/opt/google/chrome", "/home/u/.cache/puppeteer"},
		},
		{
			name: "nothing for headed", machine: machine{"linux", []string{"/usr/bin/chromium-headless-shell"}, nil, nil, env},
			code: fault.BrowserMissing,
			says: []string{"`skua install chrome` or `apt-get install chromium`"}, never: []string{"headless"},
		},
		{
			name: "nothing on a mac", machine: machine{goos: "darwin", env: env}, code: fault.BrowserMissing,
			says: []string{"brew install"}, facts: []string{"/Applications"},
		},
		{
			name: "nothing on windows", machine: machine{goos: "windows", env: env}, code: fault.BrowserMissing,
			says: []string{"winget install"},
		},
		{
			name: "wrong path", machine: machine{"linux", []string{"/usr/bin/chromium"}, nil, nil, env}, headless: true,
			explicit: "/nonexist",
			code:     fault.BrowserMissing, says: []string{`"/nonexist"`, "does not exist"},
		},
		{
			name: "wrong path in the environment", machine: machine{
				"linux",
				[]string{"/usr/bin/chromium"},
				nil, nil,
				map[string]string{"PATH": "/usr/bin", "AGENT_BROWSER_EXECUTABLE_PATH": "/gone/chrome"},
			},
			code: fault.BrowserMissing, says: []string{`"/gone/chrome" (from AGENT_BROWSER_EXECUTABLE_PATH)`, "unset it"},
		},
		{
			name: "wrong name", machine: machine{goos: "linux", env: env}, explicit: "netscape", code: fault.BrowserMissing,
			says: []string{`"netscape"`, "PATH"},
		},
		{
			name: "no permission", machine: machine{"linux", nil, []string{"/x/chrome"}, nil, env}, explicit: "/x/chrome",
			code: fault.BrowserLaunch, says: []string{`"/x/chrome"`, "chmod +x"},
		},
		{
			name: "directory", machine: machine{"linux", nil, nil, []string{"/x/chrome"}, env}, explicit: "/x/chrome",
			code: fault.BrowserLaunch, says: []string{`"/x/chrome"`, "directory"},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := tt.machine.finder().find(tt.headless, tt.explicit)
			require.Equal(t, tt.code, fault.CodeOf(err))
			for _, s := range tt.says {
				require.ErrorContains(t, err, s)
			}
			for _, s := range tt.never {
				require.NotContains(t, err.Error(), s)
			}
			f, ok := errors.AsType[*fault.Error](err)
			require.True(t, ok)
			for _, s := range tt.facts {
				require.Contains(t, fmt.Sprint(f.Facts), s)
			}
		})
	}
}

func TestCheckAndGlobOnDisk(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "with [brackets]")
	browser := testprogram.Write(t, filepath.Join(dir, "chrome-2", "chrome"), "#!/bin/sh\n")
	require.Equal(t, []string{browser}, globBelow(dir, "chrome-*/chrome"))
	require.Empty(t, globBelow(filepath.Join(dir, "nowhere"), "*"))
	require.NoError(t, checkExecutable(browser))
	require.ErrorIs(t, checkExecutable(dir), errIsDirectory)
	require.ErrorIs(t, checkExecutable(browser+"x"), fs.ErrNotExist)
}

func TestNewestFirst(t *testing.T) {
	t.Parallel()
	paths := []string{"a-9.1", "a-131.0.6778.9", "a-131.0.6778.85", "a-99999999999999999999999.1", "a"}
	slices.SortFunc(paths, newestFirst)
	require.Equal(t, []string{"a-99999999999999999999999.1", "a-131.0.6778.85", "a-131.0.6778.9", "a-9.1", "a"}, paths)
}
