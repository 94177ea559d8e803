package launch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
)

// Files in a service's profile. The holder is in a file of its own, since on Windows a locked file cannot be read.
const (
	profileLockFile   = ".skua-service.lock"
	profileHolderFile = ".skua-service.json"
)

// profileLock is a service's lock of its profile, from start to end, also while no browser runs. The kernel frees it if
// the process is killed.
type profileLock struct {
	dir    string
	lock   *flock.Flock
	holder profileHolder
}

// profileHolder describes the service that has the profile, for another one that wants it.
type profileHolder struct {
	PID     int       `json:"pid"`
	Address string    `json:"address,omitempty"` // its address
	Since   time.Time `json:"since"`
}

// lockProfile locks a profile, or says who has it. It waits up to patience for a browser that is still ending.
func lockProfile(dir string, patience time.Duration) (*profileLock, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.New(fault.BrowserLaunch, "the profile %s cannot be created: %w", dir, err).About(dir).
			WithHint("Choose a folder that you can write to.").With("reason", "profile-not-writable")
	}
	lock := flock.New(filepath.Join(dir, profileLockFile), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fault.New(fault.BrowserLaunch, "the profile %s cannot be locked: %w", dir, err).About(dir).
			WithHint("Choose a folder that you can write to.").With("reason", "profile-not-writable")
	}
	if !held {
		_ = lock.Close()
		return nil, profileInUse(dir)
	}
	for began := time.Now(); ; time.Sleep(profilePause) {
		if err = chrome.ProfileFree(dir); err == nil || time.Since(began) >= patience {
			break
		}
	}
	h := &profileLock{
		dir:    dir,
		lock:   lock,
		holder: profileHolder{PID: os.Getpid(), Since: time.Now().UTC().Truncate(time.Second)},
	}
	if err == nil {
		err = h.write()
	}
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return h, nil
}

// profileInUse returns the error that names the service which has the profile.
func profileInUse(dir string) error {
	var holder profileHolder
	if text, err := os.ReadFile(filepath.Join(dir, profileHolderFile)); err == nil {
		_ = json.Unmarshal(text, &holder) // a damaged file says nothing
	}
	who, use := "another service", "Use that one"
	if holder.PID != 0 {
		who = fmt.Sprintf("the service with process %d, since %s", holder.PID, holder.Since.Format(time.RFC3339))
	}
	if holder.Address != "" {
		who, use = who+", on "+holder.Address, "Use that one (`mcp --serve http://"+holder.Address+"`)"
	}
	return fault.New(fault.BrowserLaunch, "the profile %s is in use by %s", dir, who).About(dir).
		WithHint("%s, end it, or choose another folder with --profile-dir.", use).
		With("reason", "profile-in-use").With("pid", holder.PID).With("address", holder.Address)
}

func (h *profileLock) write() error {
	text, err := json.Marshal(h.holder)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(h.dir, profileHolderFile), append(text, '\n'))
}

// release unlocks the profile. It may be called again.
func (h *profileLock) release() { _ = h.lock.Close() }
