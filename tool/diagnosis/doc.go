// Package diagnosis finds out what a command does not say of its outcome: a click that reached nothing, a scroll that
// moved nothing, a field that did not keep its text, a dialog over the page, an app that has ended.
//
// [Before] notes what has to be compared later; [Of] takes a [Case], which is a command that has run, to [Findings].
// What the package knows of backends is whether the engine told with its answer what else has to be asked for. It makes
// no results.
package diagnosis
