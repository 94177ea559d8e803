package identity

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Finder finds worktrees and remembers the last ones, for a host that is asked with each command. The zero value is ready. Its methods may be
// called from several goroutines.
type Finder struct {
	mu     sync.Mutex
	recent map[string]finding // by folder
}

// finding is what was found for a folder, and by what it is seen to be true still.
type finding struct {
	root   string
	folder os.FileInfo
	found  time.Time
}

const (
	maxFindings = 64
	// freshness bounds how long a repository that is made further up, where nothing of the folder changes, goes unnoticed.
	freshness = 10 * time.Second
)

// Worktree is what the function of this name returns.
func (f *Finder) Worktree(dir string) (root string, ok bool) {
	folder, err := os.Stat(dir)
	if err != nil {
		return Worktree(dir)
	}
	f.mu.Lock()
	known, there := f.recent[dir]
	f.mu.Unlock()
	if there && known.holds(folder) {
		return known.root, known.root != ""
	}
	root, ok = Worktree(dir)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.recent == nil || len(f.recent) >= maxFindings {
		f.recent = map[string]finding{}
	}
	f.recent[dir] = finding{root: root, folder: folder, found: time.Now()}
	return root, ok
}

// holds reports whether the folder is the same with the same entries, and the repository is still there.
func (k finding) holds(folder os.FileInfo) bool {
	switch {
	case time.Since(k.found) > freshness, !os.SameFile(k.folder, folder), !k.folder.ModTime().Equal(folder.ModTime()):
		return false
	case k.root == "":
		return true
	}
	_, err := os.Lstat(filepath.Join(k.root, dotGit))
	return err == nil
}
