package proof

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
	"github.com/skua-browser/skua/copilot/task/removal"
)

// removed reports whether the target is gone, or the page says that it was removed.
func (pr *Prover) removed(ctx context.Context, e task.Effect, d *difference) (bool, string) {
	pr.Answered = ""
	if why := d.rejected(); why != "" {
		return false, why
	}
	if line := d.complaint(); line != "" {
		return false, "the page says “" + phrase.Clip(line) + "”"
	}
	snapshot, err := pr.View.Snapshot(ctx)
	if err != nil {
		return false, pr.View.Hide(err.Error())
	}
	if open := removal.Answers(removal.Nodes(snapshot), removal.Verbs[pr.View.Log.Task.Verb()]); len(open) > 0 {
		return false, "the page asks “" + phrase.Clip(open[0].Text) + "”"
	}
	for _, line := range d.added {
		if asks(line) {
			return false, "the page asks “" + phrase.Clip(line) + "”"
		}
	}
	for _, line := range d.added {
		if saysRemoved(line) {
			return true, "the page says “" + phrase.Clip(line) + "”"
		}
	}
	changed := slices.IndexFunc(d.requests, func(q request) bool { return q.changes() && q.Status > 0 && q.Status < 400 })
	ok, seen := d.removedFrom(e, changed >= 0)
	if ok && e.Item && !d.elsewhere() {
		if d.lostControls(e.Selector) {
			ok, seen = false, fmt.Sprintf("no %q is left on the page, also not those of other items", e.Selector)
		} else if name := d.lostList(e.Text, d.listsNow(ctx, pr)); name != "" {
			ok, seen = false, "the list "+name+" is not there any more, with all of its rows"
		}
	}
	if !ok && changed >= 0 {
		q := d.requests[changed]
		pr.Answered = fmt.Sprintf("%s %s was answered with %d", q.Method, q.URL, q.Status)
		seen += ", though " + pr.Answered
	}
	return ok, seen
}

// removedFrom reports whether the target is gone from the page, whatever was sent.
func (d *difference) removedFrom(e task.Effect, sent bool) (bool, string) {
	if e.Item {
		return d.itemGone(e.Text, sent)
	}
	switch {
	case slices.ContainsFunc(d.now.Actions, func(a pcd.Action) bool {
		return !a.Unseen && !a.Disabled && phrase.SameLabel(a.Label, e.Selector)
	}):
		return false, fmt.Sprintf("%q is still there, and nothing says that it happened", e.Selector)
	case sent:
		return true, fmt.Sprintf("a request was answered, and %q is gone", e.Selector)
	case d.before.Login != pcd.LoggedOut && d.now.LoginState == pcd.LoggedOut:
		return true, fmt.Sprintf("%q is gone, and the page does not know the user any more", e.Selector)
	}
	return false, fmt.Sprintf("%q is gone, but nothing says that it happened", e.Selector)
}

// lostControls reports whether each of several controls of a name is gone: what had them is not shown any longer.
func (d *difference) lostControls(label string) bool {
	shown := func(lines []string) (n int) {
		for _, line := range lines {
			if phrase.Contains(line, label) {
				n++
			}
		}
		return n
	}
	return shown(d.before.Lines) > 1 && shown(d.lines) == 0
}

// lostList is the list that had an item among others, and that the page does not show any longer: that it folds does
// not say that the item is gone.
func (d *difference) lostList(text string, now []listRows) string {
	pairs := paired(d.before.Lists, now)
	for i := range d.before.Lists {
		was := &d.before.Lists[i]
		if len(was.Rows) < 2 || !slices.ContainsFunc(was.Rows, func(row string) bool { return phrase.Contains(row, text) }) {
			continue
		}
		if !slices.ContainsFunc(pairs, func(p listPair) bool { return p.was == was && len(p.now.Rows) > 0 }) {
			return was.Name
		}
	}
	return ""
}

// itemGone reports whether an item that the page showed is not there any longer. On another page that has to be because
// something was sent.
func (d *difference) itemGone(text string, sent bool) (bool, string) {
	here := func(lines []string) bool { return phrase.Contains(strings.Join(lines, " "), text) }
	switch {
	case here(d.lines):
		return false, "“" + phrase.Clip(text) + "” is still there"
	case !sent && d.leave:
		return false, "“" + phrase.Clip(text) + "” is gone, but rows leave " + d.live + " by themselves"
	case !d.elsewhere() && here(d.before.Lines), sent:
		return true, "“" + phrase.Clip(text) + "” is gone"
	}
	return false, "another page is shown, which does not say that “" + phrase.Clip(text) + "” is gone (" + d.now.URL + ")"
}
