package install

import (
	"io/fs"
	"iter"
	"path/filepath"
)

// FontFiles are the files of fonts in the folders where fontconfig looks for them.
func FontFiles(getenv func(string) string) iter.Seq[string] {
	home := getenv("HOME")
	return func(yield func(string) bool) {
		for _, dir := range []string{
			"/usr/share/fonts", "/usr/local/share/fonts", filepath.Join(home, ".local/share/fonts"),
			filepath.Join(home, ".fonts"),
		} {
			stopped := false
			_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
				// a folder that cannot be read has no font for the browser, either
				if err != nil || d.IsDir() {
					return nil
				}
				switch filepath.Ext(path) {
				case ".ttf", ".otf", ".ttc", ".pfb":
					if !yield(path) {
						stopped = true
						return fs.SkipAll
					}
				}
				return nil
			})
			if stopped {
				return
			}
		}
	}
}

// HasFonts reports whether there is one of them.
func HasFonts(getenv func(string) string) bool {
	for range FontFiles(getenv) {
		return true
	}
	return false
}
