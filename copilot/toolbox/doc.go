// Package toolbox lists what a planner may do in a browser: each [Tool] has a name, a schema of its arguments, whether
// it changes anything, and the command line of skua that it stands for. A [Session] runs such a line; the package
// itself knows no browser.
//
// Models, the MCP tools of the set copilot, the task runner and its replay all use this one list.
package toolbox
