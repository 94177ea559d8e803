package desktop

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/lifecycle"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// outOfReach says what a debugging port does not show of an app.
const outOfReach = "Native menus, native dialogs, the tray and window frames are not part of a page: snapshots do " +
	"not show them and clicks do not reach them. `electron menu` lists and chooses the items of the menu bar, and " +
	"`electron main` reaches the rest."

// launchTimeFlag is the global flag that bounds the commands below.
const launchTimeFlag = "timeout"

func Commands() []actions.Command {
	launch := actions.Arg{
		Name:     "launch",
		Value:    "launch-id",
		Optional: true,
		Help:     "The launch; the only active one when not given",
	}
	all := actions.Flag{Name: "all", Kind: actions.Bool, Help: "All launches of this host"}
	return append([]actions.Command{
		{
			Spec: actions.Spec{
				Name:    "electron list",
				Group:   actions.GroupDesktop,
				Summary: "List the desktop apps of this machine that are built on Electron",
				Help: "Nothing is started. Apps that usually show private content are marked; the mark is a hint and " +
					"forbids nothing.",
				Args: []actions.Arg{{
					Name:     "query",
					Kind:     actions.Text,
					Optional: true,
					Help:     "A part of a name or path, in any case",
				}},
				Flags: []actions.Flag{{
					Name: "running",
					Kind: actions.Bool,
					Help: "Apps that run now, also without a launch, with their process ids; `electron attach` works in one",
				}, {
					Name:    "max",
					Kind:    actions.Int,
					Value:   "n",
					Default: strconv.Itoa(electron.DefaultResults),
					Help:    "How many at most, up to " + strconv.Itoa(electron.MaxResults),
				}},
				Examples: []actions.Example{{Line: "electron list"}, {Line: "electron list code --max 5"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{lifecycle.Report{}, actions.Given("running", RunningResult{})}},
			Run:      runElectronList,
		},
		{
			Spec: actions.Spec{
				Name:    "electron launch",
				Group:   actions.GroupDesktop,
				Summary: "Start a desktop app with a new profile, and work in it",
				Help: "The app gets a new, empty profile, so that it shows nothing of what you are signed in to; to work in your " +
					"own signed-in app, start that " +
					"with --remote-debugging-port=9222 and use `connect 9222`. The session leaves the browser that it has and works " +
					"in the app. `close` leaves " +
					"the app running; `electron cleanup` ends it and removes its profile, and so does the end of the host.\n\n" +
					outOfReach,
				Args: []actions.Arg{
					{
						Name:     "app",
						Optional: true,
						Help: "A path, a name as `electron list` shows it, or a bundle id; not with --app-path, --app-name or " +
							"--bundle-id",
					},
					{
						Name:     "app-args",
						Value:    "app-arg",
						Kind:     actions.List,
						Optional: true,
						Help:     "Arguments for the app; put `--` before the app and its arguments",
					},
				},
				Flags: []actions.Flag{
					{
						Name:  "app-path",
						Kind:  actions.Path,
						Value: "path",
						Help:  "The app's folder or bundle. The global flag --executable-path names its executable",
					},
					{Name: "app-name", Value: "name", Help: "The app's name, as `electron list` shows it"},
					{Name: "bundle-id", Value: "id", Help: "The app's bundle id, on macOS"},
					{
						Name:      "app-arg",
						Kind:      actions.List,
						Value:     "arg",
						DashValue: true,
						Split:     grammar.WholeWord,
						Help:      "An argument for the app",
					},
					{
						Name:    "handoff",
						Value:   "what",
						Default: "snapshot",
						OneOf:   []string{"connect", "tabs", "snapshot"},
						Help:    "What to show when the app is ready: nothing more, its windows, or its windows and a snapshot",
					},
					{
						Name:    "target-type",
						Value:   "type",
						Default: electron.PageTarget,
						OneOf:   []string{electron.PageTarget, electron.WebviewTarget, electron.AnyTarget},
						Help:    "The kind of target that becomes the active tab",
					},
					{
						Name:  "target",
						Value: "text",
						Help: "The window or webview that becomes the active tab, by a part of its title or address; the app's main " +
							"window when not given",
					},
					{
						Name: "no-inspect",
						Kind: actions.Bool,
						Help: "Leave the inspector of the main process closed: the `electron` commands about it are refused then, and " +
							"the main window is guessed",
					},
					{
						Name:  "allow",
						Kind:  actions.List,
						Value: "parts",
						Help:  "Launch only an app with one of these parts in its name, ids or paths",
					},
					{
						Name:  "deny",
						Kind:  actions.List,
						Value: "parts",
						Help:  "Never launch an app with one of these parts; wins over --allow",
					},
				},
				Examples: []actions.Example{
					{Line: "electron launch obsidian"},
					{Line: "electron launch ./dist/linux-unpacked --handoff tabs"},
					{Line: "electron launch -- ./my-app --safe-mode", Note: "with an argument for the app"},
				},
			},
			Schedule: actions.Schedule{
				Effect:  actions.NoBrowser,
				AtLeast: func(in *actions.Input) time.Duration { return launchWindow(in) + handoffLimit },
			},
			Safety:   actions.Safety{Families: policy.Does(policy.RunsPrograms), Around: actions.Always},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{lifecycle.Report{}}},
			Run:      runElectronLaunch,
		},
		{
			Spec: actions.Spec{
				Name:     "electron status",
				Group:    actions.GroupDesktop,
				Summary:  "Show the state of launched apps and their windows",
				Help:     "Asks the system and the app's debugging port; the app is not changed.\n\n" + outOfReach,
				Args:     []actions.Arg{launch},
				Flags:    []actions.Flag{all},
				Examples: []actions.Example{{Line: "electron status"}, {Line: "electron status --all"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{lifecycle.Report{}}},
			Run:      runElectronStatus,
		},
		logsCommand(),
		{
			Spec: actions.Spec{
				Name:    "electron probe",
				Group:   actions.GroupDesktop,
				Summary: "Look at the app: address, title, focus, windows, and the beginning of a snapshot",
				Help: "Looks at the active tab of the session, or, with a launch, of the session that works in that app. Each " +
					"question has " +
					probeStepLimit.String() + ", or what --timeout says. What has no answer is told, and the rest still shown.\n\n" +
					outOfReach,
				Args: []actions.Arg{{
					Name:     "launch",
					Value:    "launch-id",
					Optional: true,
					Help:     "Which launch; the session's own app or browser when not given",
				}},
				Examples: []actions.Example{{Line: "electron probe"}},
			},
			Schedule: actions.Schedule{
				// Its steps wait for their own turns; this one must not hold one of another session.
				Effect:  actions.Reads,
				Tabless: true,
				AtLeast: func(in *actions.Input) time.Duration { return lifecycle.ProbeSteps * (probeLimit(in) + time.Second) },
			},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{lifecycle.Report{}}},
			Run:      runElectronProbe,
		},
		{
			Spec: actions.Spec{
				Name:    "electron cleanup",
				Group:   actions.GroupDesktop,
				Summary: "End launched apps and remove their profiles",
				Help: "Closes the session that works in the app, ends the app, makes sure that its port is closed, and removes " +
					"the profile that it was given. The reply says what could not be done; run the command again to retry it. Only " +
					"what `electron launch` started is ended.",
				Args:     []actions.Arg{launch},
				Flags:    []actions.Flag{all},
				Examples: []actions.Example{{Line: "electron cleanup"}, {Line: "electron cleanup --all"}},
			},
			Schedule: actions.Schedule{
				Effect:  actions.Control | actions.NoBrowser | actions.Closes,
				AtLeast: func(in *actions.Input) time.Duration { return cleanupLimit(in) + 5*time.Second },
			},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{lifecycle.Report{}}},
			Run:      runElectronCleanup,
		},
	}, slices.Concat([]actions.Command{attachCommand()}, mainCommands(), dialogCommands(), ipcCommands())...)
}

// givenTimeout is what --timeout says; the environment's default is about commands on pages.
func givenTimeout(in *actions.Input) (time.Duration, bool) {
	if !strings.HasPrefix(in.Source(launchTimeFlag), "-") || in.Duration(launchTimeFlag) <= 0 {
		return 0, false
	}
	return in.Duration(launchTimeFlag), true
}

// noOwner is the error of a launch where nothing would be left to own the app.
func noOwner(program string) error {
	return fault.New(fault.Usage,
		"electron launch needs a host that keeps the app running; this command line runs without one, so the app would "+
			"end with it").
		WithHint(
			"Put it into a batch with the commands for the app: %s batch \"electron launch …\" \"snapshot -i\"; the app is "+
				"cleaned up at the end of the batch. Or run it with a host, without SKUA_NO_SOCKETS.", program)
}
