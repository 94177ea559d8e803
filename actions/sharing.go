package actions

// sharingCommands are those that let people watch and learn.
func sharingCommands() []Command {
	return nil
}
