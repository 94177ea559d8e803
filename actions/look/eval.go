package look

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/engine"
	"github.com/skua-browser/skua/engine/world"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// The worlds in which a script may run.
const (
	mainWorld    = "main"
	preloadWorld = "preload"

	electronWorld = "Electron Isolated Context" // as Electron names it
)

func evalCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name: "eval",
			Synonyms: []string{
				"evaluate", "execute-script", "run-script", "js", "javascript",
				"execute",
			},
			Group:   actions.GroupReading,
			Summary: "Run JavaScript in the page and print its value",
			Help: "Runs in the page's main world, or in that of --world, in the top frame. Promises are awaited, and " +
				"top-level await works. A script that returns is the body of a function: eval \"return document.title\". The " +
				"value is printed as JSON.",
			Args: []actions.Arg{{
				Name:     "script",
				Kind:     actions.Text,
				Optional: true,
				Kept:     true,
				Calls:    "call",
				Help:     "The script",
			}},
			Flags: []actions.Flag{
				{Name: "stdin", Kind: actions.Bool, Help: "Read the script from standard input"},
				{Name: "base64", Short: "b", Kind: actions.Bool, Help: "The script is base64"},
				{
					Name:      "call",
					Value:     "json",
					DashValue: true,
					Help:      "Call the function that the script is, with the values of this list",
				},
				{
					Name:    "world",
					Value:   "world",
					Default: mainWorld,
					OneOf:   []string{mainWorld, preloadWorld},
					Help: "The page's own world, or, in an Electron app, the isolated one of its preload script, which page " +
						"scripts cannot see",
				},
			},
			Stdin: func(in *actions.Input) bool { return in.Bool("stdin") && !in.Has("script") },
			Examples: []actions.Example{{Line: "eval document.title"}, {Line: `eval "[...document.links].length"`}, {
				Line: `eval "(a, b) => a + b" --call "[1, 2]"`, Note: "prints 3",
			}},
			Upstream:     []string{"eval <js>", "eval [options] <script>"},
			UpstreamHelp: "With --json a value that JSON does not have, such as NaN, is in data.unserializable.",
		},
		Schedule: actions.Schedule{Effect: actions.InTab | actions.Reads | actions.Mutates | actions.Navigates},
		Safety:   actions.Safety{Action: "evaluate", Families: policy.Does(policy.RunsScript), Blind: true},
		Showing: actions.Showing{
			Traits: trait.Retitles | trait.LookAgain | trait.MayLosePage,
		},
		Bindings: actions.Bindings{
			Data:  []any{EvalResult{}},
			Value: &actions.Value{Method: "evaluate", Member: "result"},
			Tools: []actions.AgentTool{{
				Name: "browser_evaluate", Title: "Run JavaScript", About: "Run JavaScript in the page and return its value.",
				Params: []actions.Param{{Name: "script", Required: true, Stdin: "stdin"}},
			}},
			Playwright: []string{"await page.evaluate({script});"},
		},
		Run: runEval,
	}
}

func runEval(ctx context.Context, c *actions.Call) (actions.Result, error) {
	script, err := readScript(c)
	if err != nil {
		return actions.Result{}, err
	}
	if script, err = called(c, script); err != nil {
		return actions.Result{}, err
	}
	tab, err := run.Tab(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	run.Start(c, tab)
	watched, stop := tab.Page.Watch(ctx, true)
	defer stop()
	tellPrint := run.WatchPrint(watched, c, tab, script)
	value, err := evaluate(watched, c, tab, script)
	if err != nil {
		if tab.Page.EndedByCaller() { // it is not known how far the script came
			return actions.Result{}, run.ErrTabClosed(c, tab)
		}
		if err := run.Interrupted(c, tab, err); err != nil {
			return actions.Result{}, err
		}
		data := EvalResult{Origin: tab.Page.URL()}
		if run.Blocked(c, tab) {
			data.DialogOpened = true
		}
		return actions.Result{Data: data}, nil
	}
	tellPrint()
	if err := run.Settle(ctx, c, tab); err != nil {
		return actions.Result{}, err
	}
	data := EvalResult{Origin: tab.Page.URL(), Result: json.RawMessage(value.JSON), Unserializable: value.Unserializable}
	if value.Undefined {
		data.Unserializable = "undefined"
	}
	return actions.Result{Data: data, Text: value.Text()}, nil
}

func evaluate(ctx context.Context, c *actions.Call, tab *actions.Tab, script string) (world.Value, error) {
	if c.String("world") != preloadWorld {
		return tab.Page.Evaluate(ctx, script)
	}
	value, err := engine.EvaluateIn(ctx, tab.Page, electronWorld, script)
	if fault.Is(err, fault.SelectorNotFound) {
		err = fault.New(fault.SelectorNotFound, "tab %s: its page has no preload script in a world of its own", tab.ID).
			About(tab.ID).
			WithHint(
				"Only pages of an Electron app have one. Where the app turned contextIsolation off, the preload script shares " +
					"the page's world: leave out --world.")
	}
	return value, err
}

// called returns the script that calls a function with the values of --call.
func called(c *actions.Call, script string) (string, error) {
	if !c.Has("call") {
		return script, nil
	}
	var values []json.RawMessage
	if err := json.Unmarshal([]byte(c.String("call")), &values); err != nil || values == nil {
		return "", c.Invalid("--call takes a JSON list, such as [1, \"two\"], got " + c.String("call"))
	}
	var list strings.Builder
	for i, value := range values {
		if i > 0 {
			list.WriteString(", ")
		}
		// as a text that is parsed there, since in an object of a script __proto__ is not a member
		text, err := json.Marshal(string(value))
		if err != nil {
			return "", fault.New(fault.Internal, "writing the values of --call: %w", err)
		}
		list.WriteString("JSON.parse(" + string(text) + ")")
	}
	return "(" + strings.TrimRight(script, "; \t\r\n") + "\n)(" + list.String() + ")", nil
}

// readScript returns the script of the command line or of stdin.
func readScript(c *actions.Call) (string, error) {
	script := c.String("script")
	if c.Bool("stdin") {
		if c.Has("script") {
			return "",
				c.Invalid("--stdin takes the script from standard input alone, and there is one on the command line, too.")
		}
		script = string(c.Stdin)
	}
	if script == "" {
		return "", c.Missing("script")
	}
	if c.Bool("base64") {
		raw, err := base64.StdEncoding.DecodeString(script)
		if err != nil {
			return "", c.Invalid("Invalid base64 encoding: " + err.Error())
		}
		script = string(raw)
	}
	return script, nil
}
