package actions

import "slices"

// networkCommands are those that look at what pages ask for and change it.
func networkCommands() []Command {
	return slices.Concat(routeCommands(), networkLogCommands(), networkSetCommands())
}
