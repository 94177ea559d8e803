package actions

import "slices"

// storageCommands are those on what a browser keeps for sites.
func storageCommands() []Command {
	return slices.Concat(cookieCommands(), webStorageCommands())
}
