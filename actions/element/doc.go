// Package element finds the element that a command is about and aims at it. [Resolve] turns a ref, a selector or a
// locator into a [Target], [RunOp] calls an op of the in-page script on it, [AimAt], [ClickAt] and [Press] bring input
// to it, and [Failure] says why that did not work, with refs of what is in the way.
//
// The package knows no command.
package element
