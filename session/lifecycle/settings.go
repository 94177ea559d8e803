package lifecycle

import (
	"sync"

	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/dialogs"
	"github.com/skua-browser/skua/engine/downloads"
	"github.com/skua-browser/skua/internal/fault"
)

// Settings are what a session asks of whatever browser it has: how dialogs are treated, and where downloads go.
type Settings struct {
	mu          sync.Mutex
	context     *engine.Context // in the session's browser, or nil
	keepDialogs bool            // --no-auto-dialog was given
	dialogs     *dialogs.Policy
	downloadDir string // --download-path: the folder, or empty
}

// apply applies the settings to the context of a new browser, or nil.
func (s *Settings) apply(c *engine.Context) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.context = c; c != nil {
		c.DialogPolicies().Set(s.dialogPolicyLocked())
		c.Downloads().KeepIn(s.downloadDir)
	}
}

func (s *Settings) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepDialogs, s.dialogs, s.downloadDir = false, nil, ""
}

// DialogPolicy returns the session's dialog policy.
func (s *Settings) DialogPolicy() dialogs.Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dialogPolicyLocked()
}

func (s *Settings) dialogPolicyLocked() dialogs.Policy {
	switch {
	case s.dialogs != nil:
		return *s.dialogs
	case s.keepDialogs:
		return dialogs.Policy{Answer: dialogs.Keep}
	}
	return dialogs.Policy{}
}

// SetDialogPolicy sets the session's dialog policy; nil means as --no-auto-dialog says.
func (s *Settings) SetDialogPolicy(policy *dialogs.Policy) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dialogs = policy
	s.applyDialogsLocked()
}

// KeepDialogs applies --no-auto-dialog until it is given again.
func (s *Settings) KeepDialogs(keep bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.keepDialogs = keep
	s.applyDialogsLocked()
}

func (s *Settings) applyDialogsLocked() {
	if s.context != nil {
		s.context.DialogPolicies().Set(s.dialogPolicyLocked())
	}
}

// treatsDialogs reports whether dialogs are treated otherwise than always: explicit by a command, asked by
// --no-auto-dialog.
func (s *Settings) treatsDialogs() (explicit, asked bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dialogs != nil, s.keepDialogs
}

// DownloadDir returns the folder of --download-path, or empty.
func (s *Settings) DownloadDir() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.downloadDir
}

// SetDownloadDir saves the downloads of the session's pages in a folder until the session closes; empty means no
// longer.
func (s *Settings) SetDownloadDir(dir string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.downloadDir == dir {
		return
	}
	s.downloadDir = dir
	if s.context != nil {
		s.context.Downloads().KeepIn(dir)
	}
}

// lostDownloads returns the error of the downloads for the folder of --download-path that end with the session. A
// browser of someone else completes its downloads after the session.
func (b *Browser) lostDownloads() *fault.Error {
	lease, dir := b.Lease(), b.Settings.DownloadDir()
	if lease == nil || dir == "" || lease.Browser.Err() != nil {
		return nil
	}
	return downloads.Lost(lease.Context.Downloads().Unkept(!lease.Launch.UserBrowser()), dir)
}
