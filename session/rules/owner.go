package rules

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/grammar"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/session/config"
	"github.com/skua-browser/skua/session/launch"
)

// OwnerSource is where the rules of a process's owner come from.
type OwnerSource struct {
	Registry *actions.Registry
	Input    *actions.Input // the command line of the process, with its configuration, or nil
	Getenv   func(string) string
	Cwd      string // the base of relative paths; empty means rules with relative paths are skipped
	Lenient  bool   // skip unusable rules, which each request reports again
	LeftOut  func(error)
}

// ReadOwner reads the owner's rules of a process from its command line, environment and configuration files. It returns
// nil if there are none.
func ReadOwner(o OwnerSource) (*policy.Owner, error) {
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
		if in, err = o.Registry.Parse([]string{"policy"}, opts); err != nil {
			return nil, o.skip(err)
		}
	}
	if !anyRule(in, o.Getenv) && !selfConfirms(in, o.Getenv) {
		return nil, nil
	}
	var rules policy.OwnerRules
	words := o.Registry.ActionWords()
	for _, source := range in.Statements("confirm-actions", o.Getenv) {
		list, err := confirmList(source, words)
		if err == nil {
			rules.Actions = append(rules.Actions, list)
		} else if err = o.skip(err); err != nil {
			return nil, err
		}
	}
	for _, source := range in.Statements("flows", o.Getenv) {
		a, err := flowRules(source, in.String("known"))
		if err == nil {
			rules.Actions = append(rules.Actions, a)
		} else if err = o.skip(err); err != nil {
			return nil, err
		}
	}
	for _, source := range policyFiles(in, o.Getenv) {
		a, err := o.policyFile(source, words)
		if err == nil && a != nil {
			rules.Actions = append(rules.Actions, a)
		} else if err = o.skip(err); err != nil {
			return nil, err
		}
	}
	for _, flag := range rootFlags {
		for _, source := range in.Statements(flag.name, o.Getenv) {
			folders, err := o.paths(source)
			if err == nil {
				err = rules.Roots.Add(flag.use, folders, source.Source)
			}
			if err != nil {
				err = fault.New(fault.Usage, "%s: %w", source.Source, err).About(source.Source)
			}
			if err = o.skip(err); err != nil {
				return nil, err
			}
		}
	}
	own, ceilings := NetworkRules(in, o.Getenv)
	rules.Networks = append(ceilings, own)
	rules.Boundaries = ContentBoundaries(in, o.Getenv)
	if in.Has("max-output") {
		rules.MaxOutput = new(max(0, in.Int("max-output")))
	}
	rules.SelfConfirm = selfConfirms(in, o.Getenv)
	owner, err := policy.NewOwner(rules)
	return owner, o.skip(err)
}

// ruleVariables returns getenv for the variables that set rules, and no others: errors elsewhere in the environment
// must not disable rules.
func ruleVariables(getenv func(string) string) func(name string) string {
	names := append(actions.RuleVariables(), "SKUA_MAX_OUTPUT", "AGENT_BROWSER_MAX_OUTPUT", "SKUA_KNOWN",
		"AGENT_BROWSER_KNOWN")
	return func(name string) string {
		if slices.Contains(names, name) {
			return getenv(name)
		}
		return ""
	}
}

// skip returns an error, unless such rules are skipped.
func (o *OwnerSource) skip(err error) error {
	if err == nil || !o.Lenient {
		return err
	}
	if o.LeftOut != nil {
		o.LeftOut(err)
	}
	return nil
}

// paths returns the paths of a statement, made absolute.
func (o *OwnerSource) paths(source grammar.FlagSource) ([]string, error) {
	if len(source.Words) == 0 {
		return nil, fault.New(fault.Usage, "names no folder")
	}
	var all []string
	for _, word := range source.Words {
		path := expandHome(word, o.Getenv)
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

func (o *OwnerSource) policyFile(source grammar.FlagSource, words policy.Vocabulary) (*policy.Actions, error) {
	paths, err := o.paths(source)
	var a *policy.Actions
	if err == nil {
		var data []byte
		if data, err = readPolicy(paths[0]); err == nil {
			a, err = policy.Parse(data, paths[0], words)
		}
	}
	if err != nil {
		return nil, fault.New(fault.Usage, "%s %s: the policy failed to load: %w", source.Source, source.Words[0], err).
			About(source.Source).
			WithHint("Repair the file, or name another one.")
	}
	return a, nil
}

// anyRule reports whether there is any rule.
func anyRule(in *actions.Input, getenv func(string) string) bool {
	if legacyPolicyFile(getenv) != "" || in.Has("max-output") {
		return true
	}
	return slices.ContainsFunc(ruleFlags, in.Ruled)
}

// ruleFlags are the global flags that set rules.
var ruleFlags = func() []string {
	var names []string
	for _, f := range actions.Globals() {
		if f.Rule {
			names = append(names, f.Name)
		}
	}
	return names
}()

// policyFiles returns the policy files of all sources.
func policyFiles(in *actions.Input, getenv func(string) string) []grammar.FlagSource {
	all := in.Statements("action-policy", getenv)
	if file := legacyPolicyFile(getenv); file != "" {
		all = append(all, grammar.FlagSource{Words: []string{file}, Source: legacyPolicy, Origin: grammar.FromEnvironment})
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

// confirmList reads a list of actions that need confirmation.
func confirmList(source grammar.FlagSource, words policy.Vocabulary) (*policy.Actions, error) {
	names := source.Words
	slices.Sort(names)
	names = slices.Compact(names)
	list, err := policy.ConfirmList(names, source.Source, words)
	if err != nil {
		return nil, fault.New(fault.Usage, "%s: %w", source.Source, err).About(source.Source).
			WithHint("`skua --help` lists the commands.")
	}
	return list, nil
}

// flowRules parses the rules for data flows from one site to another.
func flowRules(source grammar.FlagSource, known string) (*policy.Actions, error) {
	var texts []string
	if known != "" {
		texts = []string{known}
	}
	a, err := policy.FlowRules(strings.Join(source.Words, " "), texts, source.Source)
	if err != nil {
		return nil, fault.New(fault.Usage, "%s: %w", source.Source, err).About(source.Source)
	}
	return a, nil
}

// NetworkRules returns the network rules of a call, and those of its environment and configuration files, which apply
// in addition: a flag cannot hide them.
func NetworkRules(
	in *actions.Input, getenv func(string) string,
) (own policy.NetworkRules, ceilings []policy.NetworkRules) {
	said := map[grammar.Origin]*policy.NetworkRules{}
	for _, name := range launch.GateFlags {
		if in.Has(name) {
			setGate(&own, name, in.Strings(name))
		}
		if !in.Ruled(name) {
			continue
		}
		for _, s := range in.Statements(name, getenv) {
			if s.Origin == grammar.FromWords {
				continue
			}
			if said[s.Origin] == nil {
				said[s.Origin] = &policy.NetworkRules{}
			}
			setGate(said[s.Origin], name, s.Words)
		}
	}
	for _, origin := range []grammar.Origin{grammar.FromOwnersFile, grammar.FromFile, grammar.FromEnvironment} {
		r := said[origin]
		if r == nil {
			continue
		}
		if r.Domains == "" {
			r.Resources = "" // resources only extend the domains of the same source
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
		r.BlockPrivate = len(words) > 0 && IsTrue(words[0])
	case policy.FlagAllowPrivate:
		r.AllowPrivate = value
	}
}

// ContentBoundaries reports whether any source asks for markers around page text.
func ContentBoundaries(in *actions.Input, getenv func(string) string) bool {
	return in.Ruled("content-boundaries") &&
		slices.ContainsFunc(in.Statements("content-boundaries", getenv), func(s grammar.FlagSource) bool {
			return len(s.Words) > 0 && IsTrue(s.Words[0])
		})
}

// selfConfirms reports whether the owner lets agents confirm their own commands. It is a flag of the programs that
// serve, not a global: a request cannot set it.
func selfConfirms(in *actions.Input, getenv func(string) string) bool {
	return in.Bool(actions.AllowSelfConfirm) || IsTrue(getenv("SKUA_ALLOW_SELF_CONFIRM"))
}

// IsTrue reports whether the value of a switch means true.
func IsTrue(word string) bool {
	switch strings.ToLower(word) {
	case "1", "true", "yes", "on":
		return true
	}
	return false
}
