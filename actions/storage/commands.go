package storage

import (
	"slices"

	"github.com/skua-browser/skua/actions"
)

// Commands are those on what a browser keeps for sites.
func Commands() []actions.Command {
	return slices.Concat(cookieCommands(), webStorageCommands())
}
