package diagnose

import (
	"slices"

	"github.com/skua-browser/skua/actions"
)

// Commands returns the commands that find out what is wrong with a page.
func Commands() []actions.Command {
	return slices.Concat(
		consoleCommands(),
		diffCommands(),
		initScriptCommands(),
		inspectCommands(),
		[]actions.Command{highlightCommand(), vitalsCommand(), auditCommand()},
		reactCommands(),
		traceCommands(),
		[]actions.Command{heapCommand()},
		insightsCommands(),
		logpointCommands(),
	)
}
