package admin

import (
	"slices"

	"github.com/skua-browser/skua/actions"
)

// Commands returns the commands that look after the program itself.
func Commands() []actions.Command {
	return slices.Concat(
		guideCommands(), guideInstallCommands(), lockCommands(), policyCommands(), profileCommands(), pluginCommands(),
		configCommands(), servingCommands(),
		[]actions.Command{demoCommand()}, installCommands(), shellCommands(),
	)
}
