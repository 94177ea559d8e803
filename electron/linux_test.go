package electron

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/testapps"
)

func TestAppImages(t *testing.T) {
	t.Parallel()
	root, places := machine(t, map[string]string{
		"home/me/Applications/Demo.AppImage*": testapps.AppImage(t, 2, "builder"),
		"opt/forged*":                         testapps.AppImage(t, 2, "forge"),
		"home/me/Downloads/locked.AppImage":   testapps.AppImage(t, 2, "builder"),
		"home/me/.local/bin/paint*":           testapps.AppImage(t, 2, "other"),
		"opt/old.AppImage*":                   testapps.AppImage(t, 1, "forge"),
		"opt/cut.AppImage*":                   testapps.AppImage(t, 2, "forge")[:300],
		"home/me/.local/bin/tool*":            "\x7fELF, and no more than that", "home/me/.local/bin/note": "AI",
	})
	in := func(path string) string { return filepath.Join(root, path) }
	found, err := places.Discover(t.Context(), Query{})
	require.NoError(t, err)
	require.Equal(t, 2, found.Skipped, "the old one and the one that is cut off")
	extract := how{args: []string{"--appimage-extract-and-run"}, ownTemp: true, note: noFUSE}
	builder := extract
	builder.args = []string{"--appimage-extract-and-run", "--no-sandbox"}
	demo := App{
		Platform: "linux", Name: "Demo", DesktopID: "demo", Icon: "demo", Version: "2.3.4",
		AppPath: in("home/me/Applications/Demo.AppImage"), PackageSource: "appimage",
		ExecutablePath: in("home/me/Applications/Demo.AppImage"), Evidence: []string{"app.asar", "chromium-resources"},
		how: builder,
	}
	require.Equal(t, []App{demo, {
		Platform: "linux", Name: "Demo", DesktopID: "demo", Version: "2.3.4", ElectronVersion: "42.1.3",
		AppPath: in("opt/forged"), PackageSource: "appimage",
		ExecutablePath: in("opt/forged"), Evidence: []string{"app.asar", "version", "chromium-resources"}, how: extract,
	}}, found.Apps)

	fuse := places
	testapps.Write(t, root, map[string]string{"dev/fuse": "", "usr/bin/fusermount3*": ""})
	fuse.path = []string{in("usr/bin")}
	start, err := fuse.Resolve(t.Context(), LaunchOptions{AppPath: demo.AppPath})
	require.NoError(t, err)
	require.Equal(t, []string{"--no-sandbox"}, start.Args, "it mounts itself")
	require.False(t, start.OwnTemp)

	for name, tt := range map[string]struct {
		path, says string
	}{
		"13.6 another program's AppImage": {"home/me/.local/bin/paint", "is not an Electron app"},
		"13.6 AppImage of type 1":         {"opt/old.AppImage", "ISO 9660"},
		"13.6 AppImage that is cut off":   {"opt/cut.AppImage", "not a readable SquashFS image"},
		"13.6 AppImage that cannot run":   {"home/me/Downloads/locked.AppImage", "chmod +x"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := fuse.Resolve(t.Context(), LaunchOptions{AppPath: in(tt.path)})
			require.Equal(t, fault.AppUnsuitable, fault.CodeOf(err))
			require.ErrorContains(t, err, tt.says)
		})
	}
}

// told is a program that writes what it was started with.
const told = "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$TOLD\"\nprintf 'FLAVOR=%s\\n' \"$FLAVOR\" >> \"$TOLD\"\n"

// flatpakRunner and snapRunner take what the documented command lines have, and refuse the rest.
const (
	flatpakRunner = `#!/bin/sh
[ "$1" = run ] || exit 64
shift
while [ $# -gt 0 ]; do
	case "$1" in
	--die-with-parent | --arch=x86_64 | --branch=stable | --command=mail | --user | --system) ;;
	--share=network) FLAVOR="$FLAVOR shared"; export FLAVOR ;;
	-*) echo "error: Unknown option $1" >&2; exit 64 ;;
	*) break ;;
	esac
	shift
done
id=$1
shift
[ -d "$ROOT/var/lib/flatpak/app/$id" ] || { echo "error: $id/x86_64/stable not installed" >&2; exit 65; }
for arg; do case "$arg" in --user-data-dir="$HOME/.var/app/$id"/*) seen=1 ;; esac; done
[ "$seen" ] || { echo "the profile is out of sight" >&2; exit 66; }
exec "$ROOT/var/lib/flatpak/app/$id/current/active/files/mail/mail" "$@"
`
	snapRunner = `#!/bin/sh
[ "$1" = run ] || exit 64
name=${2%%.*}
shift 2
[ -d "$ROOT/snap/$name" ] || { echo "error: cannot find current revision for snap $name" >&2; exit 65; }
for arg; do case "$arg" in --user-data-dir="$HOME/snap/$name/common"/*) seen=1 ;; esac; done
[ "$seen" ] || { echo "the profile is out of sight" >&2; exit 66; }
exec "$ROOT/snap/$name/current/usr/share/$name/$name" "$@"
`
)

// Each app here is started as a user's machine starts it, and tells what it was started with.
func TestWaysToStart(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("these are ways of Linux")
	}
	scripted := func(dir, executable, packageJSON string) map[string]string {
		files := testapps.Electron(t, dir, executable, packageJSON)
		files[dir+"/"+executable+"*"] = told
		return files
	}
	bare := scripted("usr/lib/electron33", "electron", "")
	delete(bare, "usr/lib/electron33/resources/app.asar")
	bare["usr/lib/electron33/resources/default_app.asar"] = string(testapps.Archive(t, map[string]string{"main.js": ""}))
	const commit = "var/lib/flatpak/app/org.x.Mail/x86_64/stable/c0ffee"
	root, _ := machine(t, bare,
		scripted("opt/Quoted App", "quoted", `{"productName":"Quoted"}`),
		scripted("snap/code/77/usr/share/code", "code", `{"productName":"Code"}`),
		scripted(commit+"/files/mail", "mail", `{"productName":"Mail"}`),
		scripted("work/project/node_modules/electron/dist", "electron", ""),
		map[string]string{
			commit + "/metadata": "[Application]\nname=org.x.Mail\ncommand=mail\n[Context]\nshared=ipc;\n",
			"usr/bin/flatpak*":   flatpakRunner,
			"usr/bin/snap*":      snapRunner,
			"usr/lib/signal/app.asar": string(testapps.Archive(t,
				map[string]string{"package.json": `{"productName":"Signal","version":"7.0.1"}`})),
			"usr/lib/word/package.json":      `{"name":"word"}`,
			"work/project/package.json":      `{"name":"project","version":"0.0.1"}`,
			"usr/lib/word/main.js":           "",
			"usr/lib/word/start*":            "#!/bin/sh\nAPP=/none\n",
			"usr/lib/electron33/version":     "33.1.0",
			"usr/lib/fox/fox*":               "\x7fELF",
			"usr/lib/quiet/app.asar":         string(testapps.Archive(t, map[string]string{"package.json": `{"name":"quiet"}`})),
			"home/me/unrelated/package.json": "{}",
		})
	in := func(path string) string { return filepath.Join(root, path) }
	link := func(from, to string) {
		require.NoError(t, os.MkdirAll(filepath.Dir(in(from)), 0o755))
		require.NoError(t, os.Symlink(to, in(from)))
	}
	link("usr/bin/electron33", "../lib/electron33/electron")
	link("snap/code/current", "77")
	link("snap/bin/code", "../../usr/bin/snap")
	link("var/lib/flatpak/app/org.x.Mail/current", "x86_64/stable")
	link("var/lib/flatpak/app/org.x.Mail/x86_64/stable/active", "c0ffee")
	testapps.Write(t, root, map[string]string{
		"usr/bin/signal*": "#!/bin/bash\n# starts it\nset -e\nname=electron33\nflags=()\n[ -f x ] && flags+=(y)\n" +
			"export ELECTRON_IS_DEV=0\nexec ${name} " + root + "/usr/lib/signal/app.asar \"${flags[@]}\" \"$@\"\n",
		"usr/bin/word*": "#!/bin/sh\nAPP='" + root +
			"/usr/lib/word'\nif [ -x \"$APP\" ]; then\n\texec electron33 \\\n\t\t\"$APP\" \"$@\"\nfi\n",
		"usr/bin/quiet*": "#!/bin/sh\nelectron33 " + root + "/usr/lib/quiet/app.asar --calm\n", // drops its arguments
	})
	desktop := func(name, exec string) string {
		return "[Desktop Entry]\nType=Application\nName=" + name + "\nExec=" + exec + "\n"
	}
	testapps.Write(t, root, map[string]string{
		"usr/share/applications/quoted.desktop": desktop("Quoted",
			`env -u GONE FLAVOR=mint "`+root+`/opt/Quoted App/quoted" --remote-debugging-port=9 --class=Q %U`),
		"usr/share/applications/shell.desktop": desktop("Shell Word",
			`sh -c "FLAVOR=plum exec word --from-shell %U"`),
		"usr/share/applications/signal.desktop": desktop("Signal", "signal --tray -- %u"),
		"usr/share/applications/direct.desktop": desktop("Direct",
			"electron33 --name=d "+root+"/usr/lib/word %F"),
		"usr/share/applications/quiet.desktop": desktop("Quiet", "quiet"),
		"usr/share/applications/fox.desktop":   desktop("Fox", root+"/usr/lib/fox/fox %u"),
		"var/lib/snapd/desktop/applications/code_code.desktop": desktop("Code",
			"env BAMF=1 "+root+"/snap/bin/code --force %F"),
		"var/lib/flatpak/exports/share/applications/x.Mail.desktop": desktop("Mail",
			"/usr/bin/flatpak run --branch=stable --arch=x86_64 --command=mail --file-forwarding org.x.Mail --mailto @@u %U @@"),
		"home/me/.local/share/applications/electron-runtime.desktop": desktop("Electron 33", "electron33 %u"),
	})
	home := in("home/me")
	places := linuxPlaces(root, home, func(name string) string { return map[string]string{"PATH": in("usr/bin")}[name] })
	found, err := places.Discover(t.Context(), Query{})
	require.NoError(t, err)
	require.Equal(t, []string{"Code", "Direct", "Mail", "Quiet", "Quoted", "Signal"}, names(found.Apps),
		"Shell Word is Direct once more")

	project := in("work/project")
	tests := map[string]struct {
		wish    LaunchOptions
		program string // that is started, below the root
		base    string // of the profile
		told    []string
		flavor  string
		app     App // the fields that say something
	}{
		"13.3 env, quotes, a class": {
			wish: LaunchOptions{AppName: "Quoted"}, program: "opt/Quoted App/quoted",
			told: []string{"--class=Q"}, flavor: "mint",
		},
		"13.3 the system's Electron by a script": {
			wish: LaunchOptions{AppName: "Signal"}, program: "usr/bin/signal",
			told: []string{in("usr/lib/signal/app.asar"), "--tray"},
			app: App{
				Version: "7.0.1", ElectronVersion: "33.1.0", AppPath: in("usr/lib/signal"),
				ExecutablePath: in("usr/lib/electron33/electron"),
			},
		},
		"13.3 the script itself": {
			wish:    LaunchOptions{ExecutablePath: in("usr/bin/word")},
			program: "usr/bin/word", told: []string{in("usr/lib/word")},
		},
		"13.3 the system's Electron with a folder": {
			wish:    LaunchOptions{AppName: "Direct"},
			program: "usr/lib/electron33/electron", told: []string{"--name=d", in("usr/lib/word")},
		},
		"13.3 a script that drops its arguments": {
			wish:    LaunchOptions{AppName: "quiet"},
			program: "usr/lib/electron33/electron", told: []string{in("usr/lib/quiet/app.asar"), "--calm"},
		},
		"13.3 a snap by name": {
			wish: LaunchOptions{AppName: "code"}, program: "usr/bin/snap",
			base: "snap/code/common", told: []string{"--force"}, app: App{PackageSource: "snap"},
		},
		"13.3 a snap by its command": {
			wish:    LaunchOptions{ExecutablePath: in("snap/bin/code")},
			program: "usr/bin/snap", base: "snap/code/common",
		},
		"13.3 a snap by what is in it": {
			wish:    LaunchOptions{AppPath: in("snap/code/current/usr/share/code")},
			program: "usr/bin/snap", base: "snap/code/common",
		},
		"13.3 a flatpak by name": {
			wish: LaunchOptions{AppName: "mail"}, program: "usr/bin/flatpak",
			base: ".var/app/org.x.Mail", told: []string{"--mailto"}, flavor: " shared",
		},
		"13.3 a flatpak by its desktop id": {
			wish: LaunchOptions{BundleID: "x.mail"}, program: "usr/bin/flatpak",
			base: ".var/app/org.x.Mail", told: []string{"--mailto"}, flavor: " shared",
		},
		"13.3 a flatpak by what is in it": {
			wish:    LaunchOptions{ExecutablePath: in(commit + "/files/mail/mail")},
			program: "usr/bin/flatpak", base: ".var/app/org.x.Mail", flavor: " shared",
		},
		"13.3 an app under development": {
			wish:    LaunchOptions{AppPath: project},
			program: "work/project/node_modules/electron/dist/electron", told: []string{project},
		},
		"13.3 an Electron with nothing to show yet": {
			wish:    LaunchOptions{ExecutablePath: in("usr/bin/electron33")},
			program: "usr/lib/electron33/electron",
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start, err := places.Resolve(t.Context(), tt.wish)
			require.NoError(t, err)
			require.Equal(t, in(tt.program), start.Path)
			base := t.TempDir()
			if tt.base != "" {
				base = filepath.Join(home, tt.base)
				require.NotEmpty(t, start.Note)
			}
			if tt.base != "" || start.ProfileBase != "" {
				require.Equal(t, base, start.ProfileBase)
			}
			if tt.app.ExecutablePath != "" {
				a := start.App
				require.Equal(t, tt.app,
					App{Version: a.Version, ElectronVersion: a.ElectronVersion, AppPath: a.AppPath, ExecutablePath: a.ExecutablePath})
			}
			heard := filepath.Join(t.TempDir(), "told")
			profile := "--user-data-dir=" + filepath.Join(base, "p")
			cmd := exec.CommandContext(t.Context(), start.Path, append(start.Args, profile)...)
			cmd.Env = append([]string{
				"PATH=" + in("usr/bin") + ":/usr/bin:/bin", "HOME=" + home, "ROOT=" + root,
				"TOLD=" + heard,
			}, start.Env...)
			var out bytes.Buffer
			cmd.Stdout, cmd.Stderr = &out, &out
			require.NoError(t, cmd.Run(), &out)
			text, err := os.ReadFile(heard)
			require.NoError(t, err)
			var want bytes.Buffer
			for _, arg := range append(tt.told, profile) {
				want.WriteString(arg + "\n")
			}
			require.Equal(t, want.String()+"FLAVOR="+tt.flavor+"\n", string(text))
		})
	}
}
