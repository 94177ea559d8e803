package copilot

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/skua-browser/skua/actions"
	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/skill"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/rules"
	"github.com/skua-browser/skua/guard/policy"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/wording"
)

func skillCommands() []actions.Command {
	names := skillNames()
	return []actions.Command{
		{
			Spec: actions.Spec{
				Name: "skill list", Group: actions.GroupCopilot,
				Summary: "List what can be done on most sites without knowing them, with parameters",
				Args:    []actions.Arg{{Name: "skill", Optional: true, OneOf: names, Help: "Only this one, with all it takes"}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), ForModels: true},
			Bindings: actions.Bindings{
				Data: []any{SkillsResult{}},
				Tools: []actions.AgentTool{{
					Name:  "browser_skill_list",
					Title: "List skills",
					About: "What can be done on most sites without knowing them " +
						"(log in, search, fill, filter, sort, …), with parameters.",
					ReadOnly: true,
					Params:   []actions.Param{{Name: "skill"}},
				}},
			},
			Run: runSkillList,
		},
		{
			Spec: actions.Spec{
				Name:     "skill match",
				Group:    actions.GroupCopilot,
				Summary:  "Say which skill a sentence asks for, with its parameters",
				Help:     "Nothing is done. A sentence that no skill does all of is refused, with what is left over.",
				Args:     []actions.Arg{{Name: "sentence", Kind: actions.Text, Help: "What you want"}},
				Examples: []actions.Example{{Line: `skill match "sort by price, most expensive first"`}},
			},
			Schedule: actions.Schedule{Effect: actions.Control | actions.NoBrowser},
			Safety:   actions.Safety{Families: policy.Does(), ForModels: true},
			Bindings: actions.Bindings{Data: []any{skill.Sentence{}}},
			Run:      runSkillMatch,
		},
		{
			Spec: actions.Spec{
				Name:    "skill run",
				Group:   actions.GroupCopilot,
				Summary: "Do one thing on the page by a skill, and check that it happened",
				Help: "Binds the skill to the page that is shown, does its steps, and says what was seen behind each. It " +
					"succeeds when its effect was seen. What it cannot bind " +
					"it names, with the nearest candidates of the page, and guesses nothing. Each step is a command to which the " +
					"session's rules apply. A step that cannot be " +
					"undone waits for `task confirm`; `checkout` stops before the order. The records are those of a task: `task " +
					"show` shows them.\n\n" +
					skillsHelp(),
				Args: []actions.Arg{
					{Name: "skill", OneOf: names, Help: "Its name"},
					{
						Name:     "params",
						Optional: true,
						Typed:    true,
						Value:    "json",
						Help:     "Its parameters, a JSON object; `skill list <skill>` shows them",
					},
				},
				Flags: []actions.Flag{
					grantFlag(),
					{Name: "downloads", Kind: actions.Path, Help: "The folder for downloads; one beside the records when not given"},
					{Name: "max-steps", Kind: actions.Int, Default: "60", Help: "Stop after this many steps; 0: never"},
					{Name: "limit", Kind: actions.Duration, Default: "5m", Help: "How long it may take; 0: no limit"},
				},
				Examples: []actions.Example{
					{Line: `skill run search '{"query":"tents"}'`},
					{Line: `skill run login '{"password":"vault:shop"}'`},
					{Line: `skill run login '{"username":"ann"}' --grant password=env:SHOP_PASSWORD`},
					{Line: `skill run sort '{"by":"price","order":"descending"}'`},
					{Line: `skill run download '{"every":true}' --downloads ./invoices`},
				},
			},
			Schedule: actions.Schedule{Effect: actions.Reads | actions.Mutates | actions.Navigates, Choosing: true, Rows: true},
			Safety:   actions.Safety{Reach: policy.WhenNamed, Families: policy.Does(), Implies: signsIn},
			Showing:  actions.Showing{Next: actions.OfResult(afterSkill)},
			Bindings: actions.Bindings{
				Data: []any{SkillResult{}},
				Tools: []actions.AgentTool{{
					Name:  "browser_skill",
					Title: "Do a skill on the page",
					About: "Do one thing on the open page by fixed rules and check that it happened. params is a JSON object as " +
						"browser_skill_list says. A reply that waits for a person names the task and the confirmation.",
					Params: []actions.Param{{Name: "skill"}, {Name: "params"}},
				}},
			},
			Run: runSkill,
		},
	}
}

// SkillLine is the command line that runs a skill with parameters as a JSON object.
func SkillLine(name string, params json.RawMessage) []string {
	return actions.ToolLine([]string{"skill", "run"}, name, string(params))
}

func skillNames() []string {
	all := skill.All()
	names := make([]string, len(all))
	for i, s := range all {
		names[i] = s.Name
	}
	return names
}

// skillsHelp is a line for each skill.
func skillsHelp() string {
	var lines []string
	for _, s := range skill.All() {
		lines = append(lines, s.Name+": "+s.About+" Parameters: "+s.Usage()+".")
	}
	return strings.Join(lines, "\n")
}

// signsIn is what a skill that types a login of the vault does the work of.
func signsIn(in *actions.Input) []string {
	if !strings.Contains(in.String("params"), vaultMark) {
		return nil
	}
	return []string{policy.SignIn}
}

func runSkillList(_ context.Context, c *actions.Call) (actions.Result, error) {
	res := SkillsResult{Skills: []SkillInfo{}}
	for _, s := range skill.All() {
		if wanted := c.String("skill"); wanted != "" && wanted != s.Name {
			continue
		}
		info := SkillInfo{
			Name:     s.Name,
			About:    s.About,
			Params:   s.Params,
			Ends:     s.Ends,
			Confirms: s.Confirms,
			Effects:  s.Effects,
			Examples: []json.RawMessage{},
		}
		for _, e := range s.Examples {
			info.Examples = append(info.Examples, json.RawMessage(e))
		}
		info.Schema = json.RawMessage(s.JSONSchema())
		res.Skills = append(res.Skills, info)
	}
	return actions.Result{Data: res, Text: skillsText(c, res.Skills)}, nil
}

// skillsText is a list of skills: each in a line, one alone with all that it takes.
func skillsText(c *actions.Call, list []SkillInfo) string {
	var b strings.Builder
	if len(list) != 1 {
		for _, s := range list {
			fmt.Fprintf(&b, "%-12s %s\n", s.Name, s.About)
			for _, p := range s.Params {
				mark := ""
				if p.Required {
					mark = ", needed"
				}
				fmt.Fprintf(&b, "%-12s   %s (%s%s)\n", "", p.Name, p.Takes(), mark)
			}
		}
		return strings.TrimSuffix(b.String(), "\n")
	}
	s := list[0]
	b.WriteString(s.Name + ": " + s.About)
	for _, p := range s.Params {
		fmt.Fprintf(&b, "\n  %s (%s", p.Name, p.Takes())
		if p.Required {
			b.WriteString(", needed")
		}
		if p.Default != "" {
			b.WriteString(", " + p.Default + " without it")
		}
		b.WriteString("): " + p.About)
	}
	b.WriteString("\n  Succeeds when: " + s.Ends)
	if s.Confirms != "" {
		b.WriteString("\n  Waits for a person before: " + s.Confirms)
	}
	for _, e := range s.Examples {
		fmt.Fprintf(&b, "\n  %s skill run %s '%s'", c.Program(), s.Name, e)
	}
	return b.String()
}

func runSkillMatch(_ context.Context, c *actions.Call) (actions.Result, error) {
	planner := &rules.Skills{Zone: time.Local}
	sentence := c.String("sentence")
	t := &task.Task{Goal: sentence, CreatedAt: millis()}
	if err := planner.CheckSentence(t); err != nil {
		return actions.Result{}, err
	}
	in := goal.ParseIntent(sentence, time.Now())
	res, ok, err := skill.ForSentence(in)
	if err != nil {
		return actions.Result{}, err
	}
	if !ok {
		return actions.Result{}, fault.New(fault.Usage, "%s: no skill does this.", wording.Quote(sentence)).About(sentence).
			WithHint("The skills are %s; `skill list` shows what each takes.", strings.Join(skillNames(), ", "))
	}
	text := fmt.Sprintf("%s %s\n%s skill run %s '%s'", res.Skill, res.Params, c.Program(), res.Skill, res.Params)
	if len(res.Missing) > 0 {
		text += "\nThe sentence does not say: " + strings.Join(res.Missing, ", ")
	}
	return actions.Result{Data: res, Text: text}, nil
}

// SkillsResult is the data of `skill list`.
type SkillsResult struct {
	Skills []SkillInfo `json:"skills"`
}

// SkillInfo is a skill of the list.
type SkillInfo struct {
	Name     string            `json:"name"`
	About    string            `json:"about"`
	Params   []skill.Param     `json:"params"`
	Schema   json.RawMessage   `json:"schema"` // of the parameters
	Ends     string            `json:"ends"`
	Confirms string            `json:"confirms,omitempty"`
	Effects  []skill.Effect    `json:"effects"`
	Examples []json.RawMessage `json:"examples"`
}
