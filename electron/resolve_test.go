package electron

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testapps"
)

// installed is a machine with some apps and other programs.
func installed(t *testing.T) (root string, p Places) {
	t.Helper()
	root, p = machine(t,
		testapps.Electron(t, "opt/Notes", "notes", `{"productName":"Notes"}`),
		testapps.Electron(t, "usr/share/code", "code", `{"productName":"Code"}`),
		testapps.Electron(t, "opt/Chat One", "chat-one", `{"productName":"Chat One"}`),
		testapps.Electron(t, "opt/Chat Two", "chat-two", `{"productName":"Chat Two"}`),
		testapps.Electron(t, "home/me/Applications/Notes", "notes", `{"productName":"Twice"}`),
		testapps.Electron(t, "opt/Twice", "twice", `{"productName":"Twice"}`),
		map[string]string{"usr/lib/fox/fox*": "\x7fELF", "usr/lib/fox/readme": "", "work/plain/resources/x": ""},
	)
	testapps.Write(t, root, map[string]string{
		"usr/share/applications/vscode.desktop": "[Desktop Entry]\nType=Application\nName=Visual Studio Code\nExec=" + root +
			"/usr/share/code/code %F\n",
		"usr/share/applications/vscode2.desktop": "[Desktop Entry]\nType=Application\nName=Code at Work\nExec=" + root +
			"/usr/share/code/code --work %F\n",
		"usr/share/applications/fox.desktop": "[Desktop Entry]\nType=Application\nName=Fox Browser\nExec=" + root +
			"/usr/lib/fox/fox %U\n",
	})
	require.NoError(t, os.Symlink(filepath.Join(root, "opt/Notes/notes"), filepath.Join(root, "work/link")))
	return root, p
}

func TestResolve(t *testing.T) {
	t.Parallel()
	root, places := installed(t)
	in := func(path string) string { return filepath.Join(root, path) }
	tests := map[string]struct {
		wish LaunchOptions
		path string     // of the program, below the root
		code fault.Code // of the error
		says []string
	}{
		"13.3 by name": {wish: LaunchOptions{AppName: "Notes"}, path: "opt/Notes/notes"},
		"13.3 by name in any case": {
			wish: LaunchOptions{AppName: "visual studio code"},
			path: "usr/share/code/code",
		},
		"13.3 by desktop id":                {wish: LaunchOptions{AppName: "VSCode"}, path: "usr/share/code/code"},
		"13.3 by another entry of its menu": {wish: LaunchOptions{AppName: "code at work"}, path: "usr/share/code/code"},
		"13.3 by the desktop file's name":   {wish: LaunchOptions{BundleID: "vscode.desktop"}, path: "usr/share/code/code"},
		"13.3 by a part that only one has":  {wish: LaunchOptions{AppName: "studio"}, path: "usr/share/code/code"},
		"13.3 by a part that several have": {
			wish: LaunchOptions{AppName: "chat"}, code: fault.AppNotFound,
			says: []string{"2 installed", "Chat One", in("opt/Chat Two/chat-two"), "executablePath"},
		},
		"13.3 a name that two have": {
			wish: LaunchOptions{AppName: "twice"}, code: fault.AppNotFound,
			says: []string{in("opt/Twice/twice"), in("home/me/Applications/Notes/notes")},
		},
		"13.3 a name that is near": {
			wish: LaunchOptions{AppName: "Nots"}, code: fault.AppNotFound,
			says: []string{`"Nots"`, "Near it: Notes.", "electron list", "appPath"},
		},
		"13.3 a name like none": {
			wish: LaunchOptions{AppName: "Quux Player"}, code: fault.AppNotFound,
			says: []string{"no installed Electron app", "electron list"},
		},
		"13.3 by its folder": {wish: LaunchOptions{AppPath: in("opt/Notes")}, path: "opt/Notes/notes"},
		"13.3 by its executable": {
			wish: LaunchOptions{ExecutablePath: in("opt/Notes/notes")},
			path: "opt/Notes/notes",
		},
		"13.3 by a link": {wish: LaunchOptions{ExecutablePath: in("work/link")}, path: "opt/Notes/notes"},
		"13.3 by a path from the cwd": {
			wish: LaunchOptions{AppPath: "../opt/Notes", Cwd: in("work")},
			path: "opt/Notes/notes",
		},
		"13.3 by a path from the home": {
			wish: LaunchOptions{AppPath: "~/Applications/Notes"},
			path: "home/me/Applications/Notes/notes",
		},
		"13.3 nothing there": {
			wish: LaunchOptions{AppPath: in("opt/Gone")}, code: fault.AppNotFound,
			says: []string{in("opt/Gone")},
		},
		"13.3 no target": {
			wish: LaunchOptions{AppName: " "}, code: fault.Usage,
			says: []string{"exactly one of appPath, appName, bundleId or executablePath", "0 are"},
		},
		"13.3 two targets": {
			wish: LaunchOptions{AppName: "Notes", AppPath: in("opt/Notes")}, code: fault.Usage,
			says: []string{"2 are given"},
		},
		"13.3 an argument of ours": {
			wish: LaunchOptions{
				AppName: "Notes",
				Args:    []string{"-x", "--remote-debugging-port=1"},
			}, code: fault.Usage,
			says: []string{"wrapper-owned launch flag --remote-debugging-port"},
		},
		"13.6 a folder without an app": {
			wish: LaunchOptions{AppPath: in("work/plain")}, code: fault.AppUnsuitable,
			says: []string{in("work/plain"), "resources"},
		},
		"13.6 an executable of another": {
			wish: LaunchOptions{ExecutablePath: in("usr/lib/fox/fox")},
			code: fault.AppUnsuitable, says: []string{"not an Electron app", "`app.asar`", "`version`"},
		},
		"13.6 no executable": {
			wish: LaunchOptions{ExecutablePath: in("usr/lib/fox/readme")},
			code: fault.AppUnsuitable, says: []string{"can be run"},
		},
		"13.6 a folder as executable": {
			wish: LaunchOptions{ExecutablePath: in("opt/Notes")}, code: fault.AppUnsuitable,
			says: []string{"appPath"},
		},
		"13.6 an installed other": {
			wish: LaunchOptions{AppName: "fox browser"}, code: fault.AppUnsuitable,
			says: []string{in("usr/lib/fox/fox"), "Fox Browser"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, err := places.Resolve(t.Context(), tt.wish)
			if tt.code != "" {
				require.Equal(t, tt.code, fault.CodeOf(err), "%v", err)
				for _, part := range tt.says {
					require.ErrorContains(t, err, part)
				}
				return
			}
			require.NoError(t, err)
			require.Equal(t, in(tt.path), start.Path)
			require.Equal(t, in(tt.path), start.App.ExecutablePath)
			require.NotEmpty(t, start.App.Evidence)
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := places.Resolve(ctx, LaunchOptions{AppName: "Notes"})
	require.ErrorIs(t, err, context.Canceled)
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	root, places := installed(t)
	code := LaunchOptions{ExecutablePath: filepath.Join(root, "usr/share/code/code")}
	tests := map[string]struct {
		allow, deny []string
		blocked     *Policy
	}{
		"13.5 no lists":                    {},
		"13.5 allowed by name in any case": {allow: []string{"other", "CODE"}},
		"13.5 allowed by path":             {allow: []string{"share/code"}},
		"13.5 allow names others":          {allow: []string{"slack"}, blocked: &Policy{List: "allow"}},
		"13.5 allow of nothing":            {allow: []string{" "}, blocked: &Policy{List: "allow"}},
		"13.5 denied by the name in its menu": {
			deny:    []string{"visual studio"},
			blocked: &Policy{List: "deny", Entry: "visual studio"},
		},
		"13.5 denied by another entry": {
			deny:    []string{"at work"},
			blocked: &Policy{List: "deny", Entry: "at work"},
		},
		"13.5 denied by desktop id": {deny: []string{"vscode"}, blocked: &Policy{List: "deny", Entry: "vscode"}},
		"13.5 denied by executable": {
			deny:    []string{"/CODE/CODE"},
			blocked: &Policy{List: "deny", Entry: "/CODE/CODE"},
		},
		"13.5 deny names others": {deny: []string{"slack", ""}},
		"13.5 deny wins over allow": {
			allow: []string{"code"}, deny: []string{"slack", "code"},
			blocked: &Policy{List: "deny", Entry: "code"},
		},
		"13.5 a part of another app of the two": {deny: []string{"Notes"}},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			wish := code
			wish.Allow, wish.Deny = tt.allow, tt.deny
			start, err := places.Resolve(t.Context(), wish)
			if tt.blocked == nil {
				require.NoError(t, err)
				require.Equal(t, code.ExecutablePath, start.Path)
				return
			}
			var e *fault.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, fault.AppBlocked, e.Code)
			require.Equal(t, *tt.blocked, e.Facts["policy"])
		})
	}
}

func TestOwnedSwitch(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]map[string]string{
		"13.3 switches of a launch": {
			"--": "--", " -- ": "--", "--user-data-dir": "--user-data-dir", "--user-data-dir=/x": "--user-data-dir",
			"-user-data-dir=/x":          "--user-data-dir",
			" --remote-debugging-port=1": "--remote-debugging-port", "-remote-debugging-port": "--remote-debugging-port",
			"--remote-debugging-address=0.0.0.0": "--remote-debugging-address",
			"--remote-debugging-pipe=cbor":       "--remote-debugging-pipe", "/remote-debugging-pipe": "--remote-debugging-pipe",
			"--Remote-Debugging-Port=9": "--remote-debugging-port",
		},
		"13.3 switches of the app": {
			"--safe-mode": "", "--user-data-dir-prefix=x": "", "file.txt": "", "-": "", "": "", "--remote-debugging": "",
			"remote-debugging-port": "", "---remote-debugging-port": "",
			"/home/me/user-data-dir": "", "--open=--user-data-dir": "",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			for arg, want := range tt {
				require.Equal(t, want, OwnedSwitch(arg), arg)
				require.Equal(t, want != "", fault.Is(CheckArgs([]string{"x", arg}), fault.Usage), arg)
			}
			require.NoError(t, CheckArgs(nil))
		})
	}
}
