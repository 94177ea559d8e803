package rules

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/catalog"
	"github.com/skua-browser/skua/engine/fault"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/session/config"
	"github.com/skua-browser/skua/session/launch"
)

// OwnerSource is where the rules of the owner of a process come from.
type OwnerSource struct {
	Input   *actions.Input // the command line of the process, with its configuration; nil: it has none
	Getenv  func(string) string
	Cwd     string // what relative paths are relative to; empty: those are not known, and such rules are left out
	Lenient bool   // what cannot be used is left out, since each request says it again
	LeftOut func(error)
}

// ReadOwner reads what the owner of a process has forbidden: on its command line, in its environment and in configuration files. They are read
// once; nil: nothing is forbidden.
func ReadOwner(o OwnerSource) (*policy.Owner, error) {
	registry := catalog.Registry()
	if o.Getenv == nil {
		o.Getenv = func(string) string { return "" }
	}
	in := o.Input
	if in == nil {
		opts := actions.ParseOptions{Getenv: ruleVariables(o.Getenv)}
		if o.Cwd != "" {
			opts.Configure = config.New().For(o.Cwd, o.Getenv)
		}
		var err error
		if in, err = registry.Parse([]string{"policy"}, opts); err != nil {
			return nil, o.leaveOut(err)
		}
	}
	if !anyRule(in, o.Getenv) && !selfConfirms(in, o.Getenv) {
		return nil, nil
	}
	var rules policy.OwnerRules
	words := registry.ActionWords()
	for _, said := range in.Statements("confirm-actions", o.Getenv) {
		list, err := confirmList(said, words)
		if err == nil {
			rules.Actions = append(rules.Actions, list)
		} else if err = o.leaveOut(err); err != nil {
			return nil, err
		}
	}
	for _, said := range policyFiles(in, o.Getenv) {
		a, err := o.policyFile(said, words)
		if err == nil && a != nil {
			rules.Actions = append(rules.Actions, a)
		} else if err = o.leaveOut(err); err != nil {
			return nil, err
		}
	}
	for _, flag := range rootFlags {
		for _, said := range in.Statements(flag.name, o.Getenv) {
			folders, err := o.paths(said)
			if err == nil {
				err = rules.Roots.Add(flag.use, folders, said.Source)
			}
			if err != nil {
				err = fault.New(fault.Usage, "%s: %w", said.Source, err).About(said.Source)
			}
			if err = o.leaveOut(err); err != nil {
				return nil, err
			}
		}
	}
	own, ceilings := NetworkRules(in, o.Getenv)
	rules.Networks = append(ceilings, own)
	rules.Boundaries = MarksPages(in, o.Getenv)
	if in.Has("max-output") {
		rules.MaxOutput = new(max(0, in.Int("max-output")))
	}
	rules.SelfConfirm = selfConfirms(in, o.Getenv)
	owner, err := policy.NewOwner(rules)
	return owner, o.leaveOut(err)
}

// ruleVariables reads the variables that set rules, and no others: what else an environment says about calls may be wrong without harm to rules.
func ruleVariables(getenv func(string) string) func(name string) string {
	names := append(actions.RuleVariables(), "SKUA_MAX_OUTPUT", "AGENT_BROWSER_MAX_OUTPUT")
	return func(name string) string {
		if slices.Contains(names, name) {
			return getenv(name)
		}
		return ""
	}
}

// leaveOut returns an error, unless it is to be left out.
func (o *OwnerSource) leaveOut(err error) error {
	if err == nil || !o.Lenient {
		return err
	}
	if o.LeftOut != nil {
		o.LeftOut(err)
	}
	return nil
}

// paths are the paths of a statement, made absolute.
func (o *OwnerSource) paths(said actions.Statement) ([]string, error) {
	if len(said.Words) == 0 {
		return nil, fault.New(fault.Usage, "names no folder")
	}
	var all []string
	for _, word := range said.Words {
		path := fromHome(word, o.Getenv)
		switch {
		case filepath.IsAbs(path):
			path = filepath.Clean(path)
		case o.Cwd == "":
			return nil, fault.New(fault.Usage, "%s is relative to a folder that is not known; give an absolute path", word)
		default:
			path = filepath.Join(o.Cwd, path)
		}
		all = append(all, path)
	}
	return all, nil
}

func (o *OwnerSource) policyFile(said actions.Statement, words policy.Vocabulary) (*policy.Actions, error) {
	paths, err := o.paths(said)
	var a *policy.Actions
	if err == nil {
		var data []byte
		if data, err = readPolicy(paths[0]); err == nil {
			a, err = policy.Parse(data, paths[0], words)
		}
	}
	if err != nil {
		return nil, fault.New(fault.Usage, "%s %s: the policy failed to load: %w", said.Source, said.Words[0], err).About(said.Source).
			WithHint("Repair the file, or name another one.")
	}
	return a, nil
}

// anyRule reports whether a rule is said anywhere.
func anyRule(in *actions.Input, getenv func(string) string) bool {
	if legacyPolicyFile(getenv) != "" || in.Has("max-output") {
		return true
	}
	return slices.ContainsFunc(ruleFlags, in.Ruled)
}

// ruleFlags are the globals by which owners set rules.
var ruleFlags = func() []string {
	var names []string
	for _, f := range actions.Globals() {
		if f.Rule {
			names = append(names, f.Name)
		}
	}
	return names
}()

// policyFiles returns what is said of policy files, by all sources.
func policyFiles(in *actions.Input, getenv func(string) string) []actions.Statement {
	all := in.Statements("action-policy", getenv)
	if file := legacyPolicyFile(getenv); file != "" {
		all = append(all, actions.Statement{Words: []string{file}, Source: legacyPolicy, Origin: actions.FromEnvironment})
	}
	return all
}

func legacyPolicyFile(getenv func(string) string) string {
	for _, prefix := range []string{"SKUA_", "AGENT_BROWSER_"} {
		if file := getenv(prefix + legacyPolicy); file != "" {
			return file
		}
	}
	return ""
}

// confirmList reads a list of actions that have to be confirmed.
func confirmList(said actions.Statement, words policy.Vocabulary) (*policy.Actions, error) {
	names := said.Words
	slices.Sort(names)
	names = slices.Compact(names)
	list, err := policy.ConfirmList(names, said.Source, words)
	if err != nil {
		return nil, fault.New(fault.Usage, "%s: %w", said.Source, err).About(said.Source).WithHint("`skua --help` lists the commands.")
	}
	return list, nil
}

// NetworkRules returns what a call says about what may be reached, and what its environment and configuration files say by themselves: a flag
// that says something else does not hide that.
func NetworkRules(in *actions.Input, getenv func(string) string) (own policy.NetworkRules, ceilings []policy.NetworkRules) {
	said := map[actions.Origin]*policy.NetworkRules{}
	for _, name := range launch.GateFlags {
		if in.Has(name) {
			setGate(&own, name, in.Strings(name))
		}
		if !in.Ruled(name) {
			continue
		}
		for _, s := range in.Statements(name, getenv) {
			if s.Origin == actions.FromWords {
				continue
			}
			if said[s.Origin] == nil {
				said[s.Origin] = &policy.NetworkRules{}
			}
			setGate(said[s.Origin], name, s.Words)
		}
	}
	for _, origin := range []actions.Origin{actions.FromOwnersFile, actions.FromFile, actions.FromEnvironment} {
		r := said[origin]
		if r == nil {
			continue
		}
		if r.Domains == "" {
			r.Resources = "" // which another source has to say beside what
		}
		if !r.BlockPrivate {
			r.AllowPrivate = ""
		}
		if *r != own && (r.Domains != "" || r.BlockPrivate) && !slices.Contains(ceilings, *r) {
			ceilings = append(ceilings, *r)
		}
	}
	return own, ceilings
}

func setGate(r *policy.NetworkRules, name string, words []string) {
	value := strings.Join(words, ",")
	switch name {
	case policy.FlagDomains:
		r.Domains = value
	case policy.FlagResources:
		r.Resources = value
	case policy.FlagBlockPrivate:
		r.BlockPrivate = len(words) > 0 && Truth(words[0])
	case policy.FlagAllowPrivate:
		r.AllowPrivate = value
	}
}

// MarksPages reports whether any source wants what pages wrote to be marked.
func MarksPages(in *actions.Input, getenv func(string) string) bool {
	return in.Ruled("content-boundaries") && slices.ContainsFunc(in.Statements("content-boundaries", getenv), func(s actions.Statement) bool {
		return len(s.Words) > 0 && Truth(s.Words[0])
	})
}

// selfConfirms reports whether the owner lets who asked for a command confirm it. It is a flag of the commands that serve, and no global: a
// request cannot give it.
func selfConfirms(in *actions.Input, getenv func(string) string) bool {
	return in.Bool(actions.AllowSelfConfirm) || Truth(getenv("SKUA_ALLOW_SELF_CONFIRM"))
}

// Truth reads a value of a switch.
func Truth(word string) bool {
	switch strings.ToLower(word) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}
