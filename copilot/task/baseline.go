package task

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/toolbox"
)

// baseline is what the page was before a plan was begun: an effect is a difference against it. Its JSON is kept where a task waits in the middle of
// a plan, for the process that goes on with it.
type baseline struct {
	URL      string          `json:"url"`
	Title    string          `json:"title"`
	Login    pcd.LoginState  `json:"login"`
	Lines    []string        `json:"lines"`              // that a person can read
	Lists    []listRows      `json:"lists,omitempty"`    // the rows of the lists before the plan, where they are a part of an effect's proof
	Start    []string        `json:"start,omitempty"`    // the lines before the plan, where Lists is set
	Requests []string        `json:"requests,omitempty"` // ids of those that were made before
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

// changes reports whether it is of a kind that changes something on a server.
func (q request) changes() bool {
	return q.Method != "" && !slices.Contains([]string{"GET", "HEAD", "OPTIONS"}, strings.ToUpper(q.Method))
}

// happened is the part of a click's effect that proof is made of.
type happened struct {
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
		State    map[string]any `json:"state"`
		Appeared []string       `json:"appeared"`
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
func (a *acts) note(tool toolbox.Tool, h happened) {
	e := h.Effect
	if e.Navigation != nil && e.Navigation.Status > 0 {
		a.status = e.Navigation.Status
	}
	if tool.Name == clickTool {
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

// mark remembers the page as it is now, before a plan is done whose effects are differences.
func (r *Runner) mark(ctx context.Context, p *Plan) error {
	r.acts = acts{}
	r.before = r.page()
	if !slices.ContainsFunc(p.Effects, func(e Effect) bool { return e.differs() }) {
		if r.Log.Task.turnsOn() {
			r.before.Lines = r.lines(ctx)
		}
		return context.Cause(ctx)
	}
	r.before.Lines = r.lines(ctx)
	if slices.ContainsFunc(p.Effects, func(e Effect) bool { return e.readsLists() }) {
		r.before.Lists, r.before.Start = r.lists(ctx), r.before.Lines
	}
	r.markRequests(ctx)
	return context.Cause(ctx)
}

// markAct remembers the page as it is before the act that a plan's effects follow from: its last one. What typing and choosing led to before, such as
// suggestions and drafts that save themselves, is no answer to it. Lists are compared with what they were before the plan.
func (r *Runner) markAct(ctx context.Context, p *Plan, i int) error {
	if r.before == nil || i == p.firstAct() || i != p.lastAct() || !slices.ContainsFunc(p.Effects, func(e Effect) bool { return e.ofAct() }) {
		return nil
	}
	was := r.before
	r.acts, r.before = acts{}, r.page()
	r.before.Lists, r.before.Start, r.before.Lines = was.Lists, was.Start, r.lines(ctx)
	r.markRequests(ctx)
	return context.Cause(ctx)
}

// page is what the summary says of the page now.
func (r *Runner) page() *baseline {
	b := &baseline{URL: r.summary.URL, Title: r.summary.Title, Login: r.summary.LoginState, Actions: map[string]bool{}, summary: r.summary}
	for _, f := range r.summary.Forms {
		if !f.Unseen {
			b.Forms = append(b.Forms, formKey(f))
		}
	}
	for _, a := range r.summary.Actions {
		if !a.Unseen {
			b.Actions[squeezed(a.Label)] = true
		}
	}
	return b
}

func (r *Runner) markRequests(ctx context.Context) {
	list, _ := r.requested(ctx)
	for _, q := range list {
		r.before.Requests = append(r.before.Requests, q.ID)
	}
}

// acts reports whether a step changes something; a step that only waits or looks does not.
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

// firstAct and lastAct are the places of a plan's first and last steps that act; -1: there are none.
func (p *Plan) firstAct() int { return slices.IndexFunc(p.Steps, acting) }

func (p *Plan) lastAct() int {
	for i, s := range slices.Backward(p.Steps) {
		if acting(s) {
			return i
		}
	}
	return -1
}

// ofAct reports whether the effect is one of the last step that acts, and not of all that a plan does.
func (e Effect) ofAct() bool { return e.differs() && !e.Kind.ofList() }

// differs reports whether the effect is a difference, for which the page before has to be known.
func (e Effect) differs() bool {
	return e.Changed || e.Kind.ofList() || slices.Contains([]EffectKind{Reached, Found, Sent, Ordered, Removed, LoggedIn, LoggedOut, InCart}, e.Kind)
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

// lines are what the page lets a person read. One that cannot be read has none.
func (r *Runner) lines(ctx context.Context) []string {
	reply, err := r.inTab(ctx, "get", "text", "body")
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

// requested are the requests for pages and data that are known. They are not where a rule of the session does not let them be listed.
func (r *Runner) requested(ctx context.Context) (list []request, known bool) {
	reply, err := r.inTab(ctx, "network", "requests", "--type=document,xhr,fetch")
	if err != nil || reply.Held {
		return nil, false
	}
	data, err := toolbox.Decode[struct {
		Requests []request `json:"requests"`
	}](reply)
	return data.Requests, err == nil
}

// difference is what the page is now against what it was.
type difference struct {
	before   *baseline
	now      *pcd.Summary
	lines    []string // all that are there now
	start    []string // all that were there before the plan
	added    []string // lines that were not there
	gone     []string // lines that were, and are not
	requests []request
}

// compare looks at what is another than it was when the plan was begun. The summary has been read before.
func (r *Runner) compare(ctx context.Context) *difference {
	d := &difference{before: r.before, now: r.summary, lines: r.lines(ctx)}
	if d.before == nil {
		return d
	}
	d.start = d.before.Start
	d.added = missingIn(d.lines, d.before.Lines)
	d.gone = missingIn(d.before.Lines, d.lines)
	d.added = append(d.added, r.acts.messages...)
	known := map[string]bool{}
	for _, id := range d.before.Requests {
		known[id] = true
	}
	list, listed := r.requested(ctx)
	for _, q := range list {
		if !known[q.ID] {
			d.requests = append(d.requests, q)
		}
	}
	if !listed { // what the clicks themselves have seen
		d.requests = slices.DeleteFunc(slices.Clone(r.acts.requests), func(q request) bool {
			return !q.document() && !strings.EqualFold(q.Type, "xhr") && !strings.EqualFold(q.Type, "fetch")
		})
	}
	return d
}

// missingIn are the lines that the other ones have not. Numbers are not compared: a clock, or a count of seconds, is not what a step led to.
func missingIn(lines, other []string) []string {
	has := map[string]int{}
	for _, line := range other {
		has[comparable(line)]++
	}
	var missing []string
	for _, line := range lines {
		key := comparable(line)
		if has[key]--; has[key] < 0 && strings.ContainsFunc(key, unicode.IsLetter) {
			missing = append(missing, line)
		}
	}
	return missing
}

func comparable(line string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsDigit(c) {
			return '0'
		}
		return unicode.ToLower(c)
	}, line)
}

// moved reports whether the address changed. An empty fragment does not count.
func (d *difference) moved() bool {
	return d.before != nil && strings.TrimSuffix(d.now.URL, "#") != strings.TrimSuffix(d.before.URL, "#")
}

// elsewhere reports whether another document of the site, or another site, is shown, by the path of its address.
func (d *difference) elsewhere() bool {
	return d.before != nil && place(d.now.URL) != place(d.before.URL)
}

// refused says why a response is not an answer: the page could not be loaded, or the server reports an error.
func (d *difference) refused(status int) string {
	if strings.HasPrefix(d.now.URL, "chrome-error:") {
		return "the browser could not load the page"
	}
	for _, q := range d.requests {
		if q.document() && samePlace(q.URL, d.now.URL) && q.Status > 0 {
			status = q.Status
		}
	}
	if status >= 400 && d.before != nil && (d.moved() || d.documentCame()) {
		return "the server answered with " + itoa(status)
	}
	if (d.before == nil || d.now.Title != d.before.Title) && saysError(d.now.Title) {
		return "the page is called “" + clip(d.now.Title) + "”"
	}
	return ""
}

func (d *difference) documentCame() bool {
	return slices.ContainsFunc(d.requests, func(q request) bool { return q.document() && samePlace(q.URL, d.now.URL) })
}

// rejected says which request that changes something was answered with an error.
func (d *difference) rejected() string {
	for _, q := range d.requests {
		if q.changes() && q.Status >= 400 {
			return "the server answered with " + itoa(q.Status) + " to " + q.Method + " " + q.URL
		}
	}
	return ""
}

// complaint is a line that says that something is wrong, and was not there before.
func (d *difference) complaint() string {
	for _, line := range d.added {
		if complains(line) {
			return line
		}
	}
	return ""
}

func samePlace(a, b string) bool {
	a, _, _ = strings.Cut(a, "#")
	b, _, _ = strings.Cut(b, "#")
	return a == b
}

// decoded is a text of an address or a body without its escapes.
func decoded(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}
