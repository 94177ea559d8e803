package electron

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
)

const (
	recordSuffix = ".json"
	recordLock   = ".lock"

	// Records of finished launches are kept for `electron status`: so many, for so long.
	keptFinished = 32
	keptFor      = 24 * time.Hour

	strayAge = 10 * time.Minute // of a file that a killed process was writing
)

// account is a record with what only its launcher needs to know.
type account struct {
	Record
	SessionClosed bool   `json:"sessionClosed,omitempty"` // by a cleanup, which does not close it again
	FinishedAtMs  int64  `json:"finishedAtMs,omitempty"`  // cleaned, or dead with nothing left
	Exit          string `json:"exit,omitempty"`          // how its process ended
	LastWords     string `json:"lastWords,omitempty"`     // the end of what it printed

	printed string // more of it, as long as this process knows it
}

// store are the accounts on the disk: a file for each, and beside it, as long as the launch is not finished, a file
// whose lock its owner holds. The zero store keeps nothing.
type store struct{ dir string }

func openStore(dir string) (store, error) {
	if dir == "" {
		return store{}, nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return store{}, fault.New(fault.File, "the records of launched apps cannot be kept: %w", err).About(dir)
	}
	return store{dir}, nil
}

func (s store) file(id string) string { return filepath.Join(s.dir, id+recordSuffix) }

// claim makes this process the owner of a launch. It is nil when it has one already.
func (s store) claim(id string) (*flock.Flock, error) {
	if s.dir == "" {
		return nil, nil
	}
	lock := flock.New(filepath.Join(s.dir, id+recordLock), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fault.New(fault.File, "the record of a launched app cannot be locked: %w", err).About(lock.Path())
	}
	if !held {
		return nil, nil
	}
	return lock, nil
}

// disown gives up what claim returned. Its file goes first: who comes later finds no launch to claim, or creates the
// file again.
func disown(lock *flock.Flock) {
	if lock != nil {
		_ = os.Remove(lock.Path()) // Windows refuses that as long as it is open
		_ = lock.Close()
		_ = os.Remove(lock.Path())
	}
}

func (s store) write(a account) error {
	if s.dir == "" {
		return nil
	}
	text, err := json.MarshalIndent(a, "", "  ")
	if err == nil {
		err = atomicfile.Write(s.file(a.LaunchID), append(text, '\n'))
	}
	if err != nil {
		return fault.New(fault.File, "the record of a launched app cannot be written: %w", err).About(s.file(a.LaunchID))
	}
	return nil
}

// crashes is the folder of a launch's crash reports; empty without a store.
func (s store) crashes(id string) string {
	if s.dir == "" {
		return ""
	}
	return filepath.Join(s.dir, id+keptSuffix)
}

func (s store) remove(id string) {
	if s.dir != "" {
		_ = os.Remove(s.file(id))
	}
}

// read returns the account of a launch. Not ok: there is none, or it is of another version of this program.
func (s store) read(id string) (a account, ok bool) {
	text, err := os.ReadFile(s.file(id))
	if err != nil || json.Unmarshal(text, &a) != nil {
		return account{}, false
	}
	// What the folder is called says that it is a profile of ours: it is going to be removed.
	ours := filepath.IsAbs(a.UserDataDir) && strings.HasPrefix(filepath.Base(a.UserDataDir), profilePrefix)
	return a, a.Version == recordVersion && a.LaunchID == id && ours
}

// ids returns the launches that have an account, and removes what a killed process was writing.
func (s store) ids(now time.Time) (ids []string) {
	if s.dir == "" {
		return nil
	}
	entries, err := os.ReadDir(s.dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if id, ok := strings.CutSuffix(e.Name(), recordSuffix); ok && strings.HasPrefix(id, launchPrefix) {
			ids = append(ids, id)
		} else if info, err := e.Info(); err == nil && strings.HasPrefix(e.Name(), atomicfile.Prefix) &&
			now.Sub(info.ModTime()) > strayAge {
			_ = os.Remove(filepath.Join(s.dir, e.Name()))
		} else if err == nil && strings.HasSuffix(e.Name(), keptSuffix) && now.Sub(info.ModTime()) > keptFor {
			_ = os.RemoveAll(filepath.Join(s.dir, e.Name()))
		}
	}
	return ids
}

// prune forgets finished launches that are too old or too many.
func (s store) prune(finished map[string]account, now time.Time) {
	all := make([]account, 0, len(finished))
	for _, a := range finished {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b account) int { return int(b.FinishedAtMs - a.FinishedAtMs) }) // the newest first
	for i, a := range all {
		if i >= keptFinished || now.Sub(time.UnixMilli(a.FinishedAtMs)) > keptFor {
			delete(finished, a.LaunchID)
			s.remove(a.LaunchID)
			if dir := s.crashes(a.LaunchID); dir != "" {
				_ = os.RemoveAll(dir)
			}
		}
	}
}

const launchPrefix = "electron-"

func newLaunchID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%s%x-%x-%x-%x-%x", launchPrefix, b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
