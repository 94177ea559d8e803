package agents

import (
	"os"
	"path/filepath"
)

// ProjectRoot is the folder around another one that a version control system knows, else that folder.
func ProjectRoot(dir string) string {
	for up := dir; ; up = filepath.Dir(up) {
		for _, mark := range []string{".git", ".hg", ".jj"} {
			if _, err := os.Stat(filepath.Join(up, mark)); err == nil {
				return up
			}
		}
		if filepath.Dir(up) == up {
			return dir
		}
	}
}
