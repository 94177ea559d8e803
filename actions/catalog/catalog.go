package catalog

import (
	"slices"
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/network"
)

// Commands returns all commands of the product.
func Commands() []actions.Command {
	return slices.Concat(actions.Commands(), actions.WithShared(network.Commands()))
}

// Registry returns the registry of all commands. A process has one, since to make one takes milliseconds of its start.
var Registry = sync.OnceValue(func() *actions.Registry {
	r, err := actions.NewRegistry(Commands())
	if err != nil {
		panic(err) // the commands are the product's own, and its tests put them together
	}
	return r
})
