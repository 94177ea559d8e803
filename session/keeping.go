package session

import (
	"errors"
	"os"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
)

// heedDownloadPath does what --download-path says, within the download roots. Roots that came after it end what lies outside of them.
func (s *Session) heedDownloadPath(in *actions.Input, path func(string) string) error {
	if in.Command().Effect.Has(actions.NoBrowser) {
		return nil
	}
	if given := in.String("download-path"); given != "" {
		dir, err := s.file(in, policy.Writing, path(given))
		if err != nil {
			return err
		}
		return s.keepDownloads(dir, given)
	}
	s.mu.Lock()
	keeps := s.keeps
	s.mu.Unlock()
	if keeps == "" || !in.Ruled("download-root") {
		return nil
	}
	if _, err := s.file(in, policy.Writing, keeps); err == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps = ""
	if s.holds != nil {
		s.holds.context.KeepDownloads("")
	}
	s.told = append(s.told, "downloads are not put into "+keeps+" any more, which is outside the download roots")
	return nil
}

// keepDownloads has what the session's pages download put into a folder, which is made for this user alone when it is missing. That holds until
// the session is closed.
func (s *Session) keepDownloads(dir, given string) error {
	s.mu.Lock()
	same := s.keeps == dir
	s.mu.Unlock()
	if err := makeFolder(dir); err != nil {
		return fault.New(fault.File, "Downloads cannot be put into %s: %w.", dir, err).About("--download-path " + given).
			WithHint("Name a folder that can be written to; one that is missing is made.")
	}
	if same {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keeps = dir
	if s.holds != nil {
		s.holds.context.KeepDownloads(dir)
	}
	return nil
}

// makeFolder makes sure that files can be put into a folder.
func makeFolder(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return os.MkdirAll(dir, 0o700)
	case err != nil:
		return err
	case !info.IsDir():
		return errors.New("it is a file, and not a folder")
	}
	probe, err := os.CreateTemp(dir, ".skua-*")
	if err != nil {
		return err
	}
	_ = probe.Close()
	return os.Remove(probe.Name())
}
