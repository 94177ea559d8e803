package electron

import "path/filepath"

// windowsPlaces are where apps are on Windows: those of Squirrel are a folder for each version below the app's own.
func windowsPlaces(getenv func(string) string) Places {
	p := Places{Platform: "windows"}
	for _, dir := range []struct {
		variable, below, source string
		depth                   int
	}{
		{"LOCALAPPDATA", "Programs", "user", 2}, {"LOCALAPPDATA", "", "squirrel", 2},
		{"ProgramFiles", "", "system", 2}, {"ProgramFiles(x86)", "", "system", 2},
	} {
		if base := getenv(dir.variable); base != "" {
			p.Folders = append(p.Folders, place{filepath.Join(base, dir.below), dir.source, dir.depth})
		}
	}
	return p
}
