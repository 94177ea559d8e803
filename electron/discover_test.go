package electron

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/testapps"
)

// machine writes files below a root and a home and returns the places there.
func machine(t *testing.T, files ...map[string]string) (root string, p Places) {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	for _, f := range files {
		testapps.Write(t, root, f)
	}
	return root, linuxPlaces(root, filepath.Join(root, "home/me"), func(string) string { return "" })
}

func names(apps []App) (all []string) {
	for _, a := range apps {
		all = append(all, a.Name)
	}
	return all
}

func TestDiscoverOnLinux(t *testing.T) {
	t.Parallel()
	t.Run("13.2 what is installed, sorted by name, bounded", testDiscoverOnLinux)
}

func testDiscoverOnLinux(t *testing.T) {
	t.Parallel()
	root, places := machine(t,
		testapps.Electron(t, "opt/Notes", "notes", `{"name":"notes","productName":"Notes","version":"1.2.3"}`),
		testapps.Electron(t, "usr/share/code", "code", `{"name":"code","version":"9.0.0"}`),
		testapps.Electron(t, "opt/vendor/chatter", "chatter-bin", `{"productName":"Chatter"}`),
		testapps.Electron(t, "snap/player/current/usr/lib/player", "player", `{"productName":"Player"}`),
		testapps.Electron(t, "var/lib/flatpak/app/org.x.Mail/current/active/files/mail", "mail", `{"productName":"Mail"}`),
		testapps.Electron(t, "home/me/Applications/Own", "own", `{"productName":"Own"}`),
		map[string]string{
			"usr/share/code/bin/code*":              "#!/bin/sh\n",
			"opt/chromium/chromium*":                "\x7fELF", // a Chromium is not Electron
			"opt/chromium/chrome_100_percent.pak":   "",
			"opt/chromium/resources/x":              "",
			"opt/tool/tool*":                        "#!/bin/sh\n",
			"opt/tool/resources/app.asar":           "no archive",
			"usr/share/applications/broken.desktop": "[Desktop Entry]\nType=Application\nName=Broken\nExec=/opt/gone/gone %U\n",
			"usr/share/applications/hidden.desktop": "[Desktop Entry]\nType=Application\nName=Hidden\nNoDisplay=true\n" +
				"Exec=/opt/Notes/notes\n",
		})
	testapps.Write(t, root, map[string]string{
		"usr/share/applications/terminal.desktop": "[Desktop Entry]\nType=Application\nName=Tool\nExec=" + root +
			"/opt/tool/tool\n",
		"usr/share/applications/code.desktop": "[Desktop Entry]\nType=Application\nName=Visual Studio Code\nIcon=vscode\n" +
			"Exec=" + root + "/usr/share/code/bin/code --unity-launch %F\n[Desktop Action new]\nName=New Window\nExec=other\n",
	})
	found, err := places.Discover(t.Context(), Query{})
	require.NoError(t, err)
	require.Equal(t, []string{"Chatter", "Mail", "Notes", "Own", "Player", "Visual Studio Code"}, names(found.Apps))
	require.Equal(t, 1, found.Skipped, "the file of an app that is gone")
	code := found.Apps[5]
	require.Equal(t, App{
		Platform: "linux", Name: "Visual Studio Code", DesktopID: "code", AppPath: filepath.Join(root, "usr/share/code"),
		Icon: "vscode", PackageSource: "system",
		ExecutablePath: filepath.Join(root, "usr/share/code/code"), Version: "9.0.0", ElectronVersion: "42.1.3",
		Evidence:    []string{"app.asar", "version", "chromium-resources"},
		Sensitivity: &Sensitivity{Level: "likely-sensitive", Categories: []string{"developer-workspace"}},
		how:         how{args: []string{"--unity-launch"}},
	}, code)
	sources := map[string]string{}
	for _, a := range found.Apps {
		sources[a.Name] = a.PackageSource
	}
	require.Equal(t, map[string]string{
		"Chatter": "opt", "Mail": "flatpak", "Notes": "opt", "Own": "user", "Player": "snap", "Visual Studio Code": "system",
	}, sources)
	found, err = places.Discover(t.Context(), Query{Text: "OPT/"})
	require.NoError(t, err)
	require.Equal(t, []string{"Chatter", "Notes"}, names(found.Apps))
	found, err = places.Discover(t.Context(), Query{MaxResults: 2})
	require.NoError(t, err)
	require.Equal(t, []string{"Chatter", "Mail"}, names(found.Apps))
	require.Equal(t, 4, found.Omitted)
}

func TestSensitivity(t *testing.T) {
	t.Parallel()
	t.Run("13.2 what shows private things is told by whole words of its names", testSensitivity)
}

func testSensitivity(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][]string{
		"Slack": {"chat"}, "Wire": {"chat"}, "Wireshark": nil, "1Password": {"passwords-auth"}, "Proton Mail": {"mail"},
		"Paint":                         nil,
		"Visual Studio Code - Insiders": {"developer-workspace"}, "Element Notes by Notion": {"notes", "chat"},
	} {
		s := sensitivityOf(&App{Name: name})
		if want == nil {
			require.Nil(t, s, name)
			continue
		}
		require.Equal(t, want, s.Categories, name)
	}
}
