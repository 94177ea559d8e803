package desktop

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/inspector"
	"github.com/skua-browser/skua/electron/running"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/pause"
)

// attachedPrefix begins the ids of apps that run without a launch. The rest is the process.
const attachedPrefix = "running-"

// attachCommand works in an app that its user has started.
func attachCommand() actions.Command {
	return actions.Command{
		Spec: actions.Spec{
			Name:    "electron attach",
			Group:   actions.GroupDesktop,
			Summary: "Work in an app that runs already, without a restart",
			Help: "The main process of the app is asked to open its inspector (SIGUSR1), so that an app that you are " +
				"signed in to does not have to restart. Its windows become tabs of this session, whether it was started with " +
				"--remote-debugging-port or not, and `electron windows`, `menu`, `dialog`, `dialogs`, `main` and `status` mean " +
				"the app. Until the app ends, any program on this machine can run code in it through the inspector. Nothing ends " +
				"the app: neither `close` nor `electron cleanup`. Linux only.",
			Args: []actions.Arg{{
				Name: "app",
				Help: "A name, a process id or the path of an executable, as `electron list --running` shows them",
			}},
			Examples: []actions.Example{{Line: "electron attach obsidian"}, {Line: "electron attach 4711"}},
		},
		Schedule: actions.Schedule{
			Effect:  actions.NoBrowser,
			AtLeast: func(*actions.Input) time.Duration { return handoffLimit },
		},
		Safety:   mainPolicy,
		Bindings: actions.Bindings{Data: []any{AttachResult{}}},
		Run:      runElectronAttach,
	}
}

// RunningResult are the apps that run on this machine.
type RunningResult struct {
	Apps []running.App `json:"apps"`
}

func listRunning(c *actions.Call) (actions.Result, error) {
	all, err := running.List()
	if err != nil {
		return actions.Result{}, err
	}
	data := RunningResult{Apps: []running.App{}}
	var lines []string
	for _, a := range all {
		asked := strings.ToLower(c.String("query"))
		if !strings.Contains(strings.ToLower(a.Name), asked) && !strings.Contains(strings.ToLower(a.ExecutablePath), asked) {
			continue
		}
		data.Apps = append(data.Apps, a)
		line := strconv.Itoa(a.PID) + " " + strings.TrimSpace(a.Name+" "+a.Version) + " — " + a.ExecutablePath
		switch {
		case a.Port != 0:
			line += " (port " + strconv.Itoa(a.Port) + ")"
		case !a.Inspectable:
			line += " (takes no inspector)"
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		lines = []string{"No such Electron app runs"}
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// AttachResult is the app that a session has attached to.
type AttachResult struct {
	LaunchID string      `json:"launchId"` // for --launch and `electron status`
	App      running.App `json:"app"`
	Tabs     bool        `json:"tabs"` // its windows are tabs of the session
	Windows  []AppWindow `json:"windows"`
}

func runElectronAttach(ctx context.Context, c *actions.Call) (actions.Result, error) {
	app, err := running.Find(c.String("app"))
	if err != nil {
		return actions.Result{}, err
	}
	if err := app.OpenInspector(ctx); err != nil {
		return actions.Result{}, err
	}
	k, err := apps(c).Launcher()
	if err != nil {
		return actions.Result{}, err
	}
	record := electron.Record{
		Version:              1,
		LaunchID:             attachedPrefix + strconv.Itoa(app.PID),
		AppName:              app.Name,
		ExecutablePath:       app.ExecutablePath,
		PID:                  app.PID,
		Port:                 app.Port,
		SessionName:          c.Session.Name(),
		WebSocketDebuggerURL: app.BrowserURL,
		InspectorURL:         app.InspectorURL,
		CreatedAtMs:          time.Now().UnixMilli(),
		CleanupState:         electron.Active,
	}
	if app.BrowserURL == "" {
		record.Port = 0 // that it was asked for, and did not open
	}
	data := AttachResult{LaunchID: record.LaunchID, App: app, Windows: []AppWindow{}}
	k.Attach(record)
	unreached := attachApp(ctx, c, record)
	if data.Tabs = unreached == nil; !data.Tabs && app.BrowserURL != "" {
		return actions.Result{}, unreached
	}
	if err := showMainWindow(ctx, c); err != nil {
		return actions.Result{}, err
	}
	err = inMainOf(ctx, &record, func(_ *electron.Record, p *inspector.Process) (err error) {
		data.Windows, err = appWindows(ctx, c, p)
		return err
	})
	if err != nil {
		return actions.Result{}, err
	}
	if !data.Tabs {
		c.Note(
			fmt.Sprintf(
				"the session does not have the windows of %s as tabs: %s. `electron main`, `windows`, `menu` and `dialog` work "+
					"in it; `electron attach %d` tries again.", app.Name, strings.TrimSuffix(fault.MessageOf(unreached), "."),
				app.PID))
	}
	lines := []string{"✓ Attached to " + app.Name + ": " + data.LaunchID + ", process " + strconv.Itoa(app.PID)}
	for i := range data.Windows {
		lines = append(lines, "  "+data.Windows[i].line())
	}
	return actions.Result{Data: data, Text: strings.Join(lines, "\n")}, nil
}

// windowPatience is how long an app that was just started may take until it has a window.
const windowPatience = 3 * time.Second

// attachApp makes the windows of an app tabs of the session.
func attachApp(ctx context.Context, c *actions.Call, record electron.Record) error {
	for until := time.Now().Add(min(windowPatience, c.TimeLeft()/2)); ; {
		err := apps(c).AttachApp(ctx, record, "")
		isEarly := err != nil && record.WebSocketDebuggerURL == "" && fault.Is(err, fault.AppUnsuitable)
		if !isEarly || time.Now().After(until) || pause.For(ctx, windowPause) != nil {
			return err
		}
	}
}

// windowPause is the time between two looks for the app's first window, which the app does not report.
const windowPause = 100 * time.Millisecond

// showMainWindow makes the tab of the app's window the active one, as a launch does.
func showMainWindow(ctx context.Context, c *actions.Call) error {
	tabs, active := c.Tabs.All()
	ids, targets := make([]string, len(tabs)), make([]electron.Target, len(tabs))
	for i, t := range tabs {
		ids[i] = t.Page.ID()
		targets[i] = electron.Target{ID: t.Page.ID(), Type: t.Page.Type(), Title: t.Page.Title(), URL: t.Page.URL()}
	}
	for i, facts := 0, apps(c).WindowsInApp(ctx, ids); i < len(targets); i++ {
		targets[i].Window = facts[ids[i]]
	}
	chosen, ok := electron.Choose(targets, electron.AnyTarget, "")
	if !ok || active != nil && active.Page.ID() == chosen.ID {
		return nil
	}
	_, err := c.Tabs.SwitchTab(ctx, chosen.ID)
	return err
}

// appWindows lists the windows of an app, with their tabs in the session.
func appWindows(ctx context.Context, c *actions.Call, p *inspector.Process) ([]AppWindow, error) {
	tabs, _ := c.Tabs.All()
	targets := make([]string, len(tabs))
	for i, t := range tabs {
		targets[i] = t.Page.ID()
	}
	all, err := p.Windows(ctx, targets)
	if err != nil {
		return nil, err
	}
	tabOf := map[int]string{}
	for _, contents := range all.Contents {
		for _, t := range tabs {
			if contents.Type == "window" && contents.TargetID == t.Page.ID() {
				tabOf[contents.Window] = t.ID
			}
		}
	}
	windows := make([]AppWindow, 0, len(all.Windows))
	for _, w := range all.Windows {
		windows = append(windows, AppWindow{w, tabOf[w.ID]})
	}
	return windows, nil
}
