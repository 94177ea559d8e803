package admin

import (
	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/guard/policy"
)

// demoPort is where the demo shop is served, so that its address can stand in a tutorial.
const demoPort = "4850"

// demoCommand is a program of its own, as those that serve are.
func demoCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "demo",
			Group:   actions.GroupGuides,
			Summary: "Serve a small shop to learn on, until Ctrl+C",
			Help: "The shop has products to search and sort, a cart, a login, a checkout and downloads. It is reached from " +
				"this machine only, and forgets everything when it ends. docs/tutorial.md leads through it.",
			Flags: []actions.Flag{
				{
					Name:    "port",
					Value:   "n",
					Kind:    actions.Int,
					Default: demoPort,
					Help:    "Where to listen on 127.0.0.1; 0: any free port",
				},
			},
			Program:  true,
			Examples: []actions.Example{{Line: "demo"}, {Line: "demo --port 0"}},
		},
		Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
		Safety:   actions.Safety{Families: policy.Does()},
		Run:      actions.NotHere,
	}
}
