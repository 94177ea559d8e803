package planning

import (
	"strings"

	"github.com/skua-browser/skua/tool/contract"
)

// domains refuses to open what lies outside of the session's domains.
func (s *planner) domains() *contract.Refusal {
	list := s.Plan.State.Domains
	if s.Words.Has("allowed-domains") {
		list = s.Words.Value("allowed-domains")
	}
	if list == "" {
		return nil
	}
	allowed, err := Domains(list)
	if err != nil {
		return contract.Refuse(contract.ValidationError, err.Error())
	}
	for _, line := range s.Lines() {
		for _, address := range Addresses(line) {
			if !strings.Contains(address, ":") || !strings.Contains(address, "//") {
				address = "https://" + address
			}
			if host := Outside(allowed, address); host != "" {
				return contract.Refuse(contract.PolicyBlocked,
					"policy-blocked: --allowed-domains "+list+" does not allow "+host+"; nothing was opened. "+
						"sessionMode \"fresh\" starts a browser with another list.")
			}
		}
	}
	return nil
}

// localFiles refuses what reaches for the files of sessions, and local files in a browser that is not ours.
func (s *planner) localFiles() *contract.Refusal {
	attached, cwd := s.Plan.State.Attached, s.Desk.Sessions.Cwd()
	for _, line := range s.Lines() {
		attached = attached || line.Attaches()
		for _, word := range Paths(line) {
			if Within(word, cwd, s.Protected) {
				return storageBlocked(word)
			}
		}
		for _, address := range Addresses(line) {
			if attached && IsLocalFile(address) {
				return contract.Refuse(contract.PolicyBlocked,
					"policy-blocked: "+address+" is a local file, and the session's browser was not started by the tool. "+
						"Open local files in a session of the tool's own: leave --session and --cdp out, or use sessionMode \"fresh\".")
			}
		}
	}
	if path := s.Line.Output; path != nil && Within(*path, cwd, s.Protected) {
		return storageBlocked(*path)
	}
	return nil
}

func storageBlocked(word string) *contract.Refusal {
	return contract.Refuse(contract.PolicyBlocked,
		"policy-blocked: Browser access to local .agent-browser storage is blocked: "+word+
			" is where sessions and their sockets are kept. Use another path.")
}
