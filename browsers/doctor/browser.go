package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/browsers/install"
	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/diskspace"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// oldest is the oldest major version that skua's own needs are met by.
const oldest = 119

func browser(ctx context.Context, o *Options) []Check {
	var l list
	path := l.found(ctx, o)
	if path != "" {
		l.libraries(ctx, o, path)
		l.confinement(o, path)
		l.fonts(ctx, o)
	}
	l.installed(ctx, o)
	l.leftovers(o)
	return l
}

// found looks for the browser that a session would start, and asks for its version.
func (l *list) found(ctx context.Context, o *Options) string {
	path, err := chrome.Find(true, o.Executable, o.Getenv)
	if err != nil {
		c := l.add("chrome.installed", Fail, "%s", message(err))
		c.todo("%s", hintOr(err, "skua install"))
		if f, ok := asFault(err); ok && f.Code == fault.BrowserMissing && f.Subject == "" { // not one that the caller names
			c.todo("skua install")
		}
		return ""
	}
	version, major, err := browserVersion(ctx, path)
	switch {
	case err != nil:
		l.add("chrome.installed", Fail, "The browser at %s does not run: %v", path, err).todo("%s", diagnosed(err))
	case major > 0 && major < oldest:
		l.add("chrome.installed", Warn, "%s at %s is too old: some commands need version %d", version, path, oldest).
			todo("skua install")
	default:
		l.add("chrome.installed", Pass, "%s at %s", version, path)
	}
	if _, err := chrome.Find(false, o.Executable, o.Getenv); err != nil {
		l.add("chrome.headed", Info, "--headed needs a browser with windows, and none is installed").
			todo("skua install chrome")
	}
	return path
}

// message and hintOr take an error of ours apart.
func message(err error) string {
	if f, ok := asFault(err); ok {
		return strings.TrimSuffix(f.Message, ".")
	}
	return err.Error()
}

func hintOr(err error, other string) string {
	if f, ok := asFault(err); ok && f.Hint != "" {
		return f.Hint
	}
	return other
}

var majorVersion = regexp.MustCompile(`\b(\d{2,4})\.\d+\.\d+`)

// programError is how a program failed, with its words.
type programError struct {
	exit, said string
}

func (e *programError) Error() string {
	words := chrome.LastWords(e.said)
	if words == "" {
		return e.exit
	}
	return e.exit + ": " + words
}

// diagnosed is what to do about a browser that does not run.
func diagnosed(err error) string {
	if e, ok := errors.AsType[*programError](err); ok {
		if d := chrome.Diagnose(e.exit, e.said); d.Hint != "" {
			return d.Hint
		}
	}
	return "skua install"
}

// browserVersion asks a browser for its version. On Windows a browser does not tell it this way; there the folder
// beside it has its name.
func browserVersion(ctx context.Context, path string) (text string, major int, err error) {
	if runtime.GOOS == "windows" {
		return "Browser", 0, nil
	}
	out, err := output(ctx, 10*time.Second, path, "--version")
	lines := strings.Split(strings.TrimSpace(out), "\n")
	if err != nil {
		return "", 0, &programError{err.Error(), out}
	}
	text = strings.TrimSpace(lines[len(lines)-1])
	if m := majorVersion.FindStringSubmatch(text); m != nil {
		major, _ = strconv.Atoi(m[1])
	}
	return text, major, nil
}

// libraries looks for what is missing of them, with the packages that have it.
func (l *list) libraries(ctx context.Context, o *Options, path string) {
	missing, err := install.Libraries(ctx, path)
	if err != nil || runtime.GOOS != "linux" {
		return
	}
	if len(missing) == 0 {
		return
	}
	c := l.add("chrome.libraries", Fail, "Shared libraries are missing: %s", strings.Join(missing, ", "))
	c.todo("install the packages that contain them")
	if m := install.DetectManager(o.Getenv); m != nil {
		if packages, _ := m.For(missing); len(packages) > 0 {
			c.todo("%s", m.Shown(packages))
		}
	}
}

// smallShared is what Chromium needs of /dev/shm for a few large pages.
const smallShared = 512 << 20

func (l *list) confinement(o *Options, path string) {
	if sandboxed, _, reason := chrome.Sandbox(path, nil, o.Getenv); !sandboxed {
		l.add("chrome.sandbox", Warn, "The browser runs without its sandbox: %s", reason).
			todo("run as an ordinary user, and allow user namespaces (in a container: a seccomp profile that permits them)")
	} else {
		l.add("chrome.sandbox", Pass, "The browser runs in its sandbox")
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	if strings.HasPrefix(real, "/snap/") || real == "/usr/bin/snap" || strings.Contains(real, "/flatpak/") {
		l.add("chrome.confined", Warn,
			"The browser is a snap or a flatpak, which cannot access /tmp and your hidden folders").todo("skua install")
	}
	if runtime.GOOS == "linux" {
		free, _, err := diskspace.Free("/dev/shm")
		if err != nil || free < smallShared {
			l.add("chrome.shm", Info, "/dev/shm is missing or small: the browser uses %s instead", os.TempDir()).
				todo("in a container: --shm-size=1g")
		}
	}
}

// fonts looks whether pages have letters, and pictures for emoji.
func (l *list) fonts(ctx context.Context, o *Options) {
	if runtime.GOOS != "linux" {
		return
	}
	names := ""
	if tool := onPath("fc-list", o.Getenv); tool != "" {
		names, _ = output(ctx, 10*time.Second, tool, ":", "file", "family")
	} else {
		for path := range install.FontFiles(o.Getenv) {
			if names += path + "\n"; ctx.Err() != nil {
				break
			}
		}
	}
	count := strings.Count(names, "\n")
	manager := install.DetectManager(o.Getenv)
	advise := func(c *Check, part string) {
		c.todo("install fonts")
		if manager == nil {
			return
		}
		var wanted []string
		for _, p := range manager.Fonts() {
			if strings.Contains(p, part) {
				wanted = append(wanted, p)
			}
		}
		c.todo("%s", manager.Shown(wanted))
	}
	switch {
	case count == 0:
		advise(l.add("chrome.fonts", Fail,
			"No fonts are installed: pages show no text, and a form field may end the browser"), "")
	case !strings.Contains(strings.ToLower(names), "emoji"):
		l.add("chrome.fonts", Pass, "%s", wording.Plural(count, "font"))
		advise(l.add("chrome.emoji", Info, "No emoji font is installed: emoji show as boxes"), "emoji")
	default:
		l.add("chrome.fonts", Pass, "%s, including emoji", wording.Plural(count, "font"))
	}
}

// installed compares what `install` installed with its list.
func (l *list) installed(ctx context.Context, o *Options) {
	dir, err := install.Dir(o.Getenv)
	if err != nil {
		return
	}
	all, err := install.Installed(dir)
	if err != nil {
		l.add("chrome.manifest", Fail, "%s", message(err)).todo("%s", hintOr(err, "skua install"))
		return
	}
	for _, b := range all {
		wrong := b.Verify(dir, o.Quick, func() bool { return ctx.Err() != nil })
		name := b.Product + " " + b.Version
		switch {
		case len(wrong) > 0:
			more := ""
			if len(wrong) > 1 {
				more = " and " + wording.Plural(len(wrong)-1, "more thing")
			}
			l.add("chrome.manifest", Fail, "The installed %s is damaged: %s%s", name, wrong[0], more).
				todo("skua install %s --release %s", strings.TrimPrefix(b.Product, "chrome-"), b.Version)
		case o.Quick:
			l.add("chrome.manifest", Pass, "The installed %s has all of its files", name)
		default:
			l.add("chrome.manifest", Pass, "The installed %s is unchanged since its download", name)
		}
	}
}

// leftovers looks for the profiles of browsers whose owner was killed.
func (l *list) leftovers(o *Options) {
	left := chrome.LeftProfiles()
	if len(left) == 0 {
		return
	}
	c := l.add("chrome.profiles", Warn, "%s of browsers that were killed: %s",
		wording.Plural(len(left), "temporary profile"), filepath.Dir(left[0])).
		todo("skua doctor --fix")
	c.repair = func(context.Context) (string, error) {
		n := chrome.SweepProfiles()
		return fmt.Sprintf("removed %s of browsers that were killed", wording.Plural(n, "temporary profile")), nil
	}
}

// onPath finds a program on the caller's PATH.
func onPath(name string, getenv func(string) string) string {
	for _, dir := range filepath.SplitList(getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		if path, err := exec.LookPath(filepath.Join(dir, name)); err == nil {
			return path
		}
	}
	return ""
}
