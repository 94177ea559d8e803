package actions

import "slices"

const networkGroup = "Network"

// networkCommands are those that look at what pages ask for and change it.
func networkCommands() []Command {
	return slices.Concat(routeCommands(), networkLogCommands(), networkSetCommands())
}
