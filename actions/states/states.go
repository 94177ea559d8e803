package states

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/files"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/engine/urls"
	"github.com/skua-browser/skua/engine/webauthn"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/passkey"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/state"
)

// AutosaveInterval is how often the state is kept behind commands, as the environment says; 0 means never.
func AutosaveInterval(in *actions.Input, getenv func(string) string) time.Duration {
	given, _ := grammar.FromEnv("AUTOSAVE_INTERVAL_MS", getenv)
	if ms, err := strconv.Atoi(given); err == nil && ms >= 0 {
		return time.Duration(ms) * time.Millisecond
	}
	return 30 * time.Second
}

// SetRestore copies a restore report into the fields of the session's runtime.
func SetRestore(r *actions.SessionRuntime, from actions.RestoreReport) {
	text := func(s string) *string {
		if s == "" {
			return nil
		}
		return &s
	}
	r.RestoreKey, r.RestoreStatusDetail, r.RestoreLoadedPath, r.RestoreSavedPath = text(from.Key), text(from.Detail),
		text(from.Loaded), text(from.Saved)
	r.RestoreCheckURL, r.RestoreCheckText, r.RestoreCheckFn = text(from.CheckURL), text(from.CheckText), text(from.CheckFn)
	r.RestoreSave, r.RestoreValidationPending, r.RestoreSkippedOrigins = from.Policy, from.Pending, from.Skipped
	if r.RestoreSave == "" {
		r.RestoreSave = actions.SaveAuto
	}
	if r.RestoreSkippedOrigins == nil {
		r.RestoreSkippedOrigins = []string{}
	}
}

// The kinds of storage by the words of --only.
var storageKinds = []string{"cookies", "local", "session", "databases", "workers", "caches", "passkeys"}

func stateCommands() []actions.Command {
	where := actions.Arg{
		Name: "path",
		Kind: actions.Path,
		Help: "A file, or a name without an extension for a state in ~/.skua/states (in ~/.agent-browser/sessions if you " +
			"run it as agent-browser)",
	}
	which := []actions.Flag{
		{Name: "origin", Kind: actions.List, Value: "origin", Help: "Only what this origin stores, and the cookies it gets"},
		{Name: "only", Kind: actions.List, Value: "kinds", Help: "Only these kinds: " + strings.Join(storageKinds, ", ")},
	}
	return slices.Concat([]actions.Command{
		{
			Spec: actions.Spec{
				Name:    "state save",
				Group:   actions.GroupStates,
				Summary: "Save the session's logins: its cookies and the storage of pages",
				Help: "Saves cookies with all their attributes, localStorage, sessionStorage, databases (IndexedDB) and " +
					"service workers of every origin that the session has visited, and the session's passkeys with their private " +
					"keys, in the format of agent-browser. Caches of service workers are saved only if --only names them. The reply " +
					"names what cannot be saved. With SKUA_ENCRYPTION_KEY or AGENT_BROWSER_ENCRYPTION_KEY the file is encrypted. A " +
					"file that holds more is not replaced without --force.",
				Args: []actions.Arg{where},
				Flags: append(slices.Clone(which), actions.Flag{
					Name: "force",
					Kind: actions.Bool,
					Help: "Replace a file that holds more",
				}),
				Examples: []actions.Example{{Line: "state save login"}, {
					Line: "state save ./auth.json --origin https://example.org",
				}},
				Upstream: []string{"state save <path>", "state <operation> [args]"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does(policy.WritesFiles)},
			Showing: actions.Showing{
				Traits: trait.NotInScripts | trait.ShowsState | trait.Sets,
				Writes: &trait.Output{
					Kind:       trait.File,
					Arg:        "path",
					Saved:      "State file",
					Unverified: "State file reported; file not verified",
				},
			},
			Bindings: actions.Bindings{Data: []any{SavedResult{}}},
			Run:      runStateSave,
		},
		{
			Spec: actions.Spec{
				Name:    "state load",
				Group:   actions.GroupStates,
				Summary: "Load a saved state into the session",
				Help: "Load it before you open the page that needs it, best with the global flag --state. For each kind of data " +
					"in the file, an origin's existing data is removed first. No server is contacted, except for the scripts of " +
					"service workers. It also reads files of agent-browser and Playwright.",
				Args:     []actions.Arg{where},
				Flags:    slices.Clone(which),
				Examples: []actions.Example{{Line: "state load login"}},
			},
			Schedule: actions.Schedule{Effect: actions.Mutates, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does(policy.ReadsFiles), Blind: true},
			Showing:  actions.Showing{Traits: trait.MayLosePage | trait.NotInScripts | trait.ShowsState},
			Bindings: actions.Bindings{Data: []any{LoadedResult{}}},
			Run:      runStateLoad,
		},
	}, stateFileCommands())
}

// storageWish is what --origin and --only ask for.
type storageWish struct {
	storage.Kinds
	passkeys bool     // a kind that the browser does not store
	origins  []string // empty means all
}

func readStorageWish(c *actions.Call) (wish storageWish, err error) {
	only := c.Strings("only")
	if len(only) == 0 {
		only = []string{"cookies", "local", "session", "databases", "workers", "passkeys"}
	}
	for _, kind := range only {
		switch kind {
		case "cookies":
			wish.Cookies = true
		case "local":
			wish.Local = true
		case "session":
			wish.Session = true
		case "databases", "indexeddb":
			wish.Databases = true
		case "workers":
			wish.Workers = true
		case "caches":
			wish.Caches = true
		case "passkeys", "passkey":
			wish.passkeys = true
		default:
			return storageWish{}, c.Invalid("--only knows no kind " + wording.Quote(kind) + "; there are " +
				strings.Join(storageKinds, ", ") + ".")
		}
	}
	for _, given := range c.Strings("origin") {
		if !strings.Contains(given, "://") {
			given = "https://" + given
		}
		origin := urls.Origin(given)
		if !strings.HasPrefix(origin, "http") {
			return storageWish{}, c.Invalid("--origin expects an origin such as https://example.org, got " +
				wording.Quote(given))
		}
		wish.origins = append(wish.origins, origin)
	}
	return wish, nil
}

func states(c *actions.Call) (*state.Store, error) {
	return state.Open(c.Getenv, c.String("namespace"), StatePlace(c.Input))
}

// StatePlace is where the states are kept for a caller: a program that calls agent-browser looks where that keeps them.
func StatePlace(in *actions.Input) state.Place {
	if in.DropIn() {
		return state.UpstreamFolder
	}
	return state.OwnFolder
}

func runStateSave(ctx context.Context, c *actions.Call) (actions.Result, error) {
	wish, err := readStorageWish(c)
	if err != nil {
		return actions.Result{}, err
	}
	store, err := states(c)
	if err != nil {
		return actions.Result{}, err
	}
	path, err := files.State(c, store, policy.Writing, store.Target(c.String("path"), c.Path))
	if err != nil {
		return actions.Result{}, err
	}
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	captured, err := storage.Capture(ctx, tab.Page.Context(), storage.CaptureOptions{
		Kinds:   wish.Kinds,
		Origins: wish.origins,
		Active:  tab.Page,
	})
	if err != nil {
		return actions.Result{}, err
	}
	saved := state.FromStorage(captured, time.Now())
	if wish.passkeys {
		saved.SetPasskeys(state.PasskeysOf(webauthn.List(tab.Page.Context()), wish.origins))
	}
	if r := c.Browser.Restoring(); r.File == path {
		saved.SetKey(r.Key)
	}
	size, err := store.Write(ctx, path, saved, c.Bool("force"))
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code == fault.File {
		err = fault.New(fault.File, "Failed to write state to %s: %w", shownState(c, path), f.Err).About(path)
	}
	if err != nil {
		return actions.Result{}, err
	}
	if len(saved.Passkeys()) > 0 && !strings.HasSuffix(path, ".enc") {
		c.Note(
			"the file has private keys of passkeys and is not encrypted: set SKUA_ENCRYPTION_KEY, or leave them out with --only")
	}
	shown := shownState(c, path)
	n := saved.Count()
	names := make([]string, 0, len(saved.Origins))
	for i := range saved.Origins {
		names = append(names, saved.Origins[i].Origin)
	}
	data := SavedResult{
		Counts: n,
		Encrypted: strings.HasSuffix(path,
			".enc"),
		Origins: names,
		Path:    shown,
		Saved:   true,
		Size:    size,
		Skipped: orEmpty(captured.Skipped),
	}
	if err := incomplete(c, "saved to "+shown, captured.Skipped); err != nil {
		return actions.Result{}, err.With("state", data).
			WithHint("`state save` with --only or --origin saves less, for example --only cookies,local.")
	}
	return actions.Result{Data: data, Text: "✓ State saved to " + shown + "\n  " + countsText(n)}, nil
}

// shownState is a path as the caller typed it, with the ending that it got, or the whole path of a kept state.
func shownState(c *actions.Call, path string) string {
	typed := c.String("path")
	for _, ending := range []string{"", ".enc"} {
		if c.Path(typed)+ending == path {
			return typed + ending
		}
	}
	return path
}

func orEmpty(skipped []storage.Skipped) []storage.Skipped {
	if skipped == nil {
		return []storage.Skipped{}
	}
	return skipped
}

// incomplete returns the error of a state that was saved or loaded without all that belongs to it, or nil. Storage of
// third parties does not; it is a note.
func incomplete(c *actions.Call, done string, skipped []storage.Skipped) *fault.Error {
	var missing, beyond []string
	for _, s := range skipped {
		if s.ThirdParty {
			beyond = append(beyond, s.String())
		} else {
			missing = append(missing, s.String())
		}
	}
	if len(beyond) > 0 {
		c.Note("no part of the state: " + strings.Join(wording.ClipList(beyond), ", "))
	}
	if len(missing) == 0 {
		return nil
	}
	return fault.New(fault.StateIncomplete, "The state was %s, but not all of it. Missing: %s.", done,
		strings.Join(wording.ClipList(missing), ", ")).
		With(actions.FactDone, true)
}

func runStateLoad(ctx context.Context, c *actions.Call) (actions.Result, error) {
	wish, err := readStorageWish(c)
	if err != nil {
		return actions.Result{}, err
	}
	wish.Caches = wish.Caches || !c.Has("only") // what was saved comes back
	store, err := states(c)
	if err != nil {
		return actions.Result{}, err
	}
	path, err := files.State(c, store, policy.Reading, store.Find(c.String("path"), c.Path))
	if err != nil {
		return actions.Result{}, err
	}
	saved, info, err := store.Read(ctx, path)
	if err != nil {
		return actions.Result{}, err
	}
	if err := store.Usable(saved, info, state.MaxAge(c.Getenv), time.Now()); err != nil {
		return actions.Result{}, err
	}
	saved.Keep(wish.Kinds, wish.origins)
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	r, err := storage.Restore(ctx, tab.Page.Context(), saved.Storage(), tab.Page)
	if err != nil {
		return actions.Result{}, err
	}
	keys := saved.Passkeys()
	if !wish.passkeys {
		keys = nil
	}
	if err := GivePasskeys(ctx, tab.Page.Context(), tab.Page, keys); err != nil {
		return actions.Result{}, err
	}
	skipped := append(saved.Foreign, r.Skipped...)
	if len(saved.Dropped) > 0 {
		c.Note("not restored, because they have expired: " + strings.Join(saved.Dropped, ", "))
	}
	if tab.Page.URL() != "about:blank" {
		c.Note("the open page was loaded before: `reload` shows it with the state")
	}
	shown, origin := shownState(c, path), []string{}
	for _, s := range skipped {
		if s.Origin != "" && !slices.Contains(origin, s.Origin) {
			origin = append(origin, s.Origin)
		}
	}
	data := LoadedResult{
		Counts: LoadedCounts{
			Caches:         r.Caches,
			Cookies:        r.Cookies,
			Databases:      r.Databases,
			LocalStorage:   r.Local,
			Origins:        len(r.Origins),
			Passkeys:       len(keys),
			Records:        r.Records,
			ServiceWorkers: r.Workers,
			SessionStorage: r.Session,
		},
		Dropped:        len(saved.Dropped),
		Loaded:         true,
		Path:           shown,
		Skipped:        orEmpty(skipped),
		SkippedOrigins: origin,
	}
	if err := incomplete(c, "loaded from "+shown, skipped); err != nil {
		return actions.Result{}, err.With("state", data)
	}
	return actions.Result{Data: data, Text: "✓ State loaded from " + shown + "\n  " + RestoredText(r, len(keys))}, nil
}

// GivePasskeys gives the pages of a context passkeys of a state, and an authenticator to use them with. Page may be
// nil.
func GivePasskeys(ctx context.Context, of *engine.Context, page *engine.Page, keys []passkey.Passkey) error {
	if len(keys) == 0 {
		return nil
	}
	if err := webauthn.Add(ctx, of, keys); err != nil {
		return err
	}
	return webauthn.On(ctx, of, page)
}

// RestoredText counts what came back, in words.
func RestoredText(r *storage.Restored, passkeys int) string {
	return countsText(state.Counts{
		Cookies:   r.Cookies,
		Origins:   len(r.Origins),
		Local:     r.Local,
		Session:   r.Session,
		Databases: r.Databases,
		Records:   r.Records,
		Workers:   r.Workers,
		Caches:    r.Caches,
		Passkeys:  passkeys,
	})
}

// countsText returns the counts of a state in words. It always includes cookies and origins.
func countsText(n state.Counts) string {
	text := wording.Plural(n.Cookies, "cookie") + ", " + wording.Plural(n.Origins, "origin")
	var kinds []string
	for _, k := range []struct {
		n    int
		what string
	}{
		{n.Local, "key"},
		{n.Session, "session key"},
		{n.Databases, "database"},
		{n.Records, "entry"},
		{n.Workers, "service worker"},
		{n.Caches, "cache"},
	} {
		if k.n > 0 {
			kinds = append(kinds, wording.Plural(k.n, k.what))
		}
	}
	if len(kinds) > 0 {
		text += " (" + strings.Join(kinds, ", ") + ")"
	}
	if n.Passkeys > 0 {
		text += ", " + wording.Plural(n.Passkeys, "passkey")
	}
	return text
}
