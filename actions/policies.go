package actions

import (
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/policy"
)

const policyGroup = "Policy"

// Rules is what the owner of a session forbids.
type Rules interface {
	// Standing returns the rules that stand.
	Standing() []policy.Rule
	// Refused returns what was refused since the session began, the latest at the end, and how many refusals of each kind are not among it.
	Refused() (entries []policy.Refusal, dropped map[policy.Kind]int)
}

func policyCommands() []Command {
	return []Command{
		{
			Name: "policy", Group: policyGroup, Summary: "Print the rules that stand in the session",
			Help:   "What the action policy, the lists of domains and the roots of files allow, deny, and have confirmed. No rule keeps this command from running.",
			Effect: Control | NoBrowser, Run: runPolicy,
		},
		{
			Name: "policy log", Group: policyGroup, Summary: "Print what was refused in the session",
			Help: "One line for each thing that a rule refused, with how often: actions of the agent, hosts and addresses that a page asked for, files, " +
				"confirmations, logins. The log holds the newest hundred of each kind, until the session is closed.",
			Effect: Control | NoBrowser, Run: runPolicyLog,
		},
	}
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
	if refused > 0 {
		lines = append(lines, plural(refused, "refusal")+"; `"+c.Program()+" policy log` shows them")
	}
	return Result{Data: map[string]any{"rules": rules, "refused": refused}, Text: strings.Join(lines, "\n")}, nil
}

func runPolicyLog(_ context.Context, c *Call) (Result, error) {
	entries, dropped := c.Session.Rules().Refused()
	lines := make([]string, 0, len(entries)+len(dropped))
	for _, kind := range slices.Sorted(maps.Keys(dropped)) {
		lines = append(lines, "… "+plural(dropped[kind], "earlier refusal")+" of kind "+string(kind)+" not shown")
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
