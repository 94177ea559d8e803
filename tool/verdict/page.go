package verdict

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/contract"
	"github.com/skua-browser/skua/tool/planning"
)

// checkPage looks at the page that the session shows after the command.
func (t *trial) checkPage() {
	w, state := &t.Plan.Words, t.state
	if w.Has("allowed-domains") && t.Answer.Reached() {
		state.Domains = w.Value("allowed-domains")
	}
	url, from := state.Target.URL, t.Verdict.Before.URL
	if t.Answer.Success && state.Domains != "" {
		allowed, err := planning.Domains(state.Domains) // which planning has read before
		if host := planning.Outside(allowed, url); err == nil && host != "" {
			t.fail(contract.PolicyBlocked, planning.OutsideText(state.Domains, host, url))
		}
	}
	if planning.IsLocalFile(url) && isWeb(from) && !t.asksForFile() {
		t.fail(contract.ValidationError,
			"The session went from "+from+" to the local file "+url+
				" by itself. Open it by its address if that is meant, or go `back`.")
	}
}

func isWeb(url string) bool {
	return strings.HasPrefix(url, "http://") || strings.HasPrefix(url, "https://")
}

// asksForFile reports whether the caller may have wanted a local file: by its address, or as a tab or page of the
// history.
func (t *trial) asksForFile() bool {
	for _, line := range t.Plan.Lines() {
		if cmd := line.Entry; cmd == nil || cmd.Is(trait.Traverses) ||
			cmd.Is(trait.AboutTabs) && !cmd.Effect.Has(actions.Mutates) || cmd.ChoosesBrowser() || cmd.EndsSession() {
			return true
		}
		if slices.ContainsFunc(planning.Addresses(line), planning.IsLocalFile) {
			return true
		}
	}
	return false
}
