package actions

import "slices"

const storageGroup = "Cookies and storage"

// storageCommands are those on what a browser keeps for sites.
func storageCommands() []Command {
	return slices.Concat(cookieCommands(), webStorageCommands())
}
