package live

import (
	"slices"

	"github.com/skua-browser/skua/actions"
)

// Commands returns the commands that let people watch sessions.
func Commands() []actions.Command { return slices.Concat(streamCommands(), dashboardCommands()) }
