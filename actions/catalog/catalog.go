package catalog

import (
	"slices"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/network"
)

// Commands returns all commands of the product.
func Commands() []actions.Command {
	return slices.Concat(actions.Commands(), actions.WithShared(network.Commands()))
}
