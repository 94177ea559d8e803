package tool

import (
	"strings"

	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
	"github.com/skua-browser/skua/tool/planning"
)

// notInScripts says why a script may not run a command; empty means that it may.
func notInScripts(w *argv.Words) string {
	const why = " cannot be run in a script, which has one session of its own that ends with it. "
	switch {
	case w.EndsSession():
		return "policy-blocked: " + w.Command + why + "It is closed when the script ends."
	case w.IsBatch():
		return "policy-blocked: batch" + why + "Call browser for each command."
	}
	if w.Akin(trait.NotInScripts) || w.Command == "attach" || w.Command == "script" {
		return "policy-blocked: " + w.Command + why + "Use args outside of the script."
	}
	if w.HasSession || w.HasNamespace {
		return "policy-blocked: --session and --namespace cannot be given in a script, which has one session of its own."
	}
	for _, token := range w.LaunchScoped() {
		if name, _, _ := strings.Cut(token, "="); name != "--allowed-domains" {
			return "policy-blocked: " + token +
				" cannot be given in a script: its browser is launched without flags. Only --allowed-domains can."
		}
	}
	if !w.Inspects() && planning.Sessionless(w) {
		return "policy-blocked: " + w.Name() + why + "It needs no browser; use args outside of the script."
	}
	return ""
}
