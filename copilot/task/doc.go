// Package task works towards a goal in a browser: it looks at the page, asks a [Planner] what to do, does it by command lines of a
// [toolbox.Session], looks at the result, and stops when the effect was seen, or when a person has to say something. What it did is in
// records that are only ever added to, so that a task outlives the host that ran it.
//
// The package knows no browser, no model and no command line of its own: a [Planner] says what to do, an [Explorer] looks for pages.
package task
