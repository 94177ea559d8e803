package network

import (
	"slices"

	"github.com/skua-browser/skua/actions"
)

// Commands returns the commands that look at what pages ask for and change it.
func Commands() []actions.Command {
	return slices.Concat(routeCommands(), networkLogCommands(), networkSetCommands(), []actions.Command{insightsCommand()})
}
