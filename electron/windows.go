package electron

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// windowsPlaces are where apps are on Windows.
func windowsPlaces(getenv func(string) string) Places {
	p := Places{Platform: "windows"}
	for _, dir := range []struct {
		variable, below, source string
		depth                   int
	}{
		{"LOCALAPPDATA", "Programs", "user", 2},
		{"LOCALAPPDATA", "", "squirrel", 2},
		{"ProgramFiles", "", "system", 2},
		{"ProgramFiles(x86)", "", "system", 2},
	} {
		if base := getenv(dir.variable); base != "" {
			p.Folders = append(p.Folders, place{filepath.Join(base, dir.below), dir.source, dir.depth})
		}
	}
	return p
}

// newestVersion finds the folder of the newest version that Squirrel has installed below an app's folder: it keeps the
// one before.
func newestVersion(dir string) string {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return ""
	}
	var newest string
	var best []int
	for _, e := range entries {
		text, ok := strings.CutPrefix(e.Name(), "app-")
		if !ok || !e.IsDir() {
			continue
		}
		if version := versionNumbers(text); version != nil && slices.Compare(version, best) > 0 {
			newest, best = filepath.Join(dir, e.Name()), version
		}
	}
	return newest
}

// versionNumbers reads 1.10.2, and 1.10.2-beta3, which comes before it.
func versionNumbers(text string) (numbers []int) {
	text, before, early := strings.Cut(text, "-")
	for part := range strings.SplitSeq(text, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil
		}
		numbers = append(numbers, n)
	}
	if !early {
		return append(numbers, 1)
	}
	n, _ := strconv.Atoi(strings.TrimLeft(before, "abcdefghijklmnopqrstuvwxyz."))
	return append(numbers, 0, n)
}
