package session

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/private"
)

// applyDownloadPath applies --download-path within the download roots. A root that is added later ends a download path outside it.
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
	s.mu.Lock()
	keeps := s.downloadDir
	s.mu.Unlock()
	if keeps == "" || !in.Ruled("download-root") {
		return nil
	}
	if _, err := s.file(in, policy.Writing, keeps); err == nil {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.downloadDir = ""
	if s.lease != nil {
		s.lease.context.KeepDownloads("")
	}
	s.notices.Add("downloads are no longer saved in " + keeps + ", which is outside the download roots")
	return nil
}

// setDownloadDir saves the downloads of the session's pages in a folder until the session closes. A missing folder is created for this user only.
func (s *Session) setDownloadDir(dir, given string) error {
	s.mu.Lock()
	same := s.downloadDir == dir
	s.mu.Unlock()
	if err := private.EnsureWritable(dir); err != nil {
		return fault.New(fault.File, "Downloads cannot be saved in %s: %w.", dir, err).About("--download-path " + given).
			WithHint("Name a writable folder; a missing one is created.")
	}
	if same {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.downloadDir = dir
	if s.lease != nil {
		s.lease.context.KeepDownloads(dir)
	}
	return nil
}

// lostDownloads returns the error of the downloads for the folder of --download-path that end with the session. A browser of someone else completes
// its downloads after the session.
func (s *Session) lostDownloads() *fault.Error {
	s.mu.Lock()
	lease, dir := s.lease, s.downloadDir
	s.mu.Unlock()
	if lease == nil || dir == "" || lease.browser.Err() != nil {
		return nil
	}
	return downloads.Lost(lease.context.Downloads().Unkept(!lease.launch.UserBrowser()), dir)
}
