package model

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// Planner is a planner of tasks that asks a model. It keeps nothing between two plans.
type Planner struct{ Model Model }

var _ task.Planner = (*Planner)(nil)

// Name is what the records of a task call it.
func (p *Planner) Name() string { return "model:" + p.Model.Name() }

// Bounds of one plan.
const (
	maxSteps    = 5 // of a plan
	maxLooks    = 8 // answers with tools that only look
	maxMistakes = 3 // answers that cannot be followed
	maxSeen     = 8_000
)

// Plan asks the model what to do next. Tools that only look are used at once, for it to decide upon; the others become
// the steps of a plan. What is wrong in an answer is said to the model a few times, and ends the plan after that.
func (p *Planner) Plan(ctx context.Context, s *task.PlannerInput) (task.Decision, error) {
	b := &binding{situation: s, known: known(s)}
	messages := []Message{{Role: User, Text: told(s)}}
	tools := plannerTools(s)
	fits := fitting{model: p.Model, tools: tools}
	mistakes, looks := 0, 0
	for {
		a, err := p.Model.Complete(ctx, Request{System: plannerInstructions, Messages: messages, Tools: tools, Forced: true})
		if err != nil {
			return task.Decision{}, err
		}
		if a.Stop == Refused || a.Stop == TooLong {
			return task.Decision{}, fault.New(fault.ModelFailed, "The model %s returned no plan: its answer ended with %q.",
				p.Model.Name(), a.Stop).About(p.Model.Name())
		}
		number(a.Calls, len(messages))
		switch retried, err := fits.retry(a); {
		case err != nil:
			return task.Decision{}, err
		case retried != nil:
			messages = append(messages, retried...)
			continue
		}
		d, results, err := b.follow(ctx, a)
		switch {
		case err != nil:
			return task.Decision{}, err
		case d != nil:
			if d.Plan != nil {
				d.Plan.Rationale = Truncate(strings.TrimSpace(a.Text), 500)
			}
			return *d, nil
		}
		if b.wrong != "" {
			if mistakes++; mistakes > maxMistakes {
				return task.Decision{}, fault.New(fault.ModelFailed, "The model %s returned no usable plan: %s", p.Model.Name(),
					b.wrong).About(p.Model.Name())
			}
		} else if looks++; looks > maxLooks {
			return task.Decision{}, fault.New(fault.ModelFailed, "The model %s looked %d times and made no plan.",
				p.Model.Name(), maxLooks).About(p.Model.Name())
		}
		if len(a.Calls) == 0 {
			messages = append(messages, Message{Role: Assistant, Text: orNothing(a.Text)}, Message{
				Role: User,
				Text: "Answer with a call of a tool.",
			})
			continue
		}
		messages = append(messages, a.message(), Message{Role: Results, Results: results})
	}
}

// binding turns answers into decisions.
type binding struct {
	situation *task.PlannerInput
	known     map[string]bool // ids that steps may name
	wrong     string          // what cannot be followed in the last answer, or empty
}

// follow turns an answer into a decision. Without one it returns the result of each call, for the model.
func (b *binding) follow(ctx context.Context, a Answer) (*task.Decision, []Outcome, error) {
	b.wrong = ""
	results := make([]Outcome, len(a.Calls))
	var steps []toolbox.Step
	for i, call := range a.Calls {
		results[i] = Outcome{
			ID:   call.ID,
			Text: "Nothing was done: another call of this answer comes first. Ask again when it is needed.",
		}
		if b.wrong != "" {
			continue
		}
		d, step, err := b.read(call)
		switch {
		case err != nil:
			b.wrong = err.Error()
			results[i] = Outcome{ID: call.ID, Text: b.wrong, Failed: true}
		case d != nil && len(steps) == 0 && i == 0:
			return d, nil, nil
		case d != nil: // behind other calls: what these lead to has to be seen first
		case looks(step) && len(steps) == 0:
			res, err := b.situation.Look(ctx, *step.Call)
			if err != nil {
				return nil, nil, err
			}
			results[i] = b.seen(call.ID, res)
		case len(steps) < maxSteps && (len(steps) > 0 || i == 0):
			steps = append(steps, *step)
		}
	}
	if len(a.Calls) == 0 {
		b.wrong = "the answer calls no tool"
	}
	if b.wrong == "" && len(steps) > 0 {
		return &task.Decision{Plan: &task.Plan{Steps: steps, CreatedAt: b.situation.Now}}, nil, nil
	}
	return nil, results, nil
}

// looks reports whether a step only looks. To wait is a step as well, behind others.
func looks(step *toolbox.Step) bool {
	tool, err := toolbox.Find(step.Call.Name)
	return err == nil && tool.ReadOnly
}

// read reads one call: a decision, or a step.
func (b *binding) read(call Call) (*task.Decision, *toolbox.Step, error) {
	if read, ok := decisions[call.Name]; ok {
		d, err := read(call.Args)
		return d, nil, err
	}
	tool, err := toolbox.Find(call.Name)
	if err != nil {
		return nil, nil, err
	}
	args, secret, err := b.withoutSecret(tool, call.Args)
	if err != nil {
		return nil, nil, err
	}
	if _, err := tool.Argv(args); err != nil {
		return nil, nil, err
	}
	for _, id := range idsOf(args) {
		if !b.known[id] {
			return nil, nil, fault.New(fault.Usage, "%s was not seen on the page, or is hidden there.", id).About(id).
				WithHint("pcd_query finds ids.")
		}
	}
	step := &toolbox.Step{
		Kind: toolbox.ToolStep,
		Call: &toolbox.Call{
			Name: tool.Name,
			Args: args,
		},
		Description: Truncate(tool.Title+" "+string(args), 200),
		Risk:        toolbox.Medium,
		Secret:      secret,
	}
	if secret != "" {
		step.Risk = toolbox.High
	}
	return nil, step, nil
}

// withoutSecret takes the name of a grant out of the arguments.
func (b *binding) withoutSecret(tool toolbox.Tool, raw json.RawMessage) (json.RawMessage, string, error) {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil || args["secret"] == nil {
		return object(raw), "", nil
	}
	var name string
	if err := json.Unmarshal(args["secret"], &name); err != nil ||
		!slices.ContainsFunc(b.situation.Grants, func(g task.Grant) bool { return g.Name == name }) {
		return nil, "", fault.New(fault.Usage, "There is no secret %s.", args["secret"]).
			WithHint("The situation lists those that are granted.")
	}
	if tool.Name != "dom.type" {
		return nil, "", fault.New(fault.Usage, "Only dom_type takes a secret.").About(name)
	}
	delete(args, "secret")
	args["text"] = json.RawMessage(`""`) // the value takes its place when it is typed
	args["replace"] = json.RawMessage("true")
	clean, err := json.Marshal(args)
	return clean, name, err
}

// seen is the result of a call that only looks, for the model. The ids in it become known.
func (b *binding) seen(id string, res toolbox.Result) Outcome {
	if !res.OK {
		return Outcome{ID: id, Text: markPageText(res.Error), Failed: true}
	}
	text, err := json.Marshal(res.Data)
	if err != nil {
		return Outcome{ID: id, Text: "the result cannot be shown: " + err.Error(), Failed: true}
	}
	learn(text, b.known)
	return Outcome{ID: id, Text: markPageText(Truncate(string(text), maxSeen))}
}

func orNothing(text string) string {
	if text == "" {
		return "(nothing)"
	}
	return text
}

// decisions are the tools that end a plan without steps.
var decisions = map[string]func(json.RawMessage) (*task.Decision, error){
	"done": func(raw json.RawMessage) (*task.Decision, error) {
		d := &task.Done{}
		if err := decode("done", raw, d); err != nil {
			return nil, err
		}
		if len(d.Effects) == 0 {
			return nil, fault.New(fault.Usage, "done needs effects: what can be seen now that the goal is reached.")
		}
		return &task.Decision{Done: d}, nil
	},
	"ask_person": func(raw json.RawMessage) (*task.Decision, error) {
		d := &task.NeedsUser{}
		if err := decode("ask_person", raw, d); err != nil || d.Question == "" {
			return nil, wanting("ask_person", "question", err)
		}
		return &task.Decision{NeedsUser: d}, nil
	},
	"explore": func(raw json.RawMessage) (*task.Decision, error) {
		d := &task.Explore{}
		if err := decode("explore", raw, d); err != nil || d.Goal == "" {
			return nil, wanting("explore", "goal", err)
		}
		return &task.Decision{Explore: d}, nil
	},
	"give_up": func(raw json.RawMessage) (*task.Decision, error) {
		d := &task.GiveUp{}
		if err := decode("give_up", raw, d); err != nil || d.Reason == "" {
			return nil, wanting("give_up", "reason", err)
		}
		return &task.Decision{GiveUp: d}, nil
	},
}

func decode(tool string, raw json.RawMessage, into any) error {
	if err := json.Unmarshal(raw, into); err != nil {
		return fault.New(fault.Usage, "The arguments of %s cannot be read: %w", tool, err)
	}
	return nil
}

func wanting(tool, arg string, err error) error {
	if err != nil {
		return err
	}
	return fault.New(fault.Usage, "%s needs %s.", tool, arg)
}

// idsOf finds the ids in the arguments of a call.
func idsOf(raw json.RawMessage) []string {
	var args struct {
		Selector     json.RawMessage `json:"selector"`
		IDs          []string        `json:"ids"`
		CollectionID string          `json:"collectionId"`
		Event        string          `json:"event"`
		Value        json.RawMessage `json:"value"`
	}
	_ = json.Unmarshal(raw, &args) // Argv has read them
	var selector, value string
	_ = json.Unmarshal(args.Selector, &selector)
	if args.Event == "selector" {
		_ = json.Unmarshal(args.Value, &value)
	}
	var ids []string
	for _, id := range append([]string{selector, value, args.CollectionID}, args.IDs...) {
		if id = strings.TrimPrefix(id, "@"); isID(id) {
			ids = append(ids, id)
		}
	}
	return ids
}

func isID(s string) bool {
	return len(s) > 1 && s[0] == 'e' && strings.Trim(s[1:], "0123456789") == ""
}

// learn adds the ids that are whole values in a tool's data. An id inside a longer text, such as a page's title, does
// not count.
func learn(data []byte, known map[string]bool) {
	var v any
	if json.Unmarshal(data, &v) == nil {
		learnIn("", v, known)
	}
}

func learnIn(key string, v any, known map[string]bool) {
	switch v := v.(type) {
	case map[string]any:
		if v["unseen"] == true {
			return
		}
		for name, x := range v {
			if key == "actions" { // of an item: refs by label
				name = "id"
			}
			learnIn(name, x, known)
		}
	case []any:
		for _, x := range v {
			learnIn("", x, known)
		}
	case string:
		if (key == "id" || key == "submitId") && isID(v) {
			known[v] = true
		}
	}
}
