package chrome

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// The environment variables that name the browser to use, strongest first.
var executableVariables = []string{"SKUA_EXECUTABLE_PATH", "AGENT_BROWSER_EXECUTABLE_PATH"}

// Find returns the path of the browser to launch. explicit, when not empty, is that browser; else SKUA_EXECUTABLE_PATH
// and AGENT_BROWSER_EXECUTABLE_PATH are, and none of these is silently replaced by another browser. Else a browser is
// looked for among what `skua install` installed, on the PATH, in the usual places of the system, and where
// agent-browser, Puppeteer and Playwright put theirs; for a headless session every headless shell comes before every
// full browser. getenv is os.Getenv or the like.
func Find(headless bool, explicit string, getenv func(string) string) (string, error) {
	f := &finder{
		goos:   runtime.GOOS,
		getenv: getenv,
		check:  checkExecutable,
		glob:   globBelow,
		behind: packaged,
	}
	f.home = getenv("HOME")
	if f.goos == "windows" {
		f.home = getenv("USERPROFILE")
	}
	return f.find(headless, explicit)
}

// finder is Find with its view of the machine.
type finder struct {
	goos   string
	home   string
	getenv func(string) string
	check  func(path string) error             // nil when path is a file that may be executed
	glob   func(base, pattern string) []string // paths below base that match the slash-separated pattern
	behind func(path string) string            // the browser that a package's script at path runs
}

func (f *finder) find(headless bool, explicit string) (string, error) {
	if explicit != "" {
		return f.named(explicit, "")
	}
	for _, variable := range executableVariables {
		if path := f.getenv(variable); path != "" {
			return f.named(path, variable)
		}
	}
	if headless {
		if path := f.search(shellNames, f.shellPlaces()); path != "" {
			return f.behind(path), nil
		}
	}
	if path := f.search(fullNames, f.fullPlaces()); path != "" {
		return f.behind(path), nil
	}
	return "", f.missing(headless)
}

// named checks a browser that the caller asked for by name or path. A name without a separator is looked up on the
// PATH.
func (f *finder) named(path, variable string) (string, error) {
	source := ""
	hint := "Give the path of a Chromium-family browser, or give none to have one looked for."
	if variable != "" {
		source = " (from " + variable + ")"
		hint = "Set " + variable + " to the path of a Chromium-family browser, or unset it to have one looked for."
	}
	if !strings.ContainsAny(path, `/\`) {
		found := f.onPath(path)
		if found == "" {
			return "", fault.New(fault.BrowserMissing, "There is no browser executable %q%s on the PATH.", path, source).
				About(path).WithHint("%s", hint)
		}
		return found, nil
	}
	err := f.check(path)
	if errors.Is(err, errIsDirectory) && strings.HasSuffix(filepath.Clean(path), ".app") {
		// A macOS application bundle: the executable inside has its name.
		inside := filepath.Join(path, "Contents", "MacOS", strings.TrimSuffix(filepath.Base(path), ".app"))
		if f.check(inside) == nil {
			return inside, nil
		}
	}
	switch {
	case err == nil:
		return path, nil
	case errors.Is(err, fs.ErrNotExist):
		return "", fault.New(fault.BrowserMissing, "The browser executable %q%s does not exist.", path, source).
			About(path).WithHint("%s", hint)
	case errors.Is(err, errNotExecutable):
		return "", fault.New(fault.BrowserLaunch, "The browser executable %q%s has no permission to be executed.", path,
			source).
			About(path).WithHint("Run chmod +x on it, or name another browser.")
	default:
		return "", fault.New(fault.BrowserLaunch, "%q%s cannot be used as browser: %w", path, source, err).
			About(path).WithHint("%s", hint)
	}
}

// search looks among the browsers that skua installed, which a user asked for, then on the PATH, then in the other
// places.
func (f *finder) search(names []string, places []place) string {
	own := f.installed()
	if path := f.searchPlaces(places, func(base string) bool { return base == own }); path != "" {
		return path
	}
	for _, name := range names {
		if path := f.onPath(name); path != "" {
			return path
		}
	}
	return f.searchPlaces(places, func(base string) bool { return base != own })
}

func (f *finder) searchPlaces(places []place, wanted func(base string) bool) string {
	for _, p := range places {
		if p.base == "" || !wanted(p.base) {
			continue
		}
		paths := f.glob(p.base, p.pattern)
		slices.SortFunc(paths, newestFirst)
		for _, path := range paths {
			if f.check(path) == nil {
				return path
			}
		}
	}
	return ""
}

// onPath looks a name up on the PATH of getenv, which may differ from this process's.
func (f *finder) onPath(name string) string {
	separator := ":"
	if f.goos == "windows" {
		separator = ";"
		if !strings.HasSuffix(strings.ToLower(name), ".exe") {
			name += ".exe"
		}
	}
	for dir := range strings.SplitSeq(f.getenv("PATH"), separator) {
		if dir == "" || !isAbsolute(f.goos, dir) {
			continue // the current directory must not decide which program is run
		}
		if path := filepath.Join(dir, name); f.check(path) == nil {
			return path
		}
	}
	return ""
}

func isAbsolute(goos, dir string) bool {
	if goos == "windows" {
		return len(dir) > 2 && dir[1] == ':' || strings.HasPrefix(dir, `\\`)
	}
	return strings.HasPrefix(dir, "/")
}

func (f *finder) missing(headless bool) error {
	names, places := fullNames, f.fullPlaces()
	if headless {
		names = append(slices.Clone(shellNames), fullNames...)
		places = append(f.shellPlaces(), places...)
	}
	var dirs []string
	for _, p := range places {
		if p.base != "" && !slices.Contains(dirs, p.base) {
			dirs = append(dirs, p.base)
		}
	}
	command, product := "skua install", "No browser was found"
	example := map[string]string{
		"linux":  "apt-get install chromium-headless-shell",
		"darwin": "brew install --cask google-chrome", "windows": "winget install Google.Chrome",
	}[f.goos]
	if !headless { // a headless shell, which the command alone installs, has no windows
		command, product = "skua install chrome", "No browser with windows was found"
		if f.goos == "linux" {
			example = "apt-get install chromium"
		}
	}
	if example != "" {
		example = " or `" + example + "`"
	}
	return fault.New(fault.BrowserMissing, "%s: neither on the PATH nor in the %d folders where browsers usually are.",
		product, len(dirs)).
		WithHint("Type `%s`%s, or set SKUA_EXECUTABLE_PATH to the path of a Chromium-family browser.", command, example).
		With("names", names).With("directories", dirs)
}

var (
	errIsDirectory   = errors.New("it is a directory")
	errNotRegular    = errors.New("it is not a regular file")
	errNotExecutable = errors.New("it has no permission to be executed")
)

func checkExecutable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir():
		return errIsDirectory
	case !info.Mode().IsRegular():
		return errNotRegular
	case runtime.GOOS != "windows" && info.Mode().Perm()&0o111 == 0:
		return errNotExecutable
	}
	return nil
}

func globBelow(base, pattern string) []string {
	matches, err := fs.Glob(os.DirFS(base), pattern)
	if err != nil {
		return nil
	}
	for i, m := range matches {
		matches[i] = filepath.Join(base, filepath.FromSlash(m))
	}
	return matches
}

// newestFirst orders paths that differ in version numbers: linux-131.0.6778.85 before linux-99.0.1.
func newestFirst(a, b string) int {
	return -slices.CompareFunc(numbers(a), numbers(b), cmp.Compare[int])
}

// numbers returns the runs of digits in s, read as numbers.
func numbers(s string) []int {
	var out []int
	inRun := false
	for _, c := range []byte(s) {
		if c < '0' || c > '9' {
			inRun = false
			continue
		}
		if !inRun {
			out = append(out, 0)
			inRun = true
		}
		if last := &out[len(out)-1]; *last < 1<<48 {
			*last = *last*10 + int(c-'0')
		}
	}
	return out
}
