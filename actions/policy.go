package actions

import (
	"slices"

	"github.com/skua-browser/skua/guard/policy"
)

// Safety is what the gate needs to know of a command. An owner's rules know what they may call it, and what it does
// beside what its name says: what is forbidden by what is done is forbidden for whatever does it. A model may use what
// works in a page, unless a person has to be asked.
type Safety struct {
	// agent-browser's words for it, separated by spaces; empty means its name, joined by underscores
	Action string
	Acts   func(in *Input) string // which of several words it is this time
	Reach  policy.Reach

	// what it always does; every command says so, if only policy.Does() for nothing
	Families []policy.Family
	Further  func(in *Input) []policy.Family     // what it does as well by what it was given
	Like     []string                            // actions that it does the work of, for rules that deny or confirm these
	Implies  func(in *Input) (actions []string)  // the same, by what it was given
	Also     func(in *Input) (commands []string) // what it has done as well, by other commands
	Opens    bool                                // opens the addresses that it is given, as `open` does

	// Around says that it would get around rules, so that it is refused under any unless their owner allows it by name;
	// nil means that it does not.
	Around func(in *Input) bool
	// Remote is the address of the browser that it was given; nil means that it takes none.
	Remote func(in *Input) policy.Remote
	// AroundByAgents says so where an agent asks, since what it prints is meant for a person.
	AroundByAgents bool

	// ForModels says that a model which works in the session may use it, although it needs no browser. What works in a
	// page it may use anyway.
	ForModels bool
	// Blind means that the command's words do not show what it will do to a page, or that it uses a secret. If a model
	// asks for such a command, a person has to confirm it.
	Blind bool
	// Gives returns the addresses or hosts, or AllSites, that may get the command's input besides the page. It returns nil
	// if only the page gets it. A nil function leaves that to the command's effect.
	Gives   func(in *Input) []string
	Secrets bool // what it prints are secrets of pages: cookies, storage, saved states
	Sends   bool // submits the form that its selector is in

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

// launching are the actions of launch options of the caller's own. Those that the owner has set in the environment or
// in a configuration file do not count.
func launching(in *Input) (requests []policy.ActionRequest, also []string) {
	for _, name := range []string{policy.Executable, policy.Switches} {
		if in.Typed(name) {
			requests = append(requests, policy.ActionRequest{
				Action: name,
				Names:  []string{name},
				Reach:  policy.WhenNamed,
				Families: []policy.Family{
					policy.RunsPrograms,
				},
				Granted: true,
				Option:  name,
			})
		}
	}
	if in.Typed(policy.FileAccess) && in.Bool(policy.FileAccess) {
		// also for the caller who brings the first rules, since these could not be kept
		requests = append(requests, policy.ActionRequest{
			Action:   policy.FileAccess,
			Names:    []string{policy.FileAccess},
			Reach:    policy.WhenNamed,
			Families: policy.Does(policy.ReadsFiles),
			Granted:  true,
		})
	}
	if c := in.Configuration(); c != nil && in.Typed("config") {
		if s, ok := c.Sections["plugins"]; ok && s.Chosen {
			requests = append(requests, policy.ActionRequest{
				Action: "plugin_add",
				Names: []string{
					policy.AddPlugin,
					"plugin_add",
				},
				Reach:    policy.WhenNamed,
				Families: []policy.Family{policy.RunsPrograms},
				Granted:  true,
			})
		}
	}
	if in.Typed("extension") || in.Typed("restore-check-fn") {
		also = append(also, policy.Eval)
	}
	return requests, also
}

// Outgoing is what a command was given that may leave this machine.
type Outgoing struct {
	Texts     []string // for the page that it works in
	Addresses []string // that it opens or asks
	Files     []string // words that may be files whose content goes to the page
	Script    bool     // the texts are code, which may name further addresses
	To        []string // addresses and hosts that get the texts, or AllSites; empty means the page
}

// AllSites stands for every site that the session opens.
const AllSites = "every site"

// ToAll is the Gives of a command whose words every site gets.
func ToAll(*Input) []string { return []string{AllSites} }

// ToNamed returns the Gives of a command whose words the sites get that these flags name; without them it is to what
// otherwise says.
func ToNamed(otherwise []string, flags ...string) func(*Input) []string {
	return func(in *Input) (to []string) {
		for _, name := range flags {
			to = append(to, in.Strings(name)...)
		}
		if len(to) == 0 {
			return otherwise
		}
		return to
	}
}

// sending are the families of commands whose words go to a page.
var sending = policy.Does(policy.RunsScript, policy.ActsByKeyboard, policy.ActsByPointer, policy.Sends)

// Outgoing returns what the command was given that may leave this machine: all its words, but those that only find
// something in the page, or choose among what is known. A command that looks only sends nothing but the addresses that
// it asks.
func (in *Input) Outgoing(stdin []byte) Outgoing {
	cmd := in.cmd
	families := cmd.Safety.families(in)
	is := func(f policy.Family) bool { return slices.Contains(families, f) }
	out := Outgoing{Script: is(policy.RunsScript)}
	if cmd.Safety.Gives != nil {
		out.To = cmd.Safety.Gives(in)
	}
	sends := cmd.Safety.Gives != nil || cmd.Effect&(Mutates|Navigates) != 0 || slices.ContainsFunc(sending, is)
	add := func(name string, kind Kind, choice bool) {
		if choice || !in.Has(name) {
			return
		}
		switch kind {
		case URL:
			out.Addresses = append(out.Addresses, in.String(name))
		case String, Text, List, Path:
			if sends {
				out.Texts = append(out.Texts, in.Strings(name)...) // of a file, its name
			}
			if is(policy.ReadsFiles) {
				out.Files = append(out.Files, in.Strings(name)...)
			}
		}
	}
	for i := range cmd.Args {
		a := &cmd.Args[i]
		if a.Kind == String && a.Typed && len(in.String(a.Name)) > 1 {
			continue // the name of a key, such as Enter, and not a text
		}
		add(a.Name, a.Kind, len(a.OneOf) > 0)
	}
	for i := range cmd.Flags {
		f := &cmd.Flags[i]
		add(f.Name, f.Kind, len(f.OneOf) > 0)
	}
	if sends && in.WantsStdin() && len(stdin) > 0 {
		out.Texts = append(out.Texts, string(stdin))
	}
	if sends && in.Has("init-script") {
		out.Files = append(out.Files, in.Strings("init-script")...)
	}
	return out
}
