package actions

// storageCommands are those on what a browser keeps for sites.
func storageCommands() []Command {
	return nil
}
