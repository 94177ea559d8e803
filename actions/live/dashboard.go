package live

import (
	"context"
	"fmt"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

// dashboardPort is the default port of the dashboard.
const dashboardPort = 4848

func dashboardCommands() []actions.Command {
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "dashboard start",
				Aliases: []string{"dashboard"},
				Group:   actions.GroupLive,
				Summary: "Serve a page that shows all sessions live",
				Help: "Open the address that it prints: it has a token that lets you in. The page shows the sessions of this " +
					"host, what was run in them, " +
					"and, when you ask for it, their console and network. With \"Take over\" a session's commands wait while you " +
					"work in it.\n\n" +
					"It listens on 127.0.0.1 and ends with the host.",
				Flags: []actions.Flag{
					{Name: "port", Value: "port", Help: "The port; 4848 when not given"},
					{
						Name:  "allowed-origins",
						Value: "origins",
						Kind:  actions.List,
						Help:  "HTTPS origins of proxies through which the page may be reached",
					},
				},
				Examples: []actions.Example{{Line: "dashboard start"}, {Line: "dashboard start --port 8080"}},
				Upstream: []string{
					"dashboard [start]", "dashboard [start|stop] [options]", "dashboard start --port <n>",
					"dashboard start --allowed-origins <origins>", "dashboard start [--port <n>] [--allowed-origins <origins>]",
				},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachineAlone},
			Safety:   actions.Safety{Families: policy.Does(), AroundByAgents: true},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{Dashboard{}}, Bare: true},
			Run:      runDashboardStart,
		},
		{
			Spec: actions.Spec{
				Name: "dashboard stop", Group: actions.GroupLive,
				Summary: "Stop the dashboard, and hand back the sessions that were taken over in it",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachineAlone},
			Safety:   actions.Safety{Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Sets},
			Bindings: actions.Bindings{Data: []any{DashboardStopped{}}, Bare: true},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				if !c.Live.StopDashboard() {
					return actions.HostResult(DashboardStopped{Reason: "not running"}, "Dashboard is not running"), nil
				}
				return actions.HostResult(DashboardStopped{Stopped: true}, "✓ Dashboard stopped"), nil
			},
		},
		{
			Spec: actions.Spec{
				Name:    "dashboard status",
				Group:   actions.GroupLive,
				Summary: "Print whether the dashboard runs, and where",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser, Sessionless: trait.OnMachineAlone},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does(), AroundByAgents: true},
			Bindings: actions.Bindings{Data: []any{DashboardStatus{}}, Bare: true},
			Run: func(_ context.Context, c *actions.Call) (actions.Result, error) {
				d := c.Live.Dashboard()
				if !d.Running {
					return actions.HostResult(DashboardStatus{}, "Dashboard is not running"), nil
				}
				return actions.HostResult(DashboardStatus{dashboardData(d), true}, "Dashboard is running at "+d.Addresses[0]), nil
			},
		},
	}
}

func runDashboardStart(_ context.Context, c *actions.Call) (actions.Result, error) {
	port := dashboardPort
	if c.Has("port") {
		if _, err := fmt.Sscanf(c.String("port")+" ", "%d ", &port); err != nil || port < 1 || port > maxPort {
			return actions.Result{}, c.Invalid("Invalid dashboard port '" + wording.OneLine(c.String("port")) +
				"'. Expected an integer from 1 to 65535.")
		}
	}
	origins := c.Strings("allowed-origins")
	if word, _ := grammar.FromEnv("DASHBOARD_ALLOWED_ORIGINS", c.Getenv); !c.Has("allowed-origins") && word != "" {
		origins = strings.FieldsFunc(word, func(r rune) bool { return r == ',' || r == ' ' })
	}
	running := c.Live.Dashboard()
	if running.Running && !c.Has("port") {
		port = running.Port
	}
	d, err := c.Live.StartDashboard(port, origins)
	if err != nil {
		return actions.Result{}, err
	}
	text := "Dashboard started at " + d.Addresses[0]
	if d.AlreadyRunning {
		text = "Dashboard already running at " + d.Addresses[0]
	}
	for _, address := range d.Addresses[1:] {
		text += "\n" + address
	}
	return actions.HostResult(dashboardData(d), text), nil
}

func dashboardData(d actions.Dashboard) *Dashboard {
	return &Dashboard{d.Addresses, d.AlreadyRunning, d.PID, d.Port}
}
