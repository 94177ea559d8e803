package electron

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/procgroup"
)

// Bounds of a launch and its end.
const (
	DefaultLaunchTimeout  = 15 * time.Second
	MaxLaunchTimeout      = 120 * time.Second
	DefaultCleanupTimeout = 5 * time.Second
)

// poll is how often what tells no event is looked at: files of the app, its port, processes that are not ours to wait
// for.
const poll = 100 * time.Millisecond

// LauncherOptions say where a Launcher keeps its records and profiles.
type LauncherOptions struct {
	Dir    string // of the records, which survive the process; empty means that they end with it
	Getenv func(string) string
	Log    *slog.Logger // nil means no log
}

// Launcher launches apps and keeps account of them until nothing of them is left. Its methods may be called from
// several goroutines.
type Launcher struct {
	options LauncherOptions
	store   store
	log     *slog.Logger
	closing chan struct{}  // closed by Close
	work    sync.WaitGroup // goroutines, and launches under way

	mu       sync.Mutex
	closed   bool
	launches map[string]*launch // by id; those that are not ready yet are not here
	finished map[string]account // by id: cleaned, or dead with nothing left
	attached map[string]Record  // by id: that others started; see Attach
}

// NewLauncher returns a launcher that knows the launches whose records are in its folder, as far as their owners are
// gone. It starts no app; in the background it removes what is left of those that have ended.
func NewLauncher(o LauncherOptions) (*Launcher, error) {
	k := &Launcher{
		options:  o,
		log:      o.Log,
		closing:  make(chan struct{}),
		launches: map[string]*launch{},
		finished: map[string]account{},
		attached: map[string]Record{},
	}
	if k.log == nil {
		k.log = slog.New(slog.DiscardHandler)
	}
	var err error
	if k.store, err = openStore(o.Dir); err != nil {
		return nil, err
	}
	k.takeOver()
	k.work.Go(func() { sweepProfiles(k.log) })
	return k, nil
}

// Records returns the launches that the launcher tracks, the oldest first. Those that are cleaned, or dead with nothing
// left, stay among them for a day, the newest of them.
func (k *Launcher) Records() []Record {
	k.mu.Lock()
	defer k.mu.Unlock()
	records := make([]Record, 0, len(k.launches)+len(k.finished))
	for _, l := range k.launches {
		records = append(records, l.account.Record)
	}
	for _, a := range k.finished {
		records = append(records, a.Record)
	}
	slices.SortFunc(records, older)
	return records
}

func older(a, b Record) int {
	if a.CreatedAtMs != b.CreatedAtMs {
		return int(a.CreatedAtMs - b.CreatedAtMs)
	}
	return strings.Compare(a.LaunchID, b.LaunchID)
}

// Select returns the launches that are meant: the one with the id, whatever its state; all that are not cleaned, which
// may be none; or, with neither, the only active one, and when none is active the only dead one. Its error is
// LaunchNotFound.
func (k *Launcher) Select(id string, all bool) ([]Record, error) {
	var active, dead []Record
	for _, r := range k.Records() {
		switch {
		case id != "" && r.LaunchID == id:
			return []Record{r}, nil
		case r.CleanupState == Dead:
			dead = append(dead, r)
		case r.CleanupState != Cleaned:
			active = append(active, r)
		}
	}
	switch {
	case id != "":
		return nil, launchNotFound(id)
	case all:
		both := append(active, dead...)
		slices.SortFunc(both, older)
		return both, nil
	case len(active) == 1:
		return active, nil
	case len(active) == 0 && len(dead) == 1:
		return dead, nil
	case len(active)+len(dead) == 0:
		return nil, fault.New(fault.LaunchNotFound, "no app is launched").WithHint("Launch one first.")
	case len(active) == 0:
		return nil, ambiguous("no launched app is running; %d have ended", dead)
	}
	return nil, ambiguous("%d launched apps are active", active)
}

// SelectIn returns the launches that are meant in a session: as Select, but without an ID and without all, the one that
// the session works in comes before those of others.
func (k *Launcher) SelectIn(session, id string, all bool) ([]Record, error) {
	if id == "" && !all {
		if own := k.ofSession(session); own != nil {
			return []Record{*own}, nil
		}
	}
	return k.Select(id, all)
}

// ofSession returns the newest launch that a session works in, or worked in until the app ended, or nil. Those
// that are cleaned up do not count.
func (k *Launcher) ofSession(session string) *Record {
	records := k.Records()
	for i := range slices.Backward(records) {
		if r := &records[i]; r.SessionName == session && r.CleanupState != Cleaned {
			return r
		}
	}
	return nil
}

// Attach notes an app that runs already, in whose main process a session works. Nothing ends or cleans it up from here.
func (k *Launcher) Attach(r Record) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.attached[r.LaunchID] = r
}

// AnyIn is SelectIn for those who only look: the apps that sessions have attached to count, too, but not for other
// sessions.
func (k *Launcher) AnyIn(session, id string, all bool) ([]Record, error) {
	launched, err := k.SelectIn(session, id, all)
	k.mu.Lock()
	defer k.mu.Unlock()
	if r, ok := k.attached[id]; ok {
		return []Record{r}, nil
	}
	var own *Record
	for _, r := range k.attached {
		switch {
		case !procgroup.Alive(r.PID):
			delete(k.attached, r.LaunchID)
		case all:
			launched = append(launched, r)
		case r.SessionName == session && (own == nil || own.CreatedAtMs < r.CreatedAtMs):
			own = &r
		}
	}
	if own == nil || id != "" ||
		err == nil && launched[0].SessionName == session && launched[0].CreatedAtMs > own.CreatedAtMs {
		return launched, err
	}
	return []Record{*own}, nil
}

func ambiguous(words string, records []Record) error {
	var ids []string
	for _, r := range records {
		ids = append(ids, r.LaunchID)
	}
	return fault.New(fault.LaunchNotFound, words, len(records)).
		WithHint("Name one of them, or all: %s.", strings.Join(ids, ", ")).With("launchIds", ids)
}

func launchNotFound(id string) error {
	return fault.New(fault.LaunchNotFound, "No wrapper-tracked Electron launch found for launchId %s", id).About(id).
		WithHint("Launches are known by the id that their launch returned, for a day after their end.")
}

// Attached notes which session works in the app.
func (k *Launcher) Attached(launchID, session string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	l := k.launches[launchID]
	if l == nil {
		if _, known := k.finished[launchID]; known {
			return fault.New(fault.LaunchNotFound, "the app of the launch %s has ended", launchID).About(launchID)
		}
		return launchNotFound(launchID)
	}
	l.account.SessionName, l.account.SessionClosed = session, false
	return k.store.write(l.account)
}

// Ended returns a channel that is closed when the app's process has ended, for any reason. It is nil for an unknown
// launch.
func (k *Launcher) Ended(launchID string) <-chan struct{} {
	k.mu.Lock()
	defer k.mu.Unlock()
	if l := k.launches[launchID]; l != nil {
		return l.ended
	}
	if _, known := k.finished[launchID]; known {
		ended := make(chan struct{})
		close(ended)
		return ended
	}
	return nil
}

// Close cleans up all launches of the launcher, including those in progress, and rejects new ones. Its error says what
// is left.
func (k *Launcher) Close(ctx context.Context) error {
	k.mu.Lock()
	if !k.closed {
		k.closed = true
		close(k.closing)
	}
	var open []*launch
	for _, l := range k.launches {
		open = append(open, l)
	}
	k.mu.Unlock()
	errs := make([]error, len(open))
	var wg sync.WaitGroup
	for i, l := range open {
		wg.Go(func() {
			if done := k.clean(ctx, l, CleanupOptions{}); done.State != Cleaned {
				errs[i] = fault.New(fault.CleanupFailed, "%s was not removed completely: %s", l.label(), done.left()).About(l.dir)
				l.abandon()
			}
		})
	}
	wg.Wait()
	k.work.Wait()
	return errors.Join(errs...)
}

// begin counts a launch that is under way; the caller calls k.work.Done. It fails once the launcher is closed.
func (k *Launcher) begin() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.closed {
		return fault.New(fault.Canceled, "nothing can be launched: this program is ending")
	}
	k.work.Add(1)
	return nil
}

func (k *Launcher) getenv(env []string) func(string) string {
	if env == nil {
		if k.options.Getenv != nil {
			return k.options.Getenv
		}
		return os.Getenv
	}
	return func(name string) string {
		for _, entry := range slices.Backward(env) { // the last one counts
			if value, ok := strings.CutPrefix(entry, name+"="); ok {
				return value
			}
		}
		return ""
	}
}
