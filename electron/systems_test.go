package electron

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testapps"
)

// plistOf is a property list of texts.
func plistOf(pairs ...string) string {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>`)
	for pair := range slices.Chunk(pairs, 2) {
		b.WriteString("<key>" + pair[0] + "</key><string>" + pair[1] + "</string>")
	}
	return b.String() + "</dict></plist>"
}

func TestMacOS(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	in := func(path string) string { return filepath.Join(root, path) }
	const app, vendored = "Applications/My App.app/Contents", "Applications/Vendor/Tool.app/Contents"
	testapps.Write(t, root, map[string]string{
		app + "/Info.plist": plistOf("CFBundleName", "My App", "CFBundleIdentifier", "com.example.my-app",
			"CFBundleExecutable", "My App"),
		app + "/MacOS/My App*":      "",
		app + "/Resources/app.asar": string(testapps.Archive(t, map[string]string{"package.json": `{"version":"3.1.0"}`})),
		app + "/Frameworks/My App Helper.app/Contents/Info.plist": plistOf("CFBundleName",
			"My App Helper", "CFBundleExecutable", "My App Helper"),
		app + "/Frameworks/My App Helper.app/Contents/MacOS/My App Helper*": "",
		app + "/Frameworks/Electron Framework.framework/Versions/A/Resources/Info.plist": plistOf("CFBundleVersion",
			"41.0.2"),
		vendored +
			"/Info.plist": strings.Replace(plistOf("CFBundleDisplayName", "Tool", "CFBundleName", "tool", "CFBundleIdentifier",
			"com.vendor.tool", "CFBundleExecutable", "Tool"), "</dict>", "<key>ElectronAsarIntegrity</key><dict></dict></dict>",
			1),
		vendored + "/MacOS/Tool*":                           "",
		"Users/me/Applications/Own.app/Contents/Info.plist": plistOf("CFBundleName", "Own", "CFBundleExecutable", "Own"),
		"Users/me/Applications/Own.app/Contents/MacOS/Own*": "",
		"Users/me/Applications/Own.app/Contents/Frameworks/Electron Framework.framework/Resources/Info.plist": plistOf(
			"CFBundleVersion", "40.0.0"),
		"Applications/Plain.app/Contents/Info.plist": plistOf(
			"CFBundleName", "Plain", "CFBundleExecutable", "Plain"),
		"Applications/Plain.app/Contents/MacOS/Plain*": "",
		"Applications/Odd.app/Contents/Info.plist":     "what is this",
		"Applications/Empty.app/Contents/Info.plist": plistOf(
			"CFBundleName", "Empty"),
	})
	places := darwinPlaces(root, in("Users/me"))
	places.home = in("Users/me")
	mine := App{
		Platform: "darwin", Name: "My App", BundleID: "com.example.my-app", AppPath: in("Applications/My App.app"),
		PackageSource:  "system",
		ExecutablePath: in(app + "/MacOS/My App"), Version: "3.1.0", ElectronVersion: "41.0.2",
		Evidence: []string{"electron-framework", "app.asar"},
	}
	t.Run("13.2 bundles, without their helpers", func(t *testing.T) {
		t.Parallel()
		found, err := places.Discover(t.Context(), Query{})
		require.NoError(t, err)
		require.Equal(t, 1, found.Skipped)
		require.Equal(t, []string{"My App", "Own", "Tool"}, names(found.Apps))
		require.Equal(t, mine, found.Apps[0])
		require.Equal(t, []string{"asar-integrity"}, found.Apps[2].Evidence)
	})
	for name, tt := range map[string]struct {
		wish LaunchOptions
		app  string
		code fault.Code
		says string
	}{
		"13.3 by bundle id":             {wish: LaunchOptions{BundleID: "com.example.MY-app"}, app: "My App"},
		"13.3 by a part of a bundle id": {wish: LaunchOptions{BundleID: "vendor"}, app: "Tool"},
		"13.3 by name":                  {wish: LaunchOptions{AppName: "own"}, app: "Own"},
		"13.3 by its bundle":            {wish: LaunchOptions{AppPath: in("Applications/My App.app")}, app: "My App"},
		"13.3 by the executable within": {wish: LaunchOptions{ExecutablePath: in(app + "/MacOS/My App")}, app: "My App"},
		"13.6 a bundle of something else": {
			wish: LaunchOptions{AppPath: in("Applications/Plain.app")},
			code: fault.AppUnsuitable, says: "Electron Framework",
		},
		"13.6 a bundle that is unreadable": {
			wish: LaunchOptions{AppPath: in("Applications/Odd.app")},
			code: fault.AppUnsuitable, says: "Info.plist",
		},
		"13.6 a bundle without executable": {
			wish: LaunchOptions{AppPath: in("Applications/Empty.app")},
			code: fault.AppUnsuitable, says: "names no executable",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, err := places.Resolve(t.Context(), tt.wish)
			if tt.code != "" {
				require.Equal(t, tt.code, fault.CodeOf(err))
				require.ErrorContains(t, err, tt.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, tt.app, start.App.Name)
			require.Equal(t, tt.app, filepath.Base(start.Path))
			if tt.app == mine.Name {
				start.App.PackageSource = mine.PackageSource // a path does not tell it
				require.Equal(t, mine, start.App)
			}
		})
	}
}

func TestWindows(t *testing.T) {
	t.Parallel()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	in := func(path string) string { return filepath.Join(root, path) }
	exe := func(dir, executable, packageJSON string) map[string]string {
		files := testapps.Electron(t, dir, executable, packageJSON)
		files[dir+"/"+executable] = files[dir+"/"+executable+"*"] // nothing says there that a file can be run but its name
		delete(files, dir+"/"+executable+"*")
		files[dir+"/Uninstall.exe"], files[dir+"/ffmpeg.dll"] = strings.Repeat("x", 10), strings.Repeat("x", 10_000)
		return files
	}
	for _, files := range []map[string]string{
		exe("Local/Programs/Notes", "Notes.exe", `{"productName":"Notes","version":"1.0.0"}`),
		exe("Local/chat/app-1.9.0", "chat.exe", `{"productName":"Chat","version":"1.9.0"}`),
		exe("Local/chat/app-1.10.0", "chat.exe", `{"productName":"Chat","version":"1.10.0"}`),
		exe("Local/chat/app-1.10.0-beta12", "chat.exe", `{"productName":"Chat","version":"1.10.0-beta12"}`),
		exe("Program Files/Vendor/Draw", "DrawApp.EXE", `{"productName":"Draw"}`),
		{
			"Local/chat/Update.exe": "", "Program Files/Other/other.exe": "MZ", "Local/chat/packages/RELEASES": "",
			"Program Files/Fox/resources/x": "", "Program Files/Fox/fox.exe": "MZ",
		},
	} {
		testapps.Write(t, root, files)
	}
	places := windowsPlaces(func(name string) string {
		return map[string]string{"LOCALAPPDATA": in("Local"), "ProgramFiles": in("Program Files")}[name]
	})
	t.Run("13.2 installed for a user, by Squirrel and for all", func(t *testing.T) {
		t.Parallel()
		found, err := places.Discover(t.Context(), Query{})
		require.NoError(t, err)
		require.Equal(t, []string{"Chat", "Draw", "Notes"}, names(found.Apps))
		require.Equal(t, in("Local/chat/app-1.10.0/chat.exe"), found.Apps[0].ExecutablePath)
		require.Equal(t, []string{"squirrel", "system", "user"},
			[]string{found.Apps[0].PackageSource, found.Apps[1].PackageSource, found.Apps[2].PackageSource})
		require.Equal(t, in("Program Files/Vendor/Draw/DrawApp.EXE"), found.Apps[1].ExecutablePath)
	})
	for name, tt := range map[string]struct {
		wish LaunchOptions
		path string
		code fault.Code
	}{
		"13.3 by executable": {
			wish: LaunchOptions{ExecutablePath: in("Local/Programs/Notes/Notes.exe")},
			path: "Local/Programs/Notes/Notes.exe",
		},
		"13.3 the newest of several": {
			wish: LaunchOptions{AppPath: in("Local/chat")},
			path: "Local/chat/app-1.10.0/chat.exe",
		},
		"13.3 a version by its folder": {
			wish: LaunchOptions{AppPath: in("Local/chat/app-1.9.0")},
			path: "Local/chat/app-1.9.0/chat.exe",
		},
		"13.6 an executable of something": {
			wish: LaunchOptions{ExecutablePath: in("Program Files/Other/other.exe")},
			code: fault.AppUnsuitable,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, err := places.Resolve(t.Context(), tt.wish)
			if tt.code != "" {
				require.Equal(t, tt.code, fault.CodeOf(err))
				return
			}
			require.NoError(t, err)
			require.Equal(t, in(tt.path), start.Path)
		})
	}
}

func TestSystemWithoutPlaces(t *testing.T) {
	t.Parallel()
	root, _ := machine(t, testapps.Electron(t, "opt/Notes", "notes", `{"productName":"Notes"}`))
	places := Places{Platform: Unsupported}
	t.Run("13.2 nothing is looked for", func(t *testing.T) {
		t.Parallel()
		found, err := places.Discover(t.Context(), Query{})
		require.NoError(t, err)
		require.Equal(t, Found{Platform: "unsupported"}, found)
	})
	t.Run("13.3 by path all the same", func(t *testing.T) {
		t.Parallel()
		start, err := places.Resolve(t.Context(), LaunchOptions{AppPath: filepath.Join(root, "opt/Notes")})
		require.NoError(t, err)
		require.Equal(t, "Notes", start.App.Name)
	})
	t.Run("13.3 not by name", func(t *testing.T) {
		t.Parallel()
		_, err := places.Resolve(t.Context(), LaunchOptions{AppName: "Notes"})
		require.Equal(t, fault.AppNotFound, fault.CodeOf(err))
		require.ErrorContains(t, err, "executablePath")
	})
}
