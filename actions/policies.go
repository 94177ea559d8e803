package actions

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/internal/wording"
	"github.com/skua-browser/skua/policy"
)

// Rules is what the owner of a session forbids.
type Rules interface {
	// Standing returns the rules that stand.
	Standing() []policy.Rule
	// Refused returns what was refused since the session began, the latest at the end, and how many refusals of each kind are not among it.
	Refused() (entries []policy.Refusal, dropped map[policy.Kind]int)
	// File returns the path by which a file of the caller's is to be opened, with links resolved when the owner has named roots. The error has
	// the code [fault.PolicyBlocked], and is in the log of refusals.
	File(in *Input, use policy.Use, path string) (string, error)
	// Folder returns where files that a caller gave no path for go; empty: where they always do.
	Folder(use policy.Use) string
	// Pending returns the commands that wait to be confirmed, the oldest first.
	Pending() []policy.Held
	// Confirm runs the command that waits with this id as it was asked for, and returns what it said. Held is the zero value when none waits.
	Confirm(ctx context.Context, id string) (policy.Held, Result, error)
	// Deny forgets the command that waits with this id.
	Deny(id string) (policy.Held, error)
}

func policyCommands() []Command {
	return append(confirmCommands(), []Command{
		{
			Name: "policy", Group: GroupPolicy, Summary: "Print the rules that stand in the session",
			Help:   "What the action policy, the lists of domains and the roots of files allow, deny, and have confirmed. No rule keeps this command from running.",
			Effect: Control | NoBrowser, Run: runPolicy,
			Policy: Policy{Families: policy.Does(), Reach: policy.Never},
		},
		{
			Name: "policy log", PageText: true, Group: GroupPolicy, Summary: "Print what was refused in the session",
			Help: "One line for each thing that a rule refused, with how often: actions of the agent, hosts and addresses that a page asked for, files, " +
				"confirmations, logins. The log holds the newest hundred of each kind, until the session is closed.",
			Effect: Control | NoBrowser, Run: runPolicyLog,
			Policy: Policy{Families: policy.Does(), Reach: policy.Never},
		},
	}...)
}

// confirmLimit is how long `confirm` may take: the deadline of the command that it runs is what counts.
const confirmLimit = time.Hour

func confirmCommands() []Command {
	id := Arg{Name: "id", Help: "What the reply of the held command calls confirmation_id"}
	return []Command{
		{
			Name:     "confirm",
			Upstream: []string{"confirm <id>", "confirm <confirmation-id>"},
			PageText: true, Group: GroupPolicy, Summary: "Run a command that waits to be confirmed",
			Help: "Runs the very command that was held, in the folder, with the input and the options that it was given with. Refs are looked up now, and when " +
				"the page is not what it was, the reply says so. The reply and the exit code are those of the command.",
			Args: []Arg{id}, Effect: Control | NoBrowser, AtLeast: func(*Input) time.Duration { return confirmLimit }, Run: runConfirm,
			Policy: Policy{Families: policy.Does(), Reach: policy.Never},
		},
		{
			Name:     "deny",
			Upstream: []string{"deny <id>", "deny <confirmation-id>"},
			Group:    GroupPolicy, Summary: "Drop a command that waits to be confirmed",
			Args: []Arg{id}, Effect: Control | NoBrowser, Run: runDeny,
			Policy: Policy{Families: policy.Does(), Reach: policy.Never},
		},
	}
}

func runConfirm(ctx context.Context, c *Call) (Result, error) {
	held, res, err := c.Session.Rules().Confirm(ctx, c.String("id"))
	if err != nil {
		return Result{Notes: res.Notes}, err
	}
	c.confirmed = true
	res.Data = map[string]any{
		"action": held.Action, "confirmed": true, "result": map[string]any{"data": res.Data, "id": held.ID, "success": true},
	}
	res.Bare = false
	return res, nil
}

func runDeny(_ context.Context, c *Call) (Result, error) {
	held, err := c.Session.Rules().Deny(c.String("id"))
	if err != nil {
		return Result{}, err
	}
	return Result{Data: map[string]any{"action": held.Action, "denied": true}, Text: "✓ Action denied"}, nil
}

func runPolicy(_ context.Context, c *Call) (Result, error) {
	rules := c.Session.Rules().Standing()
	entries, dropped := c.Session.Rules().Refused()
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
		lines = append(lines, "No rules stand in this session")
	}
	families := c.registry.shownFamilies()
	if len(rules) > 0 {
		lines = append(lines, "rules may name what commands do:")
		for _, f := range families {
			lines = append(lines, "  "+string(f.Name)+": "+strings.Join(f.Commands, ", "))
		}
	}
	pending := c.Session.Rules().Pending()
	for _, h := range pending {
		lines = append(lines, "waits for `"+c.Program()+" confirm "+h.ID+"`: "+h.Command)
	}
	if refused > 0 {
		lines = append(lines, wording.Plural(refused, "refusal")+"; `"+c.Program()+" policy log` shows them")
	}
	return Result{Data: map[string]any{"rules": rules, "families": families, "pending": pending, "refused": refused}, Text: strings.Join(lines, "\n")}, nil
}

func runPolicyLog(_ context.Context, c *Call) (Result, error) {
	entries, dropped := c.Session.Rules().Refused()
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
	return Result{Data: map[string]any{"refused": entries, "dropped": dropped}, Text: strings.Join(lines, "\n")}, nil
}
