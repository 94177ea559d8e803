package identity

import "errors"

// Scope says which folder stands for a caller.
type Scope string

// The scopes.
const (
	OfWorktree Scope = "worktree" // the git worktree, and outside of git the folder itself
	OfFolder   Scope = "cwd"      // the folder itself
	OfRoot     Scope = "git-root" // the git worktree, and nothing outside of git
)

// What Path fails with.
var (
	ErrNoWorktree = errors.New("Not inside a Git working tree") //nolint:staticcheck // these are agent-browser's words
	ErrScope      = errors.New("unknown scope")
)

// Path returns the folder that stands for a caller who works in dir.
func (s Scope) Path(dir string) (string, error) {
	switch s {
	case OfWorktree, OfRoot:
		root, ok := Worktree(dir)
		switch {
		case ok:
			return root, nil
		case s == OfRoot:
			return "", ErrNoWorktree
		}
		return Physical(dir), nil
	case OfFolder:
		return Physical(dir), nil
	}
	return "", ErrScope
}
