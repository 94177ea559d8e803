package input

import (
	"encoding/json"
	"slices"

	apps "github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/contract"
)

// Bounds of the work with desktop apps.
const (
	defaultApps     = 50
	maxApps         = 200
	defaultLaunchMs = 15_000
	maxLaunchMs     = 120_000
)

var (
	electronActions = []string{"list", "launch", "status", "cleanup", "probe"}
	electronTargets = []string{"appPath", "appName", "bundleId", "executablePath"}
	electronFields  = []string{
		"action", "all", "allow", "appArgs", "appName", "appPath", "bundleId", "deny", "executablePath", "handoff",
		"launchId", "maxResults",
		"query", "targetType", "timeoutMs",
	}
)

// electron reads a wish for a desktop app.
func electron(raw json.RawMessage) (*contract.CompiledElectron, error) {
	o := read("electron", raw, electronFields)
	c := &contract.CompiledElectron{Action: o.oneOf("action", "", electronActions...)}
	switch c.Action {
	case "list":
		o.only("electron.list only supports query and maxResults.", "query", "maxResults")
		c.Query = o.word("query")
		c.MaxResults = int(min(o.count("maxResults", defaultApps), maxApps))
	case "launch":
		o.launch(c)
	case "status", "cleanup":
		o.without(c.Action, "launchId", "all", "timeoutMs")
		if c.All = o.bool("all", false); o.has("all") && !c.All {
			o.fail("electron.all must be true when provided.")
		}
		if o.has("all") && o.has("launchId") {
			o.fail("electron.%s takes electron.launchId or electron.all, not both.", c.Action)
		}
		c.LaunchID = o.word("launchId")
		c.TimeoutMs = o.count("timeoutMs", 0)
	case "probe":
		o.only("electron.probe only supports action, launchId, and timeoutMs.", "launchId", "timeoutMs")
		c.LaunchID = o.word("launchId")
		c.TimeoutMs = o.count("timeoutMs", 0)
	default:
		o.fail("electron.action must be one of %s.", orList(electronActions))
	}
	return c, o.err
}

// only fails with the message when there are other fields than the action and these.
func (o *object) only(message string, fields ...string) {
	for _, name := range o.names() {
		if name != "action" && !slices.Contains(fields, name) {
			o.fail("%s", message)
		}
	}
}

func (o *object) without(action string, fields ...string) {
	for _, name := range o.names() {
		if name != "action" && !slices.Contains(fields, name) {
			o.fail("electron.%s does not support electron.%s; it supports %s.", action, name, andList(fields))
		}
	}
}

func (o *object) launch(c *contract.CompiledElectron) {
	o.without("launch",
		slices.Concat(electronTargets, []string{"appArgs", "handoff", "targetType", "timeoutMs", "allow", "deny"})...)
	targets := 0
	for _, name := range electronTargets {
		if o.has(name) {
			targets++
		}
	}
	if targets != 1 {
		o.fail("electron.launch requires exactly one of %s.", orList(electronTargets))
	}
	c.AppPath, c.AppName, c.BundleID, c.ExecutablePath = o.word("appPath"), o.word("appName"), o.word("bundleId"),
		o.word("executablePath")
	o.decode("appArgs", &c.AppArgs, "an array of strings")
	if err := apps.CheckArgs(c.AppArgs); err != nil {
		o.fail("%s", err)
	}
	c.Handoff = o.oneOf("handoff", "snapshot", "connect", "tabs", "snapshot")
	c.TargetType = o.oneOf("targetType", "page", "page", "webview", "any")
	c.TimeoutMs = min(o.count("timeoutMs", defaultLaunchMs), maxLaunchMs)
	c.Allow, c.Deny = o.words("allow"), o.words("deny")
}
