// Package rules is what the owner of a session, and the owner of the whole process, has said about what may be done. [ReadOwner] reads the rules of
// a process, once. A [Set] has those of a session: calls only ever add to it, the strictest rule counts, and [Set.Judge] asks it about a command.
//
// The package must not know a session: what holds a command that has to be confirmed, and who is told of a refusal, is decided above.
package rules
