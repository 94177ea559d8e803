package admin

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/trait"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/wording"
)

func policyCommands() []actions.Command {
	return append(confirmCommands(), []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "policy",
				Group:   actions.GroupPolicy,
				Summary: "Print the rules that apply to the session",
				Help: "Shows what the action policy, the domain lists and the file roots allow, deny, or hold for " +
					"confirmation. This command always runs, whatever the rules are.",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Reach: policy.Never, Families: policy.Does()},
			Bindings: actions.Bindings{Data: []any{Rules{}}},
			Run:      runPolicy,
		},
		{
			Spec: actions.Spec{
				Name:    "policy log",
				Group:   actions.GroupPolicy,
				Summary: "Print what the session's rules refused",
				Help: "Prints one line for each refusal, with a count: actions of the agent, hosts and addresses that a page " +
					"requested, files, confirmations, logins. The log keeps the newest hundred of each kind until the " +
					"session is closed.",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Reach: policy.Never, Families: policy.Does(), PageText: true},
			Bindings: actions.Bindings{Data: []any{Refusals{}}},
			Run:      runPolicyLog,
		},
	}...)
}

// confirmLimit is how long `confirm` may take: the deadline of the command that it runs is what counts.
const confirmLimit = time.Hour

func confirmCommands() []actions.Command {
	id := actions.Arg{Name: "id", Help: "The confirmation_id in the held command's reply"}
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name:    "confirm",
				Group:   actions.GroupPolicy,
				Summary: "Confirm and run a held command",
				Help: "Runs the held command in its original folder, with its original input and options. Refs are resolved now; " +
					"if the page has changed since, the reply says so. The reply and the exit code are those of the command.",
				Args:     []actions.Arg{id},
				Upstream: []string{"confirm <id>", "confirm <confirmation-id>"},
				UpstreamHelp: "With --json the reply of an action that waits for a person has confirmation_required and " +
					"confirmation_id. `deny <confirmation-id>` refuses it.",
			},
			Schedule: actions.Schedule{
				Effect: actions.Control | actions.NoBrowser, AtLeast: func(*actions.Input) time.Duration { return confirmLimit },
			},
			Safety:   actions.Safety{Reach: policy.Never, Families: policy.Does(), PageText: true},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{Confirmed{}}},
			Run:      runConfirm,
		},
		{
			Spec: actions.Spec{
				Name:     "deny",
				Group:    actions.GroupPolicy,
				Summary:  "Drop a held command",
				Args:     []actions.Arg{id},
				Upstream: []string{"deny <id>", "deny <confirmation-id>"},
				UpstreamHelp: "With --json the reply of an action that waits for a person has confirmation_required and " +
					"confirmation_id. `confirm <confirmation-id>` allows it.",
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Reach: policy.Never, Families: policy.Does()},
			Showing:  actions.Showing{Traits: trait.Once},
			Bindings: actions.Bindings{Data: []any{Denied{}}},
			Run:      runDeny,
		},
	}
}

func runConfirm(ctx context.Context, c *actions.Call) (actions.Result, error) {
	held, res, err := c.Rules.Confirm(ctx, c.String("id"))
	if err != nil {
		return actions.Result{Notes: res.Notes}, err
	}
	c.Confirmed = true
	res.Data = Confirmed{
		Action:    held.Action,
		Confirmed: true,
		Result:    ConfirmedResult{Data: res.Data, ID: held.ID, Success: true},
	}
	return res, nil
}

func runDeny(_ context.Context, c *actions.Call) (actions.Result, error) {
	held, err := c.Rules.Deny(c.String("id"))
	if err != nil {
		return actions.Result{}, err
	}
	return actions.Result{Data: Denied{Action: held.Action, Denied: true}, Text: "✓ Action denied"}, nil
}

func runPolicy(_ context.Context, c *actions.Call) (actions.Result, error) {
	rules := c.Rules.InForce()
	entries, dropped := c.Rules.Refused()
	refused := 0
	for _, e := range entries {
		refused += e.Count
	}
	for _, n := range dropped {
		refused += n
	}
	lines := make([]string, 0, len(rules)+1)
	for _, r := range rules {
		line := string(r.Kind) + ": " + r.Text
		if r.From != "" {
			line += " (" + r.From + ")"
		}
		lines = append(lines, line)
	}
	if len(rules) == 0 {
		lines = append(lines, "No rules apply to this session")
	}
	families := c.Registry().ShownFamilies()
	if len(rules) > 0 {
		lines = append(lines, "rules may name kinds of actions:")
		for _, f := range families {
			lines = append(lines, "  "+string(f.Name)+": "+strings.Join(f.Commands, ", "))
		}
	}
	pending := c.Rules.Pending()
	for _, h := range pending {
		lines = append(lines, "waits for `"+c.Program()+" confirm "+h.ID+"`: "+h.Command)
	}
	if refused > 0 {
		lines = append(lines, wording.Plural(refused, "refusal")+"; `"+c.Program()+" policy log` shows them")
	}
	return actions.Result{
		Data: Rules{Rules: rules, Families: families, Pending: pending, Refused: refused},
		Text: strings.Join(lines, "\n"),
	}, nil
}

func runPolicyLog(_ context.Context, c *actions.Call) (actions.Result, error) {
	entries, dropped := c.Rules.Refused()
	lines := make([]string, 0, len(entries)+len(dropped))
	for _, kind := range slices.Sorted(maps.Keys(dropped)) {
		lines = append(lines, "… "+wording.Plural(dropped[kind], "earlier refusal")+" of kind "+string(kind)+" not shown")
	}
	for _, e := range entries {
		line := e.Last.Format(time.TimeOnly) + " " + string(e.Kind) + " " + e.Subject + ": " + e.Rule
		if e.Command != "" {
			line += " (`" + e.Command + "`)"
		}
		if e.Count > 1 {
			line += ", " + strconv.Itoa(e.Count) + " times"
		}
		lines = append(lines, line)
	}
	if len(entries) == 0 {
		lines = append(lines, "Nothing was refused")
	}
	return actions.Result{Data: Refusals{Refused: entries, Dropped: dropped}, Text: strings.Join(lines, "\n")}, nil
}
