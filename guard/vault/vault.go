package vault

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/sealed"
)

// Options configure a vault.
type Options struct {
	Getenv    func(string) string // the caller's environment
	Namespace string              // of the caller; may be empty
	Keyring   Keyring             // nil means the system's, unless SKUA_KEYRING is off
}

// Vault contains the logins of a user. Its methods are safe for concurrent use, also by several processes.
type Vault struct {
	dir      string // of the entries
	upstream string // the folder of agent-browser's entries; empty means that none are read
	keys     *keys
	others   *keys // for agent-browser's
}

// Open returns the vault. It reads and creates nothing yet.
func Open(o Options) (*Vault, error) {
	dir, err := home.Subdir(o.Getenv, o.Namespace, "auth")
	if err != nil {
		return nil, fault.New(fault.File, "the vault has no folder: %w", err)
	}
	ring := o.Keyring
	if ring == nil {
		ring = system(o.Getenv)
	}
	v := &Vault{
		dir: dir,
		keys: &keys{
			getenv: o.Getenv,
			names:  []string{"SKUA_ENCRYPTION_KEY", "AGENT_BROWSER_ENCRYPTION_KEY"},
			file:   filepath.Join(filepath.Dir(dir), ".encryption-key"),
			ring:   ring,
		},
	}
	if up, err := home.Upstream(o.Getenv); err == nil && o.Namespace == "" {
		v.upstream = filepath.Join(up, "auth")
		v.others = &keys{
			getenv: o.Getenv,
			names:  []string{"AGENT_BROWSER_ENCRYPTION_KEY"},
			file:   filepath.Join(up, ".encryption-key"),
			ring:   noKeyring{},
		}
	}
	return v, nil
}

const suffix = ".json"

func (v *Vault) path(name string) string { return filepath.Join(v.dir, name+suffix) }

// Get returns the entry with a name. The error is CredentialNotFound if there is none, and VaultLocked if no key
// decrypts it.
func (v *Vault) Get(ctx context.Context, name string) (*Entry, error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	e, err := read(ctx, v.path(name), v.keys)
	if errors.Is(err, fs.ErrNotExist) && v.upstream != "" {
		path := filepath.Join(v.upstream, name+suffix)
		if e, err = read(ctx, path, v.others); e != nil {
			e.UpstreamFile = path
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil, notFound(name)
	}
	if err != nil {
		return nil, err
	}
	e.Name = name
	return e, nil
}

// read reads an entry. Its errors are those of Get, and fs.ErrNotExist if there is no file.
func read(ctx context.Context, path string, k *keys) (*Entry, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fs.ErrNotExist
		}
		return nil, fault.New(fault.File, "the login cannot be read: %w", err).About(path)
	}
	text := data
	if sealed.IsJSON(data) {
		if text, err = k.open(ctx, path, data); err != nil {
			return nil, err
		}
	}
	var e Entry
	if json.Unmarshal(text, &e) != nil || e.Password == "" && e.Username == "" && len(e.Passkeys) == 0 {
		// json's error may quote the text
		return nil, fault.New(fault.VaultLocked, "%s holds no login", path).About(path).
			WithHint("The file is damaged: `auth save` writes it again.")
	}
	return &e, nil
}

// Save saves an entry, replaces one with the same name, and sets its creation time. The note says where a key was
// created; empty means that none was.
func (v *Vault) Save(ctx context.Context, e *Entry) (replaced bool, note string, err error) {
	if err := CheckName(e.Name); err != nil {
		return false, "", err
	}
	if err := home.Make(v.dir); err != nil {
		return false, "", fault.New(fault.File, "the vault's folder cannot be created: %w", err).About(v.dir)
	}
	key, note, err := v.keys.forSealing(ctx)
	if err != nil {
		return false, "", err
	}
	if _, err := os.Lstat(v.path(e.Name)); err == nil {
		replaced = true
		if before, err := read(ctx, v.path(e.Name), v.keys); err == nil && e.CreatedAt == nil {
			e.CreatedAt = before.CreatedAt
		}
	}
	if e.CreatedAt == nil {
		e.CreatedAt = now()
	}
	return replaced, note, v.write(e, key)
}

func (v *Vault) write(e *Entry, key sealed.Key) error {
	text, err := json.Marshal(e)
	if err == nil {
		text, err = sealed.SealJSON(key, text)
	}
	if err == nil {
		err = atomicfile.Write(v.path(e.Name), text)
	}
	if err != nil {
		return fault.New(fault.File, "the login cannot be saved: %w", err).About(e.Name)
	}
	return nil
}

// MarkUsed records a successful login. Entries of agent-browser stay unchanged.
func (v *Vault) MarkUsed(ctx context.Context, e *Entry) error {
	if e.UpstreamFile != "" {
		return nil
	}
	key, _, err := v.keys.forSealing(ctx)
	if err != nil {
		return err
	}
	e.LastLoginAt = now()
	return v.write(e, key)
}

// SavePasskeys saves the passkeys of an entry as they are now: signatures are counted. Entries of agent-browser stay
// unchanged.
func (v *Vault) SavePasskeys(ctx context.Context, e *Entry) error {
	if e.UpstreamFile != "" {
		return nil
	}
	key, _, err := v.keys.forSealing(ctx)
	if err != nil {
		return err
	}
	return v.write(e, key)
}

func now() *time.Time {
	t := time.Now().UTC().Truncate(time.Second)
	return &t
}

// List returns the entries, sorted by name, and the names of those that no key decrypts.
func (v *Vault) List(ctx context.Context) (entries []Entry, locked []string, err error) {
	names := map[string]bool{}
	for _, dir := range []string{v.dir, v.upstream} {
		if dir == "" {
			continue
		}
		files, err := os.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, nil, fault.New(fault.File, "the vault cannot be read: %w", err).About(dir)
		}
		for _, f := range files {
			if name, ok := strings.CutSuffix(f.Name(), suffix); ok && goodName.MatchString(name) {
				names[name] = true
			}
		}
	}
	for name := range names {
		switch e, err := v.Get(ctx, name); {
		case err == nil:
			entries = append(entries, *e)
		case fault.Is(err, fault.VaultLocked):
			locked = append(locked, name)
		case !fault.Is(err, fault.CredentialNotFound): // skip one that was just deleted
			return nil, nil, err
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Name, b.Name) })
	slices.Sort(locked)
	return entries, locked, nil
}

// Delete removes the entries with a name, also agent-browser's, and returns the removed files. It needs no key.
func (v *Vault) Delete(name string) (removed []string, err error) {
	if err := CheckName(name); err != nil {
		return nil, err
	}
	for _, dir := range []string{v.dir, v.upstream} {
		if dir == "" {
			continue
		}
		path := filepath.Join(dir, name+suffix)
		switch err := os.Remove(path); {
		case err == nil:
			removed = append(removed, path)
		case !errors.Is(err, fs.ErrNotExist):
			return removed, fault.New(fault.File, "the login cannot be deleted: %w", err).About(name)
		}
	}
	if len(removed) == 0 {
		return nil, notFound(name)
	}
	return removed, nil
}

// Foreign reports whether a file that Delete removed belonged to agent-browser.
func (v *Vault) Foreign(path string) bool {
	return v.upstream != "" && filepath.Dir(path) == v.upstream
}
