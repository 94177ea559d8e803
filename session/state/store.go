package state

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/skua-browser/skua/internal/atomicfile"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/home"
	"github.com/skua-browser/skua/internal/sealed"
	"github.com/skua-browser/skua/internal/userfile"
)

// The file name endings.
const (
	plainEnding  = ".json"
	sealedEnding = ".json.enc"
	previous     = ".previous"
)

// Store is a user's folder of saved states, with the key for encrypting them.
type Store struct {
	dir    string
	other  string // a second folder to read from, or empty
	key    sealed.Key
	sealed bool // there is a key
}

// Place says which folder a store uses.
type Place uint8

// The places. A state that is missing in one is read from the other, so that a user of both programs has one set of
// logins.
const (
	OwnFolder      Place = iota // ~/.skua/states
	UpstreamFolder              // ~/.agent-browser/sessions, for programs that wrap agent-browser
)

// Open returns the store of a user whose environment getenv reads. The folder may be missing.
func Open(getenv func(string) string, namespace string, place Place) (*Store, error) {
	dir, err := home.Subdir(getenv, namespace, "states")
	if err != nil && place == OwnFolder {
		return nil, fault.New(fault.File, "the folder for states is unknown: %w", err)
	}
	other, err := home.UpstreamSessions(getenv, namespace)
	if place == UpstreamFolder {
		if err != nil {
			return nil, fault.New(fault.File, "the folder for states is unknown: %w", err)
		}
		dir, other = other, dir
	}
	s := &Store{dir: dir, other: other}
	for _, name := range []string{"SKUA_ENCRYPTION_KEY", "AGENT_BROWSER_ENCRYPTION_KEY"} {
		if text := getenv(name); text != "" {
			if s.key, err = sealed.KeyOfText(text); err != nil {
				return nil, err
			}
			s.sealed = true
			break
		}
	}
	return s, nil
}

// Dir returns the folder.
func (s *Store) Dir() string { return s.dir }

// Keeps reports whether a file is in the store's folder or its second one.
func (s *Store) Keeps(path string) bool {
	dir := filepath.Dir(path)
	return dir == s.dir || s.other != "" && dir == s.other
}

// checkName refuses an invalid name of a saved state.
func checkName(name string) error {
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' {
			return fault.New(fault.Usage,
				"Invalid state name '%s'. Only alphanumeric characters, hyphens, and underscores are allowed.", name).About(name)
		}
	}
	if name == "" || len(name) > 200 {
		return fault.New(fault.Usage, "Invalid state name '%s'. It must have 1 to 200 characters.", name).About(name)
	}
	return nil
}

// IsName reports whether the typed word is a state's name and not a path: it has neither a separator nor an ending.
func IsName(typed string) bool { return checkName(typed) == nil }

// kept returns the path of a saved state.
func (s *Store) kept(name string) string { return filepath.Join(s.dir, name+plainEnding) }

// Find returns the file that a caller means: the saved state of that name, else path(typed), each with or without
// ".enc".
func (s *Store) Find(typed string, path func(string) string) string {
	var candidates []string
	if IsName(typed) {
		candidates = append(candidates, s.kept(typed))
	}
	candidates = append(candidates, path(typed))
	if filepath.Base(typed) == typed && strings.Contains(typed, plainEnding) { // as in the output of `state list`
		candidates = append(candidates, filepath.Join(s.dir, typed))
	}
	if IsName(typed) && s.other != "" {
		candidates = append(candidates, filepath.Join(s.other, typed+plainEnding))
	}
	for _, c := range candidates {
		for _, file := range []string{c, c + ".enc"} {
			if info, err := os.Stat(file); err == nil && !info.IsDir() {
				return file
			}
		}
	}
	return path(typed)
}

// Target returns the file to write: that of the saved state with the name, else path(typed), with ".enc" if it will be
// encrypted.
func (s *Store) Target(typed string, path func(string) string) string {
	file := path(typed)
	if IsName(typed) {
		file = s.kept(typed)
	}
	return s.ending(file)
}

func (s *Store) ending(file string) string {
	if s.sealed && !strings.HasSuffix(file, ".enc") {
		return file + ".enc"
	}
	return file
}

// Info describes a state file without its content.
type Info struct {
	Path      string
	Encrypted bool
	Size      int64
	Modified  time.Time
}

// mostState is the largest file of a state.
const mostState = 1 << 30

// Read reads a state. path may be anywhere, since only a person names it.
func (s *Store) Read(ctx context.Context, path string) (*State, Info, error) {
	file, err := userfile.Stat(ctx, path)
	if err != nil {
		return nil, Info{}, fault.New(fault.File, "Failed to read state from %s: %w", path, err).About(path).
			WithHint("`state list` lists the saved states.")
	}
	info := Info{Path: path, Size: file.Size(), Modified: file.ModTime()}
	text, err := userfile.Read(ctx, path, mostState)
	if _, large := errors.AsType[*userfile.TooLargeError](err); large || errors.Is(err, userfile.ErrFolder) {
		return nil, info, fault.New(fault.StateInvalid, "Failed to read state from %s: %w", path, err).About(path)
	}
	if err != nil {
		return nil, info, fault.New(fault.File, "Failed to read state from %s: %w", path, err).About(path)
	}
	info.Encrypted = IsSealed(text)
	if info.Encrypted {
		if text, err = s.unseal(path, text); err != nil {
			return nil, info, err
		}
	}
	st, err := Parse(text)
	if err != nil {
		return nil, info, fault.New(fault.StateInvalid, "Invalid state file %s: %w", path, err).About(path).
			WithHint("It must be JSON from `state save` or Playwright's storageState.")
	}
	return st, info, nil
}

func (s *Store) unseal(path string, text []byte) ([]byte, error) {
	if !s.sealed {
		return nil, fault.New(fault.StateLocked, "%s is encrypted, but no key is given.", path).About(path).
			WithHint("Set SKUA_ENCRYPTION_KEY (or AGENT_BROWSER_ENCRYPTION_KEY) to the key that it was saved with.")
	}
	plain, err := sealed.Open(s.key, text)
	if err != nil {
		return nil, fault.New(fault.StateLocked, "%s cannot be opened: %w.", path, err).About(path).
			WithHint("SKUA_ENCRYPTION_KEY (or AGENT_BROWSER_ENCRYPTION_KEY) must be the key that it was saved with.")
	}
	return plain, nil
}

// IsSealed reports whether a file's text is encrypted, which means that it is not JSON. Encrypted text is random and
// may start like JSON.
func IsSealed(text []byte) bool {
	rest := bytes.TrimLeft(text, "\ufeff \t\r\n")
	switch {
	case len(rest) == 0:
		return false
	case rest[0] == '{' || rest[0] == '[':
		return slices.ContainsFunc(rest, control) || !utf8.Valid(rest) && !beginsObject(rest)
	}
	return rest[0] < ' ' || rest[0] > '~' || !printable(text)
}

// control reports whether c is a control character that JSON never contains.
func control(c byte) bool { return c < ' ' && c != '\t' && c != '\r' && c != '\n' }

// beginsObject reports whether the text after the first brace can follow it in JSON: such a text in an old encoding is
// damaged, not encrypted.
func beginsObject(text []byte) bool {
	rest := bytes.TrimLeft(text[1:], " \t\r\n")
	return len(rest) == 0 || bytes.IndexByte([]byte(`"{}[]`), rest[0]) >= 0
}

// printable reports whether a text starts like text: a file that is neither JSON nor encrypted is damaged.
func printable(text []byte) bool {
	return !slices.ContainsFunc(text[:min(len(text), 64)], func(c byte) bool {
		return c < '\t' || c > '\r' && c < ' ' || c == 0x7f || c >= 0x80
	})
}

// Write writes a state to a file and keeps the previous version beside it. It fails with [fault.StatePoorer], and
// changes nothing, if the existing state contains more than st and force is false. A state that replaces that of a
// restore key stays the key's.
func (s *Store) Write(ctx context.Context, path string, st *State, force bool) (size int64, err error) {
	if !force {
		if err := s.replaceable(ctx, path, st); err != nil {
			return 0, err
		}
	}
	if st.Saved != nil && st.Saved.Key == "" {
		st.Saved.Key = s.keyOf(ctx, path)
	}
	return s.write(ctx, path, st)
}

// WriteAfter writes the state of a session that began with the one at loaded, which is another session's if the restore
// key is the same. It fails as [Store.Write] does if that one contains more: at the next start the new one would take
// its place.
func (s *Store) WriteAfter(ctx context.Context, loaded, path string, st *State) (size int64, err error) {
	if err := s.replaceable(ctx, loaded, st); err != nil {
		return 0, err
	}
	if _, _, err := s.Read(ctx, path); loaded != path && fault.Is(err, fault.StateLocked) {
		return 0, s.replaceable(ctx, path, st)
	}
	return s.write(ctx, path, st)
}

// replaceable returns why the state at path must not be replaced by st.
func (s *Store) replaceable(ctx context.Context, path string, st *State) error {
	old, _, err := s.Read(ctx, path)
	switch {
	case err == nil:
		if lost := LostData(old, st, time.Now()); len(lost) > 0 {
			return fault.New(fault.StatePoorer, "%s holds more than what would replace it. It would lose %s.", path,
				strings.Join(lost, ", ")).
				About(path).With("lost", lost).WithHint("Use another path, or --force to replace it.")
		}
	case fault.Is(err, fault.StateLocked):
		return fault.New(fault.StateLocked, "%s exists, but the key does not open it: it was not replaced.", path).
			About(path).
			WithHint("Use another path, or --force to replace it.")
	}
	return nil
}

func (s *Store) write(ctx context.Context, path string, st *State) (size int64, err error) {
	var before []byte
	text, err := st.Text()
	if err != nil {
		return 0, err
	}
	if s.sealed {
		if text, err = sealed.Seal(s.key, text); err != nil {
			return 0, err
		}
	}
	fail := func(err error) error {
		return fault.New(fault.File, "Failed to write state to %s: %w", path, reason(err)).About(path)
	}
	if filepath.Dir(path) == s.dir {
		if err := home.Make(s.dir); err != nil {
			return 0, fail(err)
		}
		before, _ = userfile.Read(ctx, path, mostState) // what cannot be read has no earlier version
	}
	if before != nil && !slices.Equal(before, text) {
		if err := atomicfile.Write(path+previous, before); err != nil {
			return 0, fail(err)
		}
	}
	if err := atomicfile.Write(path, text); err != nil {
		return 0, fail(err)
	}
	if other := otherForm(path); filepath.Dir(path) == s.dir && s.sealed {
		_ = os.Remove(other) // an unencrypted copy would reveal the encrypted one
		_ = os.Remove(other + previous)
	}
	return int64(len(text)), nil
}

// otherForm returns the path of the unencrypted state for that of the encrypted one, and the reverse.
func otherForm(path string) string {
	if plain, ok := strings.CutSuffix(path, ".enc"); ok {
		return plain
	}
	return path + ".enc"
}

// List returns the saved states, last saved first.
func (s *Store) List() ([]Info, error) {
	all, err := listDir(s.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fault.New(fault.File, "the states in %s cannot be listed: %w", s.dir, reason(err)).About(s.dir)
	}
	slices.SortStableFunc(all, func(a, b Info) int { return b.Modified.Compare(a.Modified) })
	return all, nil
}

// Has reports whether the file exists, encrypted or not.
func (s *Store) Has(path string) bool { return exists(path) || exists(otherForm(path)) }

// NameOf returns the name of a saved state for its file.
func NameOf(path string) string {
	return strings.TrimSuffix(strings.TrimSuffix(filepath.Base(path), ".enc"), plainEnding)
}

// Rename renames a saved state. It replaces no other state.
func (s *Store) Rename(from, to string) (path string, err error) {
	for _, name := range []string{from, to} {
		if err := checkName(strings.TrimSuffix(strings.TrimSuffix(name, ".enc"), plainEnding)); err != nil {
			return "", err
		}
	}
	from, to = NameOf(from), NameOf(to)
	old := s.Find(from, s.kept)
	if filepath.Dir(old) != s.dir || !exists(old) {
		return "", s.unknown(from)
	}
	path = filepath.Join(s.dir, to+strings.TrimPrefix(filepath.Base(old), from))
	if other := s.Find(to, s.kept); exists(other) {
		return "", fault.New(fault.File, "a state named %s already exists: %s.", to, other).About(to).
			WithHint("Choose another name, or remove that one: state clear %s", to)
	}
	if err := os.Rename(old, path); err != nil {
		return "", fault.New(fault.File, "%s cannot be renamed: %w", old, reason(err)).About(from)
	}
	if exists(old + previous) {
		_ = os.Rename(old+previous, path+previous)
	}
	return path, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

func (s *Store) unknown(name string) error {
	return fault.New(fault.File, "no state named %s is saved in %s.", name, s.dir).About(name).
		WithHint("`state list` lists the saved states.")
}

// Clear removes the saved state with the name and what any session saved under the restore key of that name, or all
// states. It returns their names.
func (s *Store) Clear(ctx context.Context, name string) (removed []string, err error) {
	all, err := s.List()
	if err != nil {
		return nil, err
	}
	for _, info := range all {
		if n := NameOf(info.Path); name == "" || n == name ||
			strings.HasPrefix(n, name+"-") && s.isSavedUnder(ctx, info.Path, name) {
			if err := s.remove(info.Path); err != nil {
				return removed, err
			}
			removed = append(removed, n)
		}
	}
	if name != "" && len(removed) == 0 {
		return nil, s.unknown(name)
	}
	return removed, nil
}

// Clean removes saved states that are older than age. It returns the names of the removed ones and the number of the
// others.
func (s *Store) Clean(age time.Duration) (removed []string, stay int, err error) {
	all, err := s.List()
	if err != nil {
		return nil, 0, err
	}
	for _, info := range all {
		if time.Since(info.Modified) <= age {
			stay++
			continue
		}
		if err := s.remove(info.Path); err != nil {
			return removed, stay, err
		}
		removed = append(removed, NameOf(info.Path))
	}
	return removed, stay, nil
}

func (s *Store) remove(path string) error {
	_ = os.Remove(path + previous)
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fault.New(fault.File, "%s cannot be removed: %w", path, reason(err)).About(path)
	}
	return nil
}

// reason returns the cause of a file error without the path, which the message already has.
func reason(err error) error {
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		return p.Err
	}
	return err
}

// Days formats an age.
func Days(age time.Duration) string {
	if days := int(age.Hours() / 24); days != 1 {
		return fmt.Sprintf("%d days", days)
	}
	return "1 day"
}
