package actions

// captureCommands are those that write what a page is or does into files.
func captureCommands() []Command {
	return nil
}
