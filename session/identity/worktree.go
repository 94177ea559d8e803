package identity

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
)

// maxLevels bounds how far up a worktree's root is looked for.
const maxLevels = 64

const dotGit = ".git"

// gitdirPrefix begins the file that a linked worktree, or a submodule, has in place of the folder .git.
var gitdirPrefix = []byte("gitdir:")

// Worktree returns the root of the git worktree that a folder is in. A linked worktree and a submodule have roots of their own. It reports false
// outside of git, and inside a repository's own folder. The path is absolute and holds no symbolic links.
func Worktree(dir string) (root string, ok bool) {
	dir = Physical(dir)
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

// isRepository reports whether path is what git takes for the repository of the folder that it lies in: a folder with a HEAD, or a file that
// tells where that folder is. A folder that merely has the name is none.
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

// Physical returns the absolute path of a folder without symbolic links; the path as it is when the folder cannot be looked at.
func Physical(dir string) string {
	if resolved, err := filepath.EvalSymlinks(dir); err == nil {
		dir = resolved
	}
	return filepath.Clean(dir)
}
