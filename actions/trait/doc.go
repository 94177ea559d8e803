// Package trait is what a command's definition says of it to those who plan, judge and show command lines: what kind of
// work it does, what it does to refs, which file it writes, how its result looks. They ask for a trait and know no
// command by its name, so that a command that is added says for itself how it wants to be handled.
//
// The package must not know any command.
package trait
