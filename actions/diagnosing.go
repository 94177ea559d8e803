package actions

import "slices"

// diagnosisCommands are those that tell what is wrong with a page.
func diagnosisCommands() []Command {
	return slices.Concat(
		consoleCommands(),
		diffCommands(),
		initScriptCommands(),
		inspectCommands(),
		[]Command{highlightCommand(), vitalsCommand(), auditCommand()},
	)
}
