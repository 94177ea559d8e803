package proof

import (
	"context"
	"slices"

	"github.com/skua-browser/skua/copilot/goal"
	"github.com/skua-browser/skua/copilot/pcd"
	"github.com/skua-browser/skua/copilot/task"
	"github.com/skua-browser/skua/copilot/task/phrase"
)

// loggedIn reports whether the page knows the user: it offers what only a user is offered, or the form is gone behind a
// request or a page that took it.
func (pr *Prover) loggedIn(ctx context.Context, e task.Effect, d *difference) (bool, string) {
	if d.now.LoginState == pcd.LoggedIn && d.before.Login != pcd.LoggedIn {
		return true, "the page offers to log out (" + d.now.URL + ")"
	}
	if line := d.complaint(); line != "" {
		return false, "the page says “" + phrase.Clip(line) + "”"
	}
	if why := d.rejected(); why != "" {
		return false, why
	}
	p, err := goal.Parse(e.Goal)
	if err != nil {
		return false, err.Error()
	}
	if got := p.Test(d.now); !got.Hit {
		return false, d.now.URL + " still asks for a login"
	}
	for _, line := range d.added {
		if praises(line) {
			return true, "the login form is gone, and the page says “" + phrase.Clip(line) + "”"
		}
	}
	taken := func(q request) bool {
		return q.Status > 0 && q.Status < 400 && q.changes() && pr.carried(ctx, q)
	}
	if d.moved() || d.documentCame() || slices.ContainsFunc(d.requests, taken) {
		return true, "the login form is gone, and nothing is wrong (" + d.now.URL + ")"
	}
	return false,
		"the login form is gone, but no request has carried what was filled in, and nothing says that the user is logged in"
}

// loggedOut reports whether the page does not know the user any longer: it says so, or offers to log in where it did
// not, and no way to log out.
func (d *difference) loggedOut() (bool, string) {
	appeared := d.added
	if d.now.Title != d.before.Title {
		appeared = append(slices.Clone(appeared), d.now.Title)
	}
	for _, line := range appeared {
		if saysFarewell(line) {
			return true, "the page says “" + phrase.Clip(line) + "”"
		}
	}
	out := goal.Predicate{Action: pcd.KindLogout}
	login := goal.Predicate{Any: []goal.Predicate{{Action: pcd.KindLogin}, {Form: pcd.PurposeLogin}}}
	offered := d.before.summary != nil && login.Hit(d.before.summary)
	switch {
	case out.Hit(d.now):
		return false, "the page still offers to log out (" + d.now.URL + ")"
	case login.Hit(d.now) && (!offered || d.moved() || d.documentCame()):
		return true, "the page offers to log in (" + d.now.URL + ")"
	case login.Hit(d.now):
		return false, "the page offers to log in, as before, and nothing says that the user is logged out"
	}
	return false, "nothing says that the user is logged out (" + d.now.URL + ")"
}
