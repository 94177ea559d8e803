package runner

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
	"github.com/skua-browser/skua/internal/userfile"
)

// ReplayResult is the result of doing a task's steps again.
type ReplayResult struct {
	Task    string         `json:"task"`
	Tab     string         `json:"tab"`
	Same    bool           `json:"same"` // all steps were done, and led to what they led to then
	Stopped string         `json:"stopped,omitempty"`
	Steps   []ReplayedStep `json:"steps"`
}

// ReplayedStep is one step that was done again.
type ReplayedStep struct {
	N           int      `json:"n"`
	Description string   `json:"description"`
	Selector    string   `json:"selector,omitempty"`
	Error       string   `json:"error,omitempty"`
	Differs     []string `json:"differs,omitempty"` // what is not as it was
}

// Replayer repeats the steps of a task.
type Replayer struct {
	Session  toolbox.Session
	Secrets  *task.Secrets
	Files    string // the folder for what is downloaded
	HighRisk bool   // what cannot be taken back is done again, too

	tab string
	url string // of the page now
}

// Run opens a tab where the task began, and runs those of its steps that succeeded. It stops at the first that cannot
// be done, and at one of high risk.
func (a *Replayer) Run(ctx context.Context, t *task.Task) (*ReplayResult, error) {
	out := &ReplayResult{Task: t.ID, Steps: []ReplayedStep{}, Same: true}
	start := t.Start
	if start == "" && len(t.Breadcrumbs) > 0 {
		start = t.Breadcrumbs[0].URL
	}
	if start == "" {
		return nil, fault.New(fault.Usage, "Task %s has visited no page: there is nothing to replay.", t.ID).About(t.ID)
	}
	if _, err := a.Session.Do(ctx, []string{"tab", "new", "--", start}); err != nil {
		return nil, err
	}
	before, err := a.look(ctx)
	if err != nil {
		return nil, err
	}
	out.Tab, a.tab = before.Tab, before.Tab
	was := start
	for i := range t.History {
		rec := &t.History[i]
		if rec.Status != task.StepOK || rec.Step.Call == nil {
			continue
		}
		if !a.HighRisk && rec.Step.Risk == toolbox.High {
			out.Same, out.Stopped = false, "step "+strconv.Itoa(rec.N)+" cannot be taken back: "+rec.Step.Description
			return out, nil
		}
		step := ReplayedStep{N: rec.N, Description: rec.Step.Description, Selector: durable(rec)}
		// The page came by an exploration or a tab, which opened an address.
		if rec.From != "" && phrase.Place(rec.From) != phrase.Place(was) && phrase.Place(rec.From) != phrase.Place(a.url) {
			if _, err := a.do(ctx, "open", "--", rec.From); err != nil {
				return nil, err
			}
			if before, err = a.look(ctx); err != nil {
				return nil, err
			}
		}
		reply, err := a.step(ctx, t, rec)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil || reply.Held {
			step.Error = "a rule of the session requires a person to confirm it"
			if err != nil {
				step.Error = a.Secrets.Hide(err.Error())
			}
			out.Steps, out.Same, out.Stopped = append(out.Steps, step), false, "step "+strconv.Itoa(rec.N)+" failed"
			return out, nil
		}
		now, err := a.look(ctx)
		if err != nil {
			return nil, err
		}
		if rec.Observation != nil {
			step.Differs = differences(rec.Observation, pcd.Observe(before, now))
			was = rec.Observation.URL
		}
		step.Differs = append(step.Differs, filesDiffer(rec, reply)...)
		out.Same = out.Same && len(step.Differs) == 0
		out.Steps, before = append(out.Steps, step), now
	}
	return out, nil
}

func (a *Replayer) do(ctx context.Context, argv ...string) (toolbox.Reply, error) {
	if a.tab != "" {
		argv = append([]string{"--tab=" + a.tab}, argv...)
	}
	reply, err := a.Session.Do(ctx, argv)
	return a.Secrets.Clean(reply), err
}

func (a *Replayer) look(ctx context.Context) (*pcd.Summary, error) {
	reply, err := a.do(ctx, "capabilities")
	if err != nil {
		return nil, err
	}
	s, err := toolbox.Decode[*pcd.Summary](reply)
	if err != nil || s == nil {
		return nil, fault.New(fault.Internal, "what the page offers cannot be read: %w", err)
	}
	a.url = s.URL
	return s, nil
}

// durable is a selector that finds the step's element in another document: a ref finds it in its own alone.
func durable(r *task.StepRecord) string {
	if r.Selector != "" && !strings.HasPrefix(r.Selector, "@") {
		return r.Selector
	}
	for _, s := range r.Step.AltSelectors {
		if !strings.HasPrefix(s, "@") {
			return s
		}
	}
	return ""
}

// step runs the command line of a step, with a selector that holds in this page.
func (a *Replayer) step(ctx context.Context, t *task.Task, rec *task.StepRecord) (toolbox.Reply, error) {
	tool, err := toolbox.Find(rec.Step.Call.Name)
	if err != nil {
		return toolbox.Reply{}, err
	}
	call := *rec.Step.Call
	selector := durable(rec)
	switch {
	case strings.HasPrefix(tool.Name, "tabs."):
		return a.stay(ctx)
	case rec.Selector != "" && selector == "":
		return toolbox.Reply{}, fault.New(fault.RefStale, "only the number of %s is known", rec.Selector)
	case rec.Selector != "":
		call.Args = withSelector(call.Args, selector)
	case bytes.Contains(call.Args, []byte(`"collectionId"`)):
		return a.stay(ctx) // what it read is compared by the observation
	}
	if rec.Step.Secret != "" {
		return a.secret(ctx, t, rec.Step.Secret, selector)
	}
	if rec.SavedFile() != "" {
		return a.do(ctx, "download", "--", selector, a.Files+"/")
	}
	argv, err := tool.Argv(call.Args)
	if err != nil {
		return toolbox.Reply{}, err
	}
	return a.do(ctx, argv...)
}

// stay replaces a step that only chose where to look.
func (a *Replayer) stay(ctx context.Context) (toolbox.Reply, error) {
	_, err := a.look(ctx)
	return toolbox.Reply{}, err
}

func (a *Replayer) secret(ctx context.Context, t *task.Task, name, selector string) (toolbox.Reply, error) {
	at := slices.IndexFunc(t.Grants, func(g task.Grant) bool { return g.Name == name })
	if at < 0 || a.Secrets == nil {
		return toolbox.Reply{}, fault.New(fault.CredentialNotFound, "No secret %q was granted.", name).About(name)
	}
	if here := task.Origin(a.url); here != t.Grants[at].Origin {
		return toolbox.Reply{}, fault.New(fault.PolicyBlocked, "The secret %s is for %s, but the page is of %s.", name,
			t.Grants[at].Origin, here).About(name)
	}
	value, err := a.Secrets.Reveal(ctx, t.Grants[at])
	if err != nil {
		return toolbox.Reply{}, err
	}
	return a.Secrets.Type(ctx, t.Grants[at], a.tab, selector, value)
}

// maxCompared is the largest file that a replay compares.
const maxCompared = 256 << 20

// filesDiffer compares what a step saved then with what it saved now.
func filesDiffer(rec *task.StepRecord, reply toolbox.Reply) []string {
	then := rec.SavedFile()
	if then == "" {
		return nil
	}
	old, err := userfile.Read(context.Background(), then, maxCompared)
	if err != nil {
		return []string{"the recorded file cannot be read: " + err.Error()}
	}
	fresh, err := userfile.Read(context.Background(), task.SavedAt(reply.Data), maxCompared)
	if err != nil {
		return []string{"the file cannot be read: " + err.Error()}
	}
	if !bytes.Equal(old, fresh) {
		return []string{fmt.Sprintf("the file has %d bytes and had %d, with different content", len(fresh), len(old))}
	}
	return nil
}

// differences reports what of an observation is not as it was: the address without its query, the title, and how many
// items there are.
func differences(then *pcd.Observation, now pcd.Observation) []string {
	var list []string
	differ := func(what string, then, now any) {
		if then != now {
			list = append(list, fmt.Sprintf("%s is %v and was %v", what, now, then))
		}
	}
	differ("the address", phrase.Place(then.URL), phrase.Place(now.URL))
	differ("the title", then.Title, now.Title)
	counts := func(o []pcd.Count) string {
		var all []string
		for _, c := range o {
			all = append(all, strconv.Itoa(c.Count))
		}
		return strings.Join(all, ", ")
	}
	differ("the number of items", counts(then.CollectionSummary), counts(now.CollectionSummary))
	return list
}
