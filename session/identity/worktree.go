package identity

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// maxLevels bounds how many parent folders are searched.
const maxLevels = 64

const dotGit = ".git"

// gitdirPrefix starts the .git file of a linked worktree or a submodule.
var gitdirPrefix = []byte("gitdir:")

// Worktree returns the root of the git worktree that a folder is in. A linked worktree and a submodule have roots of
// their own. It reports false outside of git, and inside a repository's own folder. The path is absolute and holds no
// symbolic links.
func Worktree(dir string) (root string, ok bool) {
	dir = RealPath(dir)
	if !filepath.IsAbs(dir) {
		return "", false
	}
	for range maxLevels {
		if filepath.Base(dir) == dotGit {
			return "", false
		}
		if isRepository(filepath.Join(dir, dotGit)) {
			return dir, true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", false
		}
		dir = parent
	}
	return "", false
}

// isRepository reports whether path is a repository to git: a folder with a HEAD, or a file that points to such a
// folder. A folder that only has the name is not one.
func isRepository(path string) bool {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return false
	case info.IsDir():
		_, err := os.Lstat(filepath.Join(path, "HEAD"))
		return err == nil
	case !info.Mode().IsRegular():
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer func() { _ = f.Close() }()
	begin := make([]byte, len(gitdirPrefix))
	_, err = io.ReadFull(f, begin)
	return err == nil && bytes.Equal(begin, gitdirPrefix)
}

// RealPath returns the absolute path of a folder without symbolic links; the path as it is when the folder cannot be
// looked at.
func RealPath(dir string) string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	return filepath.Clean(dir)
}
