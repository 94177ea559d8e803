package tool

import "github.com/skua-browser/skua/tool/contract"

// inPackagedApp says of a lookup without candidates, in a session that works in an app, where the app's code may be instead.
func (c *call) inPackagedApp(l *contract.SourceLookup) {
	record, ok := c.app()
	if !ok || len(l.Candidates) > 0 {
		return
	}
	l.WorkspaceRoot = c.tool.options.Cwd
	l.ElectronContext = &contract.ElectronContext{
		LaunchID: record.LaunchID, AppName: record.AppName, AppPath: record.AppPath, ExecutablePath: record.ExecutablePath,
		SessionName: c.plan.key.name, URL: c.state.target.URL,
	}
	l.Limitations = append(l.Limitations,
		"The workspace scan was limited to "+l.WorkspaceRoot+", which need not be the source of "+record.AppName+".",
		"The packaged Electron app code may live outside of the workspace, in the app's archive, bundled and without the names that its source had.")
	c.verdict.after = append(c.verdict.after, c.named(&record).AfterLookup()...)
}
