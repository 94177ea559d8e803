package session

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/session/rules"
)

// tellConfiguration tells the session's user what is to be known of the configuration files, once for each state that they are in.
func (s *Session) tellConfiguration(c *actions.Configuration) {
	var notes []string
	if c != nil {
		notes = c.Said()
	}
	s.mu.Lock()
	told := slices.Equal(s.toldConfig, notes)
	s.toldConfig = notes
	s.mu.Unlock()
	if told {
		return
	}
	for _, note := range notes {
		s.tell(note)
	}
}

// wantsJSON looks for the wish in a command line that does not parse: in its words, in variables, in configuration files.
func wantsJSON(req Request, configure func(*actions.Input) *actions.Configuration) bool {
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
			return rules.Truth(v)
		}
	}
	if chosen || req.Getenv("SKUA_CONFIG") != "" || req.Getenv("AGENT_BROWSER_CONFIG") != "" { // what they name is not known by now
		return false
	}
	setting, ok := configure(&actions.Input{}).Settings["json"]
	return ok && rules.Truth(setting.Words[0])
}
