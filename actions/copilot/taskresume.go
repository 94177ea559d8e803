package copilot

import (
	"context"
	"encoding/json"
	"maps"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/internal/fault"
)

// runTaskResume goes on with a task that is blocked, from the page that is shown, with what was done so far.
func runTaskResume(ctx context.Context, c *actions.Call) (actions.Result, error) {
	store, log, err := resumed(c)
	if err != nil {
		return actions.Result{}, err
	}
	defer func() { _ = log.Close() }()
	t := log.Task
	if t.Session != c.Session.Name() {
		return actions.Result{}, fault.New(fault.Usage, "Task %s works in the session %s, and this is %s.", t.ID, t.Session,
			c.Session.Name()).
			About(t.ID).WithHint("Add --session %s.", t.Session)
	}
	if t.Status != task.Blocked && !t.Asks() {
		hint := "It has ended; begin another one."
		if t.Status == task.AwaitingUser {
			hint = "It waits for a person: `task confirm` or `task deny` answers it."
		}
		return actions.Result{}, fault.New(fault.Usage,
			"Task %s is %s: only a task that is blocked or asks a question can be resumed.", t.ID, t.Status).About(t.ID).
			WithHint("%s", hint)
	}
	said := &task.Record{Type: task.Said, Limits: &task.Limits{TimeMS: c.Duration("limit").Milliseconds()}}
	if n := c.Int("max-steps"); n > 0 {
		said.Limits.Steps = len(t.History) + n
	}
	if said.Limits.Replans = t.Limits.Replans; said.Limits.Replans > 0 {
		said.Limits.Replans += t.Replans
	}
	if said.Grants, err = grantsOf(c); err != nil {
		return actions.Result{}, err
	}
	if err := saidMore(ctx, c, t, said); err != nil {
		return actions.Result{}, err
	}
	if err := bindGrants(ctx, c, said.Grants, t.Start); err != nil {
		return actions.Result{}, err
	}
	if _, err := c.Tabs.FindTab(t.Tab); err != nil { // the tab is gone: it goes on in the one that is shown
		if tab := c.Tabs.Active(); tab != nil {
			said.Tab = tab.ID
		}
	}
	planner, end, err := plannerOf(c, t.Planner, "")
	if err != nil {
		return actions.Result{}, err
	}
	defer end()
	if err := log.Interrupted(); err != nil {
		return actions.Result{}, err
	}
	if t.Asks() {
		if err := log.Add(&task.Record{Type: task.Answered, Said: "resumed"}); err != nil {
			return actions.Result{}, err
		}
	}
	if err := log.Add(said); err != nil {
		return actions.Result{}, err
	}
	return work(ctx, c, store, log, planner, nil)
}

// saidMore reads further parameters: of a skill those of its definition, of another task values for fields.
func saidMore(ctx context.Context, c *actions.Call, t *task.Task, said *task.Record) (err error) {
	if said.Params, err = pairs(c, "param"); err != nil {
		return err
	}
	text := c.String("params")
	if text == "" {
		return nil
	}
	if t.Skill == "" {
		return c.Invalid("A task of a goal takes further values by --param name=value.")
	}
	s, err := skill.Find(t.Skill)
	if err != nil {
		return err
	}
	var more, merged map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &more) != nil || json.Unmarshal(t.Input, &merged) != nil {
		c.Hide("params") // what cannot be read may hold a secret
		return c.Invalid("The parameters are not a JSON object.")
	}
	if said.Grants, err = secretsIn(ctx, c, s, more, said.Grants); err != nil {
		return err
	}
	for name, value := range more { // objects of values are put together, other values take the place of the former ones
		var had, has map[string]string
		if json.Unmarshal(merged[name], &had) == nil && json.Unmarshal(value, &has) == nil {
			maps.Copy(had, has)
			if value, err = json.Marshal(had); err != nil {
				return err
			}
		}
		merged[name] = value
	}
	if said.Input, err = json.Marshal(merged); err != nil {
		return err
	}
	use, err := skill.NewInvocation(s.Name, said.Input)
	if err != nil {
		return err
	}
	maps.Copy(said.Params, use.Values())
	return nil
}
