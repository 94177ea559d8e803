package admin

import (
	"context"
	"os"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/browsers/doctor"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/product"
)

// doctorLimit is more than all checks may take, one after the other.
const doctorLimit = 5 * time.Minute

func doctorCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "doctor",
			Group:   actions.GroupSetup,
			Summary: "Find what keeps skua from working, and say what to do about it",
			Help: "Looks at the environment, the browser, the hosts, your files and the network, and starts a browser with " +
				"a profile of its own. A check passes, warns, fails, or only informs; the exit code is 1 when one fails. --fix " +
				"makes the repairs that are safe, and reports each: it removes other users' access to your files, and what " +
				"killed programs left behind. --webgpu also checks whether pages can compute on a graphics card; --headed does " +
				"that in a window.",
			Flags: []actions.Flag{
				{Name: "offline", Kind: actions.Bool, Help: "Make no network requests"},
				{Name: "quick", Kind: actions.Bool, Help: "Start no browser, and read no large files"},
				{Name: "fix", Kind: actions.Bool, Help: "Repair what can be repaired safely"},
			},
			Program: true,
			Examples: []actions.Example{{Line: "doctor", Note: "whether everything works, and what to do if not", Start: 8}, {
				Line: "doctor --offline --quick",
			}, {Line: "doctor --fix"}},
			Upstream: []string{"doctor [--fix]", "doctor [options]"},
		},
		Schedule: actions.Schedule{
			Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachineAlone,
			AtLeast: func(*actions.Input) time.Duration { return doctorLimit },
		},
		Safety:   actions.Safety{Families: policy.Does()},
		Bindings: actions.Bindings{Data: []any{doctor.Report{}}, Bare: true},
		Run:      runDoctor,
	}
}

func runDoctor(ctx context.Context, c *actions.Call) (actions.Result, error) {
	program, err := os.Executable()
	if err != nil {
		program = os.Args[0]
	}
	roots, err := caCert(ctx, c)
	if err != nil {
		return actions.Result{}, err
	}
	executable := c.String("executable-path")
	if _, source := grammar.FromEnv("EXECUTABLE_PATH", c.Getenv); source != "" && source == c.Source("executable-path") {
		executable = "" // it is found by the variable then, which messages name
	}
	o := doctor.Options{
		Getenv:     c.Getenv,
		Namespace:  c.String("namespace"),
		Version:    product.Version,
		Commit:     product.Commit(),
		Program:    program,
		Executable: executable,
		HostInfo:   actions.Service[doctor.HostInfo](c),
		Roots:      roots,
		Proxy:      c.String("proxy"),
		Offline:    c.Bool("offline"),
		Quick:      c.Bool("quick"),
		WebGPU:     c.Bool("webgpu"),
		Headed:     c.Bool("headed"),
		Debug:      c.Bool("debug"),
		Fix:        c.Bool("fix"),
	}
	if files := c.Configuration(); files != nil {
		for _, f := range files.Files {
			if f.Found {
				o.Configs = append(o.Configs, doctor.Config{Path: f.Path, Err: f.Err, Unknown: f.Unknown, Ignored: f.Ignored})
			}
		}
	}
	report := doctor.Run(ctx, o)
	return actions.Result{Data: report, Text: report.Text(c.Program(), o.Fix), Failed: !report.Success}, nil
}
