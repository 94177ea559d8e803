package copilot

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/actions/fact"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/scout"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/rules"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

// vaultMark begins a reference to a login of the vault.
const vaultMark = "vault:"

func runSkill(ctx context.Context, c *actions.Call) (actions.Result, error) {
	grants, err := grantsOf(c)
	if err != nil {
		return actions.Result{}, err
	}
	use, grants, err := skillOf(ctx, c, grants)
	if err != nil {
		return actions.Result{}, err
	}
	wanted, err := wantedTask(ctx, c, grants, task.DefaultLimits().Replans)
	if err != nil {
		return actions.Result{}, err
	}
	wanted.Goal, wanted.Skill, wanted.Input, wanted.Params = "skill "+
		use.Skill.Name, use.Skill.Name, use.input, use.Values()
	return begun(ctx, c, wanted, &rules.Skills{Zone: time.Local})
}

// givenSkill is a skill with its parameters, as they are and as the JSON that they were read from.
type givenSkill struct {
	skill.Invocation
	input json.RawMessage
}

// skillOf reads the skill and its parameters. References to secrets become grants, and the parameters name those.
func skillOf(ctx context.Context, c *actions.Call, grants []task.Grant) (use givenSkill, all []task.Grant, err error) {
	s, err := skill.Find(c.String("skill"))
	if err != nil {
		return use, nil, err
	}
	text := c.String("params")
	if strings.TrimSpace(text) == "" {
		text = "{}"
	}
	given := map[string]json.RawMessage{}
	if json.Unmarshal([]byte(text), &given) == nil {
		if grants, err = secretsIn(ctx, c, s, given, grants); err != nil {
			return use, nil, err
		}
		b, err := json.Marshal(given)
		if err != nil {
			return use, nil, err
		}
		text = string(b)
	}
	use.input = json.RawMessage(text)
	use.Invocation, err = skill.NewInvocation(s.Name, use.input)
	if err != nil {
		c.Hide("params") // what cannot be read may hold a secret
	}
	return use, grants, err
}

// secretsIn makes grants of the references to secrets, and completes a login of the vault. What is neither a reference
// nor the name of a grant may be a secret, and is never repeated.
func secretsIn(
	ctx context.Context, c *actions.Call, s skill.Skill, given map[string]json.RawMessage, grants []task.Grant,
) ([]task.Grant, error) {
	named := func(name string) bool {
		return slices.ContainsFunc(grants, func(g task.Grant) bool { return g.Name == name })
	}
	refer := func(param, name, value string) (string, error) {
		if source, origin, _ := strings.Cut(value, "@"); strings.HasPrefix(source, vaultMark) &&
			len(source) > len(vaultMark) {
			grants = append(grants, task.Grant{Name: name, Source: source, Origin: task.Origin(origin)})
			return name, nil
		}
		if named(value) {
			return value, nil
		}
		c.Hide("params")
		return "", fault.New(fault.Usage, "The parameter %s of the skill %s is neither vault:LOGIN nor the name of a grant.",
			param, s.Name).About(param).
			WithHint(
				"A secret itself is never a parameter. Give --grant %s=env:VARIABLE, or save it with `auth save` and write "+
					"vault:LOGIN.", name)
	}
	for _, p := range s.Params {
		switch p.Kind {
		case skill.Secret:
			if given[p.Name] == nil && named(p.Name) {
				given[p.Name], _ = json.Marshal(p.Name) // a text
			}
			var value string
			if given[p.Name] == nil || json.Unmarshal(given[p.Name], &value) != nil {
				continue // its check says what is wrong with it
			}
			name, err := refer(p.Name, p.Name, value)
			if err != nil {
				return nil, err
			}
			given[p.Name], _ = json.Marshal(name) // a text
		case skill.Secrets:
			var values map[string]string
			if given[p.Name] == nil || json.Unmarshal(given[p.Name], &values) != nil {
				continue
			}
			for _, key := range slices.Sorted(maps.Keys(values)) {
				name, err := refer(p.Name, key, values[key])
				if err != nil {
					return nil, err
				}
				values[key] = name
			}
			given[p.Name], _ = json.Marshal(values) // texts
		}
	}
	for _, p := range s.Params {
		var values map[string]string
		if p.Kind != skill.Values || given[p.Name] == nil || json.Unmarshal(given[p.Name], &values) != nil {
			continue
		}
		for _, key := range slices.Sorted(maps.Keys(values)) {
			if pcd.NamesSecret(key) {
				c.Hide("params")
				return nil, fault.New(fault.Usage,
					"The parameter %s of the skill %s has a value for %q: a secret cannot be a value, since the records of a task "+
						"keep values.", p.Name, s.Name, key).
					About(p.Name).WithHint("Give --grant %s=env:VARIABLE, and name that among secrets if the skill has them.",
					shellLine([]string{key}))
			}
		}
	}
	if s.SignsIn() {
		return completeLogin(ctx, c, given, grants)
	}
	return grants, nil
}

// completeLogin takes from a login of the vault what the parameters do not say: the user's name, and the code where it
// has one.
func completeLogin(
	ctx context.Context, c *actions.Call, given map[string]json.RawMessage, grants []task.Grant,
) ([]task.Grant, error) {
	at := slices.IndexFunc(grants, func(g task.Grant) bool {
		return g.Name == "password" && strings.HasPrefix(g.Source, vaultMark)
	})
	if at < 0 {
		return grants, nil
	}
	entry, _, err := grantedLogin(ctx, c, strings.TrimPrefix(grants[at].Source, vaultMark))
	if err != nil {
		return nil, err
	}
	if given["username"] == nil && entry.Username != "" {
		given["username"], _ = json.Marshal(entry.Username) // a text
	}
	if given["otp"] == nil && entry.TOTP != "" {
		grants = append(grants, task.Grant{Name: "otp", Source: vaultMark + entry.Name + ".otp"})
		given["otp"], _ = json.Marshal("otp") // a text
	}
	return grants, nil
}

// skillFinder names candidates for what a skill cannot bind, by the command `scout`.
type skillFinder struct{ session rows }

// Candidates asks the scout.
func (f skillFinder) Candidates(ctx context.Context, tab string, want skill.Want) ([]pcd.Candidate, error) {
	var argv []string
	if tab != "" {
		argv = append(argv, "--tab="+tab)
	}
	argv = append(argv, "scout")
	if len(want.Of) > 0 {
		argv = append(argv, "--kind="+strings.Join(want.Of, ","))
	}
	reply, err := f.session.Do(ctx, append(argv, "--", strings.ReplaceAll(want.Text, "|", " ")))
	if err != nil || reply.Held {
		return nil, err
	}
	bundle, err := toolbox.Decode[*scout.Bundle](reply)
	if err != nil || bundle == nil {
		return nil, err
	}
	found := make([]pcd.Candidate, len(bundle.Candidates))
	for i := range bundle.Candidates {
		b := &bundle.Candidates[i]
		found[i] = pcd.Candidate{
			ID:    b.ID,
			Of:    b.Of,
			Label: b.Label,
			Kind:  b.Kind,
			Score: b.Confidence,
		}
	}
	return found, nil
}

// SkillResult is the data of `skill run`, and of `task confirm` and `task resume` of a skill.
type SkillResult struct {
	Skill   string         `json:"skill"`
	Status  task.Status    `json:"status"`
	Task    string         `json:"task"`
	URL     string         `json:"url,omitempty"`
	Title   string         `json:"title,omitempty"`
	Reason  string         `json:"reason,omitempty"`
	Answer  string         `json:"answer,omitempty"`
	Steps   []SkillStep    `json:"steps"`
	Seen    []SkillSeen    `json:"seen"`              // the evidence of its success
	Files   []string       `json:"files,omitempty"`   // that were saved
	Omitted []string       `json:"omitted,omitempty"` // what was asked for and not done
	Chosen  []string       `json:"chosen,omitempty"`  // which of several forms that fit were used
	Unbound []task.Unbound `json:"unbound,omitempty"` // what was looked for and not found, or found more than once
	Waits   *SkillWaits    `json:"waits,omitempty"`
	// Continue is how to continue the skill from where it stopped.
	Continue []task.Continuation `json:"continue,omitempty"`
}

// AddFacts reports that the page is shown.
func (r SkillResult) AddFacts(f *fact.Facts) { f.Page = fact.Shown{Title: r.Title, URL: r.URL} }

// SkillStep is one step.
type SkillStep struct {
	Did    string          `json:"did"`
	Status task.StepStatus `json:"status"`
	Saw    []string        `json:"saw,omitempty"` // the observed effects
	Error  string          `json:"error,omitempty"`
	URL    string          `json:"url,omitempty"` // where the page is since then
	MS     float64         `json:"ms"`
}

// SkillSeen is an effect that was looked for.
type SkillSeen struct {
	Effect task.EffectKind `json:"effect"`
	OK     bool            `json:"ok"`
	Saw    string          `json:"saw"`
}

// SkillWaits is a question to a person.
type SkillWaits struct {
	Confirmation string `json:"confirmation"`
	What         string `json:"what"`
	Expires      int64  `json:"expires"`
}

// skillResult returns the result of a skill's task.
func skillResult(c *actions.Call, t *task.Task) actions.Result {
	res := SkillResult{
		Skill:    t.Skill,
		Status:   t.Status,
		Task:     t.ID,
		Reason:   t.Reason,
		Answer:   t.Answer,
		Steps:    []SkillStep{},
		Seen:     []SkillSeen{},
		Files:    t.Saved(),
		Omitted:  t.Omitted,
		Unbound:  t.Unbound,
		Chosen:   t.Chosen,
		Continue: t.Continue,
	}
	if n := len(t.Breadcrumbs); n > 0 {
		res.URL, res.Title = t.Breadcrumbs[n-1].URL, t.Breadcrumbs[n-1].Title
	}
	for i := range t.History {
		h := &t.History[i]
		step := SkillStep{Did: cmp.Or(h.Step.Description, h.Step.Call.Name), Status: h.Status, MS: h.MS}
		if h.Result != nil {
			step.Error = h.Result.Error
		}
		if o := h.Observation; o != nil {
			step.Saw = o.Effects
			if o.URLChanged {
				step.URL = o.URL
			}
		}
		res.Steps = append(res.Steps, step)
	}
	for _, e := range t.Effects {
		res.Seen = append(res.Seen, SkillSeen{e.Kind, e.OK, e.Seen})
	}
	if a := t.Awaiting; a != nil && t.Status == task.AwaitingUser {
		res.Waits = &SkillWaits{a.ID, a.What, a.Expires}
	}
	return actions.Result{
		Data:   res,
		Text:   skillText(c, t, &res),
		Failed: t.Status != task.Succeeded && t.Status != task.AwaitingUser,
	}
}

// skillText is the result of a skill for people.
func skillText(c *actions.Call, t *task.Task, res *SkillResult) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s: %s", taskMark(t.Status), res.Skill, t.Status)
	if res.Reason != "" && res.Waits == nil {
		b.WriteString("\n  " + res.Reason)
	}
	for _, u := range res.Unbound {
		for i, c := range u.Candidates {
			b.WriteString(map[bool]string{true: "\n  the nearest for " + u.Slot + ": ", false: ", "}[i == 0])
			b.WriteString("@" + c.ID + " " + wording.Quote(c.Label))
		}
	}
	for _, chosen := range res.Chosen {
		b.WriteString("\n  " + chosen)
	}
	for i, s := range res.Steps {
		mark := map[task.StepStatus]string{task.StepOK: "✓", task.StepError: "✗", task.StepSkipped: "-"}[s.Status]
		fmt.Fprintf(&b, "\n  %2d %s %s (%.0f ms)", i+1, mark, s.Did, s.MS)
		for _, line := range s.Saw {
			b.WriteString("\n       " + line)
		}
		if s.Error != "" {
			b.WriteString("\n       " + s.Error)
		}
		if s.URL != "" {
			b.WriteString("\n       now at " + s.URL)
		}
	}
	for _, e := range res.Seen {
		b.WriteString("\n  " + map[bool]string{true: "✓ seen: ", false: "✗ not seen: "}[e.OK] + e.Saw)
	}
	if res.Answer != "" {
		b.WriteString("\n  " + res.Answer)
	}
	if res.Waits != nil {
		b.WriteString(waitsText(t))
	}
	b.WriteString(continuedText(c, t))
	return b.String()
}
