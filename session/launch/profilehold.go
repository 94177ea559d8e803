package launch

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/skua-browser/skua/engine/chrome"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/internal/atomicfile"
)

// Names within a profile that a service keeps. Who holds the lock stands in a file of its own: on Windows a locked file cannot be read.
const (
	holdLockFile = ".skua-service.lock"
	holderFile   = ".skua-service.json"
)

// profileHold is a service's claim of a profile, from its start to its end, also while no browser runs. The kernel frees it when the process is
// killed.
type profileHold struct {
	dir    string
	lock   *flock.Flock
	holder profileHolder
}

// profileHolder is what the next service is told of the one that holds the profile.
type profileHolder struct {
	PID     int       `json:"pid"`
	Address string    `json:"address,omitempty"` // where it serves
	Since   time.Time `json:"since"`
}

// holdProfile claims a profile, or says who has it. A browser that is still ending has the patience to end.
func holdProfile(dir string, patience time.Duration) (*profileHold, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fault.New(fault.BrowserLaunch, "the profile %s cannot be made: %w", dir, err).About(dir).
			WithHint("Choose a folder that you can write to.").With("reason", "profile-not-writable")
	}
	lock := flock.New(filepath.Join(dir, holdLockFile), flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fault.New(fault.BrowserLaunch, "the profile %s cannot be locked: %w", dir, err).About(dir).
			WithHint("Choose a folder that you can write to.").With("reason", "profile-not-writable")
	}
	if !held {
		_ = lock.Close()
		return nil, heldBy(dir)
	}
	for began := time.Now(); ; time.Sleep(profilePause) {
		if err = chrome.ProfileFree(dir); err == nil || time.Since(began) >= patience {
			break
		}
	}
	h := &profileHold{dir: dir, lock: lock, holder: profileHolder{PID: os.Getpid(), Since: time.Now().UTC().Truncate(time.Second)}}
	if err == nil {
		err = h.write()
	}
	if err != nil {
		_ = lock.Close()
		return nil, err
	}
	return h, nil
}

// heldBy is the error that names the service which has the profile.
func heldBy(dir string) error {
	var holder profileHolder
	if text, err := os.ReadFile(filepath.Join(dir, holderFile)); err == nil {
		_ = json.Unmarshal(text, &holder) // a file that is damaged says nothing
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

func (h *profileHold) write() error {
	text, err := json.Marshal(h.holder)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(h.dir, holderFile), append(text, '\n'))
}

// release gives the profile up. It may be called again.
func (h *profileHold) release() { _ = h.lock.Close() }
