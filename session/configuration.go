package session

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/session/rules"
)

// noteConfiguration queues the notes about configuration files, once for each state of the files.
func (s *Session) noteConfiguration(c *grammar.Configuration) {
	var notes []string
	if c != nil {
		notes = c.AllNotes()
	}
	s.mu.Lock()
	noted := slices.Equal(s.configNotices, notes)
	s.configNotices = notes
	s.mu.Unlock()
	if noted {
		return
	}
	for _, note := range notes {
		s.addNotice(note)
	}
}

// wantsJSON reports whether a command line that does not parse asks for JSON: in its words, in variables, or in
// configuration files.
func wantsJSON(req Request, configure func(*grammar.Parsed) *grammar.Configuration) bool {
	chosen := false
	for _, a := range req.Args {
		if a == "--" {
			break
		}
		if a == "--json" || a == "--json=true" {
			return true
		}
		chosen = chosen || a == "--config" || strings.HasPrefix(a, "--config=")
	}
	for _, name := range []string{"SKUA_JSON", "AGENT_BROWSER_JSON"} {
		if v := req.Getenv(name); v != "" {
			return rules.IsTrue(v)
		}
	}
	if chosen || req.Getenv("SKUA_CONFIG") != "" || req.Getenv("AGENT_BROWSER_CONFIG") != "" {
		// the named file has not been read
		return false
	}
	setting, ok := configure(&grammar.Parsed{}).Settings["json"]
	return ok && rules.IsTrue(setting.Words[0])
}
