package proof

import (
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/unprompted"
)

// difference is what the page is now against what it was.
type difference struct {
	before   *baseline
	now      *pcd.Summary
	lines    []string // all that are there now
	start    []string // all that were there before the plan
	added    []string // lines that were not there
	gone     []string // lines that were, and are not
	requests []request
	lists    []listRows // that are there now; read when they are asked for
	live     string     // a list whose rows change by themselves, so that it is not among the lists
	leave    bool       // rows leave it
}

// compare looks at what is another than it was when the plan was begun. The summary has been read before.
func (pr *Prover) compare(ctx context.Context) *difference {
	d := &difference{before: pr.before, now: pr.View.Summary, lines: pr.View.Lines(ctx)}
	if d.before == nil {
		return d
	}
	d.start = d.before.Start
	d.added = unprompted.Missing(d.lines, d.before.Lines)
	d.gone = unprompted.Missing(d.before.Lines, d.lines)
	d.added = append(d.added, pr.acts.messages...)
	known := map[string]bool{}
	for _, id := range d.before.Requests {
		known[id] = true
	}
	list, listed := pr.requested(ctx)
	for _, q := range list {
		if !known[q.ID] {
			d.requests = append(d.requests, q)
		}
	}
	if !listed { // what the clicks themselves have seen
		d.requests = slices.DeleteFunc(slices.Clone(pr.acts.requests), func(q request) bool {
			return !q.document() && !strings.EqualFold(q.Type, "xhr") && !strings.EqualFold(q.Type, "fetch")
		})
	}
	return d
}

// listsNow are the rows of the lists that are there now, without those that change by themselves.
func (d *difference) listsNow(ctx context.Context, pr *Prover) []listRows {
	if d.lists == nil {
		d.lists = pr.lists(ctx)
	}
	return d.lists
}

// discount takes out of a difference what the page changes by itself. Where it is not at rest, or has sent again what
// it had sent before, it is looked at once more, a while later. It reports whether anything was taken out.
func (d *difference) discount(ctx context.Context, pr *Prover) bool {
	again := d.asksAgain()
	if !again {
		if _, err := pr.View.In(ctx, "--timeout=100ms", "wait", "--stable", "--for", "300"); err == nil {
			return false
		}
	}
	known := map[string]bool{}
	list, _ := pr.requested(ctx)
	for _, q := range list {
		known[q.ID] = true
	}
	if again {
		if _, err := pr.View.In(ctx, "wait", "1000"); err != nil {
			return false
		}
	}
	var looks [][]string // at times that no period fits
	for _, patience := range []string{"--timeout=50ms", "--timeout=400ms", "--timeout=1s"} {
		if _, err := pr.View.In(ctx, patience, "wait", "--stable", "--for", "1000"); err == nil && !again {
			return false
		}
		looks = append(looks, pr.View.Lines(ctx))
	}
	taken := d.withoutRequests(ctx, pr, known)
	if title, err := pr.View.In(ctx, "get", "title"); err == nil && strings.TrimSpace(title.Text) != d.now.Title &&
		d.now.Title != d.before.Title {
		now := *d.now
		now.Title, d.now, taken = d.before.Title, &now, true
	}
	steady := unprompted.Steady(d.before.Lines, d.lines, looks...)
	taken = taken || len(steady) < len(d.lines)
	d.lines, d.added = steady, append(unprompted.Missing(steady, d.before.Lines), pr.acts.messages...)
	if d.before.Lists != nil {
		taken = d.withoutFeeds(pr.lists(ctx), d.listsNow(ctx, pr)) || taken
	}
	return taken
}

// asksAgain reports whether the page has sent again what it had sent before the plan, or the same more than once since:
// a page that was new when the plan began may not have polled yet.
func (d *difference) asksAgain() bool {
	sent := map[string]bool{}
	for _, what := range d.before.Asked {
		sent[what] = true
	}
	for _, q := range d.requests {
		if sent[q.asks()] {
			return true
		}
		sent[q.asks()] = true
	}
	return false
}

// fewestPolls is how many equal requests are more than one action leads to.
const fewestPolls = 4

// withoutRequests leaves out the requests that the page sends by itself: that it has sent again since the known ones,
// or over and over before. A busy browser may not send one while it is watched.
func (d *difference) withoutRequests(ctx context.Context, pr *Prover, known map[string]bool) bool {
	later, _ := pr.requested(ctx)
	had, times := len(d.requests), map[string]int{}
	for _, q := range d.requests {
		times[q.asks()]++
	}
	d.requests = slices.DeleteFunc(d.requests, func(q request) bool {
		return times[q.asks()] >= fewestPolls ||
			slices.ContainsFunc(later, func(l request) bool { return !known[l.ID] && l.asks() == q.asks() })
	})
	return len(d.requests) < had
}

// withoutFeeds leaves out the lists whose rows change by themselves.
func (d *difference) withoutFeeds(later, now []listRows) bool {
	own := *d.before
	own.Lists, d.lists = []listRows{}, []listRows{}
	after := paired(now, later)
	for _, p := range paired(d.before.Lists, now) {
		at := slices.IndexFunc(after, func(l listPair) bool { return l.was == p.now })
		if at >= 0 && p.was != nil &&
			unprompted.Feeds(p.was.known(), p.now.keysBy(p.was.Key), after[at].now.keysBy(p.was.Key)) {
			d.live, d.leave = p.now.Name, d.leave || unprompted.Leave(p.now.keysBy(p.was.Key), after[at].now.keysBy(p.was.Key))
			continue
		}
		d.lists = append(d.lists, *p.now)
		if p.was != nil {
			own.Lists = append(own.Lists, *p.was)
		}
	}
	if d.live == "" {
		return false
	}
	d.before = &own
	return true
}

// verifyEach looks for each effect in a difference.
func verifyEach(
	ctx context.Context, pr *Prover, effects []task.Effect, d *difference,
) (seen []task.Verified, err error) {
	seen = make([]task.Verified, len(effects))
	for i, e := range effects {
		if seen[i], err = pr.verify(ctx, e, d); err != nil {
			return nil, err
		}
	}
	return seen, nil
}

// moved reports whether the address changed. An empty fragment does not count.
func (d *difference) moved() bool {
	return d.before != nil && strings.TrimSuffix(d.now.URL, "#") != strings.TrimSuffix(d.before.URL, "#")
}

// elsewhere reports whether another document of the site, or another site, is shown, by the path of its address.
func (d *difference) elsewhere() bool {
	return d.before != nil && phrase.Place(d.now.URL) != phrase.Place(d.before.URL)
}

// refused says why a response is not an answer: the page could not be loaded, or the server reports an error.
func (d *difference) refused(status int) string {
	if strings.HasPrefix(d.now.URL, "chrome-error:") {
		return "the browser could not load the page"
	}
	for _, q := range d.requests {
		if q.document() && phrase.SamePlace(q.URL, d.now.URL) && q.Status > 0 {
			status = q.Status
		}
	}
	if status >= 400 && d.before != nil && (d.moved() || d.documentCame()) {
		return "the server answered with " + strconv.Itoa(status)
	}
	if (d.before == nil || d.now.Title != d.before.Title) && saysError(d.now.Title) {
		return "the page is called “" + phrase.Clip(d.now.Title) + "”"
	}
	return ""
}

func (d *difference) documentCame() bool {
	return slices.ContainsFunc(d.requests, func(q request) bool {
		return q.document() && phrase.SamePlace(q.URL, d.now.URL)
	})
}

// rejected says which request that changes something was answered with an error.
func (d *difference) rejected() string {
	for _, q := range d.requests {
		if q.changes() && q.Status >= 400 {
			return "the server answered with " + strconv.Itoa(q.Status) + " to " + q.Method + " " + q.URL
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

// decoded is a text of an address or a body without its escapes.
func decoded(text string) string {
	if plain, err := url.QueryUnescape(text); err == nil {
		return plain
	}
	return text
}
