// Package task is a goal that is worked towards in a browser: how far it is, what it has done, what it waits for. All
// of it follows from records that are only ever added to, so that a task outlives the host that ran it. [Store] keeps
// them, [Log] is one task that this process works on.
//
// A [Planner] says what to do, an [Explorer] looks for pages. Who does it is in package runner, and who reports whether
// the goal is reached in package proof. The package knows no browser, no model and no command line.
package task
