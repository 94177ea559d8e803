package actions

// diagnosisCommands are those that tell what is wrong with a page.
func diagnosisCommands() []Command {
	return nil
}
