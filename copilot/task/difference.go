package task

import (
	"context"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/skua-browser/skua/copilot/pcd"
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
