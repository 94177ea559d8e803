package diagnose

import (
	"context"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine/initscript"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

func initScriptCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:     "removeinitscript",
				Group:    actions.GroupDiagnosis,
				Summary:  "Remove a script that --init-script added",
				Help:     "New documents no longer run it. What it did in open documents stays. `initscripts` lists the ids.",
				Args:     []actions.Arg{{Name: "identifier", Help: "Its id, as `open --init-script` and `initscripts` print it"}},
				Examples: []actions.Example{{Line: "removeinitscript 1"}},
				Upstream: []string{"removeinitscript <id>"},
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{RemovedInitScript{}}, Method: "remove init script"},
			Run:      runRemoveInitScript,
		},
		{
			Spec: actions.Spec{
				Name:    "initscripts",
				Group:   actions.GroupDiagnosis,
				Summary: "List the scripts that --init-script added",
			},
			Schedule: actions.Schedule{Effect: actions.Reads, Tabless: true},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{InitScripts{}}, Method: "init scripts"},
			Run:      runInitScripts,
		},
	}
}

func runInitScripts(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var scripts []initscript.Script
	if tab := c.Tabs.Active(); tab != nil {
		scripts = initscript.List(tab.Page.Context())
	}
	lines := make([]string, len(scripts))
	for i, s := range scripts {
		lines[i] = s.ID + "  " + s.Name
	}
	if len(lines) == 0 {
		lines = []string{"No init scripts"}
	}
	return actions.Result{Data: InitScripts{run.InitScripts(scripts)}, Text: strings.Join(lines, "\n")}, nil
}

func runRemoveInitScript(ctx context.Context, c *actions.Call) (actions.Result, error) {
	id := c.String("identifier")
	tab, err := c.Tabs.Tab(ctx)
	if err != nil {
		return actions.Result{}, err
	}
	script, ok, err := initscript.Remove(ctx, tab.Page.Context(), tab.Page, id)
	if err != nil {
		return actions.Result{}, err
	}
	if !ok {
		return actions.Result{}, fault.New(fault.Usage, "Script not found: there is no init script '%s'.", id).About(id).
			WithHint("`initscripts` lists those of the session.")
	}
	return actions.Result{Data: RemovedInitScript{Removed: id, Name: script.Name}, Text: "✓ Done"}, nil
}
