package proof

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// baseline is what the page was before a plan was begun: an effect is a difference against it. Its JSON is kept where a
// task waits in the middle of a plan, for the process that goes on with it.
type baseline struct {
	URL   string         `json:"url"`
	Title string         `json:"title"`
	Login pcd.LoginState `json:"login"`
	Lines []string       `json:"lines"` // that a person can read
	// the rows of the lists before the plan, where they are a part of an effect's proof
	Lists    []listRows      `json:"lists,omitempty"`
	Start    []string        `json:"start,omitempty"`    // the lines before the plan, where Lists is set
	Requests []string        `json:"requests,omitempty"` // ids of those that were made before
	Asked    []string        `json:"asked,omitempty"`    // for what, each once
	Forms    []string        `json:"forms,omitempty"`
	Actions  map[string]bool `json:"actions,omitempty"` // labels of what could be done

	summary *pcd.Summary // nil in the process that goes on
}

// acts is what the steps of a plan were seen to lead to when they were done.
type acts struct {
	status   int      // of the last document that came
	state    bool     // a control that was acted on changed its state: expanded, selected, pressed
	added    bool     // elements came
	appeared []string // dialogs, menus and announcements
	messages []string // of dialogs of the browser
	requests []request
}

// request is one that a page made.
type request struct {
	ID     string `json:"requestId"`
	Method string `json:"method"`
	URL    string `json:"url"`
	Status int    `json:"status"`
	Type   string `json:"resourceType"`
	Body   string `json:"postData"`
}

// document reports whether it asked for a page, and not for data.
func (q request) document() bool { return strings.EqualFold(q.Type, "document") }

// asks is what it asks for, whatever the values.
func (q request) asks() string {
	place, _, _ := strings.Cut(q.URL, "?")
	return strings.ToUpper(q.Method) + " " + place
}

// changes reports whether it is of a kind that changes something on a server.
func (q request) changes() bool {
	return q.Method != "" && !slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, strings.ToUpper(q.Method))
}

// Happened is the part of a click's effect that proof is made of.
type Happened struct {
	Effect struct {
		Navigation *struct {
			To     string `json:"to"`
			Status int    `json:"status"`
		} `json:"navigation"`
		Tabs []struct {
			ID string `json:"id"`
		} `json:"tabs"`
		Downloads []struct {
			Name string `json:"name"`
		} `json:"downloads"`
		Dialog *struct {
			Type    string `json:"type"`
			Message string `json:"message"`
			Open    bool   `json:"open"`
		} `json:"dialog"`
		Answered []struct {
			Message string `json:"message"`
		} `json:"answered"`
		State    map[string]json.RawMessage `json:"state"`
		Appeared []string                   `json:"appeared"`
		DOM      *struct {
			Added int `json:"added"`
		} `json:"dom"`
		Requests []struct {
			Method string `json:"method"`
			URL    string `json:"url"`
			Type   string `json:"type"`
			Status int    `json:"status"`
		} `json:"requests"`
	} `json:"effect"`
}

// note keeps what a step led to.
func (a *acts) note(tool toolbox.Tool, h Happened) {
	e := h.Effect
	if e.Navigation != nil && e.Navigation.Status > 0 {
		a.status = e.Navigation.Status
	}
	if tool.Name == toolbox.ClickTool {
		for _, name := range []string{"expanded", "selected", "pressed", "current"} {
			a.state = a.state || e.State[name] != nil
		}
	}
	a.added = a.added || e.DOM != nil && e.DOM.Added > 0
	a.appeared = append(a.appeared, e.Appeared...)
	for _, said := range e.Answered {
		a.messages = append(a.messages, said.Message)
	}
	for _, q := range e.Requests {
		a.requests = append(a.requests, request{Method: q.Method, URL: q.URL, Status: q.Status, Type: q.Type})
	}
}

// Mark remembers the page as it is now, before a plan is done whose effects are differences.
func (pr *Prover) Mark(ctx context.Context, p *task.Plan) error {
	pr.acts = acts{}
	pr.before = pr.page()
	if !slices.ContainsFunc(p.Effects, func(e task.Effect) bool { return e.Differs() }) {
		if pr.View.Log.Task.TurnsOn() {
			pr.before.Lines = pr.View.Lines(ctx)
		}
		return context.Cause(ctx)
	}
	pr.before.Lines = pr.View.Lines(ctx)
	if slices.ContainsFunc(p.Effects, func(e task.Effect) bool { return e.ReadsLists() }) {
		pr.before.Lists, pr.before.Start = pr.lists(ctx), pr.before.Lines
	}
	pr.markRequests(ctx)
	return context.Cause(ctx)
}

// MarkAct remembers the page as it is before the act that a plan's effects follow from: its last one. What typing and
// choosing led to before, such as suggestions and drafts that save themselves, does not answer it. Lists are compared
// with what they were before the plan.
func (pr *Prover) MarkAct(ctx context.Context, p *task.Plan, i int) error {
	if pr.before == nil || i == firstAct(p) || i != lastAct(p) ||
		!slices.ContainsFunc(p.Effects, func(e task.Effect) bool { return e.OfAct() }) {
		return nil
	}
	was := pr.before
	pr.acts, pr.before = acts{}, pr.page()
	pr.before.Lists, pr.before.Start, pr.before.Lines = was.Lists, was.Start, pr.View.Lines(ctx)
	pr.markRequests(ctx)
	return context.Cause(ctx)
}

// page is what the summary says of the page now.
func (pr *Prover) page() *baseline {
	b := &baseline{
		URL:     pr.View.Summary.URL,
		Title:   pr.View.Summary.Title,
		Login:   pr.View.Summary.LoginState,
		Actions: map[string]bool{},
		summary: pr.View.Summary,
	}
	for _, f := range pr.View.Summary.Forms {
		if !f.Unseen {
			b.Forms = append(b.Forms, formKey(f))
		}
	}
	for _, a := range pr.View.Summary.Actions {
		if !a.Unseen {
			b.Actions[phrase.Squeezed(a.Label)] = true
		}
	}
	return b
}

func (pr *Prover) markRequests(ctx context.Context) {
	list, _ := pr.requested(ctx)
	for _, q := range list {
		pr.before.Requests = append(pr.before.Requests, q.ID)
		pr.before.Asked = append(pr.before.Asked, q.asks())
	}
	slices.Sort(pr.before.Asked)
	pr.before.Asked = slices.Compact(pr.before.Asked)
	// the page is watched from now on: whether it is at rest is known at once then
	_, _ = pr.View.In(ctx, "--timeout=1s", "wait", "--stable", "--for", "0")
}

// acting reports whether a step changes something; a step that only waits or looks does not.
func acting(s toolbox.Step) bool {
	calls := s.Options
	if s.Call != nil {
		calls = append([]toolbox.Option{{Call: *s.Call}}, calls...)
	}
	return slices.ContainsFunc(calls, func(o toolbox.Option) bool {
		tool, err := toolbox.Find(o.Call.Name)
		return err == nil && !tool.ReadOnly
	})
}

// firstAct and lastAct are the places of a plan's first and last steps that act, or -1.
func firstAct(p *task.Plan) int { return slices.IndexFunc(p.Steps, acting) }

func lastAct(p *task.Plan) int {
	for i, s := range slices.Backward(p.Steps) {
		if acting(s) {
			return i
		}
	}
	return -1
}

func formKey(f pcd.Form) string {
	names := make([]string, 0, len(f.Fields))
	for _, x := range f.Fields {
		if !x.Unseen {
			names = append(names, cmp.Or(x.Name, x.Label))
		}
	}
	return f.Purpose + "|" + strings.Join(names, ",")
}

// requested are the requests for pages and data that are known. They are not where a rule of the session does not let
// them be listed.
func (pr *Prover) requested(ctx context.Context) (list []request, known bool) {
	reply, err := pr.View.In(ctx, "network", "requests", "--type=document,xhr,fetch")
	if err != nil || reply.Held {
		return nil, false
	}
	data, err := toolbox.Decode[struct {
		Requests []request `json:"requests"`
	}](reply)
	return data.Requests, err == nil
}
