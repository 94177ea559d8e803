package policy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Actions says which actions may be taken: what an action policy file holds, or a list of actions that have to be confirmed.
type Actions struct {
	From    string   // the file or flag that it comes from
	Default string   // "allow", "deny" or "": allow, unless there is an allow list
	Allow   []string // names of actions
	Deny    []string
	Confirm []string
}

// maxPolicy bounds a policy file in bytes.
const maxPolicy = 1 << 20

// Vocabulary knows the names that actions have.
type Vocabulary interface {
	// Knows reports whether there is an action, or a family of them, with this name.
	Knows(name string) bool
	// Nearest returns the names that a wrong one may stand for, the likeliest first.
	Nearest(name string) []string
}

// Parse reads a policy file. A name that no action has is an error, since a rule about it would stand for nothing.
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
	for _, list := range [][]string{a.Allow, a.Deny, a.Confirm} {
		if err := known(list, words); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// ConfirmList makes rules of a list of actions that have to be confirmed.
func ConfirmList(names []string, from string, words Vocabulary) (*Actions, error) {
	return &Actions{From: from, Confirm: names}, known(names, words)
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

// Reach says which rules count for a deed.
type Reach uint8

// The reaches.
const (
	Always    Reach = iota // all rules
	WhenNamed              // only rules that name it: neither a default nor a list of what is allowed keeps it from being done
	Never                  // none
)

// Deed is something that a command does.
type Deed struct {
	Action string   // the name for messages, in agent-browser's words: "evaluate"
	Names  []string // all names that a rule may call it by
	Reach  Reach

	Families []Family // what it does, which rules may name as well
	// Granted says that it would get around rules: wherever there are some it is refused, unless the list of what their owner allows names it.
	Granted bool
}

// Effect is what rules say of a deed.
type Effect uint8

// The effects, the strictest last.
const (
	Permit Effect = iota
	Ask           // a person has to confirm it
	Forbid
)

// Verdict is what rules say of a deed, and why.
type Verdict struct {
	Effect Effect
	Action string
	Reason string // a sentence without its period, for Forbid
	Rule   string // the rule that decided: "deny eval"
	From   string // where the rule comes from
}

// Judge asks what the rules say of everything that a command does: the strictest verdict counts.
func (a *Actions) Judge(deeds []Deed) Verdict {
	worst := Verdict{}
	for _, d := range deeds {
		if v := a.judge(d); v.Effect > worst.Effect {
			worst = v
		}
	}
	return worst
}

func (a *Actions) judge(d Deed) Verdict {
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
		v.Effect, v.Rule, v.Reason = Forbid, "allow "+strings.Join(a.Allow, ", "), "Action '"+d.Action+"' is not in the allow list"
	case a.Default == "deny":
		v.Effect, v.Rule, v.Reason = Forbid, "default deny", "Action '"+d.Action+"' denied: default policy is deny"
	}
	return v
}

// grants reports whether the list of what is allowed names the deed.
func (a *Actions) grants(d Deed) bool {
	_, ok := match(a.Allow, d)
	return ok
}

// matchAny looks for the deed's names and for its families.
func matchAny(list []string, d Deed) (name string, ok bool) {
	if name, ok = match(list, d); ok {
		return name, true
	}
	return matchFamily(list, d)
}

func match(list []string, d Deed) (name string, ok bool) {
	for _, name := range list {
		if slices.Contains(d.Names, name) {
			return name, true
		}
	}
	return "", false
}

// Rules returns the rules as they are shown, in the order in which they are asked.
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
	switch {
	case a.Default != "":
		add(Action, a.Default+" all others")
	case len(a.Allow) > 0:
		add(Action, "deny all others")
	}
	return rules
}
