package copilot

import (
	"slices"

	"github.com/skua-browser/skua/actions"
)

// Commands returns the commands of this package, in the order of the help.
func Commands() []actions.Command {
	return slices.Concat(chatCommands(), skillCommands(), taskCommands(),
		[]actions.Command{exploreCommand(), scoutCommand(), capabilitiesCommand()}, copilotToolCommands())
}
