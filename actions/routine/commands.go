package routine

import (
	"strconv"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/sandbox"
)

// The bounds of a program.
const (
	defaultCalls = 500
	maxCalls     = 5000
	maxTime      = 30 * time.Minute
)

// Commands returns `run` and those about kept programs. They have none of the flags that commands which act share.
func Commands() []actions.Command {
	files := actions.Control | actions.NoBrowser
	name := actions.Arg{Name: "name", Help: "The name of a kept program"}
	return []actions.Command{
		runCommand(),
		{
			Spec: actions.Spec{
				Name: "run list", Aliases: []string{"run ls"}, Group: actions.GroupSessions, Summary: "List the kept programs",
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ListResult{}}},
			Run:      list,
		},
		{
			Spec: actions.Spec{
				Name:    "run show",
				Group:   actions.GroupSessions,
				Summary: "Print a kept program",
				Args:    []actions.Arg{name},
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{ShownResult{}}},
			Run:      show,
		},
		{
			Spec: actions.Spec{
				Name:    "run remove",
				Aliases: []string{"run rm"},
				Group:   actions.GroupSessions,
				Summary: "Delete a kept program",
				Args:    []actions.Arg{name},
			},
			Schedule: actions.Schedule{Effect: files, Sessionless: trait.OnMachine},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{RemovedResult{}}},
			Run:      remove,
		},
	}
}

func runCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "run",
			Group:   actions.GroupSessions,
			Summary: "Run JavaScript that uses the page by methods",
			Help: "The program is the body of an async function. Each command that works in a page is a method of `page`: " +
				"`get text` is page.getText. " +
				"Arguments come in their order, flags as one object at the end: await page.snapshot({interactive: true}). A " +
				"method returns the data of the command's JSON, " +
				"and throws an Error with code and facts when the command fails. emit(value) adds to the result; without it, the " +
				"result is what the program " +
				"returns. params is the value of --params.\n\n" +
				"The program runs in a sandbox: it has no files, network, timers or modules, and its output has 64 KiB at most. " +
				"Rules, deadlines and the journal " +
				"hold for each call as for a command. A call that must be confirmed ends the program.\n\n" +
				"A word without a point or slash is the name of a program that was kept with --save.",
			Args: []actions.Arg{{
				Name:     "program",
				Kind:     actions.Path,
				Optional: true,
				Value:    "file|name|-",
				Help:     "A file, a kept program, or - for standard input",
			}},
			Flags: []actions.Flag{
				{
					Name:      "code",
					Short:     "c",
					Value:     "js",
					DashValue: true,
					Help:      "The program itself",
				},
				{Name: "params", Value: "json", Help: "What the program gets as params"},
				{Name: "save", Value: "name", Help: "Keep the program by this name, once it has run to its end"},
				{
					Name:    "calls",
					Kind:    actions.Int,
					Value:   "n",
					Default: strconv.Itoa(defaultCalls),
					Help:    "How many calls it may make, " + strconv.Itoa(maxCalls) + " at most",
				},
				{
					Name:    "limit",
					Kind:    actions.Duration,
					Value:   "ms",
					Default: sandbox.DefaultTimeout.String(),
					Help:    "How long it may run, " + maxTime.String() + " at most",
				},
			},
			Stdin: readsStdin,
			Examples: []actions.Example{
				{Line: "run rows.js"}, {Line: `run -c "return (await page.getTitle()).title"`}, {Line: "run --save rows rows.js"}, {
					Line: `run rows --params '{"from": 3}'`,
				},
			},
		},
		Schedule: actions.Schedule{
			Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true,
			AtLeast: func(in *actions.Input) time.Duration { return min(in.Duration("limit"), maxTime) },
		},
		Safety: actions.Safety{
			Reach: policy.WhenNamed, Families: policy.Does(), Further: actions.IfGiven(policy.WritesFiles, "save"), Blind: true,
		},
		Showing: actions.Showing{Traits: trait.NotInScripts | trait.LookAgain},
		Bindings: actions.Bindings{
			Data: []any{Result{}},
			Tools: []actions.AgentTool{{
				Name:  "browser_run",
				Title: "Run a program in the page",
				About: "Run JavaScript in a sandbox, with each command as a method of page (await page.click(\"@e2\")), for " +
					"loops and conditions that would take many calls. Return what is needed.",
				Params: []actions.Param{{Name: "code", Required: true}, {Name: "params"}},
			}},
		},
		Run: run,
	}
}

// readsStdin says when the program comes from standard input.
func readsStdin(in *actions.Input) bool {
	return in.String("program") == "-" || !in.Has("program") && !in.Has("code")
}
