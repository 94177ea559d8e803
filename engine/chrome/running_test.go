package chrome

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestUserDataDirs(t *testing.T) {
	t.Parallel()
	env := func(pairs map[string]string) func(string) string {
		return func(name string) string { return pairs[name] }
	}
	for _, tc := range []struct {
		name, goos string
		env        map[string]string
		want       []UserData
	}{
		{"Linux", "linux", map[string]string{"HOME": "/h"}, []UserData{
			{"Google Chrome", "/h/.config/google-chrome"},
			{"Google Chrome", "/h/.var/app/com.google.Chrome/config/google-chrome"},
			{"Chromium", "/h/.config/chromium"},
			{"Chromium", "/h/snap/chromium/common/chromium"},
			{"Brave", "/h/.config/BraveSoftware/Brave-Browser"},
			{"Microsoft Edge", "/h/.config/microsoft-edge"},
			{"Vivaldi", "/h/.config/vivaldi"},
			{"Opera", "/h/.config/opera"},
		}},
		{
			"Linux with its own folder of settings", "linux",
			map[string]string{"HOME": "/h", "XDG_CONFIG_HOME": "/x"},
			[]UserData{
				{"Google Chrome", "/x/google-chrome"}, {"Chromium", "/h/snap/chromium/common/chromium"},
			},
		},
		{"macOS", "darwin", map[string]string{"HOME": "/Users/me"}, []UserData{
			{"Google Chrome", "/Users/me/Library/Application Support/Google/Chrome"},
			{"Brave", "/Users/me/Library/Application Support/BraveSoftware/Brave-Browser"},
			{"Arc", "/Users/me/Library/Application Support/Arc/User Data"},
		}},
		{"Windows", "windows", map[string]string{"USERPROFILE": "/u", "LOCALAPPDATA": "/l"}, []UserData{
			{"Google Chrome", "/l/Google/Chrome/User Data"},
			{"Microsoft Edge", "/l/Microsoft/Edge/User Data"},
			{"Opera", "/u/AppData/Roaming/Opera Software/Opera Stable"},
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			require.Subset(t, userDataDirs(tc.goos, env(tc.env)), tc.want)
		})
	}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		require.Empty(t, userDataDirs(goos, env(nil)), goos)
	}
}

func TestActivePorts(t *testing.T) {
	t.Parallel()
	now := time.Now()
	var dirs []UserData
	leave := func(name, text string, age time.Duration) string {
		dir := filepath.Join(t.TempDir(), name)
		require.NoError(t, os.MkdirAll(dir, 0o700))
		path := filepath.Join(dir, activePortFile)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		require.NoError(t, os.Chtimes(path, now, now.Add(-age)))
		dirs = append(dirs, UserData{Browser: name, Dir: dir})
		return dir
	}
	leave("older", "9222\n/devtools/browser/a", time.Hour)
	leave("newer", "41234\r\n/devtools/browser/b\r\n", time.Minute)
	leave("no path", "9333", 2*time.Hour)
	for name, text := range map[string]string{
		"empty": "", "no number": "x\n/devtools/browser/c", "zero": "0\n/y", "too large": "70000\n/y", "negative": "-1\n/y",
		"huge": string(make([]byte, 2<<10)),
	} {
		leave(name, text, 0)
	}
	require.NoError(t, os.MkdirAll(filepath.Join(t.TempDir(), "d", activePortFile), 0o700))
	dirs = append(dirs, UserData{Browser: "not there", Dir: filepath.Join(t.TempDir(), "nowhere")})

	type port struct {
		browser string
		port    int
		path    string
	}
	var got []port
	for _, p := range ActivePorts(dirs) {
		got = append(got, port{p.Browser, p.Port, p.Path})
	}
	require.Equal(t,
		[]port{{"newer", 41234, "/devtools/browser/b"}, {"older", 9222, "/devtools/browser/a"}, {"no path", 9333, ""}}, got)
}
