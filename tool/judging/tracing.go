package judging

import (
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
)

// Tracing is who traces in a session: "", "trace" or "profiler". A browser has one trace at a time, which both would
// use.
type Tracing string

// After returns who traces after a command that succeeded.
func (t Tracing) After(line *argv.Words) Tracing {
	switch {
	case line.Begins(trait.Trace, trait.Profile):
		return Tracing(line.Command)
	case line.Ends(trait.Trace, trait.Profile) && Tracing(line.Command) == t, line.EndsSession():
		return ""
	}
	return t
}

// Conflict says why a command would be in the way of who traces now; empty when it is not.
func (t Tracing) Conflict(line *argv.Words) string {
	if t == "" || !line.Begins(trait.Trace, trait.Profile) && !line.Ends(trait.Trace, trait.Profile) {
		return ""
	}
	stops := line.Ends(trait.Trace, trait.Profile)
	if stops && Tracing(line.Command) == t {
		return ""
	}
	return "Wrapper believes " + string(t) + " tracing is active in this session, which `" + line.Name() +
		"` would be in the way of. End it first with `" +
		string(t) + " stop`."
}
