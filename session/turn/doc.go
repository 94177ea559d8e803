// Package turn decides who may work in a session. A [Queue] has a lane for each tab: commands of a lane run one after
// another, those of different lanes beside each other, and one that names no lane has the session for itself. All wait
// in the order in which they came: none overtakes a command that it may not run beside, so that none waits forever. A
// [Lock] reserves a session for one caller, and a [Takeover] makes commands wait while a person works in the session.
//
// The package must not know sessions, nor what a command does.
package turn
