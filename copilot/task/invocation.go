package task

import (
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/skill"
)

// Invocation is the skill of a task that is one.
func (t *Task) Invocation() (skill.Invocation, error) { return skill.NewInvocation(t.Skill, t.Input) }

// Verb is what a task is to do.
func (t *Task) Verb() goal.Verb { return t.Intent().Verb }

// Intent is what a skill asks for, as goals say it.
func (t *Task) Intent() goal.Intent {
	if t.Skill == "" {
		return goal.ParseIntent(t.Goal, createdAt(t))
	}
	use, err := t.Invocation()
	if err != nil {
		return goal.Intent{}
	}
	return use.Intent()
}

// Owned reports whether a secret is of a login of the vault and is typed to log in: who runs the skill has named it,
// and its origins bound it.
func (t *Task) Owned(secret string) bool {
	return slices.ContainsFunc(t.Grants, func(g Grant) bool {
		return g.Name == secret && strings.HasPrefix(g.Source, "vault:") && t.Intent().Verb == goal.Login && t.Skill != ""
	})
}

// TurnsOn reports whether the task is a skill that is used again and again until a page meets a goal.
func (t *Task) TurnsOn() bool {
	if t.Skill == "" {
		return false
	}
	use, err := t.Invocation()
	if err != nil {
		return false
	}
	_, ok := use.Until()
	return ok
}
