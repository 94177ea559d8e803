package tool

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/contract"
)

// runElectron works with desktop apps.
func (c *call) runElectron(ctx context.Context) *contract.Result {
	if c.details.CompiledElectron.Action == "list" {
		return c.listApps(ctx)
	}
	return c.refused(refuse(contract.ValidationError, "electron."+c.details.CompiledElectron.Action+" has no runner in this version of skua, only electron.list has. "+
		"Start the app with --remote-debugging-port=9222 and attach to it by args [\"connect\", \"9222\"]."))
}

// listApps lists the desktop apps of this machine. It starts nothing.
func (c *call) listApps(ctx context.Context) *contract.Result {
	wish, d := c.details.CompiledElectron, c.details
	getenv := func(name string) string { return c.tool.options.Env[name] }
	found, err := electron.Here(getenv).Discover(ctx, electron.Query{Text: wish.Query, MaxResults: wish.MaxResults})
	if err != nil {
		return c.refused(refuse(contract.Aborted, "The search for desktop apps was given up: "+err.Error()+"."))
	}
	list := &contract.Electron{
		Action: wish.Action, Status: "succeeded", Platform: found.Platform, Apps: found.Apps, Query: wish.Query, MaxResults: wish.MaxResults,
		SkippedCount: &found.Skipped, OmittedCount: found.Omitted, ProfileIsolation: profileIsolation(),
	}
	var text strings.Builder
	fmt.Fprintf(&text, "Electron apps: %d\n", len(found.Apps))
	for _, a := range found.Apps {
		text.WriteString("- " + a.Name)
		if a.Version != "" {
			text.WriteString(" " + a.Version)
		}
		text.WriteString(" — " + a.ExecutablePath)
		if a.Sensitivity != nil {
			list.SensitiveAppCount++
			text.WriteString(" [likely sensitive: " + strings.Join(a.Sensitivity.Categories, ", ") + "]")
		}
		text.WriteString("\n")
	}
	switch {
	case found.Platform == "unsupported":
		text.WriteString("Apps are not looked for on this system; name one by executablePath.\n")
	case found.Omitted > 0:
		fmt.Fprintf(&text, "%d more are left out; narrow the query.\n", found.Omitted)
	}
	text.WriteString("An app that is launched from here gets a profile of its own and sees nothing of what the user is signed in to.")
	d.Electron = list
	d.ResultCategory, d.SuccessCategory, d.Summary = contract.Success, contract.Completed, fmt.Sprintf("Electron apps: %d", len(found.Apps))
	c.content = []contract.Content{contract.TextOf(text.String())}
	return c.result()
}

func profileIsolation() *contract.ProfileIsolation {
	how := map[string]string{
		"darwin":  "open -a <App Name> --args --remote-debugging-port=9222 --remote-allow-origins='*'",
		"windows": `"<app>.exe" --remote-debugging-port=9222 --remote-allow-origins=*`,
	}[runtime.GOOS]
	if how == "" {
		how = "<app> --remote-debugging-port=9222 --remote-allow-origins='*'"
	}
	return &contract.ProfileIsolation{IsolatedLaunch: true, HostDebugLaunchExample: how + "; then agent_browser connect 9222 with sessionMode=fresh"}
}
