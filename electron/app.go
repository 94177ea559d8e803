package electron

import (
	"cmp"
	"strings"
)

// App is a desktop app that was found.
type App struct {
	Platform       string `json:"platform"` // darwin, linux or windows
	Name           string `json:"name"`
	BundleID       string `json:"bundleId,omitempty"`  // on macOS
	DesktopID      string `json:"desktopId,omitempty"` // on Linux: the name of its desktop file
	AppPath        string `json:"appPath,omitempty"`   // the bundle, or the folder of the executable
	ExecutablePath string `json:"executablePath,omitempty"`
	Icon           string `json:"icon,omitempty"`
	// how it came here: system, user, opt, snap, flatpak, appimage or squirrel
	PackageSource   string       `json:"packageSource,omitempty"`
	Version         string       `json:"version,omitempty"`
	ElectronVersion string       `json:"electronVersion,omitempty"`
	Evidence        []string     `json:"evidence"` // the marks by which it was known
	Sensitivity     *Sensitivity `json:"sensitivity,omitempty"`

	how how
}

// how is the way in which an app is started, where it is not simply its executable; see Start.
type how struct {
	path        string
	args, env   []string
	profileBase string
	ownTemp     bool
	note        string

	also           []string // names and desktop ids of further menu entries
	code           string   // what an Electron without an app of its own is given
	runtime        bool     // it is such an Electron, and is given nothing
	snapApp        string   // NAME or NAME.APP, as the snap's command is called
	flatpakOptions []string // of flatpak's run, by the desktop file
}

// started says how the app is started.
func (a *App) started() *Start {
	h := a.how
	return &Start{
		App: *a,
		Path: cmp.Or(h.path,
			a.ExecutablePath),
		Args:        h.args,
		Env:         h.env,
		ProfileBase: h.profileBase,
		OwnTemp:     h.ownTemp,
		Note:        h.note,
	}
}

// Matches reports whether a text occurs in one of the app's names or paths, in any case.
func (a *App) Matches(text string) bool {
	text = strings.ToLower(text)
	for _, field := range append([]string{a.Name, a.BundleID, a.DesktopID, a.AppPath, a.ExecutablePath}, a.how.also...) {
		if strings.Contains(strings.ToLower(field), text) {
			return true
		}
	}
	return false
}

// Sensitivity says that an app usually shows what is private. It is a hint and forbids nothing.
type Sensitivity struct {
	Level      string   `json:"level"` // likely-sensitive
	Categories []string `json:"categories"`
}

// sensitive are words in the names of apps whose windows usually show what is private.
var sensitive = []struct {
	category string
	words    []string
}{
	{
		"notes",
		[]string{
			"obsidian", "notion", "joplin", "evernote", "logseq", "simplenote", "standard notes", "standard-notes",
			"anytype", "notable",
		},
	},
	{"chat", []string{
		"slack", "discord", "teams", "signal", "telegram", "whatsapp", "element", "mattermost", "rocket.chat", "rocketchat",
		"zulip", "messenger",
		"skype", "wire", "session-desktop", "beeper",
	}},
	{
		"mail",
		[]string{"mailspring", "proton mail", "proton-mail", "protonmail", "tutanota", "hiri", "superhuman", "mailbird"},
	},
	{"developer-workspace", []string{
		"visual studio code", "vscode", "code - oss", "code-oss", "vscodium", "codium", "cursor", "windsurf", "atom",
		"github desktop", "github-desktop",
		"gitkraken", "postman", "insomnia", "mongodb compass", "mongodb-compass", "docker desktop", "docker-desktop",
	}},
	{
		"passwords-auth",
		[]string{"1password", "bitwarden", "launcher", "dashlane", "lastpass", "nordpass", "authy", "enpass"},
	},
}

// sensitivityOf looks for such words at the beginning of words of the app's names: "wire" is in "Wire", and not in
// "Wireshark".
func sensitivityOf(a *App) *Sensitivity {
	names := " " + strings.ToLower(strings.Join([]string{a.Name, a.BundleID, a.DesktopID}, " ")) + " "
	var s Sensitivity
	for _, kind := range sensitive {
		for _, word := range kind.words {
			if isWordOf(names, word) {
				s.Categories = append(s.Categories, kind.category)
				break
			}
		}
	}
	if s.Categories == nil {
		return nil
	}
	s.Level = "likely-sensitive"
	return &s
}

func isWordOf(text, word string) bool {
	for from := 0; ; {
		i := strings.Index(text[from:], word)
		if i < 0 {
			return false
		}
		i += from
		if !isLetter(text[i-1]) && !isLetter(text[i+len(word)]) { // the text has a blank at each end
			return true
		}
		from = i + 1
	}
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' }
