package copilot_test

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/skua-browser/skua/internal/sessiontest"
)

// shop is a shop with a search, menus, a login of two factors, lists of several kinds, a checkout of four pages and
// invoices. It keeps a log of what was sent to it.
type shop struct {
	*httptest.Server
	look shopLook

	mu   sync.Mutex
	sent []string
}

// shopLook is how the shop is built.
type shopLook struct {
	name   string
	german bool
	poor   bool   // no landmarks, labels or buttons: what looks like them is made of div
	spa    bool   // pages are fetched and put in place by a script
	before string // at the begin of each page
	behind string // at the end of each page
}

var shopLooks = []shopLook{
	{name: "plain"},
	{name: "German", german: true},
	{name: "ARIA-poor", poor: true},
	{name: "SPA", spa: true},
}

var german = map[string]string{
	"Sign in": "Anmelden", "E-mail": "E-Mail-Adresse", "Password": "Passwort", "Search": "Suchen", "Cart": "Warenkorb",
	"Products": "Produkte", "Account": "Konto",
	"Continue": "Weiter", "Place order": "Kostenpflichtig bestellen",
	"Thank you for your order": "Vielen Dank für Ihre Bestellung", "Next": "Weiter", "Previous": "Zurück",
	"Load more": "Mehr laden", "Full name": "Vollständiger Name", "Street": "Straße", "ZIP code": "Postleitzahl",
	"City": "Stadt", "Checkout": "Zur Kasse",
	"Card number": "Kartennummer", "Security code": "Prüfziffer", "Verification code": "Bestätigungscode",
	"Verify": "Bestätigen", "Log out": "Abmelden",
	"Invoices": "Rechnungen", "Date": "Datum", "Amount": "Betrag", "Number": "Nummer", "Download": "Herunterladen",
	"Lamps": "Lampen", "Orders": "Bestellungen",
	"Delivery address": "Lieferadresse", "Shipping method": "Versandart", "Payment": "Zahlung", "Review": "Prüfen",
	"More": "Mehr", "Settings": "Einstellungen",
	"Review your order": "Bestellung prüfen", "Your cart": "Ihr Warenkorb", "Results": "Ergebnisse",
	"Continue to shipping": "Weiter zum Versand",
	"Continue to payment":  "Weiter zur Zahlung", "Shop": "Laden",
}

func (l shopLook) say(text string) string {
	if said, ok := german[text]; ok && l.german {
		return said
	}
	return text
}

func (l shopLook) tag(tag, inner string) string {
	if l.poor {
		tag = "div"
	}
	return "<" + tag + ">" + inner + "</" + tag + ">"
}

func (l shopLook) field(kind, name, label string) string {
	label = l.say(label)
	if l.poor {
		return fmt.Sprintf(`<div>%s</div><input type=%s name=%s>`, label, kind, name)
	}
	return fmt.Sprintf(`<label>%s <input type=%s name=%s required></label>`, label, kind, name)
}

func (l shopLook) button(label string) string {
	if l.poor {
		return fmt.Sprintf(`<div style="cursor:pointer" onclick="this.closest('form').requestSubmit()">%s</div>`,
			l.say(label))
	}
	return "<button>" + l.say(label) + "</button>"
}

const shopInOnePage = `<script>
async function go(url, init) {
	const answer = await fetch(url, init);
	const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
	document.body.innerHTML = page.body.innerHTML;
	document.title = page.title;
	history.pushState({}, '', answer.url);
}
addEventListener('click', (e) => {
	const a = e.target.closest('a[href]');
	if (!a || a.hasAttribute('download') || a.getAttribute('href').startsWith('#')) return;
	e.preventDefault();
	go(a.href);
});
addEventListener('submit', (e) => {
	e.preventDefault();
	const sent = new URLSearchParams(new FormData(e.target));
	if (e.target.method === 'get') go(e.target.action + '?' + sent); else go(e.target.action, {method: 'POST', body: sent});
});
</script>`

const shopStyle = `<style>ul.hover { display: none; position: absolute; background: #eee } li:hover > ul.hover { display: block } nav li, .nav li { display: inline-block; padding: 8px }
	.more { display: none } .far { position: absolute; left: -9999px } input { display: block }</style>`

func (s *shop) page(w http.ResponseWriter, title, content string) {
	l := s.look
	script := ""
	if l.spa {
		script = shopInOnePage
	}
	header := l.tag("header", `<a href="/">Home</a> `+s.login(content)+` <a href="/cart">`+l.say("Cart")+`</a>
		<form action="/search" role=search><input type=search name=q placeholder="`+l.say("Search")+`" aria-label="`+
		l.say("Search")+`">`+l.button("Search")+`</form>`)
	nav := l.tag("nav", `<ul class=nav>
		<li><button aria-expanded=false aria-controls=products onclick="const o = products.hidden; products.hidden = !o; this.ariaExpanded = o">`+l.say("Products")+`</button>
			<ul id=products hidden><li><a href="/search?q=lamp">`+l.say("Lamps")+`</a></li></ul></li>
		<li><a href="/account">`+l.say("Account")+`</a><ul class=hover><li><a href="/orders">`+l.say("Orders")+
		`</a></li></ul></li>
		<li><a href="#" onclick="more.style.display = 'block'; return false">`+l.say("More")+
		`</a><ul id=more class=more><li><a href="/settings">`+l.say("Settings")+`</a></li></ul></li></ul>`)
	fmt.Fprintf(w, "<!doctype html><html lang=%s><meta charset=utf-8><title>%s</title>%s%s<body>%s%s%s%s%s</body></html>",
		map[bool]string{true: "de", false: "en"}[l.german],
		l.say(title), shopStyle, script, l.before, header, nav, l.tag("main", "<h1>"+l.say(title)+"</h1>"+content), l.behind)
}

// login is the way to the login, for who has not logged in.
func (s *shop) login(content string) string {
	if strings.Contains(content, "/logout") {
		return ""
	}
	return `<a href="/login">` + s.look.say("Sign in") + `</a>`
}

const (
	shopUser     = "ada@example.com"
	shopPassword = "correct horse <&>"
	shopCode     = "314159"
)

func startShop(t testing.TB, look shopLook) *shop {
	t.Helper()
	s := &shop{look: look}
	mux := http.NewServeMux()
	page := func(path, title, content string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { s.page(w, title, content) })
	}
	page("GET /{$}", "Shop", "<p>Welcome.</p>")
	page("GET /account", "Account", "<p>Your account.</p>")
	page("GET /orders", "Orders", "<p>You have no orders.</p>")
	page("GET /settings", "Settings", "<p>There is nothing to set.</p>")
	s.serveLists(mux)
	s.serveLogin(mux)
	s.serveCheckout(mux)
	s.serveInvoices(mux)
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		if err := r.ParseForm(); err == nil &&
			(r.Method == http.MethodPost || len(r.Form) > 0 || strings.Contains(r.URL.Path, ".pdf")) {
			s.mu.Lock()
			s.sent = append(s.sent, r.Method+" "+r.URL.Path+" "+r.Form.Encode())
			s.mu.Unlock()
		}
		mux.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Server.Close)
	return s
}

// got is what was sent to a path.
func (s *shop) got(path string) (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.sent {
		if words := strings.SplitN(line, " ", 3); words[1] == path {
			all = append(all, words[0]+" "+words[2])
		}
	}
	return all
}

func (s *shop) serveLogin(mux *http.ServeMux) {
	form := func(complaint string) string {
		return complaint + `<form method=post action=/login>` + s.look.field("email", "user", "E-mail") +
			s.look.field("password", "pw", "Password") + s.look.button("Sign in") + `</form>`
	}
	code := `<form method=post action=/code>` + s.look.field("text", "code", "Verification code") +
		s.look.button("Verify") + `</form>`
	mux.HandleFunc("GET /login", func(w http.ResponseWriter, _ *http.Request) { s.page(w, "Sign in", form("")) })
	mux.HandleFunc("POST /login", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("user") != shopUser || r.FormValue("pw") != shopPassword {
			s.page(w, "Sign in", form("<p role=alert>That is not right.</p>"))
			return
		}
		s.page(w, "Verification code", code)
	})
	mux.HandleFunc("POST /code", func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("code") != shopCode {
			s.page(w, "Verification code", "<p role=alert>That is not right.</p>"+code)
			return
		}
		s.page(w, "Account", `<p id=hello>Hello Ada</p><a href="/logout">`+s.look.say("Log out")+`</a>`)
	})
}

const shopItems, itemsOnPage = 25, 10

func shopItem(i int) string {
	return fmt.Sprintf(`<li class=item><h3><a href="/item/%d">Lamp %d</a></h3><span class=price>$%d.00</span></li>`, i, i,
		10+i)
}

func lampsPage(n int) (items string) {
	for i := (n-1)*itemsOnPage + 1; i <= min(n*itemsOnPage, shopItems); i++ {
		items += shopItem(i)
	}
	return items
}

// serveLists serves results whose pages are links, buttons, a button that loads more, or loaded at the end of the list.
func (s *shop) serveLists(mux *http.ServeMux) {
	pages := (shopItems + itemsOnPage - 1) / itemsOnPage
	mux.HandleFunc("GET /search", func(w http.ResponseWriter, r *http.Request) {
		n := max(1, sessiontest.Number(r.FormValue("page")))
		q := html.EscapeString(r.FormValue("q"))
		link := func(to int, label string) string {
			if to < 1 || to > pages {
				return ""
			}
			return fmt.Sprintf(`<a href="/search?q=%s&page=%d">%s</a> `, q, to, label)
		}
		numbers := ""
		for i := 1; i <= pages; i++ {
			numbers += link(i, strconv.Itoa(i))
		}
		s.page(w, "Results",
			fmt.Sprintf(
				`<form action=/search><input type=hidden name=q value="%s"><label><input type=checkbox name=stock value=1> In stock</label> %s</form>
			<p>%s</p><ul class=results>%s</ul><div role=navigation aria-label=Pages>%s%s%s</div>`,
				q, `<button>Filter</button>`, q, lampsPage(n), link(n-1, s.look.say("Previous")), numbers,
				link(n+1, s.look.say("Next"))))
	})
	mux.HandleFunc("GET /part", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, lampsPage(sessiontest.Number(r.FormValue("n"))))
	})
	const loading = `<script>let n = 1; const part = async (n) => (await fetch('/part?n=' + n)).text();</script>`
	mux.HandleFunc("GET /buttons", func(w http.ResponseWriter, _ *http.Request) {
		s.page(w, "Results",
			`<ul class=results id=list>`+lampsPage(1)+`</ul>`+loading+`<button id=back disabled onclick="turn(-1)">`+
				s.look.say("Previous")+`</button>
			<button id=on onclick="turn(1)">`+s.look.say("Next")+`</button><script>
			async function turn(by) { n += by; list.innerHTML = await part(n); back.disabled = n === 1; on.disabled = n === 3; }</script>`)
	})
	mux.HandleFunc("GET /more", func(w http.ResponseWriter, _ *http.Request) {
		s.page(w, "Results",
			`<ul class=results id=list>`+lampsPage(1)+`</ul>`+loading+`<button id=on onclick="more_()">`+s.look.say("Load more")+
				`</button><script>
			async function more_() { n++; list.insertAdjacentHTML('beforeend', await part(n)); if (n === 3) on.remove(); }</script>`)
	})
	mux.HandleFunc("GET /endless", func(w http.ResponseWriter, _ *http.Request) {
		s.page(w, "Results",
			`<style>.item { height: 200px }</style><ul class=results id=list>`+lampsPage(1)+`</ul><div id=end>&nbsp;</div>`+
				loading+`<script>
			new IntersectionObserver(async ([e]) => { if (e.isIntersecting && n < 3) { n++; list.insertAdjacentHTML('beforeend', await part(n)); } }).observe(end)</script>`)
	})
}

func (s *shop) serveCheckout(mux *http.ServeMux) {
	l := s.look
	step := func(path, title, next, fields, button string) {
		content := fmt.Sprintf(`<form method=post action=%s>%s%s</form>`, next, fields, l.button(button))
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { s.page(w, title, content) })
	}
	mux.HandleFunc("GET /cart", func(w http.ResponseWriter, _ *http.Request) {
		s.page(w, "Your cart",
			`<table><tr><th>Product<th>Price<tr><td>Lamp 1<td>$11.00<tr><td>Lamp 2<td>$12.00</table><a href="/checkout">`+
				l.say("Checkout")+`</a>`)
	})
	step("GET /checkout", "Delivery address", "/shipping",
		l.field("text", "name", "Full name")+l.field("text", "street", "Street")+
			l.field("text", "zip", "ZIP code")+l.field("text", "city", "City"), "Continue to shipping")
	step("POST /shipping", "Shipping method", "/payment",
		`<label><input type=radio name=shipping value=standard checked> Standard</label>
		<label><input type=radio name=shipping value=express> Express</label>`, "Continue to payment")
	step("POST /payment", "Payment", "/review",
		l.field("text inputmode=numeric autocomplete=cc-number", "number", "Card number")+
			l.field("text autocomplete=cc-csc", "cvc", "Security code"), "Review your order")
	step("POST /review", "Review your order", "/order", "<p>Lamp 1, Lamp 2: $23.00</p>", "Place order")
	mux.HandleFunc("POST /order", func(w http.ResponseWriter, _ *http.Request) {
		s.page(w, "Thank you for your order", "<p>A lamp is on its way.</p>")
	})
}

// serveInvoices serves an invoice for each of the last months before December 2026.
func (s *shop) serveInvoices(mux *http.ServeMux) {
	rows := ""
	for m := 11; m >= 1; m-- {
		date := fmt.Sprintf("2026-%02d-03", m)
		if s.look.german {
			date = fmt.Sprintf("03.%02d.2026", m)
		}
		rows += fmt.Sprintf(
			`<tr><td>INV-%d</td><td>%s</td><td>$%d.00</td><td><a href="/invoices/%d.pdf" download>%s</a></td></tr>`, m, date,
			10*m, m, s.look.say("Download"))
	}
	mux.HandleFunc("GET /invoices", func(w http.ResponseWriter, _ *http.Request) {
		s.page(w, "Invoices",
			fmt.Sprintf(`<table><thead><tr><th>%s</th><th>%s</th><th>%s</th><th></th></tr></thead><tbody>%s</tbody></table>`,
				s.look.say("Number"), s.look.say("Date"), s.look.say("Amount"), rows))
	})
	mux.HandleFunc("GET /invoices/{file}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/pdf")
		w.Header().Set("Content-Disposition", "attachment; filename="+r.PathValue("file"))
		fmt.Fprintf(w, "%%PDF invoice %s", r.PathValue("file"))
	})
}

// paths are where something was sent to, in order.
func (s *shop) paths() (all []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, line := range s.sent {
		all = append(all, strings.Join(strings.SplitN(line, " ", 3)[:2], " "))
	}
	return slices.Compact(all)
}
