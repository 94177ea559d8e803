// Package skua drives a browser from a Go program. [Open] returns a [Host], which holds sessions in this process: the
// browser is the only other program. [Host.Page] is a session, and each command of skua is a method of [Page] with
// typed arguments, options and results. A command that fails returns an [Error] with a stable code, which errors.Is
// tells from others: errors.Is(err, skua.ErrTimeout).
//
// commands.go, results.go and codes.go are generated from the command registry by scripts/clients. The package knows
// sessions and the registry, and no command by its name.
package skua
