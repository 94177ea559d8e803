// Package routine has `run`: JavaScript in the sandbox that uses the session's page by methods, and the programs that
// are kept by name. A method is a command of the registry, so that `page.getText("h1")` is `get text h1`, with the same
// rules, deadlines and journal.
//
// The package must not know what any of the commands does.
package routine
