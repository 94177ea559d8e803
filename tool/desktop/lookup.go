package desktop

import (
	"fmt"

	"github.com/skua-browser/skua/electron"
	"github.com/skua-browser/skua/electron/appfiles"
	"github.com/skua-browser/skua/tool/contract"
)

// Packaged says of a lookup without candidates, in a session that works in an app and shows a page, where the app's
// code may be instead. It returns what may be done about it.
func (a *Apps) Packaged(
	l *contract.SourceLookup, app *electron.Record, workspace, session, page string,
) []contract.NextAction {
	if len(l.Candidates) > 0 {
		return nil
	}
	l.WorkspaceRoot = workspace
	l.ElectronContext = &contract.ElectronContext{
		LaunchID:       app.LaunchID,
		AppName:        app.AppName,
		AppPath:        app.AppPath,
		ExecutablePath: app.ExecutablePath,
		SessionName:    session,
		URL:            page,
	}
	limits := []string{
		"The workspace scan was limited to " + workspace + ", which may not be the source of " + app.AppName + ".",
		"The packaged Electron app code may live outside of the workspace, in the app's archive, bundled and without the " +
			"names that its source had.",
	}
	if code := appfiles.CodeOf(app.ExecutablePath, app.AppPath, page); code != nil {
		l.ElectronContext.Code = code
		limits = append(limits, aboutCode(code))
	}
	l.Limitations = append(l.Limitations, limits...)
	return a.Named(app).AfterLookup()
}

// aboutCode says what there is of an app's code, and how one gets at it.
func aboutCode(code *appfiles.Code) string {
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
		text += fmt.Sprintf(". Of its %s %d are source maps, as %s: the sources that they name can be looked for in them.",
			count, code.SourceMaps, code.MapOfOne)
	default:
		text += ". None of its " + count + " is a source map, so the names and lines of the source are not available."
	}
	if code.Packed {
		text += " It was not unpacked; its list of files and its package.json were read."
	}
	return text
}
