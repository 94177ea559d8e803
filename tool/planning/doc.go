// Package planning decides what a call runs and where, before anything of it is run: in which session, as which command
// line, for how long, and which files it may write. [Desk.Plan] makes a [Plan] of a line, or refuses the call.
//
// It reads what the conversation knows of the session, whose turn it waits for, and looks at the page where a ref or a
// name has to be compared with it. The package must not know what the answer of the command says.
package planning
