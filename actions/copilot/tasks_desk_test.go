package copilot_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
)

// desk is a small site of pages on which goals are reached, or only seem to be. Its log has what really came: that is
// what a task is judged by.
type desk struct {
	*httptest.Server
	visits
	tickets []string // guarded by the mutex of visits
	user    bool
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{tickets: []string{"Ticket 0", "Ticket 1", "Ticket 2", "Ticket 3", "Ticket 10"}, user: true}
	d.Server = httptest.NewServer(http.HandlerFunc(d.answer))
	t.Cleanup(d.Close)
	return d
}

// visits is what has come to a server.
type visits struct {
	mu  sync.Mutex
	log []string
}

func (v *visits) note(what string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.log = append(v.log, what)
}

// happened is what has come to the server so far.
func (v *visits) happened() string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return strings.Join(v.log, "\n")
}

// drop takes a ticket off the list.
func (d *desk) drop(name string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.tickets = slices.DeleteFunc(d.tickets, func(t string) bool { return t == name })
}

const deskNav = `<header><nav><a href=/account>Account</a> <a href=/tickets>Tickets</a> <a href=/nowhere>Reports</a> <a href=/cut>Archive</a> <a href=/walled>Payroll</a></nav></header>`

// deskPages are the pages that are always the same.
var deskPages = map[string]string{
	"/account": `<title>Account</title>` + deskNav + `<main><h1>Account</h1>
		<button onclick="fetch('/gone', {method: 'POST'}).then(() => document.querySelector('main').innerHTML = '<h1>Your account was deleted</h1>')">Delete account</button>
		<button onclick="end.showModal()">Cancel subscription</button> <a href=/bye>Log out</a>
		<dialog id=end><h2>Cancel subscription?</h2><p>It will be cancelled at the end of the month.</p><button onclick="end.close()">Keep it</button>
		<button onclick="fetch('/ended', {method: 'POST'}).then(() => { end.close(); document.querySelector('main').innerHTML = '<p>Your subscription is cancelled.' })">Yes, cancel it</button></dialog></main>`,
	"/hollow": `<title>Account</title>` + deskNav +
		`<main><h1>Account</h1><button>Delete account</button> <button onclick="end.showModal()">Cancel subscription</button>
		<button>Log out</button><dialog id=end><h2>Cancel subscription?</h2><p>It will be cancelled.</p><button onclick="end.close()">Yes, cancel it</button></dialog></main>`,
	"/broken": `<title>Account</title>` + deskNav +
		`<main><h1>Account</h1><button onclick="this.remove(); fetch('/fails', {method: 'POST'})">Delete account</button>
		<button onclick="alert('Could not cancel your subscription')">Cancel subscription</button> <a href=/stays>Log out</a></main>`,
	"/pushy": `<title>Account</title><main><h1>Account</h1><button onclick="if (confirm('Really delete it?')) { fetch('/gone', {method: 'POST'}); this.remove() }">Delete account</button></main>`,
	"/contact": `<title>Contact</title>` + deskNav +
		`<main><h1>Contact us</h1><form method=post action=/contacted><label>Name <input name=name required></label>
		<label>E-mail <input name=email type=email required></label><label>Message <textarea name=message></textarea></label><button>Send message</button></form></main>`,
	"/deaf": `<title>Contact</title><main><h1>Contact us</h1><form onsubmit="navigator.sendBeacon('/seen', 'x'); return false"><label>Name <input name=name></label>
		<label>E-mail <input name=email></label><label>Message <textarea name=message></textarea></label><button>Send message</button></form></main>`,
	"/local": `<title>Contact</title><main><h1>Contact us</h1><form onsubmit="window.sent = name2.value; this.outerHTML = '<p>Thank you, your message was sent</p>'; return false">
		<label>Name <input id=name2 name=name></label><label>Message <textarea name=message></textarea></label><button>Send message</button></form></main>`,
	"/strict": `<title>Contact</title><main><h1>Contact us</h1><form onsubmit="e.textContent = 'Please enter a valid phone number'; return false">
		<label>Name <input name=name></label><label>Message <textarea name=message></textarea></label><p id=e role=alert></p><button>Send message</button></form></main>`,
	"/tracked": `<title>Contact</title><main><h1>Contact us</h1><form onsubmit="fetch('/seen', {method: 'POST', body: 'clicked'}); return false">
		<label>Name <input name=name></label><label>Message <textarea name=message></textarea></label><button>Send message</button></form></main>`,
	"/menu": `<title>Menu</title>` + deskNav +
		`<main><h1>Menu</h1><button>Dead end</button> <button aria-expanded=false aria-controls=faq
		onclick="this.setAttribute('aria-expanded', true); faq.hidden = false">Questions</button><div id=faq hidden><p>An answer</p></div>
		<a href="#" onclick="return false">Nothing here</a> <a href="#" onclick="view.innerHTML = '<h2>Statistics</h2><p>12 visits</p>'; return false">Statistics</a>
		<a href="/route" onclick="history.pushState(null, '', '/route'); view.innerHTML = '<h2>Route</h2>'; return false">Route</a> <a href="#part">Part two</a>
		<div id=view></div><p id=clock>10:00:00</p><h2 id=part>Part</h2><script>setInterval(() => { clock.textContent = new Date().toTimeString().slice(0, 8) }, 100)</script></main>`,
	"/find": `<title>Find</title><main><h1>Find</h1><form role=search action=/found><input type=search name=q aria-label=Search><button>Search</button></form><ul><li>Red lamp<li>Blue lamp<li>Green chair</ul></main>`,
	"/sieve": `<title>Sieve</title><main><h1>Sieve</h1><form role=search onsubmit="return false"><input type=search aria-label=Search oninput="for (const li of document.querySelectorAll('li'))
		li.hidden = !li.textContent.toLowerCase().includes(this.value.toLowerCase())"></form><ul><li>Red lamp<li>Blue lamp<li>Green chair</ul></main>`,
	"/mute": `<title>Mute</title><main><h1>Mute</h1><form role=search onsubmit="return false"><input type=search aria-label=Search><button>Search</button></form><ul><li>Red chair<li>Blue lamp<li>Green chair</ul></main>`,
	"/login": `<title>Log in</title><main><form method=post action=/enter><label>User name <input name=user autocomplete=username></label>
		<label>Password <input type=password name=password autocomplete=current-password></label><button>Log in</button></form></main>`,
	"/cart": `<title>Cart</title><main><h1>Your cart</h1><p>Blue lamp, $ 10</p><form method=post action=/ordered><button>Place order</button></form></main>`,
	"/vain": `<title>Cart</title><main><h1>Your cart</h1><p>Blue lamp, $ 10</p><button>Place order</button><p>Thank you for visiting</p></main>`,
}

func (d *desk) answer(w http.ResponseWriter, r *http.Request) {
	say := func(status int, html string) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		w.WriteHeader(status)
		_, _ = w.Write([]byte("<!doctype html><html lang=en>" + html))
	}
	if r.Method == http.MethodPost {
		d.note(r.URL.Path + " " + r.PostFormValue("name") + r.PostFormValue("user") + " " + r.PostFormValue("email"))
	}
	switch page := deskPages[r.URL.Path]; {
	case page != "":
		say(http.StatusOK, page)
		return
	case strings.HasPrefix(r.URL.Path, "/drop/"):
		name := strings.ReplaceAll(strings.TrimPrefix(r.URL.Path, "/drop/"), "-", " ")
		if name == "Ticket 2" {
			say(http.StatusInternalServerError, "no")
			return
		}
		d.drop(name)
		return
	case strings.HasPrefix(r.URL.Path, "/file/"):
		d.note(r.URL.Path)
		if strings.HasSuffix(r.URL.Path, "-5.txt") && r.URL.Query().Has("bad") {
			say(http.StatusOK, "<title>Sorry</title>This file is not there")
			return
		}
		w.Header().Set("Content-Disposition", "attachment")
		_, _ = w.Write([]byte("invoice " + r.URL.Path))
		return
	}
	switch r.URL.Path {
	case "/tickets", "/stuck", "/stale":
		say(http.StatusOK, d.list(r.URL.Path))
	case "/bills", "/badbills":
		say(http.StatusOK, bills(r.URL.Path, r.URL.Query().Get("page")))
	case "/cut":
		panic(http.ErrAbortHandler) // the connection is refused in the middle
	case "/walled":
		http.Redirect(w, r, "/login?next=/walled", http.StatusSeeOther)
	case "/bye":
		d.note("bye")
		say(http.StatusOK, "<title>Bye</title><main><p>You are logged out.</p><a href=/login>Log in</a></main>")
	case "/stays":
		say(http.StatusOK, "<title>Account</title><main><h1>Account</h1><a href=/stays>Log out</a></main>")
	case "/contacted":
		if r.PostFormValue("name") == "Reject" {
			say(http.StatusOK, strings.Replace(deskPages["/contact"], "<form", "<p>The name is invalid</p><form", 1))
			return
		}
		say(http.StatusOK, "<title>Thanks</title><main><h1>We have your message</h1></main>")
	case "/enter":
		switch r.PostFormValue("user") {
		case "ann":
			say(http.StatusOK, "<title>Inside</title><nav><a href=/bye>Log out</a></nav><main><h1>Hello Ann</h1></main>")
		case "locked":
			say(http.StatusOK, "<title>Account</title><main><p>Your account is locked.</p></main>")
		case "crash":
			say(http.StatusInternalServerError, "<title>Oops</title><main><p>Come back later.</p></main>")
		default:
			say(http.StatusOK, deskPages["/login"]+"<p>The password is wrong</p>")
		}
	case "/ordered":
		say(http.StatusOK, "<title>Order</title><main><h1>Thank you for your order</h1><p>Order number 4711</p></main>")
	case "/found":
		d.note("found " + r.URL.Query().Get("q"))
		say(http.StatusOK, "<title>Results</title><main><ul><li>Red lamp<li>Blue lamp</ul></main>")
	case "/fails":
		say(http.StatusInternalServerError, "no")
	case "/gone", "/ended", "/seen", "/route":
		say(http.StatusOK, "<title>Fine</title>ok")
	default:
		say(http.StatusNotFound, "<title>Oh dear</title><main>There is nothing</main>")
	}
}

// list is the page of the tickets. On the other one the buttons do nothing, but a ticket leaves the list for a moment.
func (d *desk) list(path string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	var rows strings.Builder
	for _, name := range d.tickets {
		does := fmt.Sprintf(`drop(this, '/drop/%s')`, strings.ReplaceAll(name, " ", "-"))
		switch path {
		case "/stuck":
			does = "this.focus()"
		case "/stale":
			does = fmt.Sprintf(`fetch('/drop/%s', {method: 'POST'})`, strings.ReplaceAll(name, " ", "-"))
		}
		_, _ = fmt.Fprintf(&rows, `<li>%s: it is broken <button onclick="%s">Delete</button></li>`, name, does)
	}
	return `<title>Tickets</title>` + deskNav + `<main><h1>Tickets</h1><ul>` + rows.String() + `</ul></main><script>
		async function drop(button, url) {
			const row = button.closest('li'), next = row.nextSibling
			row.remove()
			if (!(await fetch(url, {method: 'POST'})).ok) next.parentNode.insertBefore(row, next)
		}</script>`
}

// bills is a page of a list of six invoices.
func bills(path, page string) string {
	first, turn := 0, fmt.Sprintf(`<a rel=next href=%s?page=2>Next</a>`, path)
	if page == "2" {
		first, turn = 3, fmt.Sprintf(`<a rel=prev href=%s>Previous</a>`, path)
	}
	bad := ""
	if path == "/badbills" {
		bad = "?bad"
	}
	var rows strings.Builder
	for i := first; i < first+3; i++ {
		_, _ = fmt.Fprintf(&rows, `<tr><td>2026-%02d-01<td>INV-%d<td><a href=/file/invoice-%d.txt%s>Download</a></tr>`, 10-i,
			i, i, bad)
	}
	return `<title>Invoices</title><main><h1>Invoices</h1><table><tr><th>Date<th>Number<th>File</tr>` + rows.String() +
		`</table>` + turn + `</main>`
}
