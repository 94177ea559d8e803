// Package lifecycle runs the actions on desktop apps from start to end: list, launch with handoff, status, probe and
// cleanup. The command `electron` and the tool's mode of that name are two callers of it.
//
// A caller is a [Host]: it has the launcher of the apps and the sessions that work in them. Each action fills a
// [Report]. The package knows no command definitions and no tool contract; what it asks of a page it asks by command
// lines, which every kind of session understands.
package lifecycle
