package actions

import "slices"

// Commands returns all commands of the product, in the order of the help.
func Commands() []Command {
	return WithShared(slices.Concat(
		navigationCommands(),
		[]Command{pushStateCommand()},
		[]Command{snapshotCommand(), screenshotCommand(), readCommand()},
		readingCommands(),
		[]Command{waitCommand(), evalCommand()},
		pointerCommands(),
		typingCommands(),
		keyboardCommands(),
		clipboardCommands(),
		choosingCommands(),
		[]Command{uploadCommand(), downloadCommand()},
		dragCommands(),
		mouseCommands(),
		touchCommands(),
		scrollingCommands(),
		findCommands(),
		tabCommands(),
		[]Command{frameCommand()},
		dialogCommands(),
		captureCommands(),
		sessionCommands(),
		chatCommands(),
		taskCommands(),
		stateCommands(),
		shellCommands(),
		[]Command{exploreCommand()},
		[]Command{capabilitiesCommand()},
		copilotToolCommands(),
	))
}
