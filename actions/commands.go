package actions

import "slices"

// Commands returns all commands of the product, in the order of the help.
func Commands() []Command {
	return append(withShared(slices.Concat(
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
		networkCommands(),
		storageCommands(),
		emulationCommands(),
		captureCommands(),
		diagnosisCommands(),
		sharingCommands(),
		sessionCommands(),
		lockCommands(),
		profileCommands(),
		policyCommands(),
		journalCommands(),
		taskCommands(),
		authCommands(),
		pluginCommands(),
		stateCommands(),
		electronCommands(),
		configCommands(),
		shellCommands(),
		servingCommands(),
		installCommands(),
		[]Command{capabilitiesCommand()},
	)), batchCommand())
}
