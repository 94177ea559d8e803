package states

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/storage"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/session/state"
)

// stateFileCommands returns the commands on files alone. They start no browser, and wait for none.
func stateFileCommands() []actions.Command {
	files := actions.Control | actions.NoBrowser
	name := actions.Arg{Name: "name", Help: "The name of a saved state, or a restore key"}
	optional := name
	optional.Optional = true
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name: "state list", Aliases: []string{"state ls"}, Group: actions.GroupStates, Summary: "List the saved states",
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.ShowsState},
			Bindings: actions.Bindings{Data: []any{ListResult{}}},
			Run:      runStateList,
		},
		{
			Spec: actions.Spec{
				Name:     "state show",
				Group:    actions.GroupStates,
				Summary:  "Show the content of a saved state",
				Help:     "Prints names and counts. The values of cookies and keys are secrets; --values prints them.",
				Args:     []actions.Arg{{Name: "path", Kind: actions.Path, Help: "A file, or the name of a saved state"}},
				Flags:    []actions.Flag{{Name: "values", Kind: actions.Bool, Help: "Print the whole state with its secrets"}},
				Examples: []actions.Example{{Line: "state show login"}},
				Upstream: []string{"state show <filename>"},
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.ShowsState},
			Bindings: actions.Bindings{Data: []any{ShownResult{}}},
			Run:      runStateShow,
		},
		{
			Spec: actions.Spec{
				Name:    "state rename",
				Group:   actions.GroupStates,
				Summary: "Rename a saved state",
				Args: []actions.Arg{{Name: "old", Help: "Its name"}, {
					Name: "new",
					Help: "The new name, which no other state may have",
				}},
				Upstream: []string{"state rename <old-name> <new-name>"},
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.ShowsState | trait.Once},
			Bindings: actions.Bindings{Data: []any{RenamedResult{}}},
			Run:      runStateRename,
		},
		{
			Spec: actions.Spec{
				Name:     "state clear",
				Group:    actions.GroupStates,
				Summary:  "Delete a saved state, or all of them",
				Help:     "A restore key also deletes the states that other sessions saved under it.",
				Args:     []actions.Arg{optional},
				Flags:    []actions.Flag{{Name: "all", Short: "a", Kind: actions.Bool, Help: "Delete all saved states"}},
				Upstream: []string{"state clear [session-name] [--all]"},
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: oneOrAll},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.ShowsState | trait.Sets},
			Bindings: actions.Bindings{Data: []any{ClearedResult{}}},
			Run:      runStateClear,
		},
		{
			Spec: actions.Spec{
				Name:    "state clean",
				Group:   actions.GroupStates,
				Summary: "Delete saved states that are older than some days",
				Flags: []actions.Flag{{
					Name:  "older-than",
					Kind:  actions.Int,
					Value: "days",
					Help:  "The age in days since they were saved",
				}},
				Examples: []actions.Example{{Line: "state clean --older-than 30"}},
				Upstream: []string{"state clean --older-than <days>"},
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: byAge},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.NotInScripts | trait.ShowsState | trait.Sets},
			Bindings: actions.Bindings{Data: []any{CleanedResult{}}},
			Run:      runStateClean,
		},
	}
}

// oneOrAll and byAge say which states are meant: a line that does not is refused, and refused in a session.
func oneOrAll(f trait.Form) bool { return f.Words <= 1 && (f.Words == 1) != f.Has("all") }

func byAge(f trait.Form) bool { return f.Words == 0 && f.Has("older-than") }

type stateFile struct {
	Encrypted bool   `json:"encrypted"`
	Filename  string `json:"filename"`
	Modified  int64  `json:"modified"` // Unix seconds
	Path      string `json:"path"`
	Size      int64  `json:"size"`
}

func asFile(info state.Info) stateFile {
	at := strings.LastIndexAny(info.Path, `/\`)
	return stateFile{
		Encrypted: info.Encrypted,
		Filename:  info.Path[at+1:],
		Modified:  info.Modified.Unix(),
		Path:      info.Path,
		Size:      info.Size,
	}
}

func runStateList(_ context.Context, c *actions.Call) (actions.Result, error) {
	store, err := states(c)
	if err != nil {
		return actions.Result{}, err
	}
	kept, err := store.List()
	if err != nil {
		return actions.Result{}, err
	}
	files := []stateFile{}
	lines := []string{"Saved states in " + store.Dir()}
	for _, info := range kept {
		f := asFile(info)
		files = append(files, f)
		line := "  " + f.Filename + " (" + strconv.FormatInt(f.Size, 10) + "B, " +
			info.Modified.UTC().Format("2006-01-02 15:04 MST") + ")"
		if f.Encrypted {
			line += " [encrypted]"
		}
		lines = append(lines, line)
	}
	if len(files) == 0 {
		lines = append(lines, "  No state files found")
	}
	return actions.Result{Data: ListResult{store.Dir(), files}, Text: strings.Join(lines, "\n")}, nil
}

func runStateShow(ctx context.Context, c *actions.Call) (actions.Result, error) {
	store, err := states(c)
	if err != nil {
		return actions.Result{}, err
	}
	path := store.Find(c.String("path"), c.Path)
	saved, info, err := store.Read(ctx, path)
	if err != nil {
		return actions.Result{}, err
	}
	f, n := asFile(info), saved.Count()
	data := ShownResult{
		Counts:    n,
		Encrypted: f.Encrypted,
		Filename:  f.Filename,
		Modified:  f.Modified,
		Path:      f.Path,
		Size:      f.Size,
		Summary:   strconv.Itoa(n.Cookies) + " cookies, " + strconv.Itoa(n.Origins) + " origins",
	}
	if c.Bool("values") {
		text, err := saved.WithoutKeys().Text() // a private key is never shown
		if err != nil {
			return actions.Result{}, err
		}
		data.State = json.RawMessage(text)
		return actions.Result{Data: data, Text: strings.TrimSuffix(string(text), "\n")}, nil
	}
	data.State = outline(saved)
	if err := store.Usable(saved, info, state.MaxAge(c.Getenv), time.Now()); err != nil {
		c.Note(err.Error())
	} else if len(saved.Dropped) > 0 {
		c.Note("expired: " + strings.Join(saved.Dropped, ", "))
	}
	return actions.Result{Data: data, Text: path + ": " + countsText(n) + outlineText(saved)}, nil
}

// Outline is a state without its values.
type Outline struct {
	Cookies  []OutlinedCookie  `json:"cookies"`
	Origins  []OutlinedOrigin  `json:"origins"`
	Passkeys []OutlinedPasskey `json:"passkeys"`
}

// OutlinedCookie is a cookie without its value.
type OutlinedCookie struct {
	Domain   string  `json:"domain"`
	Expires  float64 `json:"expires"`
	HTTPOnly bool    `json:"httpOnly"`
	Name     string  `json:"name"`
	Path     string  `json:"path"`
	SameSite string  `json:"sameSite"`
	Secure   bool    `json:"secure"`
	Session  bool    `json:"session"`
}

// OutlinedOrigin says what an origin keeps.
type OutlinedOrigin struct {
	Caches    int                     `json:"caches"`
	Databases []OutlinedDatabase      `json:"databases"`
	Local     []string                `json:"localStorage"`
	Origin    string                  `json:"origin"`
	Workers   []storage.ServiceWorker `json:"serviceWorkers"`
	Session   []string                `json:"sessionStorage"`
}

// OutlinedDatabase is a database of an origin.
type OutlinedDatabase struct {
	Name    string          `json:"name"`
	Stores  []OutlinedStore `json:"stores"`
	Version uint64          `json:"version"`
}

// OutlinedStore is a store of a database.
type OutlinedStore struct {
	Name    string `json:"name"`
	Records int    `json:"records"`
}

// OutlinedPasskey is a passkey without its key.
type OutlinedPasskey struct {
	ID        string `json:"id"`
	RPID      string `json:"rpId"`
	SignCount int64  `json:"signCount"`
	User      string `json:"user"`
}

func outline(s *state.State) Outline {
	o := Outline{[]OutlinedCookie{}, []OutlinedOrigin{}, []OutlinedPasskey{}}
	for _, k := range s.Cookies {
		o.Cookies = append(o.Cookies,
			OutlinedCookie{k.Domain, k.Expires, k.HTTPOnly, k.Name, k.Path, k.SameSite, k.Secure, k.Session})
	}
	for i := range s.Origins {
		of := &s.Origins[i]
		databases := []OutlinedDatabase{}
		for _, d := range of.Databases {
			stores := []OutlinedStore{}
			for _, st := range d.Stores {
				stores = append(stores, OutlinedStore{st.Name, len(st.Records)})
			}
			databases = append(databases, OutlinedDatabase{d.Name, stores, d.Version})
		}
		workers := slices.Concat([]storage.ServiceWorker{}, of.Workers)
		o.Origins = append(o.Origins,
			OutlinedOrigin{len(of.Caches), databases, itemNames(of.Local), of.Origin, workers, itemNames(of.Session)})
	}
	for _, p := range s.Passkeys() {
		o.Passkeys = append(o.Passkeys, OutlinedPasskey{p.ID, p.RPID, p.SignCount, p.User()})
	}
	return o
}

func itemNames(items []storage.Item) []string {
	names := make([]string, len(items))
	for i, item := range items {
		names[i] = item.Name
	}
	return names
}

func outlineText(s *state.State) string {
	var b strings.Builder
	for _, k := range s.Cookies {
		b.WriteString("\n  cookie " + k.Name + " of " + k.Domain + k.Path)
		if k.Expires > 0 {
			b.WriteString(", until " + time.Unix(int64(k.Expires), 0).UTC().Format("2006-01-02 15:04 MST"))
		}
	}
	for i := range s.Origins {
		o := &s.Origins[i]
		b.WriteString("\n  " + o.Origin)
		for _, area := range []struct {
			name  string
			items []storage.Item
		}{{"localStorage", o.Local}, {"sessionStorage", o.Session}} {
			if len(area.items) > 0 {
				names := itemNames(area.items)
				slices.Sort(names)
				b.WriteString("\n    " + area.name + ": " + strings.Join(names, ", "))
			}
		}
		for _, d := range o.Databases {
			n := 0
			for _, st := range d.Stores {
				n += len(st.Records)
			}
			b.WriteString("\n    database " + d.Name + ": " + wording.Plural(len(d.Stores), "store") + ", " +
				wording.Plural(n, "entry"))
		}
		for _, w := range o.Workers {
			b.WriteString("\n    service worker " + w.Script)
		}
		for _, k := range o.Caches {
			b.WriteString("\n    cache " + k.Name + ": " + wording.Plural(len(k.Entries), "entry"))
		}
	}
	for _, p := range s.Passkeys() {
		b.WriteString("\n  passkey of " + strings.TrimSuffix(wording.OneLine(p.RPID+" ("+p.User()+")"), " ()"))
	}
	return b.String()
}

func runStateRename(_ context.Context, c *actions.Call) (actions.Result, error) {
	store, err := states(c)
	if err != nil {
		return actions.Result{}, err
	}
	path, err := store.Rename(c.String("old"), c.String("new"))
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{
		Data: RenamedResult{c.String("old"), path, true, c.String("new")},
		Text: "✓ Renamed to " + state.NameOf(path),
	}, nil
}

func runStateClear(ctx context.Context, c *actions.Call) (actions.Result, error) {
	if c.Has("name") == c.Bool("all") {
		return actions.Result{}, c.Invalid("`state clear` needs the name of a kept state, or --all.")
	}
	store, err := states(c)
	if err != nil {
		return actions.Result{}, err
	}
	removed, err := store.Clear(ctx, c.String("name"))
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{
		Data: ClearedResult{len(removed), append([]string{}, removed...)},
		Text: "✓ Removed " + wording.Plural(len(removed), "state"),
	}, nil
}

func runStateClean(_ context.Context, c *actions.Call) (actions.Result, error) {
	if !c.Has("older-than") {
		return actions.Result{}, c.Missing()
	}
	days := c.Int("older-than")
	if days < 0 {
		return actions.Result{}, c.Invalid("--older-than expects a number of days, got " + c.String("older-than"))
	}
	store, err := states(c)
	if err != nil {
		return actions.Result{}, err
	}
	removed, stay, err := store.Clean(time.Duration(days) * 24 * time.Hour)
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{
		Data: CleanedResult{len(removed), days, stay, append([]string{}, removed...)},
		Text: "✓ Cleaned " + strconv.Itoa(len(removed)) + " old state file(s)",
	}, nil
}
