// Package replies finds in the replies of an agent's calls what costs the agent words, time or another call: a [Call]
// is a command with its reply, a [Detector] counts one kind of cost in it.
//
// It reads texts only. It must not know which program replied, nor how it was called.
package replies
