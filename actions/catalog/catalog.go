package catalog

import (
	"sync"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/admin"
	"github.com/skua-browser/skua/actions/annotations"
	"github.com/skua-browser/skua/actions/batch"
	"github.com/skua-browser/skua/actions/capture"
	"github.com/skua-browser/skua/actions/copilot"
	"github.com/skua-browser/skua/actions/desktop"
	"github.com/skua-browser/skua/actions/diagnose"
	"github.com/skua-browser/skua/actions/download"
	"github.com/skua-browser/skua/actions/emulate"
	"github.com/skua-browser/skua/actions/find"
	"github.com/skua-browser/skua/actions/forms"
	"github.com/skua-browser/skua/actions/handoff"
	"github.com/skua-browser/skua/actions/history"
	"github.com/skua-browser/skua/actions/live"
	"github.com/skua-browser/skua/actions/login"
	"github.com/skua-browser/skua/actions/look"
	"github.com/skua-browser/skua/actions/navigate"
	"github.com/skua-browser/skua/actions/network"
	"github.com/skua-browser/skua/actions/pointer"
	"github.com/skua-browser/skua/actions/read"
	"github.com/skua-browser/skua/actions/routine"
	"github.com/skua-browser/skua/actions/states"
	"github.com/skua-browser/skua/actions/storage"
	"github.com/skua-browser/skua/actions/tabs"
	"github.com/skua-browser/skua/actions/wait"
	"github.com/skua-browser/skua/actions/webmcp"
)

// Commands returns all commands of the product. Within a group, help lists them in this order.
func Commands() []actions.Command {
	var all []actions.Command
	for _, commands := range append(families(), added...) {
		all = append(all, actions.WithShared(commands())...)
	}
	return append(append(all, batch.Commands()...), routine.Commands()...)
}

// families are the packages that have commands, in the order in which the help shows those of a group. Those of batch
// and routine come without the flags that others share.
func families() []func() []actions.Command {
	return []func() []actions.Command{
		navigate.Commands,
		look.Commands,
		read.Commands,
		wait.Commands,
		pointer.Commands,
		forms.Commands,
		download.Commands,
		find.Commands,
		tabs.Commands,
		capture.Commands,
		copilot.Commands,
		states.Commands,
		history.Commands,
		network.Commands,
		emulate.Commands,
		storage.Commands,
		desktop.Commands,
		admin.Commands,
		live.Commands,
		handoff.Commands,
		annotations.Commands,
		diagnose.Commands,
		login.Commands,
		webmcp.Commands,
	}
}

// added are the families of a program that has commands of its own.
var added []func() []actions.Command

// Add adds a family of commands, which help, policies, the tool and all others that ask the registry know from then on.
// It is called before the first use of [Registry].
func Add(family func() []actions.Command) { added = append(added, family) }

// Registry returns the registry of all commands. A process has one, since to make one takes milliseconds of its start.
func Registry() *actions.Registry { return registry() }

var registry = sync.OnceValue(func() *actions.Registry {
	r, err := actions.NewRegistry(Commands())
	if err != nil {
		panic(err) // the commands are the product's own, and its tests put them together
	}
	return r
})
