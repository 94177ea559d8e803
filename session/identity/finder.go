package identity

import (
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Finder finds worktrees and caches the last ones, for a host that asks with each command. The zero value is ready. Its
// methods are safe for concurrent use.
type Finder struct {
	mu     sync.Mutex
	recent map[string]cachedRoot // by folder
}

// cachedRoot is the result for a folder, and what shows that it is still valid.
type cachedRoot struct {
	root   string
	folder os.FileInfo
	found  time.Time
}

const (
	maxCached = 64
	// maxCacheAge bounds how long a new repository in a parent folder, which changes nothing in the folder itself, goes
	// unnoticed.
	maxCacheAge = 10 * time.Second
)

// Worktree is the function Worktree with a cache.
func (f *Finder) Worktree(dir string) (root string, ok bool) {
	folder, err := os.Stat(dir)
	if err != nil {
		return Worktree(dir)
	}
	f.mu.Lock()
	known, there := f.recent[dir]
	f.mu.Unlock()
	if there && known.valid(folder) {
		return known.root, known.root != ""
	}
	root, ok = Worktree(dir)
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.recent == nil || len(f.recent) >= maxCached {
		f.recent = map[string]cachedRoot{}
	}
	f.recent[dir] = cachedRoot{root: root, folder: folder, found: time.Now()}
	return root, ok
}

// valid reports whether the folder is the same with the same entries, and the repository still exists.
func (k cachedRoot) valid(folder os.FileInfo) bool {
	switch {
	case time.Since(k.found) > maxCacheAge, !os.SameFile(k.folder, folder), !k.folder.ModTime().Equal(folder.ModTime()):
		return false
	case k.root == "":
		return true
	}
	_, err := os.Lstat(filepath.Join(k.root, dotGit))
	return err == nil
}
