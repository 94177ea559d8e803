package install

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/childenv"
	"github.com/skua-browser/skua/internal/fault"
)

// Manager is a package manager of the system.
type Manager struct {
	Name     string   // its program: apt-get, dnf, …
	Path     string   // where that is
	install  []string // its words in front of the packages
	refresh  []string // its words that get the lists of packages; nil means that it does so by itself
	asRoot   bool     // it must run as root
	column   int      // of the table of libraries
	browsers map[string][]string
	needs    []string // what Chrome for Testing needs beside a bare system
}

// The columns of the table of libraries.
const (
	deb = iota
	rpm
	suse
	arch
	none
)

// managers lists those that are known, with the packages of the browsers, in the order in which they are looked for on
// a system.
func managers(goos string) []Manager {
	switch goos {
	case "darwin":
		cask := []string{"--cask", "google-chrome"}
		return []Manager{{
			Name:     "brew",
			install:  []string{"install"},
			column:   none,
			browsers: map[string][]string{Chrome: cask, Shell: cask},
		}}
	case "windows":
		id := []string{"--id", "Google.Chrome"}
		return []Manager{{
			Name:     "winget",
			install:  []string{"install", "--exact", "--accept-source-agreements", "--accept-package-agreements"},
			column:   none,
			browsers: map[string][]string{Chrome: id, Shell: id},
		}}
	case "linux":
	default:
		return nil
	}
	chromium := func(shell string) map[string][]string {
		return map[string][]string{Chrome: {"chromium"}, Shell: {shell}}
	}
	fedora := Manager{
		install:  []string{"install", "-y"},
		asRoot:   true,
		column:   rpm,
		browsers: chromium("chromium-headless"),
		needs:    []string{"liberation-fonts", "google-noto-color-emoji-fonts", "ca-certificates"},
	}
	dnf, yum := fedora, fedora
	dnf.Name, yum.Name = "dnf", "yum"
	return []Manager{
		{
			Name:     "apt-get",
			install:  []string{"install", "-y", "--no-install-recommends"},
			refresh:  []string{"update"},
			asRoot:   true,
			column:   deb,
			browsers: chromium("chromium-headless-shell"),
			needs:    []string{"fonts-liberation", "fonts-noto-color-emoji", "ca-certificates"},
		},
		dnf, yum,
		{
			Name:     "zypper",
			install:  []string{"--non-interactive", "install"},
			asRoot:   true,
			column:   suse,
			browsers: chromium("chromium"),
			needs:    []string{"liberation-fonts", "noto-coloremoji-fonts", "ca-certificates"},
		},
		{
			Name:     "pacman",
			install:  []string{"-S", "--needed", "--noconfirm"},
			asRoot:   true,
			column:   arch,
			browsers: chromium("chromium"),
			needs:    []string{"ttf-liberation", "noto-fonts-emoji", "ca-certificates"},
		},
		{
			Name: "apk", install: []string{"add"}, asRoot: true, column: none, browsers: chromium("chromium"),
			needs: []string{"ttf-liberation", "font-noto-emoji", "ca-certificates"},
		},
	}
}

// libraryPackages are the packages that have the libraries which Chrome for Testing needs: of Debian, Fedora, openSUSE
// and Arch. Debian's names got a suffix with 64-bit time: "|" separates the newer and the older one.
var libraryPackages = map[string][4]string{
	"libnss3.so":      {"libnss3", "nss", "mozilla-nss", "nss"},
	"libnssutil3.so":  {"libnss3", "nss", "mozilla-nss", "nss"},
	"libsmime3.so":    {"libnss3", "nss", "mozilla-nss", "nss"},
	"libnspr4.so":     {"libnspr4", "nspr", "mozilla-nspr", "nspr"},
	"libatk-1.0.so.0": {"libatk1.0-0t64|libatk1.0-0", "atk", "libatk-1_0-0", "at-spi2-core"},
	"libatk-bridge-2.0.so.0": {
		"libatk-bridge2.0-0t64|libatk-bridge2.0-0", "at-spi2-atk", "libatk-bridge-2_0-0",
		"at-spi2-core",
	},
	"libatspi.so.0":       {"libatspi2.0-0t64|libatspi2.0-0", "at-spi2-core", "libatspi0", "at-spi2-core"},
	"libcups.so.2":        {"libcups2t64|libcups2", "cups-libs", "libcups2", "libcups"},
	"libdrm.so.2":         {"libdrm2", "libdrm", "libdrm2", "libdrm"},
	"libxkbcommon.so.0":   {"libxkbcommon0", "libxkbcommon", "libxkbcommon0", "libxkbcommon"},
	"libXcomposite.so.1":  {"libxcomposite1", "libXcomposite", "libXcomposite1", "libxcomposite"},
	"libXdamage.so.1":     {"libxdamage1", "libXdamage", "libXdamage1", "libxdamage"},
	"libXfixes.so.3":      {"libxfixes3", "libXfixes", "libXfixes3", "libxfixes"},
	"libXrandr.so.2":      {"libxrandr2", "libXrandr", "libXrandr2", "libxrandr"},
	"libXext.so.6":        {"libxext6", "libXext", "libXext6", "libxext"},
	"libX11.so.6":         {"libx11-6", "libX11", "libX11-6", "libx11"},
	"libxcb.so.1":         {"libxcb1", "libxcb", "libxcb1", "libxcb"},
	"libgbm.so.1":         {"libgbm1", "mesa-libgbm", "libgbm1", "mesa"},
	"libpango-1.0.so.0":   {"libpango-1.0-0", "pango", "libpango-1_0-0", "pango"},
	"libcairo.so.2":       {"libcairo2", "cairo", "libcairo2", "cairo"},
	"libasound.so.2":      {"libasound2t64|libasound2", "alsa-lib", "libasound2", "alsa-lib"},
	"libdbus-1.so.3":      {"libdbus-1-3", "dbus-libs", "libdbus-1-3", "dbus"},
	"libglib-2.0.so.0":    {"libglib2.0-0t64|libglib2.0-0", "glib2", "libglib-2_0-0", "glib2"},
	"libgobject-2.0.so.0": {"libglib2.0-0t64|libglib2.0-0", "glib2", "libgobject-2_0-0", "glib2"},
	"libgio-2.0.so.0":     {"libglib2.0-0t64|libglib2.0-0", "glib2", "libgio-2_0-0", "glib2"},
	"libexpat.so.1":       {"libexpat1", "expat", "libexpat1", "expat"},
	"libudev.so.1":        {"libudev1", "systemd-libs", "libudev1", "systemd-libs"},
}

// DetectManager returns the package manager of this system, or nil.
func DetectManager(getenv func(string) string) *Manager {
	for _, m := range managers(runtime.GOOS) {
		if path := onPath(m.Name, getenv); path != "" {
			m.Path = path
			return &m
		}
	}
	return nil
}

// onPath finds a program. A path that is not absolute is not safe for a program that may run as root.
func onPath(name string, getenv func(string) string) string {
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path := filepath.Join(dir, name)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() &&
			(runtime.GOOS == "windows" || info.Mode()&0o111 != 0) {
			return path
		}
	}
	return ""
}

// For returns the packages that have these libraries, and the libraries of which that is not known.
func (m *Manager) For(libraries []string) (packages, unknown []string) {
	for _, l := range libraries {
		row, ok := libraryPackages[l]
		if !ok || m.column == none {
			unknown = append(unknown, l)
			continue
		}
		packages = append(packages, row[m.column])
	}
	return distinct(choose(packages)), unknown
}

// choose takes of each "newer|older" the name that the system knows.
func choose(packages []string) []string {
	var asked []string
	for _, names := range packages {
		if newer, _, two := strings.Cut(names, "|"); two {
			asked = append(asked, newer)
		}
	}
	known := knownPackages(asked)
	var chosen []string
	for _, names := range packages {
		newer, older, two := strings.Cut(names, "|")
		if two && !known[newer] {
			newer = older
		}
		chosen = append(chosen, newer)
	}
	return chosen
}

// knownPackages asks once for all of them, since each start of apt-cache reads its whole index. It reads the lists that
// are there; where it does not run, none is known, and the older name is the better guess.
func knownPackages(names []string) map[string]bool {
	known := map[string]bool{}
	if len(names) == 0 {
		return known
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	// It ends with an error when it knows one of them not, and has shown the others.
	cmd := exec.CommandContext(ctx, "apt-cache", append([]string{"show", "--no-all-versions"}, names...)...)
	cmd.Env = childenv.Own()
	out, _ := cmd.Output()
	for line := range strings.Lines(string(out)) {
		if name, ok := strings.CutPrefix(line, "Package: "); ok {
			known[strings.TrimSpace(name)] = true
		}
	}
	return known
}

func distinct(names []string) []string {
	slices.Sort(names)
	return slices.Compact(names)
}

// Browser returns the packages of a product.
func (m *Manager) Browser(product string) []string { return m.browsers[product] }

// Fonts returns packages with fonts.
func (m *Manager) Fonts() []string {
	return slices.DeleteFunc(slices.Clone(m.needs), func(p string) bool { return p == "ca-certificates" })
}

// Needs returns the packages of all that Chrome for Testing needs.
func (m *Manager) Needs() []string {
	all := slices.Clone(m.needs)
	if m.column != none {
		for _, row := range libraryPackages {
			all = append(all, row[m.column])
		}
	}
	return distinct(choose(all))
}

// commands are the calls of the manager that install packages.
func (m *Manager) commands(packages []string) [][]string {
	var all [][]string
	if m.refresh != nil {
		all = append(all, slices.Concat([]string{m.Path}, m.refresh))
	}
	return append(all, slices.Concat([]string{m.Path}, m.install, packages))
}

// Shown is the command that a person types to install packages.
func (m *Manager) Shown(packages []string) string {
	line := strings.Join(slices.Concat([]string{m.Name}, m.install, packages), " ")
	if m.asRoot && os.Geteuid() != 0 && runtime.GOOS != "windows" {
		line = "sudo " + line
	}
	return line
}

// RunOptions are how a manager may run.
type RunOptions struct {
	Foreground bool // a person sits at this process's terminal, and can give a password
	// Agree asks that person whether a command may run as root.
	Agree  func(ctx context.Context, question string) bool
	Say    func(string) // is told what runs, before it does
	Getenv func(string) string
}

// packagesLimit is how long a package manager may take.
const packagesLimit = 20 * time.Minute

// Run installs packages. It becomes root by sudo only where a person can see that and refuse; otherwise it fails and
// says what to run.
func (m *Manager) Run(ctx context.Context, packages []string, t RunOptions) error {
	ctx, cancel := context.WithTimeout(ctx, packagesLimit)
	defer cancel()
	var prefix []string
	if m.asRoot && os.Geteuid() != 0 {
		sudo := onPath("sudo", t.Getenv)
		if sudo == "" || !t.Foreground {
			why := "there is no terminal at which to confirm sudo"
			if sudo == "" {
				why = "there is no sudo"
			}
			return fault.New(fault.InstallFailed, "The packages %s must be installed as root, and %s.",
				strings.Join(packages, " "), why).
				WithHint("Run `%s` yourself.", m.Shown(packages)).With("packages", packages)
		}
		if !t.Agree(ctx, "Run `"+m.Shown(packages)+"`?") {
			return fault.New(fault.InstallFailed, "The packages %s were not installed, because you did not agree.",
				strings.Join(packages, " ")).
				WithHint("Run `%s` yourself.", m.Shown(packages)).With("packages", packages)
		}
		prefix = []string{sudo}
	}
	for _, words := range m.commands(packages) {
		words = append(slices.Clone(prefix), words...)
		t.Say("running " + strings.Join(words, " "))
		cmd := exec.CommandContext(ctx, words[0], words[1:]...)
		cmd.Env = append(childenv.Own(), "DEBIAN_FRONTEND=noninteractive")
		// a package manager that is killed leaves its work half done
		cmd.Cancel = func() error { return cmd.Process.Signal(os.Interrupt) }
		cmd.WaitDelay = time.Minute
		var out []byte
		var err error
		if t.Foreground {
			cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stderr, os.Stderr // standard output is for the result
			err = cmd.Run()
		} else {
			out, err = cmd.CombinedOutput()
		}
		if err != nil {
			return fault.New(fault.InstallFailed, "`%s` failed: %w%s", strings.Join(words, " "), err, lastLines(out)).
				WithHint("Run it yourself to see more.").
				With("packages", packages)
		}
	}
	return nil
}

// lastLines are the last words of a program that failed.
func lastLines(out []byte) string {
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) > 3 {
		lines = lines[len(lines)-3:]
	}
	if text := strings.Join(lines, " | "); text != "" {
		return ": " + text
	}
	return ""
}
