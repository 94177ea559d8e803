package actions

import "slices"

// sharingCommands are those that let people watch and learn.
func sharingCommands() []Command {
	return slices.Concat(streamCommands(), dashboardCommands(), webMCPCommands(), reactCommands())
}
