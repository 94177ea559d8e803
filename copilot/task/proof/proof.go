package proof

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
)

// prove looks for an effect that is a difference against the page before the plan.
func (pr *Prover) prove(ctx context.Context, e task.Effect, d *difference) (ok bool, seen string) {
	if d == nil || d.before == nil {
		return false, "the page's earlier state is not known"
	}
	if why := d.refused(pr.acts.status); why != "" {
		return false, why + " (" + d.now.URL + ")"
	}
	switch e.Kind {
	case task.Reached:
		return pr.reached(e, d)
	case task.Found:
		return pr.found(ctx, e.Text, d)
	case task.Sent:
		return pr.sent(ctx, d)
	case task.Ordered:
		return d.ordered(e)
	case task.Removed:
		return pr.removed(ctx, e, d)
	case task.LoggedIn:
		return pr.loggedIn(ctx, e, d)
	case task.LoggedOut:
		return d.loggedOut()
	case task.InCart:
		return d.inCart(e.Text)
	}
	return false, "there is no effect " + string(e.Kind)
}

// reached reports whether a page was opened: the address is another one, or the control that stands for a part of the
// page shows it now.
func (pr *Prover) reached(e task.Effect, d *difference) (bool, string) {
	if e.URL != "" && samePage(e.URL, d.now.URL) {
		return true, d.now.URL
	}
	hasLogin := goal.Predicate{Form: "login"}
	if d.elsewhere() && hasLogin.Hit(d.now) && !slices.ContainsFunc(d.before.Forms, func(f string) bool {
		return strings.HasPrefix(f, pcd.PurposeLogin+"|")
	}) &&
		!phrase.Contains(e.Text, "log in") && !phrase.Contains(e.Text, "login") && !phrase.Contains(e.Text, "sign in") &&
		!phrase.Contains(e.Text, "anmelden") {
		return false, "the site wants a login first (" + d.now.URL + ")"
	}
	if d.moved() {
		return true, d.now.URL
	}
	if line := d.complaint(); line != "" {
		return false, "the page says “" + phrase.Clip(line) + "”"
	}
	switch {
	case pr.acts.state:
		return true, fmt.Sprintf("%q shows that it is open", e.Text)
	case d.now.Title != d.before.Title && phrase.Contains(d.now.Title, e.Text):
		return true, "the title is “" + phrase.Clip(d.now.Title) + "” now"
	case len(d.added) > 0 && (len(pr.acts.appeared) > 0 || pr.acts.added):
		return true, "the page shows “" + phrase.Clip(d.added[0]) + "” now"
	}
	return false, d.now.URL + ", as before"
}

// samePage reports whether two addresses are equal, ignoring an empty fragment.
func samePage(a, b string) bool { return strings.TrimSuffix(a, "#") == strings.TrimSuffix(b, "#") }

// found reports whether the page answers a search. A list that it filters while the query is typed is an answer, too.
func (pr *Prover) found(ctx context.Context, query string, d *difference) (bool, string) {
	ok, seen := d.answers(query)
	if !ok && len(d.before.Lists) > 0 {
		if narrowed, what := d.narrowed(query, d.listsNow(ctx, pr)); narrowed {
			return true, what
		}
	}
	return ok, seen
}

// answers reports whether the page answers the sending of a search: its address, what it has asked the server for, or
// what it shows has the query in it, and had not.
func (d *difference) answers(query string) (bool, string) {
	if line := d.complaint(); line != "" && !d.moved() && !saysNothing(line) {
		return false, "the page says “" + phrase.Clip(line) + "”"
	}
	if d.moved() && phrase.Contains(decoded(d.now.URL), query) && !phrase.Contains(decoded(d.before.URL), query) {
		return true, d.now.URL
	}
	for _, q := range d.requests {
		if q.Status < 400 && q.Status > 0 &&
			(phrase.Contains(decoded(q.URL), query) || phrase.Contains(decoded(q.Body), query)) {
			return true, q.Method + " " + q.URL + " was answered with " + strconv.Itoa(q.Status)
		}
	}
	for _, line := range d.added {
		if shows(line, query) || saysNothing(line) {
			return true, "the page shows “" + phrase.Clip(line) + "” now"
		}
	}
	if d.moved() && len(d.added) > 0 {
		return false, "the address is " + d.now.URL + " now, and nothing in it says that it is for “" + query + "”"
	}
	return false, "the page shows what it showed before"
}

// shows reports whether a line has a text as a phrase. The cells of tables that are made of boxes are one line without
// a space between them: "7Ann Leeann@a.test".
func shows(line, text string) bool {
	if phrase.Contains(line, text) {
		return true
	}
	low, want := strings.ToLower(line), strings.ToLower(strings.TrimSpace(text))
	if len(low) != len(line) || len(want) < 3 { // offsets have to mean the same
		return false
	}
	for from := 0; ; {
		at := strings.Index(low[from:], want)
		if at < 0 {
			return false
		}
		at += from
		before, _ := utf8.DecodeLastRuneInString(line[:at])
		first, _ := utf8.DecodeRuneInString(line[at:])
		last, _ := utf8.DecodeLastRuneInString(line[:at+len(want)])
		after, _ := utf8.DecodeRuneInString(line[at+len(want):])
		begins := !unicode.IsLetter(before) || unicode.IsLower(before) && unicode.IsUpper(first)
		ends := !unicode.IsLetter(after) || unicode.IsLower(last) && unicode.IsUpper(after)
		if begins && ends {
			return true
		}
		from = at + len(want)
	}
}

// sent reports whether a form was sent: a request has carried it and was answered, or the page says that it came. A
// page that complains has not taken it.
func (pr *Prover) sent(ctx context.Context, d *difference) (bool, string) {
	if why := d.rejected(); why != "" {
		return false, why
	}
	still := slices.ContainsFunc(d.now.Forms, func(f pcd.Form) bool {
		return !f.Unseen && slices.Contains(d.before.Forms, formKey(f))
	})
	if line := d.complaint(); line != "" && (still || !d.elsewhere()) {
		return false, "the page says “" + phrase.Clip(line) + "”"
	}
	if still && d.documentCame() { // the page was loaded again with the form in it: its complaint may be the earlier one
		if at := slices.IndexFunc(d.lines, complainsGravely); at >= 0 {
			return false, "the page says “" + phrase.Clip(d.lines[at]) + "”"
		}
	}
	for _, q := range d.requests {
		if q.Status > 0 && q.Status < 400 && (q.changes() || q.document() && pr.carries(q.URL)) && pr.carried(ctx, q) {
			return true, q.Method + " " + q.URL + " was answered with " + strconv.Itoa(q.Status)
		}
	}
	for _, line := range d.added {
		if praises(line) {
			return true, "the page says “" + phrase.Clip(line) + "”"
		}
	}
	if still {
		return false, "the form is still there, no request has carried what is in it, and nothing says that it was sent"
	}
	return false, "no request has carried what was filled in, and nothing says that it was sent"
}

// ordered reports whether the site says that it has taken an order.
func (d *difference) ordered(e task.Effect) (bool, string) {
	if why := d.rejected(); why != "" {
		return false, why
	}
	for _, line := range append(slices.Clone(d.added), d.now.Title) {
		if saysOrdered(line) && d.before.Title != line {
			return true, "the page says “" + phrase.Clip(line) + "”"
		}
	}
	if line := d.complaint(); line != "" {
		return false, "the page says “" + phrase.Clip(line) + "”"
	}
	if p, err := goal.Parse(e.Goal); err == nil && d.before.summary != nil && !p.Hit(d.before.summary) {
		if got := p.Test(d.now); got.Hit {
			return true, d.now.URL + ": " + got.Why
		}
	}
	return false, "nothing says that the order was taken (" + d.now.URL + ")"
}

// carried reports whether a request has one of the task's values in it. Without values, or where the browser does not
// say what it held, its being sent is all that can be known.
func (pr *Prover) carried(ctx context.Context, q request) bool {
	if len(pr.View.Log.Task.Params) == 0 || pr.carries(q.URL) {
		return true
	}
	if q.Body != "" {
		return pr.carries(q.Body)
	}
	reply, err := pr.View.In(ctx, "network", "request", q.ID)
	if err != nil {
		return true
	}
	body := bodyOf(reply)
	return body == "" || pr.carries(body)
}

// carries reports whether a text of a request has one of the task's values in it.
func (pr *Prover) carries(text string) bool {
	plain := lower(decoded(text))
	for _, value := range pr.View.Log.Task.Params {
		if value = strings.TrimSpace(lower(value)); value != "" &&
			(strings.Contains(plain, value) || strings.Contains(plain, strings.ReplaceAll(value, "\n", `\n`))) {
			return true
		}
	}
	return len(pr.View.Log.Task.Params) == 0
}
