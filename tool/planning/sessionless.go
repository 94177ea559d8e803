package planning

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/tool/argv"
)

// Sessionless reports whether a command line needs no session unless it names one.
func Sessionless(w *argv.Words) bool {
	switch {
	case w.Does(trait.ServesTools):
		return w.Help
	case w.Entry == nil || w.Entry.Sessionless == nil:
		return false
	}
	f := trait.Form{
		Words: len(w.Positionals), Has: w.Has,
		Short: len(strings.Fields(w.Command+" "+w.Subcommand)) < len(strings.Fields(w.Entry.Name)),
	}
	for i := range w.Flags {
		f.Unknown = f.Unknown || !w.Flags[i].Global && !slices.ContainsFunc(w.Entry.Flags, func(own actions.Flag) bool {
			return own.Name == w.Flags[i].Name
		})
	}
	return w.Entry.Sessionless(f)
}
