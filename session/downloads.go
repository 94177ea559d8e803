package session

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/private"
)

// applyDownloadPath applies --download-path within the download roots. A root that is added later ends a download path
// outside it.
func (s *Session) applyDownloadPath(in *actions.Input, path func(string) string) error {
	if in.Command().Effect.Has(actions.NoBrowser) {
		return nil
	}
	if given := in.String("download-path"); given != "" {
		dir, err := s.file(in, policy.Writing, path(given))
		if err != nil {
			return err
		}
		return s.setDownloadDir(dir, given)
	}
	keeps := s.browser.DownloadDir()
	if keeps == "" || !in.Ruled("download-root") {
		return nil
	}
	if _, err := s.file(in, policy.Writing, keeps); err == nil {
		return nil
	}
	s.browser.SetDownloadDir("")
	s.notices.Add("downloads are no longer saved in " + keeps + ", which is outside the download roots")
	return nil
}

// setDownloadDir saves the downloads of the session's pages in a folder until the session closes. A missing folder is
// created for this user only.
func (s *Session) setDownloadDir(dir, given string) error {
	if err := private.EnsureWritable(dir); err != nil {
		return fault.New(fault.File, "Downloads cannot be saved in %s: %w.", dir, err).About("--download-path " + given).
			WithHint("Name a writable folder; a missing one is created.")
	}
	s.browser.SetDownloadDir(dir)
	return nil
}
