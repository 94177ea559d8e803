package artifacts

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// staleAfter is how long a folder of temporary spills is left alone that is not written to any longer: its process was
// killed.
const staleAfter = 24 * time.Hour

// Spills keeps on disk what was too long to show. The folder and its files are private to the user. Its methods may be
// called from several goroutines.
//
// A persistent store lives in a folder of the session and outlives the process; a temporary one is made when it is
// first written to, and Close removes it. What a killed process leaves behind is removed a day later by the next one
// that spills.
type Spills struct {
	budget int64
	temp   string // where a temporary store makes its folder; empty for a persistent one

	mu     sync.Mutex
	dir    string // empty as long as a temporary store has none
	closed bool
}

// NewSpills returns a store in a folder, which is made when it is needed. The oldest files go when there are more than
// budget bytes.
func NewSpills(dir string, budget int64) *Spills { return &Spills{dir: dir, budget: budget} }

// NewTempSpills returns a store that lives as long as it is not closed. root is where temporary folders are made; empty
// for the system's.
func NewTempSpills(root string, budget int64) *Spills {
	if root == "" {
		root = os.TempDir()
	}
	return &Spills{temp: root, budget: budget}
}

// Spilled is an output that was written, and what had to go for it.
type Spilled struct {
	Path    string
	Bytes   int64
	Evicted []string // paths of older spills
}

// Temporary reports whether the store ends with the process.
func (s *Spills) Temporary() bool { return s.temp != "" }

// Write keeps a text. kind is the begin of the file's name, ext its end: "snapshot", ".txt". The caller has taken the
// secrets out of it.
func (s *Spills) Write(kind, ext, text string) (Spilled, error) {
	size := int64(len(text))
	if size > s.budget {
		return Spilled{}, fmt.Errorf("%d bytes exceed the limit of %d bytes", size, s.budget)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return Spilled{}, errors.New("the tool is closed")
	}
	if err := s.ready(); err != nil {
		return Spilled{}, err
	}
	evicted, err := s.makeRoom(size)
	if err != nil {
		return Spilled{Evicted: evicted}, err
	}
	path := filepath.Join(s.dir, kind+"-"+time.Now().UTC().Format("20060102T150405.000")+"-"+rand.Text()[:8]+ext)
	if err := writePrivate(path, text); err != nil {
		return Spilled{Evicted: evicted}, err
	}
	return Spilled{Path: path, Bytes: size, Evicted: evicted}, nil
}

// ready makes the folder.
func (s *Spills) ready() error {
	if s.temp != "" {
		if s.dir != "" {
			return nil
		}
		pruneStale(s.temp, time.Now())
		dir, err := os.MkdirTemp(s.temp, tempPrefix()) // private to the user
		if err != nil {
			return err
		}
		s.dir = dir
		return nil
	}
	if err := os.MkdirAll(s.dir, 0o700); err != nil {
		return err
	}
	info, err := os.Lstat(s.dir)
	switch {
	case err != nil:
		return err
	case !info.IsDir() || !owned(info):
		return fmt.Errorf("%s is not a folder of this user", s.dir)
	case info.Mode().Perm() != 0o700:
		return os.Chmod(s.dir, 0o700)
	}
	return nil
}

func writePrivate(path, text string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(text)
	if closing := f.Close(); err == nil {
		err = closing
	}
	if err != nil {
		_ = os.Remove(path)
	}
	return err
}

// makeRoom removes the oldest spills until size more bytes are within the budget.
func (s *Spills) makeRoom(size int64) (evicted []string, err error) {
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, err
	}
	var files []fs.FileInfo
	total := size
	for _, entry := range entries {
		if info, err := entry.Info(); err == nil && info.Mode().IsRegular() {
			files = append(files, info)
			total += info.Size()
		}
	}
	if total <= s.budget {
		return nil, nil
	}
	slices.SortFunc(files, func(a, b fs.FileInfo) int {
		if c := a.ModTime().Compare(b.ModTime()); c != 0 {
			return c
		}
		return strings.Compare(a.Name(), b.Name())
	})
	for _, file := range files {
		path := filepath.Join(s.dir, file.Name())
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return evicted, err
		}
		evicted = append(evicted, path)
		if total -= file.Size(); total <= s.budget {
			break
		}
	}
	return evicted, nil
}

// Close removes a temporary store. A persistent one stays.
func (s *Spills) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.temp == "" || s.dir == "" {
		return nil
	}
	return os.RemoveAll(s.dir)
}

// tempPrefix is how the names of the folders of temporary stores begin: with the user and the process that they belong
// to.
func tempPrefix() string { return fmt.Sprintf("skua-spill-%d-%d-", os.Getuid(), os.Getpid()) }

// pruneStale removes the temporary folders of this user that have not been written to for a day and whose process is
// gone.
func pruneStale(root string, now time.Time) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, entry := range entries {
		var uid, pid int
		if n, _ := fmt.Sscanf(entry.Name(), "skua-spill-%d-%d-", &uid, &pid); n != 2 || uid != os.Getuid() || !entry.IsDir() {
			continue
		}
		info, err := entry.Info()
		if err != nil || !owned(info) || now.Sub(info.ModTime()) < staleAfter || running(pid) {
			continue
		}
		_ = os.RemoveAll(filepath.Join(root, entry.Name()))
	}
}
