package storage

import (
	"slices"

	"github.com/skua-browser/skua/actions"
)

// Commands returns the commands on what a browser keeps for sites.
func Commands() []actions.Command {
	return slices.Concat(cookieCommands(), webStorageCommands())
}
