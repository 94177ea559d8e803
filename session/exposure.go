package session

// noSandboxNote is the variable of callers who know that their browsers lack Chromium's sandbox, as in a container of their own.
const noSandboxNote = "SKUA_NO_SANDBOX_NOTE"

// exposure says, once in the life of a host, that the system refuses Chromium's sandbox to its browsers. A caller who has asked for a browser without
// it, or says that it is known, is not told.
func (m *Manager) exposure(s *Session, getenv func(string) string) {
	s.mu.Lock()
	why := ""
	if s.holds != nil {
		why = s.holds.browser.Exposure()
	}
	s.mu.Unlock()
	if known := getenv(noSandboxNote); why == "" || known != "" && known != "0" && known != "false" || !m.exposed.CompareAndSwap(false, true) {
		return
	}
	s.tell("the browser runs without Chromium's own sandbox, since " + why + ": a page that takes over the process that renders it has the rights of this user; " +
		"`doctor` says what to do, and " + noSandboxNote + "=1 that you know")
}
