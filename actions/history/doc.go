// Package history has the commands of the journal: they show what was done in a session, do it again, and write it as a
// program.
package history
