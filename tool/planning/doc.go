// Package planning decides in which session a call runs, and what a call did to the session that the tool keeps for its caller: names of
// managed sessions, the command line with the session in it, calls that need none, options that a running browser cannot take, the account
// of what was created and closed, the page that an answer speaks of, and which addresses a session may show.
//
// All of it is pure. The package must not know how command lines are run, nor what is kept from call to call.
package planning
