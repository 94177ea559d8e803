package tool

import (
	"fmt"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/tool/contract"
)

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
	limits := []string{
		"The workspace scan was limited to " + l.WorkspaceRoot + ", which need not be the source of " + record.AppName + ".",
		"The packaged Electron app code may live outside of the workspace, in the app's archive, bundled and without the names that its source had.",
	}
	if code := electron.CodeOf(record.ExecutablePath, record.AppPath, c.state.target.URL); code != nil {
		l.ElectronContext.Code = code
		limits = append(limits, aboutCode(code))
	}
	l.Limitations = append(l.Limitations, limits...)
	c.verdict.after = append(c.verdict.after, c.named(&record).AfterLookup()...)
}

// aboutCode says what there is of an app's code, and how one gets at it.
func aboutCode(code *electron.Code) string {
	text := "The app's code is in " + code.Path
	if code.Page != "" {
		text += ", the page is its " + code.Page
	}
	count := fmt.Sprintf("%d files", code.Files)
	if code.Cut {
		count = "more than " + count
	}
	switch {
	case code.SourceMaps > 0:
		text += fmt.Sprintf(". Of its %s %d are source maps, as %s: the sources that they name can be looked for in them.", count, code.SourceMaps, code.MapOfOne)
	default:
		text += ". None of its " + count + " is a source map, so the names and lines of the source are not to be had from it."
	}
	if code.Packed {
		text += " It was not unpacked; its list of files and its package.json were read."
	}
	return text
}
