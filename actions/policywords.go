package actions

import (
	"context"
	"slices"
	"strings"

	"github.com/skua-browser/skua/internal/fault"

	"github.com/skua-browser/skua/guard/policy"
)

// An action policy speaks of commands by our names and families of names (`tab new`, `tab`) and by agent-browser's
// words for what it has its host do (`tab_new`, `evaluate`). The latter are the names joined by underscores, where a
// command's Action does not say otherwise.

// actionWords returns agent-browser's words for the command.
func (c *Command) actionWords() []string {
	if c.Safety.Action != "" {
		return strings.Fields(c.Safety.Action)
	}
	return []string{strings.ReplaceAll(c.Name, " ", "_")}
}

// actionNames returns all names that rules may call the command by: those of its families, too.
func (c *Command) actionNames() []string {
	names := c.actionWords()
	for _, name := range append([]string{c.Name}, c.Aliases...) {
		words := strings.Fields(name)
		for n := range words {
			names = append(names, strings.Join(words[:n+1], " "), strings.Join(words[:n+1], "_"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// LaunchAction is the action of a command that starts the session's browser.
const LaunchAction = "launch"

// ActionRequests returns what a command line does, in the order in which it matters to the rules. Agent says that an
// agent asks for it, by way of the tool.
func (r *Registry) ActionRequests(in *Input, agent bool) []policy.ActionRequest {
	cmd := in.Command()
	p := &cmd.Safety
	request := policy.ActionRequest{
		Action:   cmd.actionWords()[0],
		Names:    cmd.actionNames(),
		Reach:    p.Reach,
		Families: p.families(in),
	}
	request.Granted = p.Around != nil && p.Around(in) || p.AroundByAgents && agent
	if words := cmd.actionWords(); len(words) > 1 && p.Acts != nil {
		request.Action = p.Acts(in)
		request.Names = slices.DeleteFunc(request.Names, func(name string) bool {
			return name != cmd.Name && name != request.Action && slices.Contains(words, name)
		})
	}
	requests := []policy.ActionRequest{request}
	if p.Remote != nil {
		at := p.Remote(in)
		requests[0].Remote = &at
		requests = append(requests, at.Request(""))
	}
	var more []string
	if p.Also != nil {
		more = p.Also(in)
	}
	if p.Opens {
		more = append(more, opening(in)...)
	}
	reach := policy.WhenNamed
	if p.Reach == policy.WhenNamed { // what it does is all that it is
		reach = policy.Always
	}
	requests = r.further(requests, more, reach)
	requests = r.further(requests, p.Like, policy.WhenNamed)
	if p.Implies != nil {
		requests = r.further(requests, p.Implies(in), policy.WhenNamed)
	}
	requests = append(requests, policy.RemoteRequests(in.Typed, in.String, !cmd.Effect.Has(NoBrowser))...)
	if cmd.Effect.Has(NoBrowser) {
		return requests
	}
	if in.Has("init-script") {
		requests = r.further(requests, []string{policy.Eval}, reach)
	}
	launched, also := launching(in)
	return r.further(append(requests, launched...), also, policy.WhenNamed)
}

// further adds the actions of commands whose work is done as well.
func (r *Registry) further(requests []policy.ActionRequest, names []string, reach policy.Reach) []policy.ActionRequest {
	for _, name := range names {
		does, ok := r.Lookup(name)
		if !ok {
			continue
		}
		requests = append(requests, policy.ActionRequest{
			Action:   does.actionWords()[0],
			Names:    does.actionNames(),
			Reach:    reach,
			Families: does.Safety.Families,
		})
		requests = r.further(requests, does.Safety.Like, policy.WhenNamed)
	}
	return requests
}

// opening returns what opening the addresses that were given does, by other commands.
func opening(in *Input) (does []string) {
	for i := range in.cmd.Args {
		arg := &in.cmd.Args[i]
		if arg.Kind != URL || !in.Has(arg.Name) {
			continue
		}
		if in.cmd.Name != policy.Open {
			does = append(does, policy.Open)
		}
		if strings.HasPrefix(strings.ToLower(strings.TrimSpace(in.String(arg.Name))), "javascript:") {
			does = append(does, policy.Eval)
		}
	}
	return does
}

// ActionWords returns the names of actions that rules may use.
func (r *Registry) ActionWords() policy.Vocabulary {
	words := policy.Words{
		LaunchAction: true, policy.Executable: true, policy.Switches: true, policy.FileAccess: true,
		policy.Connect: true, policy.Provider: true, policy.Proxy: true,
	}
	for _, f := range policy.Families() {
		words[string(f.Name)] = true
	}
	for _, c := range r.commands {
		for _, name := range c.actionNames() {
			words[name] = true
		}
	}
	return words
}

// UpstreamWord reports whether a name of an action is one of agent-browser's own words.
func (r *Registry) UpstreamWord(name string) bool {
	return name == LaunchAction || slices.ContainsFunc(r.commands, func(c *Command) bool {
		return slices.Contains(c.actionWords(), name)
	})
}

// AllowSelfConfirm is the flag by which an owner lets an agent confirm what it asked for itself.
const AllowSelfConfirm = "allow-self-confirm"

// NotHere is the answer of a host, or of a batch, that is to run a program.
func NotHere(_ context.Context, c *Call) (Result, error) {
	name := c.Name()
	return Result{}, fault.New(fault.Usage, "`%s` is a program of its own and not a command of a session", name).
		About(name).
		WithHint("%s", "Start it by `skua "+name+"`, outside of a batch.")
}
