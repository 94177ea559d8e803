package lease

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/internal/atomicfile"
)

// Prefix is what the names of sessions with leases begin with; a UUID of version 4 follows.
const Prefix = "piab-script-"

// Lease is a session that must be closed later.
type Lease struct {
	Session         string   `json:"sessionName"`
	Backend         string   `json:"backend"`
	CloseArgs       []string `json:"closeCommandArgs"`
	LaunchAttempted bool     `json:"launchAttempted"`
}

// Held is a lease that this process holds.
type Held struct {
	Lease
	path string
	lock *flock.Flock
}

// CloseArgs is the command line that closes a session, and the only one that a lease may hold.
func CloseArgs(session string) []string { return []string{"--session", session, "close"} }

// Take writes a lease into a folder, which is made, and holds it.
func Take(dir string, l Lease) (*Held, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("the folder of leases: %w", err)
	}
	h := &Held{Lease: l, path: filepath.Join(dir, l.Session+".json")}
	h.lock = flock.New(h.path+".lock", flock.SetPermissions(0o600))
	if ok, err := h.lock.TryLock(); err != nil || !ok {
		return nil, errors.Join(fmt.Errorf("the lease of %s is held already", l.Session), err)
	}
	if err := h.write(); err != nil {
		h.drop()
		return nil, err
	}
	return h, nil
}

func (h *Held) write() error {
	raw, err := json.Marshal(h.Lease)
	if err != nil {
		return err
	}
	return atomicfile.Write(h.path, raw)
}

// Launching notes that the session may have a browser from now on.
func (h *Held) Launching() error {
	h.LaunchAttempted = true
	return h.write()
}

// Done ends the lease: the session is closed.
func (h *Held) Done() {
	_ = os.Remove(h.path)
	h.drop()
}

// Leave gives the lease up, so that another process can close the session.
func (h *Held) Leave() { _ = h.lock.Unlock() }

func (h *Held) drop() {
	_ = os.Remove(h.path + ".lock")
	_ = h.lock.Unlock()
}

// Abandoned takes over the leases of a folder whose processes have ended. The caller closes their sessions and calls
// Done, or Leave.
func Abandoned(dir string) []*Held {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || !private(info) {
		return nil
	}
	names, err := filepath.Glob(filepath.Join(dir, Prefix+"*.json"))
	if err != nil {
		return nil
	}
	var list []*Held
	for _, path := range names {
		l, ok := read(path)
		if !ok {
			continue
		}
		h := &Held{Lease: l, path: path, lock: flock.New(path+".lock", flock.SetPermissions(0o600))}
		if locked, err := h.lock.TryLock(); err == nil && locked {
			if _, still := read(path); !still { // its owner has just ended it
				h.drop()
				continue
			}
			list = append(list, h)
		}
	}
	return list
}

// read reads a lease, if it is one.
func read(path string) (l Lease, ok bool) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > 4096 || !private(info) {
		return l, false
	}
	raw, err := os.ReadFile(path)
	if err != nil || json.Unmarshal(raw, &l) != nil {
		return l, false
	}
	return l, IsName(l.Session) && filepath.Base(path) == l.Session+".json" &&
		slices.Equal(l.CloseArgs, CloseArgs(l.Session))
}

// IsName reports whether a session's name is one that Name gives.
func IsName(name string) bool {
	id, ok := strings.CutPrefix(name, Prefix)
	if !ok || len(id) != 36 || id[14] != '4' || !strings.ContainsRune("89ab", rune(id[19])) {
		return false
	}
	for i, r := range id {
		dash := i == 8 || i == 13 || i == 18 || i == 23
		if dash != (r == '-') || !dash && !strings.ContainsRune("0123456789abcdef", r) {
			return false
		}
	}
	return true
}
