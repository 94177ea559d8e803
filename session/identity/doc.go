// Package identity names the session of a caller by its git worktree, so that two agents in two worktrees do not share
// a browser by accident. [Finder.Worktree] finds the worktree of a folder, and [Name] turns its path into a session
// name. It reads only the files that mark a repository, and runs no git.
//
// The package must not know sessions: the caller decides what to use a name for.
package identity
