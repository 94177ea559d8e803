// Package identity tells callers apart by where they work, so that two agents in two worktrees of git do not share a browser by accident. It looks
// at files only: no git program is run, and nothing of a repository is read but what says that it is one.
//
// The package must not know of sessions: what a name is used for is its caller's business.
package identity
