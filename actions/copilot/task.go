package copilot

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/actions/run"
	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/model"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/rules"
	"github.com/skua-browser/skua/copilot/task/runner"
	"github.com/skua-browser/skua/copilot/task/tab"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
)

// Tasks is the host's service for commands about tasks.
type Tasks interface {
	// Tasks returns the tasks that are worked on in this host.
	Tasks() *task.Registry
}

func taskCommands() []actions.Command {
	id := actions.Arg{Name: "id", Help: "The task"}
	waits := actions.Arg{Name: "confirmation", Help: "The confirmation's id, as `task show` prints it"}
	grant := grantFlag()
	return append([]actions.Command{
		{
			Spec: actions.Spec{
				Name:    "task run",
				Group:   actions.GroupCopilot,
				Summary: "Work toward a goal on the current site",
				Help: "Looks at what the page offers, plans a few steps, runs them and checks the result of each. If the current " +
					"page is the wrong one, it " +
					"looks for the right page on the site. It succeeds when the effect was seen as a difference from the page " +
					"before: a file on the disk, " +
					"another page, a request that was sent and answered, a message, an item that is gone. A goal that was reached " +
					"in part is partial; one that " +
					"only a model reports as reached is claimed. Neither is a success: the exit code is 1. Each step is a command " +
					"to which the session's rules " +
					"apply. A step that cannot be undone (to pay, order, delete or send, and to type a secret) waits for `task " +
					"confirm`. A file records what " +
					"was done; `task list` shows the tasks, `task replay` runs one again.\n\n" +
					"The planner `skills` follows fixed rules and needs no model: it understands goals such as \"download last " +
					"month's invoice\", \"search for tents\", " +
					"\"delete ticket 17\" or \"open Settings > Billing\". It refuses a goal that it has no skill for before it does " +
					"anything. Instead of a sentence, " +
					"a goal can be tests such as `form:payment_method` or `title:Settings`: the task finds a page of the site that " +
					"passes all of them.",
				Args: []actions.Arg{{
					Name: "goal",
					Kind: actions.List,
					Help: "The goal, in a sentence; or tests of the page to find, such as form:billing, which must all be true",
				}},
				Flags: []actions.Flag{
					{
						Name:    "planner",
						OneOf:   []string{skillsPlanner, modelPlanner},
						Default: skillsPlanner,
						Help:    "What plans the steps: fixed rules, or a language model; see `chat`",
					},
					{Name: "model", Value: "name", Help: "The language model for --planner model, as its endpoint calls it"},
					{
						Name:  "param",
						Kind:  actions.List,
						Split: grammar.WholeWord,
						Value: "name=value",
						Help:  "A value for a field, by the field's label",
					},
					grant,
					{
						Name: "downloads",
						Kind: actions.Path,
						Help: "The folder for downloads; one beside the task's records when not given",
					},
					{
						Name: "thumbnails",
						Kind: actions.Bool,
						Help: "Record the hash of a picture of the page after each step that acts, so that runs can be compared",
					},
					{Name: "max-steps", Kind: actions.Int, Default: "40", Help: "Block the task after this many steps; 0: never"},
					{Name: "max-replans", Kind: actions.Int, Default: "8", Help: "How often to plan again after a failed step"},
					{Name: "limit", Kind: actions.Duration, Default: "10m", Help: "How long it may take; 0: no limit"},
				},
				Examples: []actions.Example{
					{Line: `task run "download last month's invoice" --downloads ./invoices`},
					{Line: `task run "log in" --param username=ann --grant password=env:SHOP_PASSWORD`},
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Showing:  actions.Showing{Next: actions.OfResult(afterTask)},
			Bindings: actions.Bindings{Data: []any{task.Task{}}},
			Run:      runTask,
		},
		{
			Spec: actions.Spec{
				Name:    "task confirm",
				Group:   actions.GroupCopilot,
				Summary: "Let a task run the step that it is waiting for, and continue",
				Help: "Runs exactly the step that `task show` describes, if the page is the same as when the task asked: the " +
					"same address, element, controls and amounts of money. Otherwise nothing is done, and the task is blocked.",
				Args:  []actions.Arg{id, waits},
				Flags: []actions.Flag{grant},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does(), AroundByAgents: true},
			Showing:  actions.Showing{Next: actions.OfResult(afterTask)},
			Bindings: actions.Bindings{Data: []any{task.Task{}, SkillResult{}}},
			Run:      runTaskConfirm,
		},
		{
			Spec: actions.Spec{
				Name:    "task resume",
				Group:   actions.GroupCopilot,
				Summary: "Continue a blocked task from the page that is shown, with what was done so far",
				Help: "What the task has done is in its records, and is not done again. A step of which it is not known " +
					"whether it was done is not repeated. Give what it lacked: parameters of a skill as JSON, values for fields " +
					"with --param.",
				Args: []actions.Arg{id, {
					Name:     "params",
					Optional: true,
					Typed:    true,
					Value:    "json",
					Help:     "Further parameters of a skill, a JSON object",
				}},
				Flags: []actions.Flag{
					{
						Name:  "param",
						Kind:  actions.List,
						Split: grammar.WholeWord,
						Value: "name=value",
						Help:  "A value for a field, by the field's label",
					},
					grant,
					{
						Name:    "max-steps",
						Kind:    actions.Int,
						Default: "40",
						Help:    "Block the task after this many further steps; 0: never",
					},
					{Name: "limit", Kind: actions.Duration, Default: "10m", Help: "How long it may take; 0: no limit"},
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does(), Implies: signsIn},
			Showing:  actions.Showing{Next: actions.OfResult(afterTask)},
			Bindings: actions.Bindings{Data: []any{task.Task{}, SkillResult{}}},
			Run:      runTaskResume,
		},
		{
			Spec: actions.Spec{
				Name:    "task replay",
				Group:   actions.GroupCopilot,
				Summary: "Run the steps of a task again in a new tab, and compare",
				Help: "Opens the address at which the task began, runs the steps that succeeded, with the selectors that " +
					"found their elements, and reports each step whose result differs from the recorded one. It stops at a step " +
					"that cannot be undone, unless --high-risk is given.",
				Args: []actions.Arg{id},
				Flags: []actions.Flag{
					{Name: "high-risk", Kind: actions.Bool, Help: "Also run steps that cannot be undone"},
					{
						Name: "downloads",
						Kind: actions.Path,
						Help: "The folder for downloads; one beside the task's records when not given",
					},
					grant,
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{runner.ReplayResult{}}},
			Run:      runTaskReplay,
		},
	}, taskControlCommands(id, waits)...)
}

func grantFlag() actions.Flag {
	return actions.Flag{
		Name:  "grant",
		Kind:  actions.List,
		Split: grammar.WholeWord,
		Value: "name=source",
		Help: "A named secret that steps may type: env:VARIABLE or vault:login; on the page's own origin, that of the " +
			"login, or the one given after an @",
	}
}

// tasks opens the caller's tasks.
func tasks(c *actions.Call) (*task.Store, error) { return task.Open(c.Getenv, c.String("namespace")) }

// loaded reads the records of the task that the caller names.
func loaded(c *actions.Call) (*task.Store, *task.Task, error) {
	store, err := tasks(c)
	if err != nil {
		return nil, nil, err
	}
	t, err := store.Load(c.String("id"))
	return store, t, err
}

// resumed takes up the task that the caller names. Close its log.
func resumed(c *actions.Call) (*task.Store, *task.Log, error) {
	store, err := tasks(c)
	if err != nil {
		return nil, nil, err
	}
	log, err := store.Resume(c.String("id"), millis)
	return store, log, err
}

func runTask(ctx context.Context, c *actions.Call) (actions.Result, error) {
	params, err := pairs(c, "param")
	if err != nil {
		return actions.Result{}, err
	}
	grants, err := grantsOf(c)
	if err != nil {
		return actions.Result{}, err
	}
	wanted, err := wantedTask(ctx, c, grants, c.Int("max-replans"))
	if err != nil {
		return actions.Result{}, err
	}
	if wanted.Goal, err = taskGoal(c); err != nil {
		return actions.Result{}, err
	}
	wanted.Params, wanted.Thumbnails = params, c.Bool("thumbnails")
	planner, end, err := plannerOf(c, c.String("planner"), c.String("model"))
	if err != nil {
		return actions.Result{}, err
	}
	defer end()
	if checker, ok := planner.(task.GoalChecker); ok {
		if err := checker.CheckGoal(wanted); err != nil {
			return actions.Result{}, err
		}
	}
	return begun(ctx, c, wanted, planner)
}

// taskGoal reads the goal: one sentence, or tests that must all be true.
func taskGoal(c *actions.Call) (string, error) {
	words := c.Strings("goal")
	tests := goal.Specs(words)
	switch {
	case tests != nil:
		all, err := goal.Parse(tests...)
		return all.String(), err
	case len(words) > 1:
		return "", c.Invalid("Unexpected argument: " + words[1] +
			". Put a sentence into quotation marks; several arguments are tests, such as form:billing.")
	}
	return words[0], nil
}

// wantedTask is a task that begins on the page that is shown, with the caller's grants and limits.
func wantedTask(ctx context.Context, c *actions.Call, grants []task.Grant, replans int) (*task.Task, error) {
	t := &task.Task{
		UserID:    cmp.Or(c.Getenv("USER"), c.Getenv("USERNAME")),
		CreatedAt: millis(),
		Order:     task.Order{Grants: grants},
		Place:     task.Place{Session: c.Session.Name(), Downloads: downloads(c)},
		Limits:    task.Limits{Steps: c.Int("max-steps"), Replans: replans, TimeMS: c.Duration("limit").Milliseconds()},
	}
	if tab := c.Tabs.Active(); tab != nil {
		t.Start = tab.Page.URL()
	}
	return t, bindGrants(ctx, c, grants, t.Start)
}

// begun records a task and works on it.
func begun(ctx context.Context, c *actions.Call, t *task.Task, planner task.Planner) (actions.Result, error) {
	store, err := tasks(c)
	if err != nil {
		return actions.Result{}, err
	}
	t.Planner = planner.Name()
	log, err := store.Create(t, millis)
	if err != nil {
		return actions.Result{}, err
	}
	defer func() { _ = log.Close() }()
	return work(ctx, c, store, log, planner, nil)
}

func millis() int64 { return time.Now().UnixMilli() }

// pairs reads name=value.
func pairs(c *actions.Call, flag string) (map[string]string, error) {
	all := map[string]string{}
	for _, given := range c.Strings(flag) {
		name, value, ok := strings.Cut(given, "=")
		if !ok || name == "" {
			return nil, c.Invalid("--" + flag + " takes name=value.")
		}
		if pcd.NamesSecret(name) {
			c.Hide(flag) // it may be one
			return nil, fault.New(fault.Usage,
				"--%s %s: a secret cannot be a parameter, since the records of a task keep parameters.",
				flag, name).About(name).
				WithHint("Give --grant %s=env:VARIABLE, or save it with `auth save` and give --grant %s=vault:LOGIN.",
					shellLine([]string{name}), shellLine([]string{name}))
		}
		all[name] = value
	}
	return all, nil
}

// downloads is the folder that the caller wants files in, or empty.
func downloads(c *actions.Call) string {
	if c.Has("downloads") {
		return c.Path(c.String("downloads"))
	}
	return ""
}

// Who may plan.
const (
	skillsPlanner = "skills"
	modelPlanner  = "model"
)

// plannerOf is who plans for a task, by the name that its records have or that the caller gave. Close it.
func plannerOf(c *actions.Call, name, wanted string) (p task.Planner, end func(), err error) {
	which, of, _ := strings.Cut(name, ":")
	if which != modelPlanner {
		return &rules.Skills{Zone: time.Local}, func() {}, nil
	}
	if wanted == "" {
		wanted = of
	}
	client, err := model.Open(c.Getenv, wanted)
	if err != nil {
		return nil, nil, err
	}
	return &model.Planner{Model: client}, client.Close, nil
}

// work lets a runner work on a task until it comes to rest. Confirmed is the step that a person confirmed, or nil.
func work(
	ctx context.Context, c *actions.Call, store *task.Store, log *task.Log, planner task.Planner, confirmed *string,
) (actions.Result, error) {
	id := log.Task.ID
	files := log.Task.Downloads
	if files == "" {
		var err error
		if files, err = store.Folder(id); err != nil {
			return actions.Result{}, err
		}
	}
	session := rows{c}
	secrets := secretsOf(c)
	log.Hide(secrets)
	r := runner.New(&tab.View{Log: log, Session: session, Secrets: secrets, Now: time.Now}, planner, files)
	r.Picture = func(ctx context.Context, tab string) ([]byte, error) { return taskPicture(ctx, c, tab) }
	r.Report = func(done, of int, status task.StepStatus) {
		run.Progress(c, fmt.Sprintf("Task %s: %d of %d steps of the plan done; the last was %s", id, done, of, status))
	}
	if log.Task.Skill == "" {
		r.Explorer = taskExplorer{session: session, log: log}
	} else {
		r.Finder = skillFinder{session}
	}
	if confirmed != nil {
		if err := r.Confirm(*confirmed); err != nil {
			return actions.Result{}, err
		}
	}
	ctx, end := actions.Service[Tasks](c).Tasks().Begin(ctx, id, c.Session.Name())
	defer end()
	for {
		if err := r.Run(ctx); err != nil {
			return actions.Result{}, err
		}
		asked, yes := decided(ctx, c, log.Task)
		if !asked {
			return taskResult(c, log.Task), nil
		}
		answer := log.Deny
		if yes {
			answer = r.Confirm
		}
		if err := answer(log.Task.Awaiting.ID); err != nil {
			return actions.Result{}, err
		}
		if !yes {
			return taskResult(c, log.Task), nil
		}
	}
}

// taskResult returns the result of a task. Its exit code is 0 only if all of the task was observed, or if it waits for
// a person.
func taskResult(c *actions.Call, t *task.Task) actions.Result {
	t.Continue = continuations(c, t)
	if t.Skill != "" {
		return skillResult(c, t)
	}
	return actions.Result{
		Data:   t,
		Text:   taskText(c, t),
		Failed: t.Status != task.Succeeded && t.Status != task.AwaitingUser,
	}
}

func runTaskConfirm(ctx context.Context, c *actions.Call) (actions.Result, error) {
	store, log, err := resumed(c)
	if err != nil {
		return actions.Result{}, err
	}
	defer func() { _ = log.Close() }()
	if log.Task.Session != c.Session.Name() {
		return actions.Result{}, fault.New(fault.Usage, "Task %s works in the session %s, and this is %s.", log.Task.ID,
			log.Task.Session, c.Session.Name()).
			About(log.Task.ID).WithHint("Add --session %s.", log.Task.Session)
	}
	planner, end, err := plannerOf(c, log.Task.Planner, "")
	if err != nil {
		return actions.Result{}, err
	}
	defer end()
	confirmation := c.String("confirmation")
	if err := haveSecrets(c, log.Task); err != nil {
		return actions.Result{}, err
	}
	if c.Approve != nil && log.Task.Decides() && log.Task.Awaiting.ID == confirmation {
		// the agent that asks does not decide where its user can
		switch asked, yes := decided(ctx, c, log.Task); {
		case !asked:
			return actions.Result{}, fault.New(fault.ConfirmationRequired,
				"Task %s waits for a person, who did not answer; nothing was done.", log.Task.ID).About(log.Task.ID).
				WithHint("Ask the user, and confirm it again.")
		case !yes:
			if err := log.Deny(confirmation); err != nil {
				return actions.Result{}, err
			}
			return taskResult(c, log.Task), nil
		}
	}
	return work(ctx, c, store, log, planner, &confirmation)
}

// taskExplorer looks for pages by the command `explore`.
type taskExplorer struct {
	session rows
	log     *task.Log
}

// explored is what a task wants to know of what `explore` says.
type explored struct {
	Found   bool   `json:"found"`
	Stopped string `json:"stopped"`
	URL     string `json:"url"`
	Tab     string `json:"tab"`
	Why     string `json:"why"`
	Depth   int    `json:"depth"`
	Graph   struct {
		Nodes []struct {
			URL string `json:"url"`
		} `json:"nodes"`
		Edges []struct{} `json:"edges"`
	} `json:"graph"`
}

// Explore looks for a page from the one on that the task shows.
func (e taskExplorer) Explore(ctx context.Context, want task.Explore) (task.Exploration, error) {
	var argv []string
	if tab := e.log.Task.Tab; tab != "" {
		argv = append(argv, "--tab="+tab)
	}
	argv = append(argv, "explore")
	if want.Spec {
		argv = append(argv, "--goal="+want.Goal)
		if want.Hint != "" {
			argv = append(argv, "--", want.Hint)
		}
	} else {
		argv = append(argv, "--", strings.TrimSpace(want.Goal+" "+want.Hint))
	}
	reply, err := e.session.Do(ctx, argv)
	if err != nil {
		return task.Exploration{}, err
	}
	if reply.Held {
		return task.Exploration{Why: "a rule of the session requires a person to confirm it"}, nil
	}
	data, err := toolbox.Decode[explored](reply)
	if err != nil {
		return task.Exploration{}, err
	}
	found := task.Exploration{
		Found: data.Found,
		URL:   data.URL,
		Tab:   data.Tab,
		Depth: data.Depth,
		Nodes: len(data.Graph.Nodes),
		Edges: len(data.Graph.Edges),
		Why:   data.Why,
	}
	if !found.Found {
		found.Why = data.Stopped
	}
	for _, n := range data.Graph.Nodes {
		found.RecentURLs = append(found.RecentURLs, n.URL)
	}
	return found, nil
}

// taskFolder is where a replay saves files.
func taskFolder(c *actions.Call, store *task.Store, id string) (string, error) {
	if dir := downloads(c); dir != "" {
		return dir, nil
	}
	dir, err := store.Folder(id)
	return filepath.Join(dir, "replay-"+time.Now().Format("20060102-150405")), err
}
