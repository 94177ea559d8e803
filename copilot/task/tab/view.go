package tab

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/toolbox"
	"github.com/skua-browser/skua/internal/fault"
)

// View is a task's tab: command lines run in it, and its page as it was seen last. One goroutine uses it.
type View struct {
	Log     *task.Log
	Session toolbox.Session
	Secrets *task.Secrets // nil means that none is granted
	Now     func() time.Time

	Summary *pcd.Summary // of the page as it was seen last
	Via     string       // what the step that is done now acts on
}

// Look reads what the page offers now, and notes where the task has come to.
func (v *View) Look(ctx context.Context) error { return v.LookIn(ctx, v.Log.Task.Tab) }

// LookIn looks in a tab, the active one where it is empty, in which the task works from then on.
func (v *View) LookIn(ctx context.Context, tab string) error {
	argv := []string{"capabilities"}
	if tab != "" {
		argv = []string{"--tab=" + tab, "capabilities"}
	}
	began := time.Now()
	reply, err := v.Do(ctx, argv)
	if err != nil {
		return err
	}
	v.Log.Measure(func(m *task.Metrics) { m.Summaries, m.SummaryMS = m.Summaries+1, m.SummaryMS+task.MillisSince(began) })
	now, err := toolbox.Decode[*pcd.Summary](reply)
	if err != nil || now == nil {
		return fault.New(fault.Internal, "what the page offers cannot be read: %w", err)
	}
	v.Summary = now
	if crumbs := v.Log.Task.Breadcrumbs; len(crumbs) == 0 || crumbs[len(crumbs)-1].URL != now.URL ||
		v.Log.Task.Tab != now.Tab && now.Tab != "" {
		crumb := &task.Breadcrumb{URL: now.URL, Title: now.Title, TS: v.Now().UnixMilli()}
		crumb.LabelFrom = v.Via
		return v.Log.Add(&task.Record{Type: task.Arrived, Breadcrumb: crumb, Tab: now.Tab})
	}
	return nil
}

// In runs a command line in the tab of the task, whichever tab is shown meanwhile.
func (v *View) In(ctx context.Context, argv ...string) (toolbox.Reply, error) {
	if tab := v.Log.Task.Tab; tab != "" {
		argv = append([]string{"--tab=" + tab}, argv...)
	}
	return v.Do(ctx, argv)
}

func (v *View) Do(ctx context.Context, argv []string) (toolbox.Reply, error) {
	reply, err := v.Session.Do(ctx, argv)
	if err == nil && reply.Held {
		return reply, nil
	}
	return v.Secrets.Clean(reply), err
}

// Snapshot is the page as text, with the parts that hold its controls.
func (v *View) Snapshot(ctx context.Context) (string, error) {
	reply, err := v.In(ctx, "snapshot")
	return reply.Text, err
}

// Lines are what the page lets a person read. One that cannot be read has none.
func (v *View) Lines(ctx context.Context) []string {
	reply, err := v.In(ctx, "get", "text", "body")
	if err != nil {
		return nil
	}
	var lines []string
	for line := range strings.SplitSeq(reply.Text, "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines[:min(len(lines), mostLines)]
}

// mostLines is how much of a page is compared.
const mostLines = 2000

func (v *View) Details(ctx context.Context, ids ...string) ([]pcd.Detail, error) {
	argv := []string{"capabilities", "details"}
	for _, id := range ids {
		argv = append(argv, "@"+id)
	}
	reply, err := v.In(ctx, argv...)
	if err != nil {
		return nil, err
	}
	data, err := toolbox.Decode[struct {
		Details []pcd.Detail `json:"details"`
	}](reply)
	return data.Details, err
}

// mostMore is how many elements are taken that a summary has no room for.
const mostMore = 12

// More searches what the page offers.
func (v *View) More(ctx context.Context, words string, of ...string) ([]pcd.Candidate, error) {
	argv := []string{"capabilities", "query", "--top=" + strconv.Itoa(mostMore)}
	if len(of) > 0 {
		argv = append(argv, "--kind="+strings.Join(of, ","))
	}
	reply, err := v.In(ctx, append(argv, "--", words)...)
	if err != nil {
		return nil, err
	}
	data, err := toolbox.Decode[struct {
		Candidates []pcd.Candidate `json:"candidates"`
	}](reply)
	return data.Candidates, err
}

// LookWith runs a tool that changes nothing, for a planner.
func (v *View) LookWith(ctx context.Context, call toolbox.Call) (toolbox.Result, error) {
	tool, err := toolbox.Find(call.Name)
	if err != nil {
		return toolbox.Result{}, err
	}
	if !tool.ReadOnly {
		return toolbox.Result{}, fault.New(fault.Usage, "%s changes the page: it must be a step of a plan.", call.Name).
			About(call.Name)
	}
	argv, err := tool.Argv(call.Args)
	if err != nil {
		return toolbox.Result{}, err
	}
	began := time.Now()
	reply, err := v.In(ctx, argv...)
	if tool.Name == "pcd.query" {
		v.Log.Measure(func(m *task.Metrics) { m.Searches, m.SearchMS = m.Searches+1, m.SearchMS+task.MillisSince(began) })
	}
	if err != nil {
		if ctx.Err() != nil {
			return toolbox.Result{}, context.Cause(ctx)
		}
		return v.Failed(err), nil
	}
	return toolbox.Result{OK: true, Data: reply.Data}, nil
}

func (v *View) Failed(err error) toolbox.Result {
	res := toolbox.Failed(err)
	res.Error = v.Hide(res.Error)
	return res
}

func (v *View) Hide(text string) string { return v.Secrets.Hide(text) }
