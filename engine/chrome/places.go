package chrome

import "path/filepath"

// place is somewhere that a browser may be: a pattern of fs.Glob below a directory. An empty base (an unset
// variable) matches nothing.
type place struct{ base, pattern string }

// Names that are looked up on the PATH, best first. A headless shell starts in less than half the time of a full
// browser and takes two thirds of its memory.
var (
	shellNames = []string{"chromium-headless-shell", "chrome-headless-shell", "headless-shell", "headless_shell"}
	fullNames  = []string{
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "microsoft-edge",
		"microsoft-edge-stable",
		"msedge", "brave-browser", "brave-browser-stable", "brave",
	}
)

// shellPlaces are the places of headless shells besides the PATH.
func (f *finder) shellPlaces() []place {
	exe := f.exe()
	places := f.downloads("chrome-headless-shell", []string{
		"chrome-headless-shell" + exe,
		"chrome-headless-shell-*/chrome-headless-shell" + exe,
	})
	if playwright := f.playwrightCache(); playwright != "" {
		places = append(places,
			place{playwright, "chromium_headless_shell-*/chrome-headless-shell-*/chrome-headless-shell" + exe},
			place{playwright, "chromium_headless_shell-*/chrome-*/headless_shell" + exe})
	}
	if f.goos == "linux" {
		places = append(places,
			place{"/usr/lib/chromium", "chromium-headless-shell"},
			place{"/usr/lib/chromium-browser", "headless_shell"},
			place{"/headless-shell", "headless-shell"})
	}
	return places
}

// fullPlaces are the places of full browsers besides the PATH: installed ones, then those that other tools downloaded.
func (f *finder) fullPlaces() []place {
	var places []place
	var downloaded []string // the executable inside an unpacked Chrome for Testing or Chromium build
	switch f.goos {
	case "darwin":
		for _, dir := range []string{"/Applications", f.below(f.home, "Applications")} {
			for _, app := range []string{
				"Chromium", "Google Chrome", "Google Chrome for Testing", "Microsoft Edge",
				"Brave Browser",
			} {
				places = append(places, place{dir, app + ".app/Contents/MacOS/" + app})
			}
		}
		for _, app := range []string{"Google Chrome for Testing", "Chromium"} {
			downloaded = append(downloaded, app+".app/Contents/MacOS/"+app, "chrome-mac*/"+app+".app/Contents/MacOS/"+app)
		}
	case "windows":
		for _, pattern := range []string{
			`Chromium/Application/chrome.exe`, `Google/Chrome/Application/chrome.exe`,
			`Microsoft/Edge/Application/msedge.exe`, `BraveSoftware/Brave-Browser/Application/brave.exe`,
		} {
			for _, name := range []string{"ProgramFiles", "ProgramFiles(x86)", "LOCALAPPDATA"} {
				places = append(places, place{f.getenv(name), pattern})
			}
		}
		downloaded = []string{"chrome.exe", "chrome-win*/chrome.exe"}
	default:
		places = []place{
			{"/usr/lib/chromium", "chromium"},
			{"/usr/lib/chromium-browser", "chromium-browser"},
			{"/opt/google/chrome", "chrome"},
			{"/opt/microsoft/msedge", "msedge"},
			{"/opt/brave.com/brave", "brave"},
			{"/snap/bin", "chromium"},
		}
		downloaded = []string{"chrome", "chrome-linux*/chrome"}
	}
	places = append(places, f.downloads("chrome", downloaded)...)
	if playwright := f.playwrightCache(); playwright != "" {
		for _, executable := range downloaded {
			places = append(places, place{playwright, "chromium-*/" + executable})
		}
	}
	return places
}

// downloads are the places of a product ("chrome", "chrome-headless-shell") below the directories of skua,
// agent-browser and Puppeteer, given the executable's path inside the unpacked archive.
func (f *finder) downloads(product string, executables []string) []place {
	var places []place
	for _, executable := range executables {
		places = append(places,
			place{f.installed(), product + "-*/" + executable},
			place{f.below(f.home, ".agent-browser", "browsers"), product + "-*/" + executable})
	}
	puppeteer := f.getenv("PUPPETEER_CACHE_DIR")
	if puppeteer == "" {
		puppeteer = f.below(f.home, ".cache", "puppeteer")
	}
	for _, executable := range executables {
		places = append(places, place{puppeteer, product + "/*/" + executable})
	}
	return places
}

// installed is the folder of the browsers that skua itself installs: below SKUA_HOME, or .skua in the home folder.
func (f *finder) installed() string {
	if dir := f.getenv("SKUA_HOME"); dir != "" && isAbsolute(f.goos, dir) {
		return filepath.Join(dir, "browsers")
	}
	return f.below(f.home, ".skua", "browsers")
}

// playwrightCache is where Playwright unpacks its browsers.
func (f *finder) playwrightCache() string {
	// "0" means inside the node_modules directory, which is not known here.
	if dir := f.getenv("PLAYWRIGHT_BROWSERS_PATH"); dir != "" && dir != "0" {
		return dir
	}
	switch f.goos {
	case "darwin":
		return f.below(f.home, "Library", "Caches", "ms-playwright")
	case "windows":
		return f.below(f.getenv("LOCALAPPDATA"), "ms-playwright")
	}
	return f.below(f.home, ".cache", "ms-playwright")
}

// below joins path elements to a base, and is empty when the base is.
func (f *finder) below(base string, elem ...string) string {
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, elem...)...)
}

func (f *finder) exe() string {
	if f.goos == "windows" {
		return ".exe"
	}
	return ""
}
