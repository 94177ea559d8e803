package desktop

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// launchFlag names the launch of a command about a main process, whose arguments are other things.
var launchFlag = actions.Flag{
	Name:  "launch",
	Value: "launch-id",
	Help:  "The launch; that of the session, or the only active one, when not given",
}

// mainPolicy is that of commands which run in the main process, with the rights of the user.
var mainPolicy = actions.Safety{Families: append(policy.Everything(), policy.RunsPrograms), Around: actions.Always}

// mainCommands are the commands about the main process of an app.
func mainCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "electron main",
				Group:   actions.GroupDesktop,
				Summary: "Run JavaScript in the app's main process and print its value",
				Help: "The script has require, also in an app of ES modules. Promises are awaited, and top-level await works. " +
					"The value is printed as JSON. " +
					"The main process has all rights of the user who runs it.",
				Args: []actions.Arg{{
					Name:     "script",
					Kind:     actions.Text,
					Optional: true,
					Kept:     true,
					Help:     "The script",
				}},
				Flags: []actions.Flag{{
					Name: "stdin",
					Kind: actions.Bool,
					Help: "Read the script from standard input",
				}, launchFlag},
				Stdin:    func(in *actions.Input) bool { return in.Bool("stdin") && !in.Has("script") },
				Examples: []actions.Example{{Line: `electron main "require('electron').app.getVersion()"`}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser, Logged: true},
			Safety:   mainPolicy,
			Bindings: actions.Bindings{Data: []any{MainResult{}}},
			Run:      runMain,
		},
		{
			Spec: actions.Spec{
				Name:    "electron windows",
				Group:   actions.GroupDesktop,
				Summary: "List the app's windows as its main process knows them",
				Help: "Shows hidden and minimized windows, too, each with its tab. The number is the one that `electron " +
					"window` takes.",
				Flags:    []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: "electron windows"}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{WindowsResult{}}},
			Run:      runWindows,
		},
		{
			Spec: actions.Spec{
				Name:    "electron window",
				Group:   actions.GroupDesktop,
				Summary: "Show, focus, minimize or close a window of the app",
				Args: []actions.Arg{
					{
						Name:  "move",
						OneOf: []string{inspector.ShowWindow, inspector.FocusWindow, inspector.MinimizeWindow, inspector.CloseWindow},
						Help:  "What the window is to do",
					},
					{Name: "id", Kind: actions.Int, Help: "The window's number, as `electron windows` lists it"},
				},
				Flags:    []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: "electron window show 2"}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser, Logged: true},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Bindings: actions.Bindings{Data: []any{inspector.WindowMove{}}},
			Run:      runWindow,
		},
		{
			Spec: actions.Spec{
				Name:    "electron menu",
				Group:   actions.GroupDesktop,
				Summary: "List the app's menu bar",
				Help: "Each item has the path that `electron menu click` takes, its keys, and whether it is disabled " +
					"or checked.",
				Flags:    []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: "electron menu"}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{MenuResult{}}},
			Run:      runMenu,
		},
		{
			Spec: actions.Spec{
				Name:    "electron menu click",
				Group:   actions.GroupDesktop,
				Summary: "Choose an item of the app's menu bar",
				Help: "The path has the labels from the menu bar to the item, with `>` between them. Case, and dots at the end " +
					"of a label, do not matter.",
				Args: []actions.Arg{{
					Name: "path",
					Kind: actions.Text,
					Kept: true,
					Help: "The labels, as in \"File > Save As\"",
				}},
				Flags:    []actions.Flag{launchFlag},
				Examples: []actions.Example{{Line: `electron menu click "File > Save As"`}},
			},
			Schedule: actions.Schedule{Effect: actions.NoBrowser, Logged: true},
			Safety:   actions.Safety{Families: policy.Does(policy.ActsByPointer)},
			Bindings: actions.Bindings{Data: []any{inspector.MenuItem{}}},
			Run:      runMenuClick,
		},
	}
}

// inMain connects to the main process of the app that a command means, and runs a question there.
func inMain(ctx context.Context, c *actions.Call, ask func(*electron.Record, *inspector.Process) error) error {
	k, err := apps(c).Launcher()
	if err != nil {
		return err
	}
	records, err := k.AnyIn(c.Session.Name(), c.String("launch"), false)
	if err != nil {
		return err
	}
	return inMainOf(ctx, &records[0], ask)
}

// inMainOf is inMain for a certain app.
func inMainOf(ctx context.Context, app *electron.Record, ask func(*electron.Record, *inspector.Process) error) error {
	if app.InspectorURL == "" {
		return fault.New(fault.AppUnsuitable, "%s: its main process is not inspected", app.AppName).About(app.LaunchID).
			WithHint(
				"Launch it without --no-inspect. An app whose maker turned the inspector off takes none; its windows work " +
					"all the same.")
	}
	p, err := inspector.Dial(ctx, app.InspectorURL)
	if err != nil {
		return mainFault(app, err)
	}
	defer p.Close()
	if err := ask(app, p); err != nil {
		return mainFault(app, err)
	}
	return nil
}

// mainFault says of an app that did not answer where to find out why.
func mainFault(app *electron.Record, err error) error {
	if f, ok := errors.AsType[*fault.Error](err); ok && f.Code != fault.Timeout && f.Code != fault.ConnectFailed {
		return err
	}
	code := fault.CodeOf(err)
	return fault.New(code, "the main process of %s did not answer: %w", app.AppName, fault.WithoutHint(err)).
		About(app.LaunchID).
		WithHint("`electron status %s` says whether it is busy, waits in a native dialog, or has ended.", app.LaunchID)
}

// MainResult is the value of a script in the main process.
type MainResult struct {
	Result json.RawMessage `json:"result"`
}

func runMain(ctx context.Context, c *actions.Call) (actions.Result, error) {
	script := c.String("script")
	switch {
	case c.Bool("stdin") && c.Has("script"):
		return actions.Result{},
			c.Invalid("--stdin takes the script from standard input alone, and there is one on the command line, too.")
	case c.Bool("stdin"):
		script = string(c.Stdin)
	}
	if script == "" {
		return actions.Result{}, c.Missing("script")
	}
	var data MainResult
	err := inMain(ctx, c, func(_ *electron.Record, p *inspector.Process) (err error) {
		data.Result, err = p.Evaluate(ctx, script)
		return err
	})
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: data, Text: string(data.Result)}, nil
}

// WindowsResult are the windows of an app.
type WindowsResult struct {
	Windows []AppWindow `json:"windows"`
}

// AppWindow is a window, with the tab in which the session shows it.
type AppWindow struct {
	inspector.Window
	Tab string `json:"tab,omitempty"`
}

func runWindows(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var data WindowsResult
	err := inMain(ctx, c, func(_ *electron.Record, p *inspector.Process) (err error) {
		data.Windows, err = appWindows(ctx, c, p)
		return err
	})
	if err != nil {
		return actions.Result{}, err
	}
	lines := make([]string, 0, len(data.Windows))
	for i := range data.Windows {
		lines = append(lines, data.Windows[i].line())
	}
	if len(lines) == 0 {
		lines = []string{"The app has no window"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// line shows a window: "2 [t1] Title - file:///… 900x600 at 10,20 (focused)".
func (w *AppWindow) line() string {
	line := fmt.Sprint(w.ID)
	if w.Tab != "" {
		line += " [" + w.Tab + "]"
	}
	line += fmt.Sprintf(" %s - %s %dx%d at %d,%d", w.Title, w.URL, w.Bounds.Width, w.Bounds.Height, w.Bounds.X, w.Bounds.Y)
	var states []string
	for _, state := range []struct {
		is   bool
		word string
	}{
		{!w.Visible, "hidden"},
		{w.Minimized, "minimized"},
		{w.Focused, "focused"},
		{w.Modal, "modal"},
		{w.OnTop, "always on top"},
		{w.Parent != 0, fmt.Sprint("of window ", w.Parent)},
		{w.Crashed, "its page has crashed"},
	} {
		if state.is {
			states = append(states, state.word)
		}
	}
	if len(states) > 0 {
		line += " (" + strings.Join(states, ", ") + ")"
	}
	return line
}

func runWindow(ctx context.Context, c *actions.Call) (actions.Result, error) {
	id, move := c.Int("id"), c.String("move")
	before, _ := c.Tabs.All()
	var after inspector.WindowMove
	err := inMain(ctx, c, func(app *electron.Record, p *inspector.Process) (err error) {
		if after, err = p.MoveWindow(ctx, id, move); err == nil && !after.Found {
			err = fault.New(fault.SelectorNotFound, "%s has no window %d", app.AppName, id).About(fmt.Sprint(id)).
				WithHint("`electron windows` lists them.")
		}
		return err
	})
	switch {
	case err != nil:
		return actions.Result{}, err
	case after.Closed:
		awaitGone(ctx, c, len(before))
		return actions.Result{Data: after, Text: fmt.Sprintf("✓ Window %d is closed", id)}, nil
	case move == inspector.CloseWindow:
		return actions.Result{Data: after, Text: fmt.Sprintf("✓ Window %d was asked to close, and is open still", id)}, nil
	}
	return actions.Result{Data: after, Text: fmt.Sprintf("✓ Window %d is %s", id, shownState(after))}, nil
}

// goneLimit is how long the browser may take to report that a closed window's page is gone.
const goneLimit = time.Second

// awaitGone waits until the session has fewer tabs than before a window was closed. An app may end with its last
// window, and the reply says so.
func awaitGone(ctx context.Context, c *actions.Call, before int) {
	for end := time.Now().Add(goneLimit); time.Now().Before(end); {
		if now, _ := c.Tabs.All(); len(now) < before || pause.For(ctx, 5*time.Millisecond) != nil {
			return
		}
	}
}

func shownState(w inspector.WindowMove) string {
	switch {
	case w.Minimized:
		return "minimized"
	case w.Visible:
		return "shown"
	}
	return "hidden"
}

// MenuResult is the menu bar of an app.
type MenuResult struct {
	Items []inspector.MenuItem `json:"items"`
}

func runMenu(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var data MenuResult
	err := inMain(ctx, c, func(_ *electron.Record, p *inspector.Process) (err error) {
		data.Items, err = p.Menu(ctx)
		return err
	})
	if err != nil {
		return actions.Result{}, err
	}
	lines := menuLines(data.Items, "")
	if len(lines) == 0 {
		lines = []string{"The app has no menu bar"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// menuLines shows each item that can be chosen by its path: "File > Save As… (Control+Shift+S, disabled)".
func menuLines(items []inspector.MenuItem, above string) (lines []string) {
	for i := range items {
		item := &items[i]
		if !item.Visible || item.Type == "separator" {
			continue
		}
		path := above + item.Label
		if len(item.Items) > 0 {
			lines = append(lines, menuLines(item.Items, path+" > ")...)
			continue
		}
		var states []string
		if item.Accelerator != "" {
			states = append(states, item.Accelerator)
		}
		if !item.Enabled {
			states = append(states, "disabled")
		}
		if item.Checked {
			states = append(states, "checked")
		}
		if len(states) > 0 {
			path += " (" + strings.Join(states, ", ") + ")"
		}
		lines = append(lines, path)
	}
	return lines
}

func runMenuClick(ctx context.Context, c *actions.Call) (actions.Result, error) {
	var path []string
	for label := range strings.SplitSeq(c.String("path"), ">") {
		path = append(path, strings.TrimSpace(label))
	}
	var done inspector.MenuClick
	err := inMain(ctx, c, func(app *electron.Record, p *inspector.Process) (err error) {
		if done, err = p.ClickMenu(ctx, path); err != nil {
			return err
		}
		return menuFault(app, c.String("path"), done)
	})
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: *done.Item, Text: "✓ Chose " + strings.Join(path, " > ")}, nil
}

// menuFault says why an item was not clicked, or nothing if it was.
func menuFault(app *electron.Record, path string, done inspector.MenuClick) error {
	switch {
	case done.Item == nil && len(done.Among) == 0:
		return fault.New(fault.SelectorNotFound, "the menu of %s has no %q", app.AppName, done.Missing).About(path).
			WithHint("`electron menu` lists what it has.")
	case done.Item == nil:
		return fault.New(fault.SelectorNotFound, "the menu of %s has no %q there", app.AppName, done.Missing).About(path).
			WithHint("There are: %s.", strings.Join(done.Among, ", "))
	case !done.Item.Enabled:
		return fault.New(fault.TargetDisabled, "%s: the item is disabled", path).About(path).
			WithHint("Do first what the app waits for; `electron menu` shows when it is enabled.")
	case len(done.Item.Items) > 0:
		return fault.New(fault.TargetUnsuitable, "%s is a submenu", path).About(path).
			WithHint("Name one of its items; `electron menu` lists them.")
	}
	return nil
}
