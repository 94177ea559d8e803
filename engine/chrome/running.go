package chrome

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/userfile"
)

// ActivePort is the DevToolsActivePort file that a browser with remote debugging leaves in its user data directory. It
// stays there when the browser is killed, so the port may be closed or belong to another program by now.
type ActivePort struct {
	Browser string // the name of the product, such as "Google Chrome"
	Dir     string // the folder with its profiles
	Port    int
	Path    string // of the browser's websocket; empty when the file does not say
	Written time.Time
}

// activePortFile is the file's name: the port and the path, a line each.
const activePortFile = "DevToolsActivePort"

// maxActivePort bounds what is read of the file; a real one has some 60 bytes.
const maxActivePort = 1 << 10

// UserData is a folder in which a browser keeps its profiles.
type UserData struct {
	Browser string
	Dir     string
}

// UserDataDirs returns where the browsers of this machine's user keep their profiles, whether or not they are
// installed. getenv is os.Getenv or the like.
func UserDataDirs(getenv func(string) string) []UserData {
	return userDataDirs(runtime.GOOS, getenv)
}

// product is a browser with the folder of its profiles on each system, relative to where that system has them.
type product struct {
	name                  string
	linux, darwin, win    string
	flatpak, snap, inSnap string // ids of its packages, and its folder in the snap's home
	roaming               bool   // on Windows its folder wanders with the user
	executables           []string
}

var products = []product{
	{
		name:        "Google Chrome",
		linux:       "google-chrome",
		darwin:      "Google/Chrome",
		win:         "Google/Chrome/User Data",
		flatpak:     "com.google.Chrome",
		executables: []string{"google-chrome-stable", "google-chrome"},
	},
	{
		name:        "Google Chrome Beta",
		linux:       "google-chrome-beta",
		darwin:      "Google/Chrome Beta",
		win:         "Google/Chrome Beta/User Data",
		executables: []string{"google-chrome-beta"},
	},
	{
		name:        "Google Chrome Dev",
		linux:       "google-chrome-unstable",
		darwin:      "Google/Chrome Dev",
		win:         "Google/Chrome Dev/User Data",
		flatpak:     "com.google.ChromeDev",
		executables: []string{"google-chrome-unstable"},
	},
	{
		name:   "Google Chrome Canary",
		linux:  "google-chrome-canary",
		darwin: "Google/Chrome Canary",
		win:    "Google/Chrome SxS/User Data",
	},
	{
		name: "Google Chrome for Testing", linux: "google-chrome-for-testing", darwin: "Google/Chrome for Testing",
		win: "Google/Chrome for Testing/User Data",
	},
	{
		name:        "Chromium",
		linux:       "chromium",
		darwin:      "Chromium",
		win:         "Chromium/User Data",
		flatpak:     "org.chromium.Chromium",
		snap:        "chromium",
		inSnap:      "common/chromium",
		executables: []string{"chromium", "chromium-browser"},
	},
	{name: "ungoogled-chromium", flatpak: "io.github.ungoogled_software.ungoogled_chromium", linux: "ungoogled-chromium"},
	{
		name:        "Brave",
		linux:       "BraveSoftware/Brave-Browser",
		darwin:      "BraveSoftware/Brave-Browser",
		win:         "BraveSoftware/Brave-Browser/User Data",
		flatpak:     "com.brave.Browser",
		snap:        "brave",
		inSnap:      "current/.config/BraveSoftware/Brave-Browser",
		executables: []string{"brave-browser", "brave"},
	},
	{
		name:   "Brave Beta",
		linux:  "BraveSoftware/Brave-Browser-Beta",
		darwin: "BraveSoftware/Brave-Browser-Beta",
		win:    "BraveSoftware/Brave-Browser-Beta/User Data",
	},
	{
		name:        "Microsoft Edge",
		linux:       "microsoft-edge",
		darwin:      "Microsoft Edge",
		win:         "Microsoft/Edge/User Data",
		flatpak:     "com.microsoft.Edge",
		executables: []string{"microsoft-edge-stable", "microsoft-edge"},
	},
	{
		name:   "Microsoft Edge Beta",
		linux:  "microsoft-edge-beta",
		darwin: "Microsoft Edge Beta",
		win:    "Microsoft/Edge Beta/User Data",
	},
	{
		name:   "Microsoft Edge Dev",
		linux:  "microsoft-edge-dev",
		darwin: "Microsoft Edge Dev",
		win:    "Microsoft/Edge Dev/User Data",
	},
	{
		name:        "Vivaldi",
		linux:       "vivaldi",
		darwin:      "Vivaldi",
		win:         "Vivaldi/User Data",
		flatpak:     "com.vivaldi.Vivaldi",
		snap:        "vivaldi",
		inSnap:      "current/.config/vivaldi",
		executables: []string{"vivaldi-stable", "vivaldi"},
	},
	{
		name:        "Opera",
		linux:       "opera",
		darwin:      "com.operasoftware.Opera",
		win:         "Opera Software/Opera Stable",
		flatpak:     "com.opera.Opera",
		snap:        "opera",
		inSnap:      "current/.config/opera",
		roaming:     true,
		executables: []string{"opera"},
	},
	{name: "Opera GX", darwin: "com.operasoftware.OperaGX", win: "Opera Software/Opera GX Stable", roaming: true},
	{
		name:   "Arc",
		darwin: "Arc/User Data",
		win:    "Packages/TheBrowserCompany.Arc_ttt1ap7aakyb4/LocalCache/Local/Arc/User Data",
	},
	{
		name:   "Yandex Browser",
		linux:  "yandex-browser",
		darwin: "Yandex/YandexBrowser",
		win:    "Yandex/YandexBrowser/User Data",
	},
}

func userDataDirs(goos string, getenv func(string) string) []UserData {
	home := getenv("HOME")
	if goos == "windows" {
		home = getenv("USERPROFILE")
	}
	var dirs []UserData
	add := func(name, base string, elem ...string) {
		if base == "" || slices.Contains(elem, "") {
			return
		}
		dirs = append(dirs, UserData{Browser: name, Dir: filepath.Join(append([]string{base}, elem...)...)})
	}
	under := func(elem ...string) string {
		if home == "" {
			return ""
		}
		return filepath.Join(append([]string{home}, elem...)...)
	}
	config := cmp.Or(getenv("CHROME_CONFIG_HOME"), getenv("XDG_CONFIG_HOME"), under(".config"))
	local := cmp.Or(getenv("LOCALAPPDATA"), under("AppData", "Local"))
	roaming := cmp.Or(getenv("APPDATA"), under("AppData", "Roaming"))
	for _, p := range products {
		switch goos {
		case "darwin":
			add(p.name, under("Library", "Application Support"), p.darwin)
		case "windows":
			base := local
			if p.roaming {
				base = roaming
			}
			add(p.name, base, p.win)
		default:
			add(p.name, config, p.linux)
			if p.flatpak != "" {
				add(p.name, under(".var", "app", p.flatpak, "config"), p.linux)
			}
			if p.snap != "" {
				add(p.name, under("snap", p.snap), p.inSnap)
			}
		}
	}
	return dirs
}

// ActivePorts returns what the browsers left in these folders, the newest first.
func ActivePorts(dirs []UserData) []ActivePort {
	var ports []ActivePort
	for _, d := range dirs {
		if p, ok := readActivePort(d); ok {
			ports = append(ports, p)
		}
	}
	slices.SortStableFunc(ports, func(a, b ActivePort) int { return b.Written.Compare(a.Written) })
	return ports
}

func readActivePort(d UserData) (ActivePort, bool) {
	path := filepath.Join(d.Dir, activePortFile)
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxActivePort {
		return ActivePort{}, false
	}
	text, err := userfile.Read(context.Background(), path, maxActivePort)
	if err != nil {
		return ActivePort{}, false
	}
	first, rest, _ := strings.Cut(string(text), "\n")
	port, err := strconv.ParseUint(strings.TrimSpace(first), 10, 16)
	if err != nil || port == 0 {
		return ActivePort{}, false
	}
	p := ActivePort{Browser: d.Browser, Dir: d.Dir, Port: int(port), Written: info.ModTime()}
	second, _, _ := strings.Cut(rest, "\n")
	if second = strings.TrimSpace(second); strings.HasPrefix(second, "/") {
		p.Path = second
	}
	return p, true
}
