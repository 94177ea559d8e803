package actions

// emulationCommands are those that change what the browser tells pages of itself and of its surroundings.
func emulationCommands() []Command {
	return nil
}
