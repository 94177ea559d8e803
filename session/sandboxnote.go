package session

// noSandboxNote is the variable with which a caller turns off the note about the missing sandbox, for example in a container.
const noSandboxNote = "SKUA_NO_SANDBOX_NOTE"

// noteMissingSandbox reports, once per host, that the system refuses Chromium's sandbox. Callers who asked for a browser without it, or set
// noSandboxNote, are not told.
func (m *Manager) noteMissingSandbox(s *Session, getenv func(string) string) {
	s.mu.Lock()
	why := ""
	if s.lease != nil {
		why = s.lease.browser.Exposure()
	}
	s.mu.Unlock()
	if known := getenv(noSandboxNote); why == "" || known != "" && known != "0" && known != "false" || !m.sandboxNoted.CompareAndSwap(false, true) {
		return
	}
	s.addNotice("the browser runs without Chromium's own sandbox, since " + why + ": a page that takes over its renderer process has the rights of this user; " +
		"run `doctor` to see what to do, or set " + noSandboxNote + "=1 to hide this note")
}
