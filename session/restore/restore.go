package restore

import (
	"context"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions/states"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/state"
)

// The outcomes of restoring and saving, in agent-browser's words.
const (
	StatusNone    = "not_configured"
	StatusMissing = "missing"
	StatusLoaded  = "loaded"
	StatusInvalid = "loaded_but_invalid"
	StatusExpired = "expired" // skua only: the state was too old

	SaveNone     = "not_configured"
	SaveNotYet   = "not_attempted"
	SaveDone     = "saved"
	SaveSkipped  = "skipped_restore_failed"
	SaveDisabled = "disabled"
	SaveRicher   = "kept_richer" // skua only: the saved state contains more
	SaveFailed   = "failed"
)

// Options are a call's options for saved states: what its browser loads, and what is saved.
type Options struct {
	Store    *state.Store
	Path     string // --state: a file
	Key      string // --restore, or empty
	Session  string
	File     string // that the session saves to under the key
	Policy   string
	Checks   Checks
	maxAge   time.Duration
	Interval time.Duration // between automatic saves, or 0
}

// Call is what ReadOptions reads from.
type Call struct {
	Input     *actions.Input
	Session   string
	Namespace string // of the host; empty means that it has none, or the command runs without a host
	Getenv    func(string) string
	Path      func(string) string // makes a path absolute
	CheckName func(name, source string) error
}

// ReadOptions reads a call's options, or nil.
func ReadOptions(c Call) (*Options, error) {
	in := c.Input
	given := in.String("state")
	restores := in.Has("restore") || in.Has("session-name")
	if given == "" && !restores {
		return nil, nil
	}
	namespace := c.Namespace
	if namespace == "" {
		namespace = in.String("namespace") // for a command without a host
	}
	store, err := state.Open(c.Getenv, namespace, states.StatePlace(in))
	if err != nil {
		return nil, err
	}
	w := &Options{
		Store:    store,
		maxAge:   state.MaxAge(c.Getenv),
		Policy:   in.String("restore-save"),
		Interval: states.AutosaveInterval(in, c.Getenv),
	}
	if given != "" {
		w.Path = store.Find(given, c.Path)
	}
	if restores {
		w.Key = in.String("restore")
		if w.Key == "" {
			w.Key = in.String("session-name")
		}
		if w.Key == "" {
			w.Key = c.Session
		}
		if err := c.CheckName(w.Key, in.Source("restore")); err != nil {
			return nil, err
		}
		w.Session, w.File = c.Session, store.Restore(w.Key, c.Session)
		w.Checks = Checks{
			URL:  in.String("restore-check-url"),
			Text: in.String("restore-check-text"),
			Fn:   in.String("restore-check-fn"),
		}
	}
	return w, nil
}

// InitialState is the content of the files that a browser loads.
type InitialState struct {
	Storage  storage.State
	Passkeys []passkey.Passkey
	Status   string
	Detail   string
	Path     string   // the file that was loaded for the key
	Notes    []string // for the reply
	Unread   []error  // of what is saved and cannot be used
	Skipped  []storage.Skipped
}

// Load reads the files. A named file must exist; a key may have no file yet, and has one for each session that saved
// under it.
func (w *Options) Load(ctx context.Context) (*InitialState, error) {
	b := &InitialState{Status: StatusNone}
	if w.Path != "" {
		if err := w.add(ctx, b, w.Path); err != nil {
			return nil, err
		}
	}
	if w.Key == "" {
		return b, nil
	}
	saved, err := w.Store.Newest(ctx, w.Key, w.Session)
	if !saved.Found {
		b.Status = StatusMissing
		b.Notes = append(b.Notes, "nothing is saved under "+w.Key+" yet")
		return b, nil
	}
	if err != nil {
		return nil, err
	}
	b.Unread = append(b.Unread, saved.Unread...)
	switch err := w.take(b, saved.State, saved.Info); {
	case fault.Is(err, fault.StateExpired):
		b.Status, b.Detail = StatusExpired, err.Error()
		b.Unread = append(b.Unread, err)
	case err != nil:
		return nil, err
	default:
		b.Status, b.Path = StatusLoaded, saved.Info.Path
	}
	return b, nil
}

func (w *Options) add(ctx context.Context, b *InitialState, path string) error {
	st, info, err := w.Store.Read(ctx, path)
	if err != nil {
		return err
	}
	return w.take(b, st, info)
}

func (w *Options) take(b *InitialState, st *state.State, info state.Info) error {
	if err := w.Store.Usable(st, info, w.maxAge, time.Now()); err != nil {
		return err
	}
	b.Storage.Cookies = append(b.Storage.Cookies, st.Cookies...)
	b.Storage.Origins = append(b.Storage.Origins, st.Origins...)
	b.Passkeys = append(b.Passkeys, st.Passkeys()...)
	b.Skipped = append(b.Skipped, st.Foreign...)
	if len(st.Dropped) > 0 {
		b.Notes = append(b.Notes,
			"not restored from "+info.Path+", because they have expired: "+strings.Join(wording.ClipList(st.Dropped), ", "))
	}
	return nil
}

// From returns the files that were read, for messages.
func (w *Options) From(b *InitialState) string {
	var files []string
	for _, f := range []string{w.Path, b.Path} {
		if f != "" {
			files = append(files, f)
		}
	}
	return strings.Join(files, " and ")
}

// SkippedText lists what was not restored.
func SkippedText(skipped []storage.Skipped) string {
	all := make([]string, len(skipped))
	for i, s := range skipped {
		all[i] = s.String()
	}
	return strings.Join(wording.ClipList(all), ", ")
}
