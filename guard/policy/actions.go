package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/skua-browser/skua/guard/flow"
)

// Actions are rules about actions: an action policy file, or a list of actions that need confirmation.
type Actions struct {
	From    string   // the file or flag that it comes from
	Default string   // "allow", "deny" or "": allow, unless there is an allow list
	Allow   []string // names of actions
	Deny    []string
	Confirm []string
	Flows   flow.Rules // what goes from one site to another
	Known   []string   // texts that the owner of the task gave, which do not belong to a site
}

// maxPolicy bounds a policy file in bytes.
const maxPolicy = 1 << 20

// Vocabulary is the set of action names.
type Vocabulary interface {
	// Knows reports whether an action or a family has this name.
	Knows(name string) bool
	// Nearest returns names similar to a wrong one, the most similar first.
	Nearest(name string) []string
}

// Parse reads a policy file. An unknown action name is an error, since its rule would have no effect.
func Parse(data []byte, from string, words Vocabulary) (*Actions, error) {
	if len(data) > maxPolicy {
		return nil, errors.New("the file is larger than 1 MiB")
	}
	var file struct {
		Schema  string   `json:"$schema"`
		Default *string  `json:"default"`
		Allow   []string `json:"allow"`
		Deny    []string `json:"deny"`
		Confirm []string `json:"confirm"`
		Flows   *struct {
			Mode  string   `json:"mode"`
			Allow []string `json:"allow"`
			Known []string `json:"known"`
		} `json:"flows"`
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&file); err != nil {
		return nil, fmt.Errorf("not a policy: %w", err)
	}
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return nil, errors.New("not a policy: null")
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("not a policy: something follows the object")
	}
	a := &Actions{From: from, Allow: file.Allow, Deny: file.Deny, Confirm: file.Confirm}
	if file.Default != nil {
		if a.Default = *file.Default; a.Default != "allow" && a.Default != "deny" {
			return nil, fmt.Errorf("default is '%s', and must be allow or deny", bounded(a.Default))
		}
	}
	if file.Flows != nil {
		flows, err := FlowRules(file.Flows.Mode, file.Flows.Known, from)
		if err != nil {
			return nil, fmt.Errorf("flows: %w", err)
		}
		a.Flows, a.Known = flows.Flows, flows.Known
		for _, text := range file.Flows.Allow {
			pair, err := flow.ParsePair(text)
			if err != nil {
				return nil, fmt.Errorf("flows: %w", err)
			}
			a.Flows.Allow = append(a.Flows.Allow, pair)
		}
	}
	for _, list := range [][]string{a.Allow, a.Deny, a.Confirm} {
		if err := known(list, words); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ConfirmList returns rules for a list of actions that need confirmation.
func ConfirmList(names []string, from string, words Vocabulary) (*Actions, error) {
	return &Actions{From: from, Confirm: names}, known(names, words)
}

// FlowRules returns rules for what goes from one site to another. known are texts that the owner of the task gave.
func FlowRules(mode string, known []string, from string) (*Actions, error) {
	m, err := flow.ParseMode(mode)
	return &Actions{From: from, Flows: flow.Rules{Mode: m}, Known: known}, err
}

// Flows returns what several rules say of flows: the strictest mode, with what the granting ones allow and know.
func Flows(rules, granting []*Actions) (all flow.Rules, known []string) {
	for _, a := range rules {
		all.Mode = max(all.Mode, a.Flows.Mode)
	}
	for _, a := range granting {
		all.Allow, known = append(all.Allow, a.Flows.Allow...), append(known, a.Known...)
	}
	return all, known
}

func known(names []string, words Vocabulary) error {
	for _, name := range names {
		if words.Knows(name) {
			continue
		}
		err := fmt.Errorf("there is no action '%s'", bounded(name))
		if near := words.Nearest(name); len(near) > 0 {
			err = fmt.Errorf("%w; did you mean %s?", err, strings.Join(near, ", "))
		}
		return err
	}
	return nil
}

// Reach says which rules apply to a request.
type Reach uint8

// The reaches.
const (
	Always    Reach = iota // all rules
	WhenNamed              // only rules that name it: neither a default nor an allow list forbids it
	Never                  // none
)

// ActionRequest is something that a command does.
type ActionRequest struct {
	Action string   // agent-browser's name, for messages: "evaluate"
	Names  []string // all names that rules may use for it
	Reach  Reach

	Families []Family // its families, which rules may name as well
	// Granted says that the request would get around rules: if there are any, it is refused unless an allow list names it.
	Granted bool
	// Option is the launch option by which it is requested, or empty. The call that brings a session's first rules
	// chooses how its browser starts.
	Option string
	// Remote is the address that the request reaches, or nil. Only a rule that names the address grants it.
	Remote *Remote
}

// Effect is a verdict's effect on a request.
type Effect uint8

// The effects, the strictest last.
const (
	Permit Effect = iota
	Ask           // a person must confirm it
	Forbid
)

// Verdict is what the rules say about a request, and why.
type Verdict struct {
	Effect Effect
	Action string
	Reason string // a sentence without its period, for Forbid
	Rule   string // the rule that decided: "deny eval"
	From   string // where the rule comes from
}

// Judge returns the strictest verdict on everything that a command does.
func (a *Actions) Judge(requests []ActionRequest) Verdict {
	worst := Verdict{}
	for _, d := range requests {
		if v := a.judge(d); v.Effect > worst.Effect {
			worst = v
		}
	}
	return worst
}

func (a *Actions) judge(d ActionRequest) Verdict {
	v := Verdict{Action: d.Action, From: a.From}
	if d.Reach == Never {
		return v
	}
	if name, ok := matchAny(a.Deny, d); ok {
		v.Effect, v.Rule, v.Reason = Forbid, "deny "+name, "Action '"+d.Action+"' is denied by policy"
		return v
	}
	if name, ok := matchAny(a.Confirm, d); ok {
		v.Effect, v.Rule = Ask, "confirm "+name
		return v
	}
	if d.Reach == WhenNamed || a.Default == "allow" {
		return v
	}
	if _, ok := match(a.Allow, d); ok || allowsFamilies(a.Allow, d) {
		return v
	}
	switch {
	case len(a.Allow) > 0:
		v.Effect, v.Rule, v.Reason = Forbid, "allow "+strings.Join(a.Allow, ", "), "Action '"+d.Action+
			"' is not in the allow list"
	case a.Default == "deny":
		v.Effect, v.Rule, v.Reason = Forbid, "default deny", "Action '"+d.Action+"' denied: default policy is deny"
	}
	return v
}

// grants reports whether the allow list names the request.
func (a *Actions) grants(d ActionRequest) bool {
	if d.Remote != nil {
		return slices.ContainsFunc(a.Allow, d.Remote.isNamed)
	}
	_, ok := match(a.Allow, d)
	return ok
}

// matchAny returns the first name or family of the request in a list.
func matchAny(list []string, d ActionRequest) (name string, ok bool) {
	if name, ok = match(list, d); ok {
		return name, true
	}
	return matchFamily(list, d)
}

func match(list []string, d ActionRequest) (name string, ok bool) {
	for _, name := range list {
		if slices.Contains(d.Names, name) || d.Remote != nil && d.Remote.isNamed(name) {
			return name, true
		}
	}
	return "", false
}

// Rules returns the rules for display, in the order in which they are checked.
func (a *Actions) Rules() []Rule {
	var rules []Rule
	add := func(kind Kind, text string) { rules = append(rules, Rule{Kind: kind, Text: text, From: a.From}) }
	for _, list := range []struct {
		kind Kind
		does string
		of   []string
	}{{Action, "deny", a.Deny}, {Confirm, "confirm", a.Confirm}, {Action, "allow", a.Allow}} {
		if len(list.of) > 0 {
			add(list.kind, list.does+" "+strings.Join(list.of, ", "))
		}
	}
	if a.Flows.Mode > flow.Off {
		add(Flow, a.Flows.Mode.String()+" flows from one site to another")
	}
	for _, pair := range a.Flows.Allow {
		add(Flow, "let go "+pair.String())
	}
	switch {
	case a.Default != "":
		add(Action, a.Default+" all others")
	case len(a.Allow) > 0:
		add(Action, "deny all others")
	}
	return rules
}
