package catalog

import (
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/admin"
	"github.com/skua-browser/skua/actions/desktop"
	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/actions/emulate"
	"github.com/skua-browser/skua/actions/history"
	"github.com/skua-browser/skua/actions/live"
	"github.com/skua-browser/skua/actions/login"
	"github.com/skua-browser/skua/actions/network"
	"github.com/skua-browser/skua/actions/storage"
	"github.com/skua-browser/skua/actions/webmcp"
)

// Commands returns all commands of the product. The help shows those of a group in this order.
func Commands() []actions.Command {
	all := append(actions.Commands(), actions.WithShared(history.Commands())...)
	all = append(all, actions.Batch())
	for _, commands := range families() {
		all = append(all, actions.WithShared(commands())...)
	}
	return all
}

// families are the packages that have commands.
func families() []func() []actions.Command {
	return []func() []actions.Command{
		network.Commands,
		emulate.Commands,
		storage.Commands,
		desktop.Commands,
		admin.Commands,
		live.Commands,
		diagnose.Commands,
		login.Commands,
		webmcp.Commands,
	}
}

// Registry returns the registry of all commands. A process has one, since to make one takes milliseconds of its start.
func Registry() *actions.Registry { return registry() }

var registry = sync.OnceValue(func() *actions.Registry {
	r, err := actions.NewRegistry(Commands())
	if err != nil {
		panic(err) // the commands are the product's own, and its tests put them together
	}
	return r
})
