package actions

// networkCommands are those that look at what pages ask for and change it.
func networkCommands() []Command {
	return networkLogCommands()
}
