package electron

import "path/filepath"

// darwinPlaces are where bundles are on macOS; root is "/" but in tests.
func darwinPlaces(root, home string) Places {
	return Places{Platform: "darwin", Folders: []place{
		{filepath.Join(root, "Applications"), "system", 1}, {filepath.Join(root, "Applications/Utilities"), "system", 1},
		{filepath.Join(home, "Applications"), "user", 1},
	}}
}

// bundle looks at a bundle.
func (s *scan) bundle(path, source string) {
	info, err := readPlist(filepath.Join(path, "Contents", "Info.plist"))
	if err != nil {
		s.found.Skipped++
		return
	}
	if info["CFBundleExecutable"] == "" {
		return
	}
	a := App{
		Name: info["CFBundleDisplayName"], BundleID: info["CFBundleIdentifier"], AppPath: path, Icon: info["CFBundleIconFile"], PackageSource: source,
		ExecutablePath: filepath.Join(path, "Contents", "MacOS", info["CFBundleExecutable"]),
	}
	if a.Name == "" {
		a.Name = info["CFBundleName"]
	}
	s.add(a)
}
