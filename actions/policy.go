package actions

import (
	"slices"

	"github.com/skua-browser/skua/guard/policy"
)

// Safety is what the gate needs to know of a command. An owner's rules know what they may call it, and what it does beside what its name says: what is
// forbidden by what is done is forbidden for whatever does it. A model may use what works in a page, unless a person has to be asked.
type Safety struct {
	Action string                 // agent-browser's words for it, separated by spaces; empty: its name, joined by underscores
	Acts   func(in *Input) string // which of several words it is this time
	Reach  policy.Reach

	Families []policy.Family                     // what it always does; every command says so, if only policy.Does() for nothing
	Further  func(in *Input) []policy.Family     // what it does as well by what it was given
	Like     []string                            // actions that it does the work of, for rules that deny or confirm these
	Implies  func(in *Input) (actions []string)  // the same, by what it was given
	Also     func(in *Input) (commands []string) // what it has done as well, by other commands
	Opens    bool                                // opens the addresses that it is given, as `open` does

	// Around says that it would get around rules, so that it is refused under any unless their owner allows it by name; nil: it does not.
	Around func(in *Input) bool
	// Remote is the address of the browser that it was given; nil: it takes none.
	Remote func(in *Input) policy.Remote
	// AroundByAgents says so where an agent asks, since what it prints is meant for a person.
	AroundByAgents bool

	// ForModels says that a model which works in the session may use it, although it needs no browser. What works in a page it may use anyway.
	ForModels bool
	// Blind says that its words do not tell what it will do to a page, or that it uses a secret: a model's wish for it is put to a person.
	Blind bool
	Sends bool // submits the form that its selector is in

	// Whether --content-boundaries marks what it prints: see ShowsPage.
	OwnWords bool // what it prints holds nothing that a page wrote
	PageText bool // of one that needs no browser: it prints what a page wrote
}

// Always is the Around of a command that gets around rules whatever it was given.
func Always(*Input) bool { return true }

// IfGiven is the Further of a command that does something when one of these arguments or flags is given.
func IfGiven(family policy.Family, names ...string) func(*Input) []policy.Family {
	return func(in *Input) []policy.Family {
		if slices.ContainsFunc(names, in.Has) {
			return policy.Does(family)
		}
		return nil
	}
}

// families returns what a command does with what it was given.
func (p *Safety) families(in *Input) []policy.Family {
	if p.Further == nil {
		return p.Families
	}
	return slices.Concat(p.Families, p.Further(in))
}

// ShownFamily is a family as `policy` shows it.
type ShownFamily struct {
	policy.FamilyInfo
	Commands []string `json:"commands"` // that always do it; others do with some of their flags
}

// ShownFamilies returns the families of rules with the commands that belong to them.
func (r *Registry) ShownFamilies() []ShownFamily {
	var all []ShownFamily
	for _, info := range policy.Families() {
		f := ShownFamily{FamilyInfo: info}
		for _, c := range r.commands {
			if slices.Contains(c.Safety.Families, info.Name) {
				f.Commands = append(f.Commands, c.Name)
			}
		}
		slices.Sort(f.Commands)
		all = append(all, f)
	}
	return all
}

// launching are the actions of launch options of the caller's own. Those that the owner has set in the environment or in a configuration file are
// none.
func launching(in *Input) (requests []policy.ActionRequest, also []string) {
	for _, name := range []string{policy.Executable, policy.Switches} {
		if in.Typed(name) {
			requests = append(requests, policy.ActionRequest{
				Action: name, Names: []string{name}, Reach: policy.WhenNamed, Families: []policy.Family{policy.RunsPrograms}, Granted: true, Option: name,
			})
		}
	}
	if in.Typed(policy.FileAccess) && in.Bool(policy.FileAccess) { // also for the caller who brings the first rules, since these could not be kept
		requests = append(requests, policy.ActionRequest{
			Action: policy.FileAccess, Names: []string{policy.FileAccess}, Reach: policy.WhenNamed, Families: policy.Does(policy.ReadsFiles), Granted: true,
		})
	}
	if c := in.Configuration(); c != nil && in.Typed("config") {
		if s, ok := c.Sections["plugins"]; ok && s.Chosen {
			requests = append(requests, policy.ActionRequest{
				Action: "plugin_add", Names: []string{policy.AddPlugin, "plugin_add"}, Reach: policy.WhenNamed, Families: []policy.Family{policy.RunsPrograms}, Granted: true,
			})
		}
	}
	if in.Typed("extension") || in.Typed("restore-check-fn") {
		also = append(also, policy.Eval)
	}
	return requests, also
}
