package find

import "github.com/skua-browser/skua/actions"

// Commands returns the commands of this package, in the order of the help.
func Commands() []actions.Command {
	return findCommands()
}
