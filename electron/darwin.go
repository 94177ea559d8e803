package electron

import (
	"path/filepath"

	"github.com/skua-browser/skua/electron/appfiles"
)

// darwinPlaces are where bundles are on macOS; root is "/" but in tests.
func darwinPlaces(root, home string) Places {
	return Places{Platform: "darwin", Folders: []place{
		// vendors have folders of their own
		{filepath.Join(root, "Applications"), "system", 2}, {filepath.Join(home, "Applications"), "user", 2},
	}}
}

// bundle looks at a bundle.
func (s *scan) bundle(path, source string) {
	a, err := readBundle(path)
	if err != nil {
		s.found.Skipped++
		return
	}
	if a.ExecutablePath != "" {
		a.PackageSource = source
		s.add(a)
	}
}

// readBundle reads what a bundle says of itself. One without an executable has none in the app either.
func readBundle(path string) (App, error) {
	info, err := appfiles.ReadPlist(filepath.Join(path, "Contents", "Info.plist"))
	if err != nil {
		return App{}, err
	}
	a := App{
		Name:     info["CFBundleDisplayName"],
		BundleID: info["CFBundleIdentifier"],
		AppPath:  path,
		Icon:     info["CFBundleIconFile"],
	}
	if a.Name == "" {
		a.Name = info["CFBundleName"]
	}
	if executable := info["CFBundleExecutable"]; executable != "" {
		a.ExecutablePath = filepath.Join(path, "Contents", "MacOS", executable)
	}
	return a, nil
}
