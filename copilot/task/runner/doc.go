// Package runner works on tasks. A [Runner] asks a planner what to do, does it by command lines, has a person confirm
// what cannot be taken back, and stops when the effect was seen, or when a person has to say something. A [Replayer]
// repeats the steps of a task. The package knows no browser, no model and no command line of its own.
package runner
