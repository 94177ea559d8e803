package state

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"
)

// SetKey notes the restore key that the state is saved under.
func (s *State) SetKey(key string) {
	if s.Saved == nil {
		s.Saved = &Saved{Version: version}
	}
	s.Saved.Key = key
}

// Restore returns the file that a session saves to under a restore key.
func (s *Store) Restore(key, session string) string { return s.ending(s.kept(key + "-" + session)) }

// SavedState is what was found under a restore key.
type SavedState struct {
	*State         // nil means that nothing could be read
	Info   Info    // of its file
	Unread []error // what may be newer and could not be read
	Found  bool    // whether anything is saved under the key
}

// Newest reads the state that was saved last under a restore key, by whichever session, as agent-browser does. Files of
// the store's own folder come before those of the second one. Where nothing could be read, the first of Unread is the
// error.
func (s *Store) Newest(ctx context.Context, key, session string) (SavedState, error) {
	var unread []error
	for _, dir := range []string{s.dir, s.other} {
		for _, path := range restoreFiles(dir, key, session) {
			st, info, err := s.Read(ctx, path)
			switch {
			case fault.Is(err, fault.File) && !exists(path): // removed meanwhile
			case err != nil && NameOf(path) == key+"-"+session:
				return SavedState{Info: info, Unread: unread, Found: true}, err
			case err != nil: // it may belong to another key
				unread = append(unread, err)
			case st.savedUnder(key, NameOf(path) == key+"-"+session):
				return SavedState{st, info, unread, true}, nil
			}
		}
	}
	if len(unread) > 0 {
		return SavedState{Unread: unread, Found: true}, unread[0]
	}
	return SavedState{}, nil
}

// restoreFiles returns the files in a folder that may be saved under a key, last saved first. Of files of the same time
// that of the session is first.
func restoreFiles(dir, key, session string) []string {
	if dir == "" {
		return nil
	}
	all, err := listDir(dir)
	if err != nil {
		return nil // a folder that cannot be read has nothing for the key, and the next save names it
	}
	own := key + "-" + session
	all = slices.DeleteFunc(all, func(i Info) bool { return !strings.HasPrefix(NameOf(i.Path), key+"-") })
	slices.SortStableFunc(all, func(a, b Info) int {
		if c := b.Modified.Compare(a.Modified); c != 0 {
			return c
		}
		if NameOf(a.Path) == own {
			return -1
		}
		return 0
	})
	paths := make([]string, len(all))
	for i := range all {
		paths[i] = all[i].Path
	}
	return paths
}

// savedUnder reports whether a state whose file is named for a restore key belongs to it. skua's own files say so: both
// keys and sessions may have hyphens, so that "a-b-c" is a name of two keys, and `state save a-b` is for none. Files of
// agent-browser say nothing; own is the file that is named for this session.
func (s *State) savedUnder(key string, own bool) bool {
	switch {
	case s.Saved == nil:
		return true
	case s.Saved.Key == "":
		return own
	}
	return s.Saved.Key == key
}

// keyOf returns the restore key that a file says it was saved under, or "".
func (s *Store) keyOf(ctx context.Context, path string) string {
	if st, _, err := s.Read(ctx, path); err == nil && st.Saved != nil {
		return st.Saved.Key
	}
	return ""
}

// isSavedUnder reports whether a file that is named for a restore key belongs to it. One that cannot be read may.
func (s *Store) isSavedUnder(ctx context.Context, path, key string) bool {
	st, _, err := s.Read(ctx, path)
	return err != nil || st.savedUnder(key, false)
}

// listDir returns the state files of a folder in no order.
func listDir(dir string) ([]Info, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var all []Info
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || strings.HasPrefix(name, ".") ||
			!strings.HasSuffix(name, plainEnding) && !strings.HasSuffix(name, sealedEnding) {
			continue
		}
		if info, err := e.Info(); err == nil { // skip a file that was just removed
			all = append(all, Info{
				Path:      filepath.Join(dir, name),
				Encrypted: strings.HasSuffix(name, ".enc"),
				Size:      info.Size(),
				Modified:  info.ModTime(),
			})
		}
	}
	return all, nil
}
