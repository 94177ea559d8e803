//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"strings"
)

// The office is what the workflows work in: some small web applications below /w/{token}/. What reaches their server is
// noted as events of the token, beside those that pages report of themselves.

// office adds the applications to the site.
func (s *site) office(mux *http.ServeMux) {
	for _, page := range officePages() {
		mux.HandleFunc("GET /w/{token}/"+page.path, func(w http.ResponseWriter, r *http.Request) {
			s.note(r, "page", page.path)
			s.showOffice(w, r, page.title, page.body)
		})
	}
	mux.HandleFunc("POST /w/{token}/session", s.signIn)
	mux.HandleFunc("GET /w/{token}/account", s.account)
	mux.HandleFunc("GET /w/{token}/results", s.results)
	mux.HandleFunc("GET /w/{token}/figures", s.figures)
	mux.HandleFunc("GET /w/{token}/report.csv", s.report)
	mux.HandleFunc("PUT /w/{token}/did/{what}", s.did)
	for from, to := range map[string]string{
		"address": "delivery", "delivery": "review", "review": "thanks",
		"reply": "sent", "card": "paid",
	} {
		mux.HandleFunc("POST /w/{token}/"+from, func(w http.ResponseWriter, r *http.Request) {
			if err := r.ParseForm(); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			s.note(r, from, r.PostForm.Encode())
			http.Redirect(w, r, "/w/"+r.PathValue("token")+"/"+to, http.StatusSeeOther)
		})
	}
}

// note keeps what reached the server as an event of the page's token.
func (s *site) note(r *http.Request, kind, value string) {
	s.keep(event{Token: r.PathValue("token"), Kind: kind, Value: value})
}

func (s *site) showOffice(w http.ResponseWriter, r *http.Request, title, body string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = io.WriteString(w, document(title, r.PathValue("token"), body))
}

const (
	user     = "ada"
	password = "correct horse"
)

func (s *site) signIn(w http.ResponseWriter, r *http.Request) {
	if r.FormValue("user") != user || r.FormValue("password") != password {
		s.note(r, "refused", r.FormValue("user"))
		s.showOffice(w, r, "Sign in", "<h1>Sign in</h1><p role=alert>Wrong user name or password.</p>")
		return
	}
	s.note(r, "session", user)
	http.SetCookie(w, &http.Cookie{
		Name:     "session",
		Value:    r.PathValue("token"),
		Path:     "/w/" + r.PathValue("token"),
		HttpOnly: true,
	})
	http.Redirect(w, r, "account", http.StatusSeeOther)
}

func (s *site) account(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie("session"); err != nil || cookie.Value != r.PathValue("token") {
		http.Redirect(w, r, "login", http.StatusSeeOther)
		return
	}
	s.note(r, "page", "account")
	s.showOffice(w, r, "Account", "<h1>Welcome back, Ada</h1><p>Your balance is 417.20</p><a href=settings>Settings</a>")
}

func (s *site) results(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query().Get("q")
	s.note(r, "search", query)
	s.showOffice(w, r, "Results", "<h1>Results for "+html.EscapeString(query)+`</h1><ol>
<li><a href="other">Herons of the world</a></li><li><a href="heron">The great blue heron</a></li><li><a href="other">Blue birds</a></li></ol>`)
}

// figures are the tiles of the dashboard for a region.
func (s *site) figures(w http.ResponseWriter, r *http.Request) {
	region := r.URL.Query().Get("region")
	s.note(r, "figures", region)
	_, _ = io.WriteString(w, tiles(region))
}

func tiles(region string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "<h2>%s region</h2>", region)
	for i, service := range services {
		fmt.Fprintf(&b, "<section><h3>%s</h3><p>Errors today in %s: %d</p><button>Details of %s</button></section>", service,
			service, errorsToday(region, i), service)
	}
	return b.String()
}

var services = []string{
	"Accounts", "Billing", "Catalogue", "Delivery", "Events", "Forms", "Gateway", "Help", "Images",
	"Journal", "Keys", "Ledger",
}

func errorsToday(region string, service int) int { return 100*len(region) + 17*service }

const reportText = "day,orders\nMonday,12\nTuesday,31\n"

func (s *site) report(w http.ResponseWriter, r *http.Request) {
	s.note(r, "report", "")
	w.Header().Set("Content-Type", "text/csv")
	w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
	_, _ = io.WriteString(w, reportText)
}

// did is what pages report about what was done in them.
func (s *site) did(w http.ResponseWriter, r *http.Request) {
	var value string
	if err := json.NewDecoder(io.LimitReader(r.Body, 1<<16)).Decode(&value); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.note(r, r.PathValue("what"), value)
	w.WriteHeader(http.StatusNoContent)
}

// officePage is a page that is the same for all.
type officePage struct{ path, title, body string }

// did is the function by which pages say what was done.
const didScript = `<script>const did = (what, value) => fetch('did/' + what, {method: 'PUT', keepalive: true, body: JSON.stringify(String(value))});</script>`

func officePages() []officePage {
	return []officePage{
		{"login", "Sign in", `<h1>Sign in</h1><form method=post action=session><label>User name <input name=user></label>
<label>Password <input type=password name=password></label><button>Sign in</button></form>`},
		{
			"library", "Library",
			`<h1>Library</h1><form action=results><label>Search the library <input type=search name=q></label><button>Search</button></form>`,
		},
		{
			"heron", "The great blue heron",
			`<h1>The great blue heron</h1><main><p>It is the largest heron of North America.</p><p>Wingspan: 167 to 201 cm.</p></main>`,
		},
		{"other", "Another article", `<h1>Another article</h1><p>Nothing of use.</p>`},
		{"prices", "Prices", pricesPage()},
		{"cart", "Cart", `<h1>Cart</h1><ul><li>Ink, 2 bottles</li><li>Paper, 1 ream</li></ul><a href=address>Check out</a>`},
		{
			"address", "Address",
			`<h1>Address</h1><form method=post><label>Name <input name=name required></label><label>Street <input name=street required></label>
<label>City <input name=city required></label><label>Country <select name=country><option value="">Choose</option><option value=de>Germany</option><option value=fr>France</option></select></label>
<button>Continue</button></form>`,
		},
		{
			"delivery", "Delivery",
			`<h1>Delivery</h1><form method=post><label><input type=radio name=by value=post> By post</label><label><input type=radio name=by value=courier> By courier</label>
<label><input type=checkbox name=gift value=yes> Wrap it as a gift</label><button>Continue</button></form>`,
		},
		{
			"review", "Review",
			`<h1>Review</h1><p>Total: 38.50</p><form method=post><input type=hidden name=sure value=yes><button>Place order</button></form>`,
		},
		{"thanks", "Thank you", `<h1>Thank you</h1><p>Your order number is 20417.</p>`},
		{
			"dashboard", "Dashboard",
			`<h1>Dashboard</h1><label>Region <select id=region><option>South<option>North<option>West</select></label><div id=tiles>` + tiles("South") + `</div>
<script>region.onchange = async () => { tiles.innerHTML = await (await fetch('figures?region=' + region.value)).text(); };</script>`,
		},
		{"reports", "Reports", `<h1>Reports</h1><a href=report.csv>Orders of this week, CSV</a> <a href=other>Help</a>`},
		{
			"inbox", "Inbox",
			didScript +
				`<h1>Inbox</h1><p>From Charles: shall we meet on Friday?</p><a href=reply target=_blank>Reply in a new tab</a>
<button onclick="did('archive', 'message 1')">Archive message</button>`,
		},
		{
			"reply", "Reply",
			`<h1>Reply</h1><form method=post><label>Message <textarea name=message></textarea></label><button>Send reply</button></form>`,
		},
		{"sent", "Sent", `<h1>Sent</h1><p>Your reply is on its way.</p>`},
		{"project", "Project", didScript + `<h1>Project</h1><p id=state>The project is active.</p>
<button onclick="if (confirm('Delete the project for good?')) { did('delete', 'project 1'); state.textContent = 'The project is gone.'; }">Delete project</button>`},
		{
			"pay", "Pay",
			`<h1>Pay</h1><p>38.50 to the Stationer</p><iframe src=card title="Card payment" width=500 height=200></iframe>`,
		},
		{
			"card", "Card",
			`<form method=post><label>Card number <input name=card inputmode=numeric></label><button>Pay now</button></form>`,
		},
		{"paid", "Paid", `<h1>Payment received</h1>`},
		{"seats", "Seats", seatsPage("[12, 13, 14]", "[13, 14]")},
		{"seats-rerendered", "Seats", seatsPage("[12, 13, 14]", "[12, 13, 14]")},
	}
}

func pricesPage() string {
	var rows strings.Builder
	for i, street := range []string{"Abbey Road", "Baker Street", "Mill Lane", "Station Road"} {
		fmt.Fprintf(&rows,
			`<tr><td>%[1]s</td><td><span>%[2]d.00</span></td><td><button onclick="edit(this, '%[1]s')">Edit %[1]s</button></td></tr>`, street, 100+i)
	}
	return didScript + `<h1>Prices</h1><table><thead><tr><th>Street</th><th>Price</th><th></th></tr></thead><tbody>` +
		rows.String() + `</tbody></table>
<script>function edit(button, street) {
	const cell = button.parentNode.previousSibling.firstChild, input = document.createElement('input'), save = document.createElement('button');
	input.value = cell.textContent; input.setAttribute('aria-label', 'Price of ' + street); save.textContent = 'Save ' + street;
	save.onclick = () => { did('price', street + ' ' + input.value); cell.textContent = input.value; input.replaceWith(cell); save.replaceWith(button); };
	cell.replaceWith(input); button.replaceWith(save);
}</script>`
}

// seatsPage renders its buttons again when the server has new data: first these seats are free, then those.
func seatsPage(before, after string) string {
	return didScript + `<h1>Seats</h1><div id=seats></div><p id=mine>You have no seat yet.</p>
<script>
const draw = (free) => { seats.replaceChildren(...free.map((n) => { const b = document.createElement('button'); b.textContent = 'Reserve seat ' + n;
	b.onclick = () => { did('seat', n); mine.textContent = 'Seat ' + n + ' is yours.'; }; return b; })); };
draw(` + before + `);
const token = location.pathname.split('/')[2];
fetch('/signal?token=' + token).then((r) => r.text()).then((text) => { draw(` + after + `); say('drawn', text); });
</script>`
}
