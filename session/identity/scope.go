package identity

import "errors"

// Scope says which folder identifies a caller.
type Scope string

// The scopes.
const (
	ScopeWorktree Scope = "worktree" // the git worktree, or outside git the folder itself
	ScopeFolder   Scope = "cwd"      // the folder itself
	ScopeGitRoot  Scope = "git-root" // the git worktree; an error outside git
)

// The errors of Path.
var (
	ErrNoWorktree   = errors.New("Not inside a Git working tree") //nolint:staticcheck // these are agent-browser's words
	ErrUnknownScope = errors.New("unknown scope")
)

// Path returns the folder that identifies a caller in dir.
func (s Scope) Path(dir string) (string, error) {
	switch s {
	case ScopeWorktree, ScopeGitRoot:
		root, ok := Worktree(dir)
		switch {
		case ok:
			return root, nil
		case s == ScopeGitRoot:
			return "", ErrNoWorktree
		}
		return RealPath(dir), nil
	case ScopeFolder:
		return RealPath(dir), nil
	}
	return "", ErrUnknownScope
}
